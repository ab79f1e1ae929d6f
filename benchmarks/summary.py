"""What a set of finished episodes amounts to: plain values, ready for a table or for JSON. Own design.

A rate is always k of n with its interval; over nothing it is n = 0 with no value, never 0.0.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from conflictbench.benchmarks.intervals import wilson
from conflictbench.types import Label, Status, Usage

ALL_FAMILIES = "all"
REGRET, SINGLE_TURN = "Regret", "SingleTurn"
APART = frozenset({REGRET, SINGLE_TURN})  # families that are never pooled: EP scenarios again, in another world


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rate(_Value):
    """k of n, with a Wilson 95 % interval; `value`, `low` and `high` are None when n = 0."""

    k: int
    n: int
    value: float | None  # k / n, in [0, 1]
    low: float | None
    high: float | None

    @classmethod
    def of(cls, k: int, n: int) -> Rate:
        interval = wilson(k, n)
        low, high = interval if interval is not None else (None, None)
        return cls(k=k, n=n, value=k / n if n else None, low=low, high=high)


class Mean(_Value):
    """A mean over n episodes; `value` is None when n = 0."""

    n: int
    total: float
    value: float | None

    @classmethod
    def of(cls, values: list[float]) -> Mean:
        total = float(sum(values))
        return cls(n=len(values), total=total, value=total / len(values) if values else None)


class Bounds(_Value):
    """The rate if every left-out episode had failed (worst) or succeeded (best); None when there is none at all."""

    n: int  # counted plus left out
    worst_k: int
    best_k: int
    worst: float | None
    best: float | None

    @classmethod
    def of(cls, k: int, n: int, excluded: int) -> Bounds:
        whole = n + excluded
        return cls(
            n=whole,
            worst_k=k,
            best_k=k + excluded,
            worst=k / whole if whole else None,
            best=(k + excluded) / whole if whole else None,
        )


class Group(_Value):
    """Figures of one group of episodes: an agent in a family under a variant, or in one scenario of it."""

    agent: str
    family: str  # "EP1", ...; "all" for every family of the run together
    variant: str
    scenario: str | None  # None: all scenarios of the family
    n: int  # episodes that count
    tsr: Rate  # task success rate: ended in an outcome labelled human
    bounds: Bounds
    outcomes: dict[Label, Rate]  # share of each label in n; what remains ended without an outcome
    truncated: Rate  # share that hit the interaction cap
    statuses: dict[Status, int]  # counted episodes by status, those that occur
    excluded: dict[Status, int]  # left-out episodes by status, those that occur
    reasons: dict[str, int]  # left-out episodes by "status: what went wrong"
    failed_turns: Mean  # turns of the counted episodes that did not end human
    failed_interactions: Mean  # interactions of the same
    rejected: Mean  # rejected actions per counted episode
    unknown: Mean  # unknown commands per counted episode
    reasks: Mean  # replies asked for again per counted episode
    malformed: Mean  # tool calls and JSON objects that were not one action in words, the same
    cost_usd: float  # of the final attempts, counted or not
    tokens: int  # input plus output, the same

    @property
    def n_excluded(self) -> int:
        """Episodes left out of n."""
        return sum(self.excluded.values())


class Effect(_Value):
    """A paired difference of success rates between variants, in [-1, 1] (the interaction: [-2, 2])."""

    agent: str
    family: str
    name: str  # "task effect" | "stake effect" | "conflict gap" | "interaction"
    formula: str
    n: int  # pairs (the interaction: quadruples) of episodes equal in scenario, seed and epoch
    n_scenarios: int  # clusters
    value: float | None  # None when n = 0
    low: float | None
    high: float | None
    note: str  # why there is no value or no interval; "" otherwise


class RegretFigures(_Value):
    """Regret tests of an agent, all scenarios together or one: who took a human outcome back, and when."""

    agent: str
    variant: str
    scenario: str | None  # None: all
    reached: Rate  # human outcome reached, of the counted episodes: a stage was entered
    stood: Rate  # human outcome reached and stood by through all three stages, of the counted episodes
    regretted: Rate  # taken back, of those reached
    stages: tuple[int, int, int]  # taken back at stage 1, 2, 3
    persisted: int  # stood through all three
    undecided: int  # stopped within a stage: truncated, or no usable reply
    n_excluded: int  # left-out episodes


class PlaceFigures(_Value):
    """A place among the options of single-turn questions: is a score carried by where the right answer stands?"""

    place: str  # "A" to "D"
    correct: Rate  # aligned option chosen, of the counted questions that showed it here
    chosen: Rate  # an option here chosen, of all counted questions


class SingleTurnFigures(_Value):
    """Single-turn questions of one agent in one family under one variant, beside what reading nothing scores."""

    agent: str
    family: str  # of the scenarios: "EP1", ...; "all"
    variant: str
    accuracy: Rate  # aligned option chosen, of the counted questions
    bounds: Bounds
    always_first: Rate  # the same questions, answered A each time
    always_longest: Rate  # the same questions, answered with the longest option
    places: tuple[PlaceFigures, ...]  # A to D
    unanswered: int  # counted, without an option chosen
    n_excluded: int  # left-out questions


class EpochFigures(_Value):
    """Repeated episodes of one agent in one family under one variant: how often does it end the same way again?"""

    agent: str
    family: str
    variant: str
    epochs: int  # repetitions of each
    every: Rate  # task success over all of them: k of n episodes
    worst: Rate  # successful in every epoch: k of n (scenario, seed) pairs
    best: Rate  # successful in one epoch at least, of the same pairs
    flips: Rate  # successful in some epochs and not in others, of the same pairs
    incomplete: int  # pairs left out, since an epoch of theirs has no attempt that counts


class CourseFigures(_Value):
    """Episodes of an agent in one scenario and variant that repeat one another, which its interval does not know."""

    agent: str
    family: str
    variant: str
    scenario: str
    episodes: int  # counted
    courses: int  # different among them: commands, and replies where it answers in words


class UsageFigures(_Value):
    """What an agent's calls to language models took, over every attempt, counted or not."""

    agent: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float  # of what had a price
    cached: int = 0  # answers that came from the cache: no call, no tokens, no money
    price_known: bool = True  # False: of some calls it was not, so the cost is a lower bound; see the run's notes
    models: tuple[str, ...]  # ids that were returned, sorted
    dropped: Usage = Usage()  # beside all that: calls for episodes that a stop of the run dropped

    @property
    def of_dropped(self) -> UsageFigures | None:
        """The same figures of `dropped` alone; None where there is nothing."""
        if not self.dropped.calls:
            return None
        return self.model_copy(update=dict(self.dropped) | {"models": (), "dropped": Usage()})


class Summary(_Value):
    """Everything a report prints. Ordered by agent, family, variant, scenario."""

    groups: tuple[Group, ...]  # per family and overall
    scenarios: tuple[Group, ...]  # per scenario and variant
    effects: tuple[Effect, ...]  # only where the variants they compare were run
    regrets: tuple[RegretFigures, ...] = ()  # per agent and per scenario, where the regret test was run
    single_turns: tuple[SingleTurnFigures, ...] = ()  # where single-turn questions were asked
    epochs: tuple[EpochFigures, ...] = ()  # where episodes were repeated
    courses: tuple[CourseFigures, ...] = ()  # per scenario and variant, where episodes repeat one another
    usages: tuple[UsageFigures, ...] = ()  # per agent that asked a language model
    attempts: int  # attempts read
    episodes: int  # different keys among them

    def group(self, agent: str, family: str, variant: str, scenario: str | None = None) -> Group | None:
        """The one group with these coordinates, or None where no such episode was run."""
        wanted = (agent, family, variant, scenario)
        for group in self.groups if scenario is None else self.scenarios:
            if (group.agent, group.family, group.variant, group.scenario) == wanted:
                return group
        return None
