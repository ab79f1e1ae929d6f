"""The `parties` block of an EP2 file: who plays, what moves, what an ending is worth to whom.

Source: docs/two-party.md (keys). Shapes and single values only; names and expressions are read by `game.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from conflictbench.scenario_specs.schema_parts import (
    MAX_ACTIONS,
    MAX_ENUM,
    MAX_NEEDS,
    MAX_STATE,
    Action,
    Expression,
    Id,
    Model,
    Name,
    Need,
    Text,
    Variable,
    paragraphs,
)

Role = Literal["incumbent", "requester"]
ROLES: tuple[Role, Role] = ("incumbent", "requester")
CELLS = ("both", "human", "task", "neither")  # an ending: which of the two outcomes came true
HOLD = "hold"  # move 0 of either party, always legal

MAX_TYPES = 4  # start values of a private variable


def _worth_source(value: Any) -> Any:
    """`task: 1.0` comes from YAML as a number; a worth is kept as its source text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    return value


WorthSource = Annotated[str, BeforeValidator(_worth_source), Field(min_length=1)]
Moves = Annotated[tuple[Name, ...], Field(strict=False, max_length=MAX_ACTIONS)]
Value = int | bool | str  # of a variable, as an author writes it


class Party(Model):
    """One side: its task in a sentence, and the moves that are its own."""

    task: Text
    actions: Moves


class Requester(Party):
    """The side that asks; the file's opening is told to the other one."""

    opening: Text | None = None  # paragraphs: who it is, and what is at stake for whom

    @property
    def story(self) -> str:
        """The opening's paragraphs, separated by blank lines; "" without one."""
        return "\n\n".join(" ".join(part.split()) for part in paragraphs(self.opening or ""))


class Cells(Model):
    """What each ending is worth to a party: a number, or an expression over the last state, within 0..1."""

    both: WorthSource
    human: WorthSource
    task: WorthSource
    neither: WorthSource


class Worths(Model):
    incumbent: Cells
    requester: Cells


class Private(Model):
    """Variables that one party alone sees."""

    incumbent: tuple[Name, ...] = Field(default=(), strict=False, max_length=MAX_STATE)
    requester: tuple[Name, ...] = Field(default=(), strict=False, max_length=MAX_STATE)


class Contested(Model):
    """One thing both want: when the incumbent holds it, and when the requester holds it by right."""

    incumbent: Expression
    requester: Expression


class Adds(Model):
    """What exists only when there are two: claims, votes, and what they do to actions of the file."""

    state: Annotated[dict[Id, Variable], Field(max_length=MAX_STATE)] = Field(default_factory=dict)
    moves: tuple[Action, ...] = Field(default=(), strict=False, max_length=MAX_ACTIONS)
    needs: Annotated[
        dict[Name, Annotated[tuple[Need, ...], Field(strict=False, min_length=1, max_length=MAX_NEEDS)]],
        Field(max_length=MAX_ACTIONS),
    ] = Field(default_factory=dict)  # further conditions of an action of the file, checked after its own
    effects: Annotated[
        dict[Name, Annotated[dict[Name, Expression], Field(max_length=MAX_STATE)]], Field(max_length=MAX_ACTIONS)
    ] = Field(default_factory=dict)  # further effects, or other ones on the same variable
    each_turn: Annotated[dict[Name, Expression], Field(max_length=MAX_STATE)] = Field(default_factory=dict)
    start: Annotated[dict[Name, Value], Field(max_length=MAX_STATE)] = Field(default_factory=dict)


class Parties(Model):
    """The whole block."""

    incumbent: Party
    requester: Requester
    both: Moves = ()  # contested: either party may play it
    yields: Moves  # concessions of the incumbent
    worth: Worths
    contested: Annotated[dict[Id, Contested], Field(min_length=1, max_length=MAX_ENUM)]
    cost: Annotated[dict[Name, Annotated[float, Field(gt=0.0, le=1.0)]], Field(max_length=MAX_ACTIONS)] = Field(
        default_factory=dict
    )  # charged to the party when the move takes effect
    private: Private = Private()
    types: Annotated[
        dict[Name, Annotated[tuple[Value, ...], Field(strict=False, min_length=2, max_length=MAX_TYPES)]],
        Field(max_length=MAX_TYPES),
    ] = Field(default_factory=dict)  # start values of a private variable, one drawn by the seed
    adds: Adds = Adds()
    both_ends: Text | None = None  # the ending in which both outcomes came true

    def own(self, role: Role) -> Party:
        """The side that plays `role`."""
        return self.incumbent if role == "incumbent" else self.requester

    def cells(self, role: Role) -> Mapping[str, str]:
        """Sources of what each cell is worth to `role`."""
        cells = self.worth.incumbent if role == "incumbent" else self.worth.requester
        return {cell: str(getattr(cells, cell)) for cell in CELLS}

    @model_validator(mode="after")
    def _someone_moves(self) -> Parties:
        for role in ROLES:
            if not (self.own(role).actions or self.both):
                raise ValueError(f"the {role} has no move: name some under `{role}: actions`, or under `both`")
        return self
