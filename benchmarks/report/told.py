"""What a model was told before its first reply, for a reader who has the report alone. Own design.

A record keeps the opening and not the words round it, which are the same in every episode of a scenario and protocol.
They are put together again from the prompts and the scenario as they are here, and shown only where nothing of them can
have changed since: the protocol's digest, the scenario's and the opening have to be those of the record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import gymnasium as gym

from conflictbench.benchmarks.loading import Run
from conflictbench.benchmarks.manifest import EnvEntry
from conflictbench.benchmarks.rollout import make_env
from conflictbench.benchmarks.units import Unit
from conflictbench.errors import ConflictBenchError
from conflictbench.types import EpisodeRecord, Message, Status, ToolSpec

THE_OPENING = "(Here stands the opening.)"


class Asked(NamedTuple):
    """What decides the words that a model is told."""

    env_hash: str
    scenario: str
    digest: str  # of the scenario
    variant: str
    protocol: str  # id of its words


@dataclass(frozen=True, kw_only=True)
class Told:
    """The messages before the first reply; the opening, which every record has, is left out."""

    instructions: str
    help_page: str | None  # commands with their help; None: the opening is the question itself
    tools: str | None  # functions on offer, as JSON; None: a choice is words


def asked_by(record: EpisodeRecord) -> Asked:
    """The key of what the model of an episode was told."""
    key = record.key
    return Asked(key.env_hash, key.scenario, record.scenario_digest, key.variant, record.protocol)


def told_in(runs: Iterable[Run]) -> dict[Asked, Told]:
    """What was told in the episodes of the runs, where it can be put together again; each once."""
    told: dict[Asked, Told | None] = {}
    for run in runs:
        envs = {env.env_hash: env for env in run.manifest.identity.envs}
        for record in run.records:
            if record.protocol and record.opening and (asked := asked_by(record)) not in told:
                told[asked] = _told(record, envs[record.key.env_hash])
    return {asked: words for asked, words in told.items() if words is not None}


def _told(record: EpisodeRecord, entry: EnvEntry) -> Told | None:
    """None where the words, or the world, are no longer those of the record; nor are pictures drawn for this."""
    if record.opening_clips:
        return None
    try:
        env = make_env(Unit(key=record.key, env=entry, attempt=1))
        try:
            observation, _ = env.reset(seed=record.key.seed)
            again = env.record(Status.ENV_ERROR, "nothing was played")
        finally:
            env.close()
    except (ConflictBenchError, gym.error.Error):  # a world, a scenario or an argument that is not known any more
        return None
    if (asked_by(again), again.opening) != (asked_by(record), record.opening):
        return None
    return _without_opening(observation["messages"], observation["tools"], record.opening)


def _without_opening(messages: Sequence[Message], tools: Sequence[ToolSpec], opening: str) -> Told:
    system, first = (message.content for message in messages[:2])
    return Told(
        instructions=system.replace(opening, THE_OPENING),
        help_page=None if first == opening else first,
        tools="\n".join(json.dumps(asdict(tool), indent=2, ensure_ascii=False) for tool in tools) or None,
    )
