"""Units of work: the episodes a run still has to play. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from conflictbench.benchmarks.manifest import EnvEntry, RunIdentity, digest
from conflictbench.types import EpisodeKey, EpisodeRecord


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One attempt at one episode, ready to be handed to a worker."""

    key: EpisodeKey
    env: EnvEntry
    attempt: int  # 1 for the first


def pending_units(identity: RunIdentity, attempts: Mapping[EpisodeKey, EpisodeRecord]) -> list[Unit]:
    """Episodes without an attempt that counts, in the run's order.

    Args:
        attempts: the last attempt of every episode that has one.
    """
    envs = {env.env_hash: env for env in identity.envs}
    units = []
    for key in identity.episodes():
        last = attempts.get(key)
        if last is None or not last.status.counts:
            units.append(Unit(key=key, env=envs[key.env_hash], attempt=last.attempt + 1 if last else 1))
    return units


def episode_marker(key: BaseModel) -> str:
    """16 hex digits that stand for an episode where its key must not be read."""
    return digest(key.model_dump(mode="json"), 8)
