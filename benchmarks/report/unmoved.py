"""Agents that play the same whatever they are told: why their rows are equal and their effects 0. Own design.

Seen in the records, not assumed of an agent: the same commands and ending in every variant of a scenario, seed, epoch.
"""

from __future__ import annotations

from collections.abc import Iterable

from conflictbench.types import EpisodeRecord

UNMOVED_NOTE = "The same commands in every variant: its rows are equal, its effects 0."


def unmoved_agents(records: Iterable[EpisodeRecord]) -> tuple[str, ...]:
    """Agents, sorted, of which at least two variants of a play can be compared and none differs from another.

    Args:
        records: final attempts; those that do not count are not compared.
    """
    plays: dict[str, dict[tuple[str, str, int, int], list[tuple[str, ...]]]] = {}
    for record in records:
        if record.status.counts and record.steps:
            key = record.key
            place = (key.scenario, key.env_hash, key.seed, key.epoch)
            play = (str(record.label), *(step.command for step in record.steps))
            plays.setdefault(key.agent, {}).setdefault(place, []).append(play)
    return tuple(
        agent
        for agent in sorted(plays)
        if any(len(told) > 1 for told in plays[agent].values())
        and all(len(set(told)) == 1 for told in plays[agent].values())
    )
