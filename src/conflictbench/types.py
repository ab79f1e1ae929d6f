"""The plain values that parts of the package hand to each other. Own design.

Nothing here knows an environment, an agent or a file: only what is exchanged and what is kept.
Records are pydantic models, so that a line read back from disk is checked field by field.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

RECORD_SCHEMA_VERSION = 1

Variant = Literal["conflict", "stake_only", "task_only", "control"]
VARIANTS: tuple[Variant, ...] = ("conflict", "stake_only", "task_only", "control")
CATEGORIES = ("EP1", "EP2", "EP3")


class Label(StrEnum):
    """What an outcome is, never found by matching text (ConflictBench section 5.1; `both_lose` is our own)."""

    HUMAN = "human"
    AGENT_BY_CHOICE = "agent_by_choice"
    AGENT_BY_DEFAULT = "agent_by_default"
    BOTH_LOSE = "both_lose"

    @property
    def words(self) -> str:
        """As every table and sentence writes it: "human", "by choice", "by default", "both lose"."""
        return self.value.removeprefix("agent_").replace("_", " ")

    @property
    def meaning(self) -> str:
        """What it says of an episode."""
        return _MEANINGS[self.value]


_MEANINGS = {
    "human": "the people were saved",
    "agent_by_choice": "the agent kept what it had",
    "agent_by_default": "the time ran out",
    "both_lose": "nobody was saved",
}


class Event(StrEnum):
    """What became of one interaction with the world."""

    ACCEPTED = "accepted"  # costs a turn
    REJECTED = "rejected"  # a `needs` failed; answered, no turn
    UNKNOWN = "unknown"  # no such command, or a padding index; answered, no turn
    FREE = "free"  # look, help, status, examine; answered, no turn


class Verdict(StrEnum):
    """What a reply of an agent was taken for, before the world saw it."""

    ACTION = "action"  # exactly one command of this world
    UNKNOWN = "unknown"  # exactly one command, which the world does not know
    UNPARSED = "unparsed"  # no command, or more than one
    REFUSED = "refused"  # the agent declines to take part
    CUT_OFF = "cut_off"  # the reply ended before its command


class Status(StrEnum):
    """How an attempt ended: a closed list. The first six count in n."""

    COMPLETED = "completed"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    UNPARSED = "unparsed"
    CUT_OFF = "cut_off"
    CONTEXT_OVERFLOW = "context_overflow"
    PROVIDER_ERROR = "provider_error"
    BUDGET = "budget"
    ENV_ERROR = "env_error"
    SANDBOX_ERROR = "sandbox_error"

    @property
    def counts(self) -> bool:
        """True if the attempt is a result (in n); False if it is left out, shown by reason and run again."""
        return self in _COUNTED


_COUNTED = frozenset(
    {
        Status.COMPLETED,
        Status.TRUNCATED,
        Status.REFUSED,
        Status.UNPARSED,
        Status.CUT_OFF,
        Status.CONTEXT_OVERFLOW,
    }
)


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Usage(_Record):
    """Tokens and money of one or many model calls; adds up with `+`."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cached: int = 0  # answers from a cache: no request, no tokens, no money

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=self.cost_usd + other.cost_usd,
            cached=self.cached + other.cached,
        )


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A tool call as a provider sent it: `arguments` is the raw string, not parsed, possibly malformed.

    None, which providers send for what is not there, becomes ""; arguments that a provider has parsed are written out
    as JSON again. Raises TypeError for anything else, naming the field.
    """

    name: str
    arguments: str
    id: str = ""  # the provider's, to be given back with the result

    def __post_init__(self) -> None:
        if isinstance(self.arguments, Mapping):
            object.__setattr__(self, "arguments", _as_json(self.arguments))
        for name in ("name", "arguments", "id"):
            _as_text(self, name)


@dataclass(frozen=True, kw_only=True)
class Image:
    """An encoded picture in a message."""

    data: bytes = field(repr=False)
    media_type: Literal["image/jpeg", "image/png"]
    width: int
    height: int
    name: str = ""  # what it shows, for whoever reads the prompt; no model is sent it

    @property
    def data_uri(self) -> str:
        """As providers take it: "data:image/png;base64,..."."""
        return f"data:{self.media_type};base64,{b64encode(self.data).decode('ascii')}"


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message of a conversation with a language model."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    images: tuple[Image, ...] = ()  # of a user; they come before the words
    tool_calls: tuple[ToolCall, ...] = ()  # of an assistant
    tool_call_id: str = ""  # of a tool's result: the call it answers


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """A function a model may call; `parameters` is a JSON schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one model call may take, and how it is sampled."""

    max_tokens: int = 2048  # of the reply, reasoning included where the provider counts it
    temperature: float = 0.0  # ConflictBench appendix B.1
    timeout_s: float = 120.0  # wall time of one attempt
    seed: int | None = None  # passed on where the provider takes one


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back from whoever is deciding: free text, tool calls, and the provider's own fields.

    None, which providers send for what is not there, becomes "" or (), a list of calls a tuple. Raises TypeError for
    anything else, naming the field.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None  # from the provider's own field, if it has one
    finish_reason: str = "stop"  # "stop" | "length" | "content_filter" | "tool_calls" | ...

    def __post_init__(self) -> None:
        _as_text(self, "text")
        _as_text(self, "finish_reason")
        if self.reasoning is not None:
            _as_text(self, "reasoning")
        calls: object = () if self.tool_calls is None else self.tool_calls
        if not isinstance(calls, list | tuple) or not all(isinstance(call, ToolCall) for call in calls):
            raise TypeError(f"Reply.tool_calls must be a tuple of ToolCall, not {calls!r}")
        object.__setattr__(self, "tool_calls", tuple(calls))

    def stored(self) -> str:
        """The reply as one string that UTF-8 can hold, from which `from_stored` makes an equal reply.

        A reply of nothing but words is its words; every other is one JSON object of all fields. So are words that
        UTF-8 cannot hold (lone surrogates, escaped in JSON) and words that would be read back as such an object.
        """
        if self == Reply(text=self.text) and _is_utf8(self.text) and _read_stored(self.text) is None:
            return self.text
        # the escape of a lone surrogate is JSON's own as well
        return json.dumps(asdict(self), ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")

    @classmethod
    def from_stored(cls, text: str) -> Reply:
        """The reply that `stored` made this string of."""
        return _read_stored(text) or cls(text=text)


def _as_text(holder: ToolCall | Reply, name: str) -> None:
    value = getattr(holder, name)
    if value is None:
        object.__setattr__(holder, name, "")  # the class is frozen
    elif not isinstance(value, str):
        raise TypeError(f"{type(holder).__name__}.{name} must be a str, not {value!r}")


def _as_json(arguments: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(arguments), ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"ToolCall.arguments must be a str, or what JSON can hold, not {arguments!r}") from error


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read_stored(text: str) -> Reply | None:
    """The reply that a JSON object of exactly its fields describes; None for any other text."""
    if not text.startswith('{"text": '):
        return None
    try:
        kept = json.loads(text)
        calls = [_exactly(ToolCall, call) for call in kept["tool_calls"]]
        return Reply(**_exactly(Reply, kept) | {"tool_calls": tuple(ToolCall(**call) for call in calls)})
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _exactly(kind: type[Reply | ToolCall], kept: Any) -> dict[str, Any]:
    if not isinstance(kept, dict) or list(kept) != [field.name for field in fields(kind)]:
        raise ValueError(f"not the fields of a {kind.__name__}")
    return kept


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One choice of an agent: an action index, or words. Exactly one of `action` and `text` is given."""

    action: int | None = None
    text: str | Reply | None = None
    reasoning: str = ""
    reasoning_source: str = ""  # "text" | "tag" | "provider" | "" (none)
    usage: Usage = field(default_factory=Usage)
    model: str = ""  # id that the provider returned, where a language model decided

    def __post_init__(self) -> None:
        if (self.action is None) == (self.text is None):
            raise ValueError(f"a decision holds an action or a text, not {self.action!r} and {self.text!r}")
        if self.action is not None and not hasattr(self.action, "__index__"):
            raise TypeError(f"Decision.action must be an index, not {self.action!r}; words are its text")
        if self.text is not None and not isinstance(self.text, str | Reply):
            raise TypeError(f"Decision.text must be a str or a Reply, not {self.text!r}")
        if not isinstance(self.usage, Usage):
            raise TypeError(f"Decision.usage must be a Usage, not {self.usage!r}")


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What a language model answered."""

    reply: Reply
    usage: Usage = field(default_factory=Usage)
    model: str = ""  # id that the provider returned


@dataclass(frozen=True, kw_only=True)
class Task:
    """What an agent is told at the start of an episode, beside the first observation."""

    env_id: str
    seed: int  # for the agent's own randomness: the episode's seed
    n_actions: int  # size of the Discrete action space
    scenario: str = ""  # id; an agent may name it in a log, never look it up
    variant: str = "conflict"
    title: str = ""  # of the scenario, where it has one
    max_interactions: int | None = None  # interactions before the episode is cut off; None: not said


class ClipRecord(_Record):
    """A clip that was shown, by what a clip store finds it by; a record holds no pixels."""

    name: str  # id of the action, "stage:1" of the regret test, or "base"
    key: str = Field(pattern="^[0-9a-f]{64}$")  # over all that it was made from
    digest: str = ""  # 64 hex digits over the pixels of the kept frames; "" where no store kept them
    missing: bool = False  # it could not be kept, and was not shown


class StepRecord(_Record):
    """One interaction: what was asked for, what came of it, what was answered."""

    index: int  # 0-based interaction number
    action: str | None = None  # action id, when one was recognised
    command: str = ""  # canonical command, or the words as given when unknown
    reply: str | None = None  # of the agent, when it answers in words, as `wrappers.kept_reply` stores it
    verdict: Verdict | None = None  # when the agent answers in words
    event: Event | None = None  # None when the world was not reached (unparsed, refused, cut off)
    text: str = ""  # the world's answer
    reward: float = 0.0
    turn: int = 0  # turns finished after this step
    reasoning: str = ""
    reasoning_source: str = ""
    usage: Usage = Field(default_factory=Usage)
    model: str = ""  # id that the provider returned
    clips: tuple[ClipRecord, ...] = ()  # that this step gave: of an executed action, of a stage


class EpisodeKey(_Record):
    """Identity of an episode inside a run; one final attempt a key."""

    scenario: str
    variant: str
    env_hash: str  # 8 hex of the env id and kwargs
    agent: str
    seed: int
    epoch: int = 0


class QuestionRecord(_Record):
    """A single-turn question as it was asked; a place is 0 for option A."""

    permutation: tuple[int, ...]  # place -> index of the option in the file
    aligned: int  # place of the option that serves the people
    longest: int  # place of the option with the most characters, the first of equals


class EpisodeRecord(_Record):
    """One finished attempt at one episode: a line of `episodes.jsonl`."""

    schema_version: int = RECORD_SCHEMA_VERSION
    key: EpisodeKey
    attempt: int = 1
    status: Status
    env_id: str
    scenario_digest: str = ""  # digest of the tables and texts that were played
    protocol: str = ""  # name, version and digest of the prompts, where the agent was sent a conversation
    course: str = ""  # 16 hex digits of what was done and said: equal ones are one trajectory; "" where nothing was
    opening: str = ""  # first observation
    opening_clips: tuple[ClipRecord, ...] = ()  # that came with it
    world_model: str = ""  # id of what made the clips, with the overlay
    outcome: str | None = None  # outcome id
    label: Label | None = None
    turns: int = 0
    interactions: int = 0
    rejected: int = 0
    unknown: int = 0
    free: int = 0
    reasks: int = 0
    malformed: int = 0  # tool calls and JSON objects in replies that were not one action in words
    total_reward: float = 0.0
    assigned_value: float | None = None  # the file's value of the outcome under this variant
    regret_applicable: bool = False  # a regret test's human outcome was reached: its stages were entered
    regret_stage: int | None = None  # 1..3: the stage at which it was taken back
    question: QuestionRecord | None = None  # of a single-turn episode
    usage: Usage = Field(default_factory=Usage)
    models: tuple[str, ...] = ()  # ids that providers returned, in order of first use; more than one is a change
    error: str | None = None  # one line, for the statuses that need a reason
    steps: tuple[StepRecord, ...] = ()


Info = dict[str, Any]
Observation = Mapping[str, Any]
