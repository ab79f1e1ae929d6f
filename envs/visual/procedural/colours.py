"""Colours by name, and the ramps that turn a number into one. Own design.

A colour is (r, g, b) in 0..1. Ramps go through chosen stops: mixing cyan and amber in RGB would give grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

RGB = tuple[float, float, float]

NAMED: Final[dict[str, RGB]] = {
    "amber": (1.0, 0.66, 0.16),
    "black": (0.05, 0.05, 0.06),
    "blue": (0.25, 0.48, 0.95),
    "brown": (0.46, 0.32, 0.22),
    "chlorine": (0.72, 0.85, 0.36),
    "cyan": (0.25, 0.85, 0.95),
    "green": (0.30, 0.80, 0.42),
    "grey": (0.56, 0.58, 0.60),
    "ice": (0.45, 0.82, 1.0),
    "lime": (0.66, 0.90, 0.30),
    "magenta": (0.92, 0.34, 0.70),
    "navy": (0.20, 0.27, 0.46),
    "orange": (1.0, 0.55, 0.16),
    "pink": (0.98, 0.62, 0.68),
    "purple": (0.62, 0.42, 0.92),
    "red": (0.95, 0.22, 0.17),
    "rust": (0.66, 0.34, 0.20),
    "sand": (0.82, 0.72, 0.52),
    "silver": (0.76, 0.79, 0.82),
    "steel": (0.52, 0.56, 0.62),
    "sulfur": (0.80, 0.82, 0.28),
    "teal": (0.16, 0.66, 0.62),
    "violet": (0.55, 0.40, 0.90),
    "white": (0.94, 0.95, 0.96),
    "yellow": (1.0, 0.82, 0.20),
}

HEAT_STOPS: Final[tuple[RGB, ...]] = (
    (0.20, 0.62, 0.95),
    (0.24, 0.86, 0.92),
    (0.42, 0.92, 0.52),
    (0.98, 0.84, 0.26),
    (1.0, 0.52, 0.12),
    (1.0, 0.20, 0.10),
)


def named(name: str) -> RGB:
    """The colour of that name; a KeyError here is a fault that `check_block` should have found."""
    return NAMED[name]


def ramp(stops: Sequence[RGB], x: float) -> RGB:
    """The colour at x in 0..1 along evenly spaced stops."""
    place = min(max(x, 0.0), 1.0) * (len(stops) - 1)
    first = min(int(place), len(stops) - 2)
    return mix(stops[first], stops[first + 1], place - first)


def heat(x: float) -> RGB:
    """From cold blue over green and yellow to red."""
    return ramp(HEAT_STOPS, x)


def mix(a: RGB, b: RGB, x: float) -> RGB:
    """a at x = 0, b at x = 1."""
    y = 1.0 - x
    return (a[0] * y + b[0] * x, a[1] * y + b[1] * x, a[2] * y + b[2] * x)


def scaled(colour: RGB, factor: float) -> RGB:
    """The colour times a factor, not clamped."""
    return (colour[0] * factor, colour[1] * factor, colour[2] * factor)


def times(a: RGB, b: RGB) -> RGB:
    """Channel by channel."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@lru_cache(maxsize=4096)  # the same come again and again
def argb(colour: RGB, alpha: float = 1.0) -> int:
    """The 32-bit integer skia wants; each channel clamped to 0..255."""
    r, g, b = int(colour[0] * 255.0 + 0.5), int(colour[1] * 255.0 + 0.5), int(colour[2] * 255.0 + 0.5)
    r = 0 if r < 0 else 255 if r > 255 else r
    g = 0 if g < 0 else 255 if g > 255 else g
    b = 0 if b < 0 else 255 if b > 255 else b
    a = 0 if alpha <= 0.0 else 255 if alpha >= 1.0 else int(alpha * 255.0 + 0.5)
    return (a << 24) | (r << 16) | (g << 8) | b
