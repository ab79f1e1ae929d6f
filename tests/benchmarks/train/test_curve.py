"""The learning curve: its arithmetic, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conflictbench.benchmarks.train.curve import CurveRow, Stretch, read_curve, write_curve
from conflictbench.errors import BrokenRecord

HEAD = "steps,episodes,mean_return,mean_length,tsr,assigned_score,truncated"


def ended(r: float, length: int, label: str | None, value: float) -> dict[str, Any]:
    info: dict[str, Any] = {"episode": {"r": r, "l": length, "t": 1.0}, "TimeLimit.truncated": label is None}
    return info if label is None else info | {"label": label, "assigned_value": value, "outcome": "x"}


def test_row__is_the_mean_of_what_ended_since_the_last() -> None:
    stretch = Stretch()
    assert stretch.row(10) is None
    stretch.add(ended(1.0, 4, "human", 0.0))
    stretch.add(ended(0.0, 6, "agent_by_choice", 1.0))
    stretch.add(ended(0.0, 14, None, 0.0))
    stretch.add(ended(0.0, 8, "agent_by_default", 0.4))
    assert stretch.row(64) == CurveRow(
        steps=64, episodes=4, mean_return=0.25, mean_length=8.0, tsr=0.25, assigned_score=0.35, truncated=0.25
    )
    assert stretch.row(128) is None


def row(steps: int) -> CurveRow:
    return CurveRow(
        steps=steps, episodes=3, mean_return=1 / 3, mean_length=5, tsr=0.5, assigned_score=0.125, truncated=0
    )


def test_file__comes_back_but_for_a_line_that_was_being_written(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    assert read_curve(path) == []
    write_curve(path, [row(64), row(128)])
    assert path.read_text().splitlines() == [
        HEAD,
        "64,3,0.333333,5,0.5,0.125,0",
        "128,3,0.333333,5,0.5,0.125,0",
    ]
    before = path.read_bytes()
    write_curve(path, read_curve(path))
    assert path.read_bytes() == before
    path.write_bytes(before[:-4])
    assert [one.steps for one in read_curve(path)] == [64]
    path.write_bytes(b"")
    assert read_curve(path) == []


@pytest.mark.parametrize(
    "text, words",
    [
        ("steps,reward\n", "its first line is not steps,episodes"),
        ("steps,episodes,mean_return,mean_length,tsr,assigned_score,truncated\n1,2\n", r"curve\.csv:2"),
        (
            "steps,episodes,mean_return,mean_length,tsr,assigned_score,truncated\nx,2,1,1,1,1,1\n",
            r"curve\.csv:2: .*'x'",
        ),
    ],
)
def test_file__another_one_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "curve.csv"
    path.write_text(text)
    with pytest.raises(BrokenRecord, match=words):
        read_curve(path)
