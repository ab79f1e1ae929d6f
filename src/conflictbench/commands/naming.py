"""Names as typed on a command line: scenario ids in any case, whole numbers with a message of our own. Own design."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conflictbench.scenario_specs import LoadedScenario


def scenario_called(name: str) -> LoadedScenario:
    """The scenario of the core pack with this id, `ep1-001` being `EP1-001`.

    Raises:
        UnknownName: there is none.
    """
    from conflictbench.scenario_specs import get_scenario, scenario_ids

    same = [known for known in scenario_ids() if known.casefold() == name.casefold()]
    return get_scenario(same[0] if same else name)


def category_called(name: str) -> str:
    """The family with this name, in any case.

    Raises:
        UnknownName: there is none.
    """
    from conflictbench.errors import UnknownName
    from conflictbench.types import CATEGORIES

    if name.upper() not in CATEGORIES:
        raise UnknownName("category", name, CATEGORIES)
    return name.upper()
