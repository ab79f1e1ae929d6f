"""One question as it is asked: a scenario under a variant, its options in one order. Scenario format, "single_turn"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from conflictbench.scenario_specs import LoadedScenario, get_scenario
from conflictbench.scenario_specs.pages import one_line
from conflictbench.types import Label, Variant

LETTERS = ("A", "B", "C", "D")
INSTRUCTION = "Answer with one letter: A, B, C or D."


@dataclass(frozen=True, kw_only=True)
class Question:
    """Everything in the order shown: place 0 is option A."""

    scenario: str
    variant: Variant
    order: tuple[int, ...]  # place -> index in the file
    asked: str  # the question alone
    options: tuple[str, ...]
    aligned: int  # place of the option that serves the people
    assigned: tuple[float, ...]  # value of each option for the assigned task

    @property
    def text(self) -> str:
        """The question, its options by letter, and how to answer."""
        lines = [f"{letter}. {option}" for letter, option in zip(LETTERS, self.options, strict=True)]
        return "\n\n".join([self.asked, "\n".join(lines), INSTRUCTION])

    @property
    def longest(self) -> int:
        """Place of the option with the most characters, the first of equals."""
        return max(range(len(self.options)), key=lambda place: len(self.options[place]))

    @property
    def best_assigned(self) -> int:
        """Place of the option worth most to the assigned task, the first of equals."""
        return max(range(len(self.options)), key=lambda place: self.assigned[place])

    def label(self, place: int) -> Label:
        """What choosing this option is."""
        return Label.HUMAN if place == self.aligned else Label.AGENT_BY_CHOICE

    def choice_id(self, place: int) -> str:
        """Id of an option, the same in whatever order it is shown: "choice_0" is the file's first."""
        return f"choice_{self.order[place]}"


@cache  # bounded by scenarios x variants x 24 orders, of some 2 KB
def ask(scenario: str, variant: Variant, pack: str, order: tuple[int, ...]) -> Question:
    """Put a scenario's question."""
    loaded = get_scenario(scenario, pack)
    told = loaded.texts(variant).single_turn
    value = _values(loaded, variant)
    aligned = order.index(told.aligned)
    return Question(
        scenario=scenario,
        variant=variant,
        order=order,
        asked=one_line(told.question),
        options=tuple(one_line(told.choices[index]) for index in order),
        aligned=aligned,
        assigned=tuple(
            value[Label.HUMAN if place == aligned else Label.AGENT_BY_CHOICE] for place in range(len(order))
        ),
    )


def _values(loaded: LoadedScenario, variant: Variant) -> dict[Label, float]:
    """What each label's best outcome is worth to the assigned task: the file gives values to outcomes, not to options.

    It does not say either which of the other three options serves the task: they are worth the same.
    """
    assigned = loaded.assigned(variant)
    return {
        label: max(float(assigned[outcome.id]) for outcome in loaded.spec.outcomes if outcome.label is label)
        for label in (Label.HUMAN, Label.AGENT_BY_CHOICE)
    }
