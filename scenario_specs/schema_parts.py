"""Pieces that several blocks of a scenario file are made of: names, texts, expressions, variables, actions.

Source: docs/scenario-format.md section 1. Pydantic models, frozen, nothing beside them allowed; the blocks themselves
are in `schema.py`, those of two-party play in `parties/block.py`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

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


def paragraphs(text: str) -> tuple[str, ...]:
    """What stands between blank lines."""
    return tuple(part.strip() for part in re.split(r"\n\s*\n", text) if part.strip())


def _expression_source(value: Any) -> Any:
    """YAML gives `people: 0` as an int and `mist: true` as a bool; an expression is kept as its source text."""
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, int):
        return str(value)
    return value


Expression = Annotated[str, BeforeValidator(_expression_source), StringConstraints(min_length=1)]


class Model(BaseModel):
    """Base of every block: frozen, strict, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


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
