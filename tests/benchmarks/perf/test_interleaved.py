"""The arithmetic of the printed ratios; speed itself is printed, never tested."""

from __future__ import annotations

import subprocess
import sys

import pytest

from conflictbench.benchmarks.perf.import_time import import_seconds
from conflictbench.benchmarks.perf.interleaved import Goal, measure, ratios, table
from conflictbench.benchmarks.perf.scalar_env import stepping


def test_measure__takes_turns_and_throws_the_first_round_away() -> None:
    calls: list[str] = []

    def case(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    figures = measure({"a": lambda: case("a"), "b": lambda: case("b")}, rounds=2)
    assert calls == ["a", "b"] * 3
    assert figures == {"a": [3.0, 5.0], "b": [4.0, 6.0]}


def test_ratios__are_round_by_round() -> None:
    assert ratios({"a": [2.0, 9.0], "b": [1.0, 3.0]}, "a", "b") == [2.0, 3.0]


@pytest.mark.parametrize(
    "at_most, limit, words",
    [
        (True, 2.0, "goal at most 2: reached"),
        (True, 1.9, "goal at most 1.9: not reached"),
        (False, 2.0, "goal at least 2: reached"),
        (False, 2.1, "goal at least 2.1: not reached"),
    ],
)
def test_table__says_whether_a_goal_is_reached(at_most: bool, limit: float, words: str) -> None:
    figures = {"a": [1.0, 2.0, 9.0], "b": [1.0, 1.0, 1.0]}  # the median ratio is 2
    printed = table(figures, "s", [Goal(case="a", anchor="b", ratio=limit, at_most=at_most)])
    assert f"a / b: 2 (1 to 9), {words}" in printed


def test_import_seconds__times_a_fresh_process() -> None:
    assert import_seconds("json")() > 0
    with pytest.raises(subprocess.CalledProcessError):
        import_seconds("no_such_module")()
    assert "no_such_module" not in sys.modules


def test_stepping__counts_steps_over_episode_ends() -> None:
    prepared: list[None] = []
    case = stepping("ConflictBench/EP1-v0", 12, 60, lambda: prepared.append(None), observation="features")
    assert case() > 0  # 60 steps are at least four episodes of at most 14 interactions
    assert prepared == [None]
