"""The two-party games of a pack, by the id of their scenario: game, tables and bots together. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from conflictbench.errors import UnknownName
from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.packs import get_scenario, scenario_ids
from conflictbench.scenario_specs.parties.bots import Population
from conflictbench.scenario_specs.parties.compiler import compile_game
from conflictbench.scenario_specs.parties.game import Game, build_game
from conflictbench.scenario_specs.parties.tables import JointTables, read_only


@dataclass(frozen=True, eq=False)
class Joint:
    """One game; tables and bots are made when they are first asked for."""

    game: Game

    @property
    def id(self) -> str:
        """Id of the scenario."""
        return self.game.id

    @cached_property
    def tables(self) -> JointTables:
        """Compiled tables; the arrays are read-only.

        Raises:
            SpecError: too many joint states, or a worth outside 0..1.
        """
        tables = compile_game(self.game)
        for _, array in tables.arrays():
            read_only(array)
        return tables

    @cached_property
    def bots(self) -> Population:
        return Population(self.tables)


def joint_of(loaded: LoadedScenario) -> Joint:
    """The game of a loaded scenario.

    Raises:
        UnknownName: its file has no `parties` block.
    """
    if loaded.spec.parties is None:
        raise UnknownName("scenario with two parties", loaded.id, two_party_ids(), hint="it has no `parties` block")
    return Joint(build_game(loaded.spec, file=loaded.path))


def two_party_ids(pack: str = "core") -> tuple[str, ...]:
    """Ids of the EP2 scenarios of a pack that have a `parties` block, sorted."""
    ids = scenario_ids(pack, category="EP2")
    return tuple(name for name in ids if get_scenario(name, pack).spec.parties is not None)


def get_joint(scenario: str, pack: str = "core") -> Joint:
    """The game of a scenario of a pack; the same object every time.

    Raises:
        UnknownName: no such pack or id, or no `parties` block in its file.
    """
    return _get(scenario, pack)


@lru_cache(maxsize=256)
def _get(scenario: str, pack: str) -> Joint:  # not the public one: a default left out is another key
    return joint_of(get_scenario(scenario, pack))
