"""When things happen within a clip, so that the sampled frames show them. Source: visual.md 3.2, own design.

Of 49 frames a model sees 16, 32 and 48: by 16 a hand is on the thing, by 32 the change is there, by 46 all is still.
Other lengths of clip run through the same 48 ticks, faster or slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

TICKS: Final = 48.0
REACHED: Final = 13.0
BACK: Final = (35.0, 45.0)
CHANGE: Final = (15.0, 31.0)
HOLD: Final = (12.0, 15.5, 31.0, 35.0)  # a hand closes, holds, lets go
PULSE: Final = (18.0, 33.0)
CAPTION: Final = (3.0, 45.5)


def smooth(x: float) -> float:
    """0 below 0, 1 above 1, eased between."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


def between(tick: float, span: tuple[float, float]) -> float:
    """Share of a span that is over, eased."""
    return smooth((tick - span[0]) / (span[1] - span[0]))


@dataclass(frozen=True)
class Beat:
    """One frame of a clip in which something is done."""

    tick: float  # 0..48

    @property
    def reach(self) -> float:
        """How far an actor is on its way: 0 at rest, 1 there, 0 back again."""
        return between(self.tick, (0.0, REACHED)) * (1.0 - between(self.tick, BACK))

    @property
    def leaving(self) -> bool:
        """On the way out (or there), not on the way back."""
        return self.tick < BACK[0]

    @property
    def moving(self) -> bool:
        """On the way, either way."""
        return 0.5 < self.tick < REACHED - 0.5 or BACK[0] + 0.5 < self.tick < BACK[1] - 0.5

    @property
    def work(self) -> float:
        """0..1..0: the hand is on the thing."""
        return between(self.tick, HOLD[:2]) * (1.0 - between(self.tick, HOLD[2:]))

    @property
    def share(self) -> float:
        """How far the change from the state before to the state after has come."""
        return between(self.tick, CHANGE)

    @property
    def pulse(self) -> float | None:
        """Where a ripple is on its way, 0..1."""
        return (self.tick - PULSE[0]) / (PULSE[1] - PULSE[0]) if PULSE[0] < self.tick < PULSE[1] else None

    @property
    def ripple(self) -> float:
        """How much the thing that a ripple runs through is lit."""
        return between(self.tick, (PULSE[0], PULSE[0] + 4)) * (1.0 - between(self.tick, (PULSE[1], PULSE[1] + 6)))

    @property
    def digital(self) -> float:
        """How much the target of an action without a hand is lit."""
        return between(self.tick, (5.0, 11.0)) * (1.0 - between(self.tick, (35.0, 42.0)))

    @property
    def caption(self) -> float:
        """How visible the words of the action are."""
        return between(self.tick, (CAPTION[0], CAPTION[0] + 3)) * (
            1.0 - between(self.tick, (CAPTION[1] - 3, CAPTION[1]))
        )

    @property
    def progress(self) -> float:
        """The bar under the words: full when the effect is there."""
        return min(max((self.tick - 6.0) / 26.0, 0.0), 1.0)


STILL: Final = Beat(0.0)


def beat(frame: int, frames: int) -> Beat:
    """The beat of a frame of a clip; a clip of one frame shows its end."""
    return Beat(TICKS * frame / (frames - 1) if frames > 1 else TICKS)
