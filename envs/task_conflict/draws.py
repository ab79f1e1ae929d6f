"""What the seed decides: which start a game begins with, in which order a menu is printed. Own design.

Counter-based, like the draw of the scenario: the k-th reset of an environment seeded s is known from (s, k) alone.
"""

from __future__ import annotations

from conflictbench.envs.fiction.scenario_draw import splitmix64

START = 0  # stream of the start; 1 and 2 are those of the parties' menus


def draw_start(n_starts: int, seed: int, k: int) -> int:
    """Index of the start that the k-th reset of an environment seeded `seed` plays, in [0, n_starts)."""
    return splitmix64(splitmix64(seed, k), START) % n_starts


def draw_order(n: int, seed: int, k: int, party: int) -> tuple[int, ...]:
    """0..n-1 in the order in which a menu of `party` is printed: 0 first, the others shuffled (Fisher and Yates)."""
    order = list(range(n))
    stream = splitmix64(splitmix64(seed, k), 1 + party)
    for last in range(n - 1, 1, -1):
        other = 1 + splitmix64(stream, last) % last
        order[last], order[other] = order[other], order[last]
    return tuple(order)
