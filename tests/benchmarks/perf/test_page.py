"""What the benchmarks write into a page, and the two that print no ratios: they do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from conflictbench.benchmarks.perf.__main__ import BEGIN, END, replaced
from conflictbench.benchmarks.perf.endurance import endure, main
from conflictbench.benchmarks.perf.interleaved import Goal, Measured
from conflictbench.benchmarks.perf.sizes import suite_line
from conflictbench.benchmarks.perf.vector_env import enlarged
from conflictbench.scenario_specs import get_scenario, scenario_ids

DOCS = Path(__file__).parents[3] / "docs"


def test_rows__hold_the_median_of_the_ratios_and_whether_it_is_enough() -> None:
    figures = {"ours": [30.0, 8.0, 20.0], "theirs": [10.0, 4.0, 10.0]}
    goals = [Goal(case="ours", anchor="theirs", ratio=wanted, at_most=False) for wanted in (2, 2.5)]
    one = Measured(title="64 worlds", figures=figures, unit="steps/s", goals=goals)
    assert one.rows() == [
        "| 64 worlds | ours | theirs | 2 (2 to 3) | at least 2 | reached |",
        "| 64 worlds | ours | theirs | 2 (2 to 3) | at least 2.5 | not reached |",
    ]
    assert one.text().startswith("64 worlds\n\nours ")


def test_replaced__changes_what_stands_between_the_marks_alone() -> None:
    page = f"before\n\n{BEGIN}\nold\n{END}\n\nbehind\n"
    assert replaced(page, ("one", "two")) == f"before\n\n{BEGIN}\none\ntwo\n{END}\n\nbehind\n"


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{END}{END}"])
def test_replaced__a_page_without_its_marks_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="once each"):
        replaced(page, ())


def test_performance__has_the_marks() -> None:
    replaced((DOCS / "performance.md").read_text(encoding="utf-8"), ())


def test_endure__counts_steps_in_tenths(capsys: pytest.CaptureFixture[str]) -> None:
    seen = endure(1_000, 8)  # 125 turns of eight worlds
    assert [steps // 8 for steps, _, _ in seen] == [0, 12, 25, 37, 50, 62, 75, 87, 100, 112, 125]
    assert all(held > 0 for _, _, held in seen)
    assert capsys.readouterr().err.splitlines()[-1].startswith("1,000 of 1,000 steps")


@pytest.mark.parametrize("arguments", [["--steps", "0"], ["--worlds", "0"]])
def test_endurance__nothing_to_do_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert "both must be at least 1" in capsys.readouterr().err


def test_suite_line__counts_the_states_of_a_suite_and_one_more_each() -> None:
    states = sum(get_scenario(name).tables.n_states + 1 for name in scenario_ids())
    line = suite_line(enlarged(len(scenario_ids())))
    assert line.startswith(f"{len(scenario_ids())} scenarios, {states:,} states: ")
    assert f"float32 features {states * 32 * 4 / 1e6:.1f} MB" in line
