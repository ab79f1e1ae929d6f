"""A moment as authors write it, in quotes; a story goes on from there. Own design."""

from __future__ import annotations

import re
from datetime import datetime

LAST_YEAR = 9000  # in which a story begins: a calendar ends with 9999


def checked_moment(value: str, *, shape: str, what: str, first_year: int = 1) -> str:
    """Give `value` back if it is a moment there is, written in `shape`.

    Args:
        shape: such as "YYYY-MM-DD hh:mm"; letters stand for digits, T for itself.
        what: it is, for the error.
        first_year: that is valid.

    Raises:
        ValueError: another shape, no time of any day, or a year out of range.
    """
    if re.fullmatch(re.sub("[A-Za-z]", "[0-9]", shape.replace("T", "\0")).replace("\0", "T"), value) is None:
        raise ValueError(f'{value[:40]!r} does not fit: {what} is "{shape}", in quotes')
    try:
        year = datetime.fromisoformat(value).year
    except ValueError as error:
        raise ValueError(f"{value!r} is no time of any day: {error}") from None
    if not first_year <= year <= LAST_YEAR:
        raise ValueError(f"year {year} of {value!r} is out of range; valid: {first_year} to {LAST_YEAR}")
    return value
