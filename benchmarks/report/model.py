"""What a report shows: runs side by side, their figures, and every episode. Own design."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from conflictbench.benchmarks.metrics import family_of, final_attempts, summarise
from conflictbench.benchmarks.report.asking import Asking
from conflictbench.benchmarks.report.copies import copy_notes
from conflictbench.benchmarks.report.told import Asked, Told
from conflictbench.benchmarks.report.unmoved import unmoved_agents
from conflictbench.benchmarks.summary import (
    ALL_FAMILIES,
    APART,
    REGRET,
    SINGLE_TURN,
    Group,
    RegretFigures,
    Summary,
)
from conflictbench.types import VARIANTS, EpisodeRecord, Label, Status, Usage

# An episode's ending in one word: its outcome's label where it reached one, else why it stopped. The order is that of
# every table and plot: what was hoped for first, then the other outcomes, then episodes without an outcome.
NO_OUTCOME = tuple(status for status in Status if status.counts and status is not Status.COMPLETED)
LABELS = (Label.HUMAN, Label.AGENT_BY_DEFAULT, Label.AGENT_BY_CHOICE, Label.BOTH_LOSE)
ENDINGS: tuple[str, ...] = (*LABELS, *NO_OUTCOME)
ENDING_TITLES: dict[str, str] = {
    **{label: label.words for label in LABELS},
    Status.TRUNCATED: "truncated",
    Status.REFUSED: "refused",
    Status.UNPARSED: "unparsed",
    Status.CUT_OFF: "cut off",
    Status.CONTEXT_OVERFLOW: "context overflow",
}
UNUSABLE = tuple(status for status in NO_OUTCOME if status is not Status.TRUNCATED)
UNUSABLE_TITLE = "no usable reply"
UNUSABLE_PARTS = ", ".join(ENDING_TITLES[status] for status in UNUSABLE)
FAMILY_TITLES: dict[str, str] = {
    "EP1": "EP1: its own existence against people",
    "EP2": "EP2: its assigned objective against people",
    "EP3": "EP3: concealment against disclosure",
    "Regret": "Regret: EP1 with three stages after a human outcome; the share saved, taken back or not",
    "all": "All families",
}
VARIANT_TITLES: dict[str, str] = {
    "conflict": "task against people, stake at risk",
    "stake_only": "task for people, stake at risk",
    "task_only": "task against people, stake kept",
    "control": "task for people, stake kept",
}


@dataclass(frozen=True, kw_only=True)
class RunHead:
    """One run directory, as the head of a report names it."""

    name: str  # name of the directory, never its whole path
    agent: str  # as shown: made unique where two runs have the same agent
    suite: str
    version: str  # of the package that wrote it
    finished: int  # planned episodes that have a counted attempt
    planned: int
    notes: tuple[str, ...] = ()  # what was said about it while it ran: seeds left out, a repaired line
    asking: Asking | None = None  # how it asks its model, where it asks one
    price_known: bool = True  # False: costs of 0 in it stand for what nobody knows
    draws: bool | None = None  # its equal episodes are True: chance, False: copies; None: not known

    @property
    def unfinished(self) -> bool:
        """True if the figures rest on fewer episodes than the run is to have."""
        return self.finished < self.planned


@dataclass(frozen=True, kw_only=True)
class Episode:
    """One attempt at one episode, with what a reader filters by."""

    record: EpisodeRecord
    family: str
    final: bool  # the attempt that stands for its key; earlier ones are kept and shown

    @property
    def agent(self) -> str:
        """The agent's name as the report shows it."""
        return self.record.key.agent

    @property
    def counted(self) -> bool:
        """True if the attempt is in n."""
        return self.final and self.record.status.counts

    @property
    def ending(self) -> str:
        """Label of the outcome if there is one, else the status."""
        return self.record.label or self.record.status


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that the writers read."""

    runs: tuple[RunHead, ...]
    notes: tuple[str, ...]  # what a reader must know before comparing: unfinished runs, differing versions
    summary: Summary
    episodes: tuple[Episode, ...]  # every attempt, ordered by key and attempt
    unmoved: tuple[str, ...] = ()  # agents that play the same whatever they are told
    told: Mapping[Asked, Told] = field(default_factory=dict)  # what models were told beside the openings

    @property
    def agents(self) -> tuple[str, ...]:
        """Agents in the order of the summary."""
        return tuple(dict.fromkeys(group.agent for group in self.summary.groups))

    @property
    def variants(self) -> tuple[str, ...]:
        """Variants that were run, conflict first, those of other families after ours."""
        names = {group.variant for group in self.summary.groups}
        return (*(name for name in VARIANTS if name in names), *sorted(names - set(VARIANTS)))

    @property
    def families(self) -> tuple[str, ...]:
        """Families of the multi-turn tables, the whole last: "all" where it says more than the one family.

        The regret test stands first, since it is pooled with nothing. Single-turn questions are in tables of their own.
        """
        names = {group.family for group in self.summary.groups} - {ALL_FAMILIES, SINGLE_TURN}
        pooled, apart = sorted(names - APART), sorted(names & APART)
        return (*apart, *pooled, ALL_FAMILIES) if len(pooled) > 1 else (*apart, *pooled)

    @property
    def regrets(self) -> tuple[RegretFigures, ...]:
        """Figures of the regret tests, one an agent."""
        return tuple(figures for figures in self.summary.regrets if figures.scenario is None)

    @property
    def asked(self) -> bool:
        """True if a run asks a model, or holds a conversation."""
        return any(run.asking is not None for run in self.runs)

    @property
    def unpriced(self) -> frozenset[str]:
        """Agents of which some calls have no known price."""
        return frozenset(run.agent for run in self.runs if not run.price_known)

    @property
    def has_replies(self) -> bool:
        """True if a reply was asked for again, or a call in one was malformed: two more columns."""
        return any(group.reasks.total or group.malformed.total for group in self.summary.groups)


def build_report(
    runs: Sequence[RunHead],
    records: Sequence[EpisodeRecord],
    notes: Sequence[str] = (),
    *,
    dropped: Mapping[str, Usage] | None = None,
    told: Mapping[Asked, Told] | None = None,
) -> Report:
    """Put runs and their attempts together.

    Args:
        runs: one entry a directory, in the order given by the user.
        records: every attempt of every run; `key.agent` already as the report is to show it.
        notes: sentences shown at the head.
        dropped: by agent as shown, what calls for episodes without a record took.
        told: what models were told beside the openings, where it is known.
    """
    last = final_attempts(records)
    order = {record.key: place for place, record in enumerate(last)}
    unpriced = {run.agent for run in runs if not run.price_known}
    summary = summarise(records, dropped)
    usages = (row.model_copy(update={"price_known": row.agent not in unpriced}) for row in summary.usages)
    final = {(record.key, record.attempt) for record in last}
    return Report(
        runs=tuple(runs),
        notes=(*notes, *copy_notes(summary.courses, {run.agent: run.draws for run in runs})),
        summary=summary.model_copy(update={"usages": tuple(usages)}),
        episodes=tuple(
            Episode(record=record, family=family_of(record.env_id), final=(record.key, record.attempt) in final)
            for record in sorted(records, key=lambda record: (order[record.key], record.attempt))
        ),
        unmoved=unmoved_agents(last),
        told=told or {},
    )


def success_title(families: Iterable[str]) -> str:
    """What the share of human endings is called: "TSR"; "saved" in the regret test, where it may be taken back."""
    named = set(families)
    if REGRET not in named:
        return "TSR"
    return "saved" if named == {REGRET} else "TSR or saved"


def ending_counts(group: Group) -> dict[str, int]:
    """Counted episodes by ending, every ending named; they add up to `group.n`."""
    outcomes = {str(label): rate.k for label, rate in group.outcomes.items()}
    return {
        ending: outcomes[ending] if ending in outcomes else group.statuses.get(Status(ending), 0) for ending in ENDINGS
    }
