"""Readings as parts of a sprite's key, and back: a picture with numbers in it depends on nothing but its key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conflictbench.envs.visual.procedural.glyph import Key, Reading

STEPS = 64
FIELDS = 5


@dataclass(frozen=True)
class Shown:
    """A reading as it is drawn."""

    label: str
    text: str
    share: float | None  # in 64ths
    bad: str | None
    bar: bool


def key_of(readings: Sequence[Reading]) -> Key:
    """The readings as a flat key, shares in 64ths."""
    return tuple(
        field
        for r in readings
        for field in (r.label, r.text, None if r.share is None else round(STEPS * r.share), r.bad, r.bar)
    )


def keyed(key: Key) -> Iterator[Shown]:
    """The readings of a flat key."""
    for k in range(0, len(key), FIELDS):
        label, text, share, bad, bar = key[k : k + FIELDS]
        yield Shown(
            str(label),
            str(text),
            None if share is None else float(share) / STEPS,
            None if bad is None else str(bad),
            bool(bar),
        )
