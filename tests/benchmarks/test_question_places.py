"""What is said of questions whose options do not stand equally often at every place."""

from __future__ import annotations

import pytest

from conflictbench.benchmarks.manifest import ModelEntry
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.question_places import places_note
from conflictbench.benchmarks.start_notes import start_notes

ONE = (
    "with 1 seed an option's place is not random: use --seeds 4, over which each option stands equally often at every "
    "place"
)


@pytest.mark.parametrize(
    "suite, seeds, said",
    [
        ("single_turn", 1, ONE),
        ("single_turn", 6, "with 6 seeds an option's place is not random: use --seeds 8"),
        ("single_turn", 4, ""),
        ("single_turn", 8, ""),
        ("quick", 1, ""),
    ],
)
def test_places_note__of_a_run(suite: str, seeds: int, said: str) -> None:
    identity, _ = plan_run(suite, "random", seeds=seeds)
    assert places_note(identity)[: len(said) or None] == said


def test_start_notes__say_it_before_anything_is_paid_for() -> None:
    free, _ = plan_run("single_turn", "first")
    model = ModelEntry(base_url=None, temperature=0.7, max_tokens=100, seed=None)
    paid = free.model_copy(update={"model": model})
    assert list(start_notes(paid, (), plays=True)) == [ONE]
    assert list(start_notes(paid, (), plays=False)) == []
    assert list(start_notes(free, (), plays=True)) == []  # its report says it
