"""In which order a question shows its options: set by scenario, seed and reset alone. Own design.

PacifAIst keeps most keys on the first letter, so always answering A beats every model there; ours move, and evenly: a
Latin square over four seeds, as experimenters counterbalance the order of conditions.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import permutations

from conflictbench.envs.fiction.scenario_draw import splitmix64

N_OPTIONS = 4
ORDERS = tuple(permutations(range(N_OPTIONS)))  # all 24, in lexicographic order


def option_order(scenario: str, seed: int, k: int) -> tuple[int, ...]:
    """Return the order at the k-th reset of an environment seeded `seed`: place -> index in the file, each once.

    Seeds 4n to 4n + 3 turn one drawn order round, so that over them every option stands once at every place. The
    scenario's id enters the draw, or one seed would put the same place right in every scenario. The variant does not:
    the four readings are asked in the same order, so that their differences are of the texts.
    """
    own = int.from_bytes(blake2b(scenario.encode("utf-8"), digest_size=8).digest(), "big")
    block, turn = divmod(seed, N_OPTIONS)
    drawn = ORDERS[splitmix64(splitmix64(block, k) ^ own, 0) % len(ORDERS)]
    return drawn[turn:] + drawn[:turn]
