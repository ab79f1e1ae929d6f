"""Calls, tokens and money of an agent's language model, over every attempt: what was paid is paid. Own design.

Calls for episodes that were dropped by a stop of the run stand apart: no record tells of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conflictbench.benchmarks.summary import UsageFigures
from conflictbench.types import EpisodeRecord, Usage


def usage_figures(
    attempts: Sequence[EpisodeRecord], dropped: Mapping[str, Usage] | None = None
) -> tuple[UsageFigures, ...]:
    """One entry an agent that asked a language model, by name.

    Args:
        attempts: all of them, in any order.
        dropped: by agent, what calls for episodes without a record took.
    """
    lost = dropped if dropped is not None else {}
    agents = sorted({record.key.agent for record in attempts} | lost.keys())
    each = (_figures(name, [one for one in attempts if one.key.agent == name], lost.get(name)) for name in agents)
    return tuple(figures for figures in each if figures.calls or figures.cached or figures.dropped.calls)


def _figures(agent: str, own: Sequence[EpisodeRecord], dropped: Usage | None) -> UsageFigures:
    # Sorted, so that fractions of a dollar add up to the same whatever the order of the attempts.
    used = sum((record.usage for record in sorted(own, key=lambda record: record.usage.cost_usd)), Usage())
    return UsageFigures(
        agent=agent,
        calls=used.calls,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=used.cost_usd,
        cached=used.cached,
        models=tuple(sorted({model for record in own for model in record.models})),
        dropped=dropped if dropped is not None else Usage(),
    )
