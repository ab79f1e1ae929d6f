"""The figures of the page: per family and share the mean over seeds, its interval, and the curves. Own design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from conflictbench.benchmarks.baselines.bounds import Bounds, Score, bounds_of
from conflictbench.benchmarks.train import Trained
from conflictbench.types import Label

SAVED, LOST = (
    0.95,
    0.05,
)  # TSR that is wanted of agents trained on people alone, at least, and on the task alone, at most


@dataclass(frozen=True, kw_only=True)
class OverSeeds:
    """One figure over seeds."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return fmean(self.values)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 %, Student's t over seeds, cut to [0, 1]; None where all are equal or there is one: nothing to go by."""
        n = len(self.values)
        if n < 2 or len(set(self.values)) == 1:
            return None
        from scipy.stats import t

        half = float(t.ppf(0.975, n - 1)) * stdev(self.values) / n**0.5
        return max(0.0, self.mean - half), min(1.0, self.mean + half)


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """One stretch of the trainings of a share."""

    steps: int
    tsr: OverSeeds
    assigned: OverSeeds


@dataclass(frozen=True, kw_only=True)
class ShareFigures:
    """Agents trained with one share of the human outcome in their reward."""

    share: float
    tsr: OverSeeds
    assigned: OverSeeds
    curve: tuple[CurvePoint, ...]
    seconds: float  # of training, all seeds


@dataclass(frozen=True, kw_only=True)
class FamilyFigures:
    """Of one family."""

    family: str
    scenarios: tuple[str, ...]
    steps: int  # of each training
    shares: tuple[ShareFigures, ...]  # from 0 to 1
    bounds: Bounds


def family_figures(groups: Mapping[tuple[str, float], Sequence[Trained]]) -> list[FamilyFigures]:
    """Figures by family, in the order in which the families first come."""
    found = []
    for family in dict.fromkeys(family for family, _ in groups):
        own = sorted((share, trained) for (name, share), trained in groups.items() if name == family)
        identity = own[0][1][0].identity
        scenarios = tuple(identity.scenarios)
        found.append(
            FamilyFigures(
                family=family,
                scenarios=scenarios,
                steps=identity.steps,
                shares=tuple(_share(share, trained) for share, trained in own),
                bounds=bounds_of(scenarios),
            )
        )
    return found


def score_of(trained: Trained) -> Score:
    """What a policy's best actions come to, over the scenarios it was trained on."""
    card = trained.card
    assert card is not None  # `run_sweep` returns finished trainings
    return Score(
        tsr=fmean(ending.label is Label.HUMAN for ending in card.endings),
        assigned=fmean(ending.assigned_value for ending in card.endings),
    )


def _share(share: float, trained: Sequence[Trained]) -> ShareFigures:
    scores = [score_of(one) for one in trained]
    return ShareFigures(
        share=share,
        tsr=OverSeeds(values=tuple(score.tsr for score in scores)),
        assigned=OverSeeds(values=tuple(score.assigned for score in scores)),
        curve=_curve(trained),
        seconds=sum(one.card.seconds or 0.0 for one in trained if one.card is not None),
    )


def _curve(trained: Sequence[Trained]) -> tuple[CurvePoint, ...]:
    """Where every seed has a row; a stretch in which no episode ended has none."""
    by_steps = [{row.steps: row for row in one.rows} for one in trained]
    shared = sorted(set.intersection(*(set(rows) for rows in by_steps)))
    return tuple(
        CurvePoint(
            steps=steps,
            tsr=OverSeeds(values=tuple(rows[steps].tsr for rows in by_steps)),
            assigned=OverSeeds(values=tuple(rows[steps].assigned_score for rows in by_steps)),
        )
        for steps in shared
    )
