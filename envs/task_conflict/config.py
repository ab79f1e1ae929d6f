"""The arguments of the two-party environment, each checked when it is made. Own design."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

from conflictbench.envs.arguments import SCREENS, name_list, one_of, reset_options, scenario_list, whole_number
from conflictbench.envs.task_conflict.playing import Playing, playing_of
from conflictbench.errors import InvalidValue, UnknownName, shown
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.joint import Joint, two_party_ids

OBSERVATIONS = ("features", "text")
TALKS = ("none", "signal", "text")
AGENTS = tuple(f"{role}_0" for role in ROLES)


@dataclass(frozen=True, kw_only=True)
class TaskConflictConfig:
    """What the environment was asked to be."""

    games: tuple[Playing, ...]  # sorted by id, at least one
    observation: Literal["features", "text"]
    talk: Literal["none", "signal", "text"]
    max_cycles: int | None
    render_mode: str | None

    @property
    def talks(self) -> bool:
        """Whether a talk phase precedes each move phase."""
        return self.talk != "none"

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the scenarios, sorted."""
        return tuple(game.id for game in self.games)

    @property
    def widths(self) -> tuple[int, int]:
        """The most moves of each party over all scenarios."""
        incumbent, requester = (max(game.tables.n_moves[party] for game in self.games) for party in (0, 1))
        return incumbent, requester


def parse_config(
    *, scenario: Any, observation: Any, talk: Any, max_cycles: Any, render_mode: Any
) -> TaskConflictConfig:
    """Check the arguments.

    Raises:
        UnknownName: a value outside its list; the message holds the list.
        InvalidValue: another type, or a number out of range.
    """
    one_of("observation", observation, OBSERVATIONS)
    one_of("talk", talk, TALKS)
    if render_mode is not None:
        one_of("render_mode", render_mode, SCREENS)
    return TaskConflictConfig(
        games=games_of(scenario),
        observation=cast(Literal["features", "text"], observation),
        talk=cast(Literal["none", "signal", "text"], talk),
        max_cycles=cycle_cap(max_cycles),
        render_mode=render_mode,
    )


def games_of(scenario: Any) -> tuple[Playing, ...]:
    """Read `scenario`: None for every game there is, an id, a `Joint` (a game of one's own), or a list of either."""
    listed = list(scenario) if isinstance(scenario, list | tuple) else [scenario]
    own = [item for item in listed if isinstance(item, Joint)]
    if not own:
        ids = scenario_list(scenario, two_party_ids(), "no scenario has two parties")
        return tuple(playing_of(name) for name in ids)
    games = [Playing(item) if isinstance(item, Joint) else playing_of(_known(item)) for item in listed]
    name_list("scenario", [game.id for game in games], tuple(game.id for game in games))  # none of them twice
    return tuple(sorted(games, key=lambda game: game.id))


def cycle_cap(value: Any) -> int | None:
    """Read `max_cycles`: a whole number >= 1, or None for no limit."""
    if value is None:
        return None
    cycles = whole_number(value)
    if cycles is None or cycles < 1:
        raise InvalidValue(f"max_cycles {shown(value)} must be a whole number >= 1, or None for no limit")
    return cycles


def picked(options: Any, ids: tuple[str, ...]) -> tuple[str | None, Any]:
    """Read the `options` of a reset: the scenario and the start that they pick, if any.

    Other keys are let through: PettingZoo's own tests hand in one that nobody knows. `start_of` reads the start.

    Raises:
        InvalidValue: no dict.  UnknownName: a scenario that is not one of `ids`.
    """
    given = reset_options(options)
    scenario = given.get("scenario")
    if scenario is not None:
        one_of("scenario", scenario, ids)
    return scenario, given.get("start")


def start_of(value: Any, game: Playing) -> int:
    """Read a start of `game`: an index into `tables.starts`."""
    starts, start = game.tables.starts, whole_number(value)
    if start is None or not 0 <= start < len(starts):
        told = "; ".join(f"{n} {ROLES[s.first]} first{_types(game, n)}" for n, s in enumerate(starts))
        raise InvalidValue(f"start {shown(value)} of {game.id} must be a whole number in 0..{len(starts) - 1}: {told}")
    return start


def _types(game: Playing, start: int) -> str:
    return "".join(f", {name} {value}" for name, value in game.types(start).items())


def _known(value: Any) -> str:
    one_of("scenario", value, two_party_ids())
    return str(value)


def party_of(agent: str) -> int:
    """0 for the incumbent's agent, 1 for the requester's. Raises UnknownName."""
    one_of("agent", agent, AGENTS)
    return AGENTS.index(agent)


def refuse_unknown(names: Iterable[str], known: tuple[str, ...]) -> None:
    """Raise UnknownName for the first keyword that nobody takes."""
    for name in names:
        raise UnknownName("keyword", name, known)
