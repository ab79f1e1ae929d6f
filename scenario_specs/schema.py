"""What a scenario file may hold: pydantic models, frozen, nothing beside them allowed.

Source: docs/scenario-format.md section 1. These models check shapes and single values; names that refer to other
keys, expressions and texts are checked by `loader.py`, facts about the whole state space by `verifier/`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from conflictbench.scenario_specs.moments import checked_moment
from conflictbench.scenario_specs.parties.block import Parties
from conflictbench.scenario_specs.schema_parts import (
    ID_PATTERN,
    MAX_ACTIONS,
    MAX_ALTERNATIVES,
    MAX_COST_WORDS,
    MAX_ITEMS,
    MAX_NEEDS,
    MAX_OUTCOMES,
    MAX_REPLACED,
    MAX_STATE,
    MOTIONS,
    SCENARIO_ID_PATTERN,
    Action,
    ActionVisual,
    Alternatives,
    Conditional,
    CostWord,
    Expression,
    Id,
    Model,
    Name,
    Text,
    Variable,
    paragraphs,
)
from conflictbench.types import Label

# Pieces that are asked for here, wherever they are defined.
__all__ = [
    "ID_PATTERN",
    "MAX_ALTERNATIVES",
    "MAX_NEEDS",
    "MOTIONS",
    "SCENARIO_ID_PATTERN",
    "Action",
    "ActionVisual",
    "Conditional",
    "Id",
    "Model",
    "Name",
    "Variable",
]


def _real_time(value: str) -> str:
    return checked_moment(value, shape="YYYY-MM-DD hh:mm", what="a time")


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


class Item(Model):
    id: Id
    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+( [a-z0-9]+){0,3}$", max_length=60)]
    look: Text


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
    parties: Parties | None = None  # two-party play
    visual: dict[str, Any] | None = None  # references are checked by the loader, drawing with the pictures

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The opening's paragraphs, addressed as opening.1, opening.2, ..."""
        return paragraphs(self.opening)

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
