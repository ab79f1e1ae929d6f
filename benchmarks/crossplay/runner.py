"""Runs cross-play: works out pairs of bots, plays the others, keeps each play the moment it ends. Own design."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from conflictbench.agents.models import ModelOptions, PaidCall
from conflictbench.benchmarks.call_ledger import CallLedger
from conflictbench.benchmarks.cast import ASYNC_CONCURRENCY
from conflictbench.benchmarks.crossplay.answered import PlayWatch, answered_as
from conflictbench.benchmarks.crossplay.directory import CrossplayDirectory, refuse_another
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.match import PlayUnit
from conflictbench.benchmarks.crossplay.matrix import Cell, Crossplay, in_order, make_cell
from conflictbench.benchmarks.crossplay.plan import (
    Conditions,
    CrossplayIdentity,
    PlayKey,
    games_called,
    identify,
    is_exact,
    pairs_of,
)
from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.crossplay.players import Company
from conflictbench.benchmarks.crossplay.samples import Sample, exact_samples, played_sample
from conflictbench.benchmarks.crossplay.seats import Seat, seats_called
from conflictbench.benchmarks.crossplay.trained_on import other_tables
from conflictbench.benchmarks.driver import drive
from conflictbench.benchmarks.event_loop import run_to_end
from conflictbench.benchmarks.interrupts import Interrupts, ended_by
from conflictbench.benchmarks.progress import Progress, make_progress
from conflictbench.benchmarks.runner import RUNS, first_free
from conflictbench.errors import RunError
from conflictbench.saying import say
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.wrappers.chat.party_protocol import PARTY, SOLO


@dataclass(frozen=True, kw_only=True)
class CrossplayResult:
    """What a call of `run_crossplay` left behind."""

    found: Crossplay
    directory: Path | None  # None where nothing was to be kept
    notes: tuple[str, ...]
    planned: int  # plays of the run
    finished: int  # of them with a result
    played: int = 0  # attempts made by this call
    signal: int = 0  # SIGINT or SIGTERM where one ended it, else 0
    stopped: str = ""  # why it ended early: a model that answers nobody; "" if it did not
    records: tuple[PlayRecord, ...] = ()  # the last attempt at each play, without what was said in it

    @property
    def left_out(self) -> int:
        """Plays without a result."""
        return self.planned - self.finished


def run_crossplay(
    agents: Sequence[str],
    *,
    scenarios: Sequence[str] = (),
    games: Sequence[Joint] | None = None,
    conditions: Conditions | None = None,
    model: ModelOptions | None = None,
    concurrency: int | None = None,
    out: str | Path | None = None,
    runs: str | Path = RUNS,
    fresh: bool = False,
    command: str = "",
) -> CrossplayResult:
    """Let every incumbent meet every requester, from every start of every game, or go on where the same call stopped.

    Args:
        agents: bots by name, `sb3:PATH`, `llm:PROVIDER/MODEL`.
        scenarios: ids; none for all of the core pack.
        games: in place of those: games of one's own.
        conditions: talk, solo and plays of each start; None for the defaults.
        model: how language models are asked.
        concurrency: plays at a time; None is 16 where a model plays, else 1.
        out: the run's directory; None is `runs/crossplay-<8 hex of all that makes the run>`, and none at all where
            there is nothing to play.
        fresh: start another run beside one that is there.
        command: what was typed, kept in the manifest.
    Returns:
        The result; after Ctrl-C or SIGTERM too, with `signal`: what was finished is kept, the rest is dropped.
    Raises:
        UnknownName, InvalidValue, RunError, AgentError, ModelError, NotYetAvailable: a name or value is wrong, or
            somebody cannot play; nothing was played.
    """
    rules = conditions or Conditions()
    seats = seats_called(agents)
    facts = {game.id: GameFacts(game) for game in (games_called(scenarios) if games is None else games)}
    if concurrency is not None and concurrency < 1:
        raise RunError(f"concurrency must be at least 1, not {concurrency}")
    asks = any(seat.kind == "llm" for seat in seats)
    if model is not None and model != ModelOptions() and not asks:
        raise RunError("no agent here asks a language model: leave the options of a model out")
    books: list[CallLedger] = []

    def on_call(call: PaidCall) -> None:
        for ledger in books:
            ledger.add(call)

    company = Company(seats, list(facts.values()), model, on_call)
    entry = next((cast.model_entry() for cast in company.casts.values()), None)
    protocol = (SOLO if rules.solo else PARTY).id if asks else ""
    identity = identify(seats, [one.joint for one in facts.values()], rules, model=entry, protocol_id=protocol)
    if not identity.pairs:
        _refuse_for_bots(rules, concurrency, fresh=fresh and out is None)
    if not identity.pairs and out is None:
        return _result(identity, seats, facts, (), None)
    base = Path(os.path.abspath(out if out is not None else Path(runs) / identity.directory_name()))
    if not fresh:
        refuse_another(base, identity)
    company.load()
    tables = {name: one.joint.tables for name, one in facts.items()}
    with ExitStack() as stack:
        directory = stack.enter_context(
            CrossplayDirectory(first_free(base) if fresh else base, identity, command=command, tables=tables)
        )
        stale = other_tables(seats, [one.joint for one in facts.values()])
        for note in [note for note in stale if note not in directory.notes]:
            say(f"note: {note}")
            directory.add_note(note)
        if asks:
            books.append(
                stack.enter_context(
                    CallLedger(directory.path, directory.records, lambda note: directory.add_note(note))
                )
            )
        units = [_unit(key, attempt, identity, seats) for key, attempt in directory.pending()]
        before = len(directory.records)
        ended = _play(units, company, directory, books, concurrency or (ASYNC_CONCURRENCY if asks else 1))
        result = _result(identity, seats, facts, directory.attempts().values(), directory)
        stopped = company.given_up() if not ended and result.left_out else ""
        return replace(result, played=len(directory.records) - before, signal=ended, stopped=stopped)


def _refuse_for_bots(rules: Conditions, concurrency: int | None, *, fresh: bool) -> None:
    """Raise RunError for options of plays where none is played: they would change nothing."""
    given = {
        f"--talk {rules.talk}": rules.talk != "none",
        f"--seeds {rules.seeds}": rules.seeds != 1,
        f"--concurrency {concurrency}": concurrency is not None,
        "--fresh": fresh,
    }
    if words := [word for word, is_given in given.items() if is_given]:
        raise RunError(f"bots alone are worked out, and nothing of theirs is played: leave {', '.join(words)} out")


def _unit(key: PlayKey, attempt: int, identity: CrossplayIdentity, seats: Sequence[Seat]) -> PlayUnit:
    kinds = {seat.name: seat.kind for seat in seats}
    asks = "llm" in (kinds[key.incumbent], kinds[key.requester])
    protocol = identity.protocol_id if asks else ""
    return PlayUnit(key=key, attempt=attempt, talk=identity.talk, solo=identity.solo, protocol=protocol)


def _play(
    units: Sequence[PlayUnit],
    company: Company,
    directory: CrossplayDirectory,
    books: Sequence[CallLedger],
    concurrency: int,
) -> int:
    """Play the units and keep their records; return the signal that ended it, else 0."""
    if not units:
        return 0
    total = sum(1 for _ in directory.manifest.identity.plays())
    progress = make_progress("crossplay", total, total - len(units), unit="play")
    told = len(directory.records)
    watch = PlayWatch(directory.records)

    def write(records: Sequence[PlayRecord]) -> None:
        for ledger in books:
            ledger.sync()
        directory.append(*records)

    def tick() -> None:
        nonlocal told
        for ledger in books:
            ledger.check()
        new = len(directory.records) - told
        watch.see(directory.records[told:])
        told += new
        progress.advance(new)
        fresh = [note for note in (*watch.changes(), *company.notes()) if note not in directory.notes]
        for note in fresh:
            progress.say(f"note: {note}")
        directory.add_note(*fresh)

    async def main() -> None:
        try:
            await drive(
                units, lambda: company.play, concurrency, write, tick=tick, go_on=lambda unit: not company.given_up()
            )
        finally:
            await company.close()

    def to_the_end(interrupts: Interrupts) -> None:
        with progress:
            run_to_end(main, interrupts)

    return ended_by(to_the_end)


def _result(
    identity: CrossplayIdentity,
    seats: Sequence[Seat],
    facts: Mapping[str, GameFacts],
    records: Any,
    directory: CrossplayDirectory | None,
) -> CrossplayResult:
    kept: list[PlayRecord] = list(records)
    return CrossplayResult(
        found=figures_of(identity, seats, facts, kept),
        directory=None if directory is None else directory.path,
        notes=() if directory is None else directory.notes,
        planned=sum(1 for _ in identity.plays()),
        finished=sum(record.status.counts for record in kept),
        records=tuple(kept),
    )


def figures_of(
    identity: CrossplayIdentity, seats: Sequence[Seat], facts: Mapping[str, GameFacts], records: Sequence[PlayRecord]
) -> Crossplay:
    """All figures, from what is worked out and from the last attempts of what was played."""
    pairs = pairs_of(seats, solo=identity.solo)
    kinds = in_order(one.kind for one in facts.values())
    games = {kind: tuple(name for name, one in facts.items() if one.kind == kind) for kind in kinds}
    cells: list[Cell] = []
    with make_progress("figures", len(pairs) * len(kinds), 0, unit="cell") as progress:
        for kind in kinds:
            for a, b in pairs:
                own = [facts[name] for name in games[kind]]
                cells.append(_cell(kind, own, a, b, records, progress))
    return Crossplay(
        agents=tuple(seat.name for seat in seats),
        incumbents=tuple(seat.name for seat in seats if "incumbent" in seat.roles),
        requesters=tuple(seat.name for seat in seats if "requester" in seat.roles),
        games=games,
        starts={kind: sum(len(facts[name].starts) for name in names) for kind, names in games.items()},
        cells=tuple(cells),
        talk=identity.talk,
        solo=identity.solo,
        seeds=identity.seeds,
        models=answered_as(records),
    )


def _cell(
    kind: str, games: Sequence[GameFacts], a: Seat, b: Seat, records: Sequence[PlayRecord], progress: Progress
) -> Cell:
    pair = (a.name, b.name)
    samples: list[Sample] = []
    own: list[PlayRecord] = []
    if is_exact((a, b)):
        for game in games:
            bots = game.joint.bots
            samples += exact_samples(game, bots.get("incumbent", a.name), bots.get("requester", b.name))
    else:
        by_id = {game.joint.id: game for game in games}
        own = [one for one in records if (one.key.incumbent, one.key.requester) == pair and one.key.scenario in by_id]
        samples = [played_sample(by_id[one.key.scenario], one) for one in own if one.status.counts]
    progress.advance(1)
    return make_cell(kind, pair, samples, own)
