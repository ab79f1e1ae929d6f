"""Moments: one shape each, days that exist, years a story can go on from."""

from __future__ import annotations

import re

import pytest

from conflictbench.scenario_specs.moments import checked_moment

TIME, CLOCK = "YYYY-MM-DD hh:mm", "YYYY-MM-DDThh:mm:ss"


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("2031-02-28 23:59", TIME),
        ("2028-02-29 00:00", TIME),
        ("9000-12-31 23:59", TIME),
        ("1900-01-01T00:00:00", CLOCK),
    ],
)
def test_checked_moment__gives_back_what_is_right(value: str, shape: str) -> None:
    assert checked_moment(value, shape=shape, what="a time") == value


@pytest.mark.parametrize(
    ("value", "shape", "why"),
    [
        ("2031-02-28T23:59", TIME, "'2031-02-28T23:59' does not fit: a time is \"YYYY-MM-DD hh:mm\", in quotes"),
        ("2031-02-28 23:59:00", CLOCK, 'does not fit: a time is "YYYY-MM-DDThh:mm:ss", in quotes'),
        ("2031-02-28 2٣:59", TIME, "does not fit"),  # a digit, but not one of 0-9
        ("2031-02-28 23:59\n", TIME, "does not fit"),
        ("2031-02-29 23:59", TIME, "'2031-02-29 23:59' is no time of any day: day is out of range for month"),
        ("2031-02-28 24:00", TIME, "is no time of any day: hour must be in 0..23"),
        ("9001-01-01 00:00", TIME, "year 9001 of '9001-01-01 00:00' is out of range; valid: 1900 to 9000"),
        ("1899-12-31 23:59", TIME, "year 1899 of '1899-12-31 23:59' is out of range; valid: 1900 to 9000"),
    ],
)
def test_checked_moment__says_what_is_wrong_and_what_is_valid(value: str, shape: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        checked_moment(value, shape=shape, what="a time", first_year=1900)
