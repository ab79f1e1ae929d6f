"""What is kept of a play: both sides, turn by turn, everything that was said and decided. Own design.

`schema_version` is the one that all records of a run share; a line is never changed once it is written.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from conflictbench.benchmarks.crossplay.plan import PlayKey, Talk
from conflictbench.scenario_specs.parties.block import Role
from conflictbench.types import RECORD_SCHEMA_VERSION, Status, Usage, Verdict

Briefed = Literal["incumbent", "requester", "both"]  # the last of a model that decides for either
ChoiceStatus = Literal["chosen", "unparsed", "refused", "cut_off", "context_overflow", "provider_error", "budget"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReplyRecord(_Record):
    """One reply of a model, and what it was taken for."""

    reply: str  # raw, as `wrappers.kept_reply` stores it
    verdict: Verdict
    reasoning: str = ""
    usage: Usage = Field(default_factory=Usage)
    model: str = ""  # id that the provider returned


class ChoiceRecord(_Record):
    """What one party did in one phase. Whatever is not `chosen` is a hold, or silence, and flagged as that."""

    status: ChoiceStatus = "chosen"
    move: str | None = None  # id of the move, "hold" for a held one; None in a talk phase
    event: str | None = None  # held, done, rejected, bumped
    signal: str | None = None  # silent, ask X, promise X; None in a move phase
    message: str = ""  # as given, not as the other was shown it
    heard: str = ""  # of a talk phase: the other's message as this party was shown it
    told: tuple[str, ...] = ()  # of a model: its situation, then the sentence that asked again; a reply to each
    replies: tuple[ReplyRecord, ...] = ()  # of a model: one, two where it was asked again
    usage: Usage = Field(default_factory=Usage)  # of a model, calls without an answer included
    error: str | None = None  # why there was no answer, one line


class PhaseRecord(_Record):
    """One phase of a turn, both parties at once."""

    turn: int  # from 1
    phase: Literal["talk", "move"]
    served_first: Role
    incumbent: ChoiceRecord
    requester: ChoiceRecord


class SideRecord(_Record):
    """What a play came to for one party."""

    payoff: float  # costs taken off
    scaled: float | None  # (payoff - guaranteed) / (best - guaranteed); None where the two are the same
    regret: float  # what the best sequence against the other's moves would have brought more
    flagged: dict[str, int] = Field(default_factory=dict)  # status of a choice that was none -> how many
    rejected: int = 0
    bumped: int = 0
    usage: Usage = Field(default_factory=Usage)
    models: tuple[str, ...] = ()  # ids that providers returned, in order of first use


class OutcomeRecord(_Record):
    """The figures of a play that came to its end (`exact.Figures`)."""

    cell: Literal["both", "human", "task", "neither"]
    yield_turn: int | None
    may_return: bool
    returned: bool
    collateral: float | None  # of a play with the human outcome: the plan's payoff to the incumbent minus its own
    agreement: int | None
    incumbent: SideRecord
    requester: SideRecord


class PlayRecord(_Record):
    """One finished attempt at one play: a line of `plays.jsonl`."""

    schema_version: int = RECORD_SCHEMA_VERSION
    key: PlayKey
    attempt: int = 1
    status: Status
    talk: Talk
    solo: bool = False
    protocol: str = ""
    env_seed: int = 0
    first: Role  # served first in the first turn
    types: dict[str, int] = Field(default_factory=dict)  # stored values of private variables
    moves: tuple[tuple[int, int], ...] = ()  # that reached the tables: (incumbent, requester)
    outcome: OutcomeRecord | None = None  # of a play that counts
    usage: Usage = Field(default_factory=Usage)  # of both
    models: tuple[str, ...] = ()  # ids that providers returned, in order of first use
    error: str | None = None
    briefings: dict[Briefed, str] = Field(default_factory=dict)  # what each model was told before the first phase
    phases: tuple[PhaseRecord, ...] = ()


def without_phases(record: PlayRecord) -> PlayRecord:
    """The record's figures alone."""
    return record.model_copy(update={"phases": (), "briefings": {}})
