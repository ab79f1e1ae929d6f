"""What a scenario file may hold: pydantic models, frozen, nothing beside them allowed.

Source: docs/scenario-format.md section 1. These models check shapes and single values; names that refer to other
keys, expressions and texts are checked by `loader.py`, facts about the whole state space by `verifier/`.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from conflictbench.types import Label

ID_PATTERN = r"^[a-z][a-z0-9_]{0,31}$"
SCENARIO_ID_PATTERN = r"^EP[123]-[0-9]{3}$"

Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Command = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+( [a-z0-9]+){1,3}$", max_length=60)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
CostWord = Annotated[str, StringConstraints(min_length=1, max_length=60)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=60)]  # of something else in the file

# Limits above what the rules of the verifier allow or a story can use: they keep tables narrow and reading quick.
MAX_STATE, MAX_ENUM, MAX_ITEMS, MAX_ACTIONS, MAX_ALSO = 32, 16, 24, 24, 8
MAX_NEEDS = MAX_ALTERNATIVES = 12
MAX_OUTCOMES, MAX_COST_WORDS, MAX_REPLACED = 16, 40, 200


def _expression_source(value: Any) -> Any:
    """YAML gives `people: 0` as an int and `mist: true` as a bool; an expression is kept as its source text."""
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, int):
        return str(value)
    return value


Expression = Annotated[str, BeforeValidator(_expression_source), StringConstraints(min_length=1)]


def _real_time(value: str) -> str:
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", value) is None:
        raise ValueError(f'{value[:40]!r} does not fit: a time is "YYYY-MM-DD hh:mm", in quotes')
    try:
        datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"{value!r} is no time of any day: {error}") from None
    return value


class Model(BaseModel):
    """Base of every block: frozen, strict, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Setting(Model):
    domain: Text
    place: Text
    time: Annotated[str, AfterValidator(_real_time)]


class AgentRole(Model):
    name: Annotated[str, StringConstraints(min_length=2, max_length=24)]
    role: Text
    stake: Text


class Clock(Model):
    label: Text
    per_turn: Annotated[int, Field(ge=1, le=10_000)]
    unit: Text


class Variable(Model):
    """One state variable: `int: [low, high]`, `enum: [names]` or `bool: start`."""

    int_: tuple[int, int] | None = Field(default=None, alias="int", strict=False)
    enum: tuple[Id, ...] | None = Field(default=None, strict=False, max_length=MAX_ENUM)
    bool_: bool | None = Field(default=None, alias="bool")
    start: int | str | None = None
    label: Text | None = None
    unit: Text | None = None
    words: tuple[Text, Text] | None = Field(default=None, strict=False)  # a bool's printed values, false first
    known: Expression | None = None  # value is shown only while this holds
    unknown: Text | None = None  # printed instead
    hidden: bool = False
    stake: bool = False  # shown for what it means, read by nothing

    @property
    def kind(self) -> Literal["int", "enum", "bool"]:
        return "int" if self.int_ is not None else "enum" if self.enum is not None else "bool"

    @property
    def low(self) -> int:
        """Smallest stored value; enums and bools are stored as 0..k-1."""
        return self.int_[0] if self.int_ is not None else 0

    @property
    def high(self) -> int:
        """Largest stored value."""
        if self.int_ is not None:
            return self.int_[1]
        return len(self.enum) - 1 if self.enum is not None else 1

    @property
    def start_value(self) -> int:
        """Stored start value."""
        if self.int_ is not None:
            assert isinstance(self.start, int)
            return self.start
        if self.enum is not None:
            return self.enum.index(str(self.start))
        return int(bool(self.bool_))

    @model_validator(mode="after")
    def _one_kind(self) -> Variable:
        kinds = [n for n, v in (("int", self.int_), ("enum", self.enum), ("bool", self.bool_)) if v is not None]
        if len(kinds) != 1:
            raise ValueError(
                f"a variable has exactly one of int, enum, bool; this one has {', '.join(kinds) or 'none'}"
            )
        if self.int_ is not None:
            low, high = self.int_
            if not -1_000_000 <= low < high <= 1_000_000:
                raise ValueError(f"int range [{low}, {high}] must rise and stay within +-1,000,000")
            if not isinstance(self.start, int) or isinstance(self.start, bool) or not low <= self.start <= high:
                raise ValueError(f"start {self.start!r} must be an integer in [{low}, {high}]")
        elif self.enum is not None:
            if len(self.enum) < 2 or len(set(self.enum)) != len(self.enum):
                raise ValueError(f"enum needs two or more different names, not {list(self.enum)}")
            reserved = {"turn", "turns_left", "and", "or", "not", "in", "if", "else", "true", "false", "min", "max"}
            if bad := sorted(reserved & set(self.enum)):
                raise ValueError(f"enum names {bad} are words of the expression language")
            if self.start not in self.enum:
                raise ValueError(f"start {self.start!r} must be one of {', '.join(self.enum)}")
        elif self.start is not None:
            raise ValueError("a bool's start stands in `bool:`; leave out `start`")
        if self.words is not None and self.bool_ is None:
            raise ValueError("`words` belong to a bool")
        if self.unit is not None and self.int_ is None:
            raise ValueError("`unit` belongs to an int")
        if self.hidden:
            extra = [k for k in ("label", "unit", "words", "known", "unknown") if getattr(self, k) is not None]
            if extra or self.stake:
                raise ValueError(f"a hidden variable is never printed; leave out {', '.join(extra or ['stake'])}")
        elif self.label is None:
            raise ValueError("a visible variable needs a `label`")
        elif self.bool_ is not None and self.words is None:
            raise ValueError('a visible bool needs `words`: [text when false, text when true], such as ["off", "on"]')
        if (self.known is None) != (self.unknown is None):
            raise ValueError("`known` and `unknown` come together")
        return self


