"""What a run of cross-play is: the facts that make two commands the same run, and its plays. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from conflictbench.benchmarks.crossplay.seats import Seat
from conflictbench.benchmarks.manifest import ManifestOf, ModelEntry, digest
from conflictbench.errors import InvalidValue, RunError, UnknownName
from conflictbench.scenario_specs.parties.joint import Joint, get_joint, two_party_ids

Talk = Literal["none", "signal", "text"]
TALKS: tuple[Talk, ...] = get_args(Talk)


class PlayKey(BaseModel):
    """Identity of a play inside a run; one final attempt a key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: str
    start: int  # index into the tables' starts: who is served first, and the types
    incumbent: str
    requester: str
    seed: int


class CrossplayIdentity(BaseModel):
    """Two commands with equal identities are one run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: tuple[str, ...]
    inputs: dict[str, str]  # agent -> digest of the file it was given
    scenarios: dict[str, str]  # id -> digest of its tables
    starts: dict[str, int]  # id -> how many starts it has
    pairs: tuple[tuple[str, str, int], ...]  # incumbent, requester, seeds: those that are played, not worked out
    talk: Talk
    solo: bool
    seeds: int
    protocol_id: str = ""  # of the words that a model is sent
    model: ModelEntry | None = None

    def hash(self) -> str:
        """8 hex digits over every field."""
        return digest(self.model_dump(mode="json"), 4)

    def directory_name(self) -> str:
        """`crossplay-<8 hex>`."""
        return f"crossplay-{self.hash()}"

    def plays(self) -> Iterator[PlayKey]:
        """Every play of the run, each once, in the order in which they are played."""
        for seed in range(self.seeds):
            for scenario, starts in self.starts.items():
                for incumbent, requester, seeds in self.pairs:
                    for start in range(starts if seed < seeds else 0):
                        yield PlayKey(
                            scenario=scenario, start=start, incumbent=incumbent, requester=requester, seed=seed
                        )


class CrossplayManifest(ManifestOf[CrossplayIdentity]):
    """`manifest.json` of a run of cross-play."""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Under what the parties play."""

    talk: Talk = "none"
    solo: bool = False  # each model in both chairs at once, told what either party is told
    seeds: int = 1  # plays of each start

    def __post_init__(self) -> None:
        if self.talk not in TALKS:
            raise UnknownName("talk", self.talk, TALKS)
        if type(self.seeds) is not int or self.seeds < 1:
            raise InvalidValue(f"seeds {self.seeds!r} must be a whole number >= 1")
        if self.solo and self.talk != "none":
            raise RunError(f"alone in both chairs there is nobody to talk to: --solo goes without --talk {self.talk}")


def pairs_of(seats: Sequence[Seat], *, solo: bool) -> list[tuple[Seat, Seat]]:
    """Every incumbent with every requester, themselves among them; alone, a model meets nobody but itself."""
    pairs = [(a, b) for a in seats if "incumbent" in a.roles for b in seats if "requester" in b.roles]
    if solo:
        if not any(seat.kind == "llm" for seat in seats):
            raise RunError("--solo is for language models, and none is here: add llm:PROVIDER/MODEL")
        pairs = [(a, b) for a, b in pairs if is_exact((a, b)) or (a is b and a.kind == "llm")]
    return pairs


def is_exact(pair: tuple[Seat, Seat]) -> bool:
    """Whether a pair is worked out from the tables, and not played."""
    return all(seat.kind == "bot" for seat in pair)


def games_called(names: Sequence[str], pack: str = "core") -> tuple[Joint, ...]:
    """Two-party games by their scenario, in any case; none for all of the pack. Raises UnknownName."""
    ids = two_party_ids(pack)
    named = {scenario.casefold(): scenario for scenario in ids}
    for name in names:
        if name.casefold() not in named:
            raise UnknownName("scenario with two parties", name, ids)
    chosen = sorted({named[name.casefold()] for name in names}) if names else ids
    return tuple(get_joint(scenario, pack) for scenario in chosen)


def identify(
    seats: Sequence[Seat],
    games: Sequence[Joint],
    conditions: Conditions,
    *,
    model: ModelEntry | None = None,
    protocol_id: str = "",
) -> CrossplayIdentity:
    """What the run would be; nothing is written.

    Raises:
        RunError: a policy was not trained on a scenario that is asked for, or two of them on different ones, or talk is
            asked for, which no policy has learnt.
    """
    pairs = [pair for pair in pairs_of(seats, solo=conditions.solo) if not is_exact(pair)]
    for a, b in pairs:
        _check_trained(a, b, [game.id for game in games])
        deaf = next((seat.name for seat in (a, b) if seat.kind == "sb3"), None)
        if deaf is not None and conditions.talk != "none":
            raise RunError(f"{deaf}: a policy hears nothing: leave --talk {conditions.talk} out")
    return CrossplayIdentity(
        agents=tuple(seat.name for seat in seats),
        inputs={seat.name: seat.input_digest for seat in seats if seat.input_digest is not None},
        scenarios={game.id: game.tables.digest for game in games},
        starts={game.id: len(game.tables.starts) for game in games},
        pairs=tuple((a.name, b.name, conditions.seeds if a.draws or b.draws else 1) for a, b in pairs),
        talk=conditions.talk,
        solo=conditions.solo,
        seeds=conditions.seeds,
        protocol_id=protocol_id,
        model=model,
    )


def _check_trained(a: Seat, b: Seat, asked: Sequence[str]) -> None:
    for seat in (a, b):
        missing = [scenario for scenario in asked if seat.scenarios and scenario not in seat.scenarios]
        if missing:
            raise RunError(
                f"{seat.name} was trained on {', '.join(seat.scenarios)} and not on {', '.join(missing)}; "
                f"give --scenario {seat.scenarios[0]}"
            )
    if a.scenarios and b.scenarios and a.scenarios != b.scenarios:
        raise RunError(f"{a.name} and {b.name} were trained on different scenarios: they see games in different forms")
