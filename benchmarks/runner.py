"""Runs a suite: plays the episodes that are missing and keeps each the moment it ends. Own design."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from conflictbench.agents import AgentEntry, get_agent_entry
from conflictbench.agents.models import ModelOptions, PaidCall
from conflictbench.benchmarks.agent_source import agent_sources, changed_sources
from conflictbench.benchmarks.call_ledger import CallLedger
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.command_line import from_here, going_on
from conflictbench.benchmarks.limits import NO_LIMITS, RunLimits, Spending, option_of
from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.pictures import PictureOptions, check_pictures_can_be_kept
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.playing import play
from conflictbench.benchmarks.progress import make_progress
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.benchmarks.room import Room
from conflictbench.benchmarks.session import Session
from conflictbench.benchmarks.start_notes import start_notes, version_notes
from conflictbench.benchmarks.summary import Summary
from conflictbench.benchmarks.units import pending_units
from conflictbench.errors import RunError
from conflictbench.types import Usage

RUNS = Path("runs")


@dataclass(frozen=True, kw_only=True, repr=False)
class RunResult:
    """What a call of `run_suite` left behind."""

    directory: Path
    identity: RunIdentity
    summary: Summary
    notes: tuple[str, ...]
    said: tuple[str, ...]  # those of them that this call has shown while it played
    planned: int  # episodes of the run
    found: int  # of them finished before this call
    finished: int  # of them finished now
    played: int  # attempts made by this call
    signal: int  # SIGINT or SIGTERM where one ended it, else 0
    stopped: str  # what ended it early: a limit of the run, or a model that answers nobody; "" if nothing did
    how_to_go_on: str  # after that, behind "give the command again"
    cut_off: tuple[int, Usage]  # episodes that a limit of the run ended in the middle in this call, and what they used
    dropped: tuple[int, int]  # episodes in flight when a signal came, and requests to a model for them
    keeps_answers: bool  # a cache has the answers of what was cut off or dropped
    from_cache: str  # "375 of 375 answers came from the cache", of this call; "" where none did
    usage: Usage  # of all calls to a model, those of earlier commands and of dropped episodes included
    seconds: tuple[float, ...]  # wall time of each attempt made by this call

    def __repr__(self) -> str:
        """One line: a summary alone would fill a screen."""
        asked = f"{self.identity.agent!r} on {self.identity.suite!r}"
        return f"RunResult({asked}: {self.finished} of {self.planned} episodes in {str(self.directory)!r})"

    @property
    def interrupted(self) -> bool:
        """True if a signal ended the call."""
        return self.signal != 0

    @property
    def excluded(self) -> int:
        """Episodes that were attempted and left out of n."""
        return sum(group.n_excluded for group in self.summary.scenarios)


def run_suite(
    suite: str,
    agent: str,
    *,
    scenarios: Sequence[str] = (),
    variants: Sequence[str] = ("conflict",),
    seeds: int = 1,
    epochs: int = 1,
    concurrency: int | None = None,
    observation: str = "text",
    reward: Any = "human",
    protocol: str | None = None,
    model: ModelOptions | None = None,
    pictures: PictureOptions | None = None,
    limits: RunLimits = NO_LIMITS,
    most: int | None = None,
    out: str | Path | None = None,
    runs: str | Path = RUNS,
    fresh: bool = False,
    command: Sequence[str] = (),
) -> RunResult:
    """Run a suite with an agent, or go on with the run of an earlier call with the same arguments.

    Args:
        suite, agent, scenarios, variants, seeds, epochs, observation, reward, protocol, model, pictures: as
            `plan_run`.
        concurrency: episodes played at a time, each with an agent of its own: as tasks of an event loop where the
            agent is asynchronous, else on threads. None is 16 for the former and 1 for the latter.
        limits: what the run and each episode may take.
        most: play at most so many of the episodes that are missing; None for all.
        out: the run's directory; None is `runs/<suite>-<agent>-<8 hex of all that makes the run>`.
        fresh: start another run beside one that is there (`-2`, `-3`, ... behind its name).
        command: what was typed behind the program's name, if anything was: kept in the manifest, to go on by.
    Returns:
        The result. After Ctrl-C or SIGTERM too, with `signal`: what was finished is kept, what was in flight is
        dropped. After a limit of the run, with `stopped`: what was in flight is kept as `budget`, to be played again.
        So it is, as `provider_error`, where the first calls to a model failed as every other would.
    Raises:
        What `plan_run` and `RunDirectory` raise.  ClipStoreError: pictures are to be kept, and their folder cannot be
        written; so is it found before an episode is played.
    """
    check_concurrency(get_agent_entry(agent), concurrency)
    model = within(limits, agent, model)
    identity, notes = plan_run(
        suite,
        agent,
        scenarios=scenarios,
        variants=variants,
        seeds=seeds,
        epochs=epochs,
        observation=observation,
        reward=reward,
        protocol=protocol,
        model=model,
        pictures=pictures,
    )
    base = Path(os.path.abspath(out if out is not None else Path(runs) / identity.directory_name()))
    path = first_free(base) if fresh else base
    planned = sum(1 for _ in identity.episodes())
    sources = agent_sources(agent)
    typed = going_on(command, agent=agent, out=from_here(path) if fresh else None)
    with (
        RunDirectory(path, identity, notes=notes, command=typed, sources=sources) as directory,
        _ledger_of(directory, agent) as ledger,
    ):
        before = len(directory.records)
        units = pending_units(identity, directory.attempts())[:most]
        if units:
            check_pictures_can_be_kept(observation)
        found = sum(record.status.counts for record in directory.records)

        def on_call(call: PaidCall) -> None:
            if ledger is not None:
                ledger.add(call)
                spending.add(call.usage)

        cast = Cast(agent, model, spent=_paid(directory, ledger), on_call=on_call)
        room = Room(directory.records, cast.last_call())
        spending = Spending(limits, _paid(directory, ledger), by_call=ledger is not None, room=room)
        progress = make_progress(
            f"{suite} {agent}",
            planned,
            found,
            extra=spending.words,
            interactive=cast.entry.interactive,
        )
        session = Session(directory, cast, spending, progress, ledger)
        changed = changed_sources(directory.manifest.sources, sources)
        for line in start_notes(identity, changed, plays=bool(units)):
            progress.say(f"note: {line}")
        directory.add_note(*(version_notes(changed) if units else ()))
        ended_by = play(units, session, concurrency or cast.default_concurrency)
        left = len(pending_units(identity, directory.attempts()))
        stopped, how_to_go_on = _why_stopped(session) if left and not ended_by else ("", "")
        return RunResult(
            directory=path,
            identity=identity,
            summary=summarise(
                directory.records, {agent: ledger.dropped(directory.records)} if ledger is not None else {}
            ),
            notes=directory.notes,
            said=session.said,
            planned=planned,
            found=found,
            finished=planned - left,
            played=len(directory.records) - before,
            signal=ended_by,
            stopped=stopped,
            how_to_go_on=how_to_go_on,
            cut_off=session.cut_off,
            dropped=session.dropped,
            keeps_answers=cast.has_cache,
            from_cache=cast.from_cache(),
            usage=_paid(directory, ledger),
            seconds=session.seconds,
        )


@contextmanager
def _ledger_of(directory: RunDirectory, agent: str) -> Iterator[CallLedger | None]:
    """The ledger of a run that asks one of our models; None for others: no request of theirs passes through here."""
    if get_agent_entry(agent).model_factory is None:
        yield None
        return
    with CallLedger(directory.path, directory.records, directory.add_note) as ledger:
        yield ledger


def _paid(directory: RunDirectory, ledger: CallLedger | None) -> Usage:
    """What the run has used so far: as the ledger says, or, in a run without one, as its records do."""
    if ledger is not None:
        return ledger.total
    return sum((record.usage for record in directory.records), Usage())


def check_concurrency(entry: AgentEntry, concurrency: int | None) -> None:
    """Raise RunError if an agent cannot be played so many times at once."""
    if concurrency is not None and concurrency < 1:
        raise RunError(f"concurrency must be at least 1, not {concurrency!r}")
    if entry.interactive and concurrency not in (None, 1):
        raise RunError(f"agent {entry.name!r} talks with one person: it plays 1 episode at a time, not {concurrency}")


def _why_stopped(session: Session) -> tuple[str, str]:
    """What ended a run early, and when it can go on, in words; both "" where nothing did."""
    if session.limit_reached:
        return session.limit_reached, f"with a higher {option_of(session.limit_reached)}"
    if hopeless := session.cast.hopeless():
        return hopeless, "when that is mended"
    return "", ""


def within(limits: RunLimits, agent: str, model: ModelOptions | None) -> ModelOptions | None:
    """The options of an agent's model with the run's limits, so that it makes no call that could go past one."""
    if get_agent_entry(agent).model_factory is None:
        return model
    options = model if model is not None else ModelOptions()
    return replace(options, max_cost_usd=limits.max_cost_usd, max_total_tokens=limits.max_total_tokens)


def first_free(base: Path) -> Path:
    """`base` if nothing is there, else the first of `base-2`, `base-3`, ... where nothing is.

    Made at once, so that two processes asking at the same time get two directories.

    Raises:
        RunError: it cannot be made.
    """
    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = base if number == 1 else base.with_name(f"{base.name}-{number}")
            try:
                path.mkdir()
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise RunError(f"{base}: cannot be made ({error.strerror})") from error
    raise AssertionError("unreachable: count() does not end")
