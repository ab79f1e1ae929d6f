"""The time on the picture: the story's own clock, never that of a wall. Own design."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}


def unit_seconds(unit: str) -> int:
    """Seconds of a unit of a story's clock; a unit without a length (shifts, rounds) passes as a minute."""
    return SECONDS.get(unit.strip().lower().removesuffix("s"), 60)


def printed_time(start: str, passed: float) -> str:
    """The time `passed` seconds after `start` ("YYYY-MM-DDThh:mm:ss"), to a hundredth."""
    now = datetime.fromisoformat(start) + timedelta(milliseconds=round(passed * 1000))
    return f"{now:%Y-%m-%d %H:%M:%S}.{now.microsecond // 10_000:02d}"
