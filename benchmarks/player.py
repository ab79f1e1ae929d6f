"""Players: an agent that plays unit after unit, and never fails to return a record. Own design."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from conflictbench.agents.models.labels import CallLabels, labelled
from conflictbench.agents.models.tally import Tally, tallied
from conflictbench.benchmarks.episode_log import to_line
from conflictbench.benchmarks.faults import reason
from conflictbench.benchmarks.limits import EpisodeMeter
from conflictbench.benchmarks.rollout import Episode, make_env, rollout, rollout_async
from conflictbench.benchmarks.units import Unit, episode_marker
from conflictbench.protocols import Agent, AsyncAgent
from conflictbench.types import Decision, EpisodeRecord, Status, Usage

GRACE_S = 2.0  # for an episode that is ended from outside to close what it holds


class Watcher(Protocol):
    """What a player tells, and asks, the run it plays for. Called from its own thread."""

    def begin_episode(self, unit: Unit) -> EpisodeMeter:
        """A meter for an episode that begins."""

    def decided(self, decision: Decision) -> None:
        """An agent has decided something."""

    def ended(self, record: EpisodeRecord, meter: EpisodeMeter) -> None:
        """An episode has ended."""


class Player:
    """Plays units with an agent of its own, since agents keep state between `reset` and the end of an episode."""

    def __init__(self, make_agent: Callable[[], Agent], watcher: Watcher, on_step: Callable[[], None]) -> None:
        """Make an agent; `on_step` is called before every step."""
        self._agent, self._watcher, self._on_step = make_agent(), watcher, on_step

    def __call__(self, unit: Unit) -> EpisodeRecord:
        """Play one unit. The record has the unit's key and attempt, and can be written."""
        meter = self._watcher.begin_episode(unit)

        def on_step() -> None:
            self._on_step()
            meter.check()

        def on_decision(decision: Decision) -> None:
            meter.add(decision.usage)
            self._watcher.decided(decision)

        try:
            env = make_env(unit)
            try:
                record = rollout(
                    env,
                    self._agent,
                    unit.key.seed,
                    epoch=unit.key.epoch,
                    on_step=on_step,
                    on_decision=on_decision,
                )
            finally:
                env.close()
            record = checked(unit, record)
        except Exception as error:  # an env that cannot even be made is this episode's reason, not the run's
            record = failed(unit, error)
        self._watcher.ended(record, meter)
        return record


class AsyncPlayer:
    """The same for an agent that waits; the wall clock of an episode is held here, outside the agent."""

    def __init__(self, make_agent: Callable[[], AsyncAgent], watcher: Watcher) -> None:
        """Make an agent."""
        self._make_agent, self._watcher = make_agent, watcher
        self._agent = make_agent()

    async def __call__(self, unit: Unit) -> EpisodeRecord:
        """Play one unit. The record has the unit's key and attempt, and can be written."""
        meter = self._watcher.begin_episode(unit)
        with labelled(_labels(unit)), tallied() as tally:
            try:
                env = make_env(unit)
                try:
                    record = await self._in_time(Episode(env, unit.key.seed, unit.key.epoch), meter)
                finally:
                    env.close()
                record = checked(unit, record)
            except Exception as error:  # as in `Player`
                record = failed(unit, error)
        record = with_all_requests(record, tally)
        self._watcher.ended(record, meter)
        return record

    async def _in_time(self, episode: Episode, meter: EpisodeMeter) -> EpisodeRecord:
        """Play the episode in a task of its own, which is cancelled when the time is over."""

        def on_decision(decision: Decision) -> None:
            meter.add(decision.usage)
            self._watcher.decided(decision)

        task = asyncio.create_task(rollout_async(episode, self._agent, on_step=meter.check, on_decision=on_decision))
        why = ""
        try:
            await asyncio.wait({task}, timeout=meter.seconds_left())
            if not task.done():
                why = meter.time_is_over()
        finally:  # also where the run is stopping, and this task is cancelled
            if not task.done():
                await _end(task)
        if not task.done():  # it does not let itself be ended: leave it behind, and its agent with it
            self._agent = self._make_agent()
        record = _result(task)
        if record is not None and (not why or record.status.counts):
            return record
        status, why = (Status.BUDGET, why) if why else (Status.ENV_ERROR, "CancelledError: the agent cancelled itself")
        return (
            episode.stopped(status, why)
            if record is None
            else record.model_copy(update={"status": status, "error": why})
        )


def _labels(unit: Unit) -> CallLabels:
    """For an adapter or a cache that has to tell episodes apart."""
    sample = f"{unit.key.seed}/{unit.key.epoch}"
    return CallLabels(episode=episode_marker(unit.key), attempt=unit.attempt, sample=sample)


async def _end(task: asyncio.Task[EpisodeRecord]) -> None:
    """Cancel a task and give it a moment."""
    task.cancel()
    task.add_done_callback(_forget)  # whatever it still says is looked at, so that nobody complains of it later
    await asyncio.wait({task}, timeout=GRACE_S)


def _result(task: asyncio.Task[EpisodeRecord]) -> EpisodeRecord | None:
    """What a task returned; None if it did not end, or was cancelled."""
    if not task.done() or task.cancelled():
        return None
    error = task.exception()
    if error is not None:
        raise error
    return task.result()


def _forget(task: asyncio.Task[EpisodeRecord]) -> None:
    if not task.cancelled():
        task.exception()


def checked(unit: Unit, record: EpisodeRecord) -> EpisodeRecord:
    """The record, if it is this unit's and can be written. Raises ValueError otherwise."""
    if record.key != unit.key:
        raise ValueError(f"the record is of {record.key!r}, not of the episode asked for")
    to_line(record)
    return record


def with_all_requests(record: EpisodeRecord, tally: Tally) -> EpisodeRecord:
    """The record with every request that was sent: a call ended from outside leaves no usage of its own."""
    unaccounted = tally.sent - record.usage.calls
    if unaccounted <= 0:
        return record
    return record.model_copy(update={"usage": record.usage + Usage(calls=unaccounted)})


def failed(unit: Unit, error: Exception) -> EpisodeRecord:
    """The record of an attempt that left none of its own."""
    return EpisodeRecord(
        key=unit.key,
        attempt=unit.attempt,
        status=Status.ENV_ERROR,
        env_id=unit.env.env_id,
        error=reason(error),
    )
