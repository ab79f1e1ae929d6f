"""Everything wrong with the `parties` block of a file that the loader can say. Own design.

What only the tables can tell is left to the bars.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.parties.game import build_game
from conflictbench.scenario_specs.parties.references import party_texts
from conflictbench.scenario_specs.references import fault
from conflictbench.scenario_specs.schema import Scenario


def party_faults(spec: Scenario, plain: frozenset[str]) -> Iterator[Fault]:
    """Faults of the block, names before expressions; none where there is no block.

    Args:
        plain: key paths of values written without quotes or block.
    """
    if spec.parties is None:
        return
    try:
        build_game(spec)
    except SpecError as error:
        yield from error.faults
    for key, prose in party_texts(spec.parties).items():
        if prose and key in plain:
            message = "prose without quotes: YAML would cut it at ' #' or ': '"
            yield fault(key, "text", message, "put it in double quotes or a block")
