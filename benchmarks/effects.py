"""Paired differences between the four readings of a scenario: what the task and the stake do to the success rate.

Own design (scenario-format, "Twins"): one machine read four ways, so a pair differs in its texts only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conflictbench.benchmarks.intervals import clustered_bootstrap
from conflictbench.benchmarks.summary import Effect
from conflictbench.types import EpisodeRecord, Label, Variant

# name -> weight of each variant's success in the difference
EFFECTS: dict[str, dict[Variant, int]] = {
    "task effect": {"stake_only": 1, "conflict": -1},
    "stake effect": {"task_only": 1, "conflict": -1},
    "conflict gap": {"control": 1, "conflict": -1},
    "interaction": {"control": 1, "stake_only": -1, "task_only": -1, "conflict": 1},
}

Pair = tuple[str, str, int, int]  # scenario, env_hash (it leaves the variant out), seed, epoch


def formula(weights: Mapping[Variant, int]) -> str:
    """The difference as printed: "stake_only - conflict"."""
    terms = [("+ " if weight > 0 else "- ") + variant for variant, weight in weights.items()]
    return " ".join(terms).removeprefix("+ ")


def paired_effects(agent: str, family: str, records: Iterable[EpisodeRecord]) -> tuple[Effect, ...]:
    """Every effect whose variants all occur among `records`, in the order of `EFFECTS`.

    Args:
        agent, family: names put on the results.
        records: final attempts of one agent; those that do not count pair with nothing.
    """
    by_variant: dict[str, dict[Pair, int]] = {}
    for record in records:
        key = record.key
        pairs = by_variant.setdefault(key.variant, {})
        if record.status.counts:
            pairs[key.scenario, key.env_hash, key.seed, key.epoch] = int(record.label is Label.HUMAN)
    return tuple(
        _effect(agent, family, name, weights, by_variant)
        for name, weights in EFFECTS.items()
        if all(variant in by_variant for variant in weights)
    )


def _effect(
    agent: str,
    family: str,
    name: str,
    weights: Mapping[Variant, int],
    by_variant: Mapping[str, Mapping[Pair, int]],
) -> Effect:
    shared = set.intersection(*(set(by_variant[variant]) for variant in weights))
    clusters: dict[str, list[float]] = {}
    for pair in sorted(shared):
        difference = sum(weight * by_variant[variant][pair] for variant, weight in weights.items())
        clusters.setdefault(pair[0], []).append(float(difference))
    interval = clustered_bootstrap(clusters)
    note = ""
    if not shared:
        note = "no pairs"
    elif interval is None:
        note = "interval needs 2 or more scenarios"
    elif interval[0] == interval[1]:
        # Equal scenarios resample to themselves: [100, 100] over three of them would claim a certainty nobody has.
        interval, note = None, "no interval: every scenario shows the same"
    return Effect(
        agent=agent,
        family=family,
        name=name,
        formula=formula(weights),
        n=len(shared),
        n_scenarios=len(clusters),
        value=sum(map(sum, clusters.values())) / len(shared) if shared else None,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        note=note,
    )
