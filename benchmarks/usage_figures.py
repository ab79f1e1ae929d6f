"""Calls, tokens and money of an agent's language model, over every attempt: what was paid is paid. Own design."""

from __future__ import annotations

from collections.abc import Sequence

from conflictbench.benchmarks.summary import UsageFigures
from conflictbench.types import EpisodeRecord, Usage


def usage_figures(attempts: Sequence[EpisodeRecord]) -> tuple[UsageFigures, ...]:
    """One entry an agent that asked a language model, by name.

    Args:
        attempts: all of them, in any order.
    """
    return tuple(
        figures
        for agent in sorted({record.key.agent for record in attempts})
        if (figures := _figures(agent, [record for record in attempts if record.key.agent == agent])).calls
    )


def _figures(agent: str, own: Sequence[EpisodeRecord]) -> UsageFigures:
    # Sorted, so that fractions of a dollar add up to the same whatever the order of the attempts.
    used = sum((record.usage for record in sorted(own, key=lambda record: record.usage.cost_usd)), Usage())
    return UsageFigures(
        agent=agent,
        calls=used.calls,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=used.cost_usd,
        models=tuple(sorted({model for record in own for model in record.models})),
    )
