"""A worker's player: one agent that plays unit after unit, and never fails to return a record. Own design."""

from __future__ import annotations

from collections.abc import Callable

from conflictbench.agents import make_agent
from conflictbench.benchmarks.episode_log import to_line
from conflictbench.benchmarks.rollout import make_env, reason, rollout
from conflictbench.benchmarks.units import Unit
from conflictbench.types import EpisodeRecord, Status


class Player:
    """Plays units with an agent of its own, since agents keep state between `reset` and the end of an episode."""

    def __init__(self, agent: str, on_step: Callable[[], None]) -> None:
        """Make the agent `agent` (a spec of the registry); `on_step` is called before every step."""
        self._agent = make_agent(agent)
        self._on_step = on_step

    def __call__(self, unit: Unit) -> EpisodeRecord:
        """Play one unit. The record has the unit's key and attempt, and can be written."""
        try:
            env = make_env(unit)
            try:
                record = rollout(env, self._agent, unit.key.seed, epoch=unit.key.epoch, on_step=self._on_step)
            finally:
                env.close()
            if record.key != unit.key:
                raise ValueError(f"the record is of {record.key!r}, not of the episode asked for")
            to_line(record)
        except Exception as error:  # an env that cannot even be made is this episode's reason, not the run's
            return failed(unit, error)
        return record


def failed(unit: Unit, error: Exception) -> EpisodeRecord:
    """The record of an attempt that left none of its own."""
    return EpisodeRecord(
        key=unit.key, attempt=unit.attempt, status=Status.ENV_ERROR, env_id=unit.env.env_id, error=reason(error)
    )
