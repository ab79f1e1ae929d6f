"""One line that says why episodes are left out."""

from __future__ import annotations

from tests.benchmarks.building import a_record

from conflictbench.benchmarks.left_out import LONGEST, why_left_out
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.summary import Summary
from conflictbench.types import Status


def failing(*errors: str, status: Status = Status.PROVIDER_ERROR) -> Summary:
    return summarise([a_record(seed=seed, status=status, error=error) for seed, error in enumerate(errors)])


def test_why__nothing_where_nothing_is_left_out() -> None:
    assert why_left_out([]) == ""
    assert why_left_out([summarise([a_record()])]) == ""


def test_why__the_commonest_first_over_all_runs() -> None:
    runs = [failing("KeyError: 1", status=Status.ENV_ERROR), failing("down", "down"), failing("down")]
    assert why_left_out(runs) == "3 x provider_error: down; 1 x env_error: KeyError: 1"


def test_why__reasons_that_differ_in_their_numbers_are_one() -> None:
    waited = failing("gave up after 6 attempts in 12.5 s", "gave up after 6 attempts in 3 s", "gone")
    assert why_left_out([waited]) == (
        "2 x provider_error: gave up after 6 attempts in 12.5 s; 1 x provider_error: gone"
    )


def test_why__three_reasons_are_shown_and_each_is_cut() -> None:
    words = why_left_out([failing("a" * 400, "b", "c", "d", "e")])
    assert words.startswith("1 x provider_error: aaa")
    assert words.endswith("and 2 more in the report")
    assert len(words.split("; ")[0]) == len("1 x ") + LONGEST