class Item(Model):
    id: Id
    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+( [a-z0-9]+){0,3}$", max_length=60)]
    look: Text


class Need(Model):
    when: Expression
    else_: Text = Field(alias="else")


class Conditional(Model):
    """One alternative of a `says` or `ends`; the last one has no `when`."""

    when: Expression | None = None
    text: Text


def _alternatives(value: Any) -> Any:
    return [{"text": value}] if isinstance(value, str) else value


Alternatives = Annotated[
    tuple[Conditional, ...],
    BeforeValidator(_alternatives),
    Field(min_length=1, max_length=MAX_ALTERNATIVES, strict=False),
]

MOTIONS = ("turn", "press", "pull", "open", "close", "carry", "travel", "digital", "idle")


class ActionVisual(Model):
    """What the action looks like (docs/scenario-format.md; drawn by envs/visual)."""

    actor: Id | None = None
    motion: Literal["turn", "press", "pull", "open", "close", "carry", "travel", "digital", "idle"]
    target: Id | None = None
    label: Text | None = None
    ripple: Id | None = None
    urgency: Annotated[int, Field(ge=0, le=3)] | None = None


class Action(Model):
    id: Id
    command: Command
    also: tuple[Command, ...] = Field(default=(), strict=False, max_length=MAX_ALSO)
    help: Text
    irreversible: bool = False
    needs: tuple[Need, ...] = Field(default=(), strict=False, max_length=MAX_NEEDS)
    effects: Annotated[dict[Name, Expression], Field(max_length=MAX_STATE)]
    says: Alternatives
    visual: ActionVisual | None = None


class Outcome(Model):
    id: Id
    label: Annotated[Label, Field(strict=False)]
    when: Expression
    ends: Alternatives


class Oversight(Model):
    sees: tuple[Name, ...] = Field(strict=False, min_length=1, max_length=MAX_STATE)
    truth: tuple[Name, ...] = Field(strict=False, min_length=1, max_length=MAX_STATE)
    honest: Expression


class SingleTurn(Model):
    question: Text
    choices: tuple[Text, Text, Text, Text] = Field(strict=False)
    aligned: Annotated[int, Field(ge=0, le=3)]


class RegretStage(Model):
    text: Text | Annotated[dict[Name, Text], Field(max_length=MAX_OUTCOMES)]  # one text, or one a human outcome id
    visual: ActionVisual | None = None


class Regret(Model):
    stages: tuple[RegretStage, RegretStage, RegretStage] = Field(strict=False)
    regretted: Text


class TwinTexts(Model):
    texts: Annotated[dict[str, Text], Field(max_length=MAX_REPLACED)]  # full path of a text -> its replacement
    cost_words: tuple[CostWord, ...] = Field(default=(), strict=False, max_length=MAX_COST_WORDS)


class Twins(Model):
    task_for: TwinTexts
    stake_kept: TwinTexts
    both: TwinTexts | None = None
    assigned: Annotated[dict[Name, float], Field(max_length=MAX_OUTCOMES)]


class Scenario(Model):
    """One scenario file, as written. Texts are those of the `conflict` variant."""

    id: Annotated[str, StringConstraints(pattern=SCENARIO_ID_PATTERN)]
    version: Annotated[int, Field(ge=1, le=10_000)]
    category: Literal["EP1", "EP2", "EP3"]
    title: Text
    setting: Setting
    seed: Text
    agent: AgentRole
    opening: Text
    window: Annotated[int, Field(ge=5, le=7)]
    clock: Clock
    state: Annotated[dict[Id, Variable], Field(max_length=MAX_STATE)]
    items: tuple[Item, ...] = Field(default=(), strict=False, max_length=MAX_ITEMS)
    actions: tuple[Action, ...] = Field(strict=False, min_length=1, max_length=MAX_ACTIONS)
    each_turn: Annotated[dict[Name, Expression], Field(max_length=MAX_STATE)] = Field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = Field(strict=False, min_length=2, max_length=MAX_OUTCOMES)
    assigned: Annotated[dict[Name, float], Field(max_length=MAX_OUTCOMES)]
    oversight: Oversight | None = None
    single_turn: SingleTurn
    regret: Regret | None = None
    twins: Twins
    parties: dict[str, Any] | None = None  # two-party play, checked with that game
    visual: dict[str, Any] | None = None  # references are checked by the loader, drawing with the pictures

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The opening's paragraphs, addressed as opening.1, opening.2, ..."""
        return tuple(p.strip() for p in re.split(r"\n\s*\n", self.opening.strip()) if p.strip())

    @property
    def visible(self) -> tuple[str, ...]:
        """Names of the variables that are shown, in file order."""
        return tuple(name for name, variable in self.state.items() if not variable.hidden)

    @model_validator(mode="after")
    def _blocks_of_the_category(self) -> Scenario:
        if not self.id.startswith(self.category):
            raise ValueError(f"id {self.id} and category {self.category} differ")
        if (self.category == "EP1") != (self.regret is not None):
            raise ValueError("`regret` belongs to EP1 files, and to all of them")
        if (self.category == "EP3") != (self.oversight is not None):
            raise ValueError("`oversight` belongs to EP3 files, and to all of them")
        if self.parties is not None and self.category != "EP2":
            raise ValueError("`parties` belongs to EP2 files")
        return self
