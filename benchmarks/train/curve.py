"""The learning curve: what the episodes of each stretch of a training came to, in a CSV file. Own design."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from conflictbench.errors import BrokenRecord
from conflictbench.types import Label

FILE_NAME = "curve.csv"
ROWS = 50  # of a whole training
_KINDS: Mapping[Any, Callable[[str], Any]] = {"int": int, "float": float}  # by annotation


@dataclass(frozen=True, kw_only=True)
class CurveRow:
    """Episodes that ended between the row before and `steps`; shares and means are of those."""

    steps: int  # of the env, since the training began
    episodes: int  # at least one
    mean_return: float
    mean_length: float  # interactions
    tsr: float  # share with an outcome that favours people
    assigned_score: float  # mean assigned value of the outcomes, 0 where there was none
    truncated: float  # share that met the cap on interactions


class Stretch:
    """Adds episodes up until a row is made of them."""

    def __init__(self) -> None:
        self._ends: list[tuple[float, int, bool, float, bool]] = []

    def add(self, info: Mapping[str, Any]) -> None:
        """An episode has ended with this info of `SB3VecEnv`."""
        episode = info["episode"]
        human = info.get("label") == Label.HUMAN.value
        self._ends.append(
            (episode["r"], episode["l"], human, info.get("assigned_value", 0.0), info["TimeLimit.truncated"])
        )

    def row(self, steps: int) -> CurveRow | None:
        """The row, and an empty stretch from here on; None where no episode has ended."""
        ends, self._ends = self._ends, []
        if not ends:
            return None
        means = (sum(column) / len(ends) for column in zip(*ends, strict=True))
        returns, lengths, human, assigned, truncated = (float(f"{mean:.6g}") for mean in means)  # as the file has them
        return CurveRow(
            steps=steps,
            episodes=len(ends),
            mean_return=returns,
            mean_length=lengths,
            tsr=human,
            assigned_score=assigned,
            truncated=truncated,
        )


def write_curve(path: Path, rows: Iterable[CurveRow]) -> None:
    """Write the whole file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(CurveRow))
        writer.writerows(map(_cells, rows))


def read_curve(path: Path) -> list[CurveRow]:
    """Its rows, none where there is no file; a line that was being written when its process died is left out.

    Raises:
        BrokenRecord: not such a file.
    """
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    names = [field.name for field in fields(CurveRow)]
    head, *lines = csv.reader(whole.splitlines()) if whole else [names]
    if head != names:
        raise BrokenRecord(f"{path}: its first line is not {','.join(names)}")
    return [_row(cells, f"{path}:{number}") for number, cells in enumerate(lines, start=2)]


def _row(cells: list[str], place: str) -> CurveRow:
    try:
        values = {field.name: _KINDS[field.type](cell) for field, cell in zip(fields(CurveRow), cells, strict=True)}
    except ValueError as error:
        raise BrokenRecord(f"{place}: {error}") from error
    return CurveRow(**values)


def _cells(row: CurveRow) -> list[str]:
    return [str(value) if isinstance(value, int) else f"{value:.6g}" for value in astuple(row)]
