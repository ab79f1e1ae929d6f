"""Worths: decimals kept exact, and nothing else in the language."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflictbench.scenario_specs.expressions import Bool, Enum, ExpressionError, Int, Scope
from conflictbench.scenario_specs.parties.worth import UNIT, parse_worth

SCOPE: Scope = {"batch": Int(0, 5), "cut": Bool(), "valve": Enum(("plant", "ward"))}
COLUMNS = {"batch": np.array([0, 3, 5]), "cut": np.array([False, True, True]), "valve": np.array([0, 1, 1])}


@pytest.mark.parametrize(
    "source, expected",
    [
        ("1.0", [10_000, 10_000, 10_000]),
        ("1", [10_000, 10_000, 10_000]),
        ("0.1 * batch", [0, 3_000, 5_000]),
        ("1.0 - 0.2 * cut", [10_000, 8_000, 8_000]),
        ("0.3 if valve == 'ward' else 0.0625", [625, 3_000, 3_000]),
        ("1 - (0.1 if cut and batch > 3 else 0.0)", [10_000, 10_000, 9_000]),
        ("-0.5 + batch", [-5_000, 25_000, 45_000]),
        ("cut", [0, 10_000, 10_000]),
        ("batch * (0.1 + 0.2)", [0, 9_000, 15_000]),
    ],
)
def test_units__are_exact(source: str, expected: list[int]) -> None:
    assert parse_worth(source, SCOPE).units(COLUMNS, 3).tolist() == expected


@given(st.integers(0, 9_999), st.integers(0, 9_999), st.integers(0, 5))
def test_units__equal_the_sum_in_whole_units(a: int, b: int, batch: int) -> None:
    source = f"0.{a:04d} - 0.{b:04d} * batch"

    found = parse_worth(source, SCOPE).units({"batch": np.array([batch])}, 1)

    assert found.tolist() == [a - b * batch]
    assert UNIT == 10_000


@pytest.mark.parametrize(
    "source, message",
    [
        ("0.1 * 0.2", "multiplies two decimals"),
        ("0.12345", "at most 4 places"),
        ("1e3", "at most 4 places"),
        ("true", "a number is wanted"),
        ("crew", "unknown name 'crew'; known: batch, cut, valve"),
        ("valve", "has no place in a worth"),
        ("batch // 2", "has no place in a worth"),
        ("max(batch, 1)", "has no place in a worth"),
        ("0.5 if batch else 0.1", "is a number, but true or false is wanted"),
        ("0.5 +", "cannot be read"),
        ("1.0" + " " * 200, "at most 200 characters"),
        ("-" * 20 + "1.0", "12 levels deep"),
    ],
)
def test_parse__says_what_is_wrong(source: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        parse_worth(source, SCOPE)
