"""Clouds of soft balls that drift through a zone or rise from a place: smoke, gas, steam, frost. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, scaled
from conflictbench.envs.visual.procedural.glyph import Billboards, Key, Moment, Placed, Rect, Stand

SHAPES = 4


@dataclass(frozen=True)
class Cloud:
    """How a vapour looks and moves. Heights and sizes in metres, `alpha` of one ball at full density."""

    colour: RGB
    balls: int
    size: float
    low: float
    high: float
    alpha: float
    rise: float = 0.0  # metres a second
    drift: float = 0.12  # metres a second sideways


def cloud(placed: Placed, look: Cloud, prop: str = "density", neutral: float = 1.0) -> Billboards:
    """The billboards of a cloud whose density is a bound property; without a zone it stands around its foot."""
    x0, y0, x1, y1 = placed.zone if placed.zone is not None and not _stands(placed) else around(1.1)

    def draw(brush: Brush, key: Key) -> None:
        shape = int(key[0] or 0)
        for k in range(4):
            dx = (placed.noise("ball", shape, k, "x") - 0.5) * look.size * 0.9
            dz = (placed.noise("ball", shape, k, "z") - 0.5) * look.size * 0.7
            tone = scaled(look.colour, 0.8 + 0.5 * placed.noise("ball", shape, k, "tone"))
            lit = brush.lit(tone, (0.0, 0.0, 0.0), (0.0, -0.4, 0.9))
            brush.puff((dx, 0.0, dz), look.size * (0.62 + 0.3 * placed.noise("ball", shape, k, "r")), lit, alpha=0.62)

    def place(moment: Moment) -> Iterator[Stand]:
        density = moment.number(prop, neutral)
        if density <= 0.01:
            return
        for k in range(look.balls):
            # Balls come in one after the other, so that a thin cloud is a few of them and not a faint veil of all.
            share = min(max(density * 1.9 - 0.9 * k / look.balls, 0.0), 1.0)
            if share <= 0.0:
                continue
            turn = (moment.t * look.drift / max(x1 - x0, 0.5) + placed.noise("x", k)) % 1.0
            climb = placed.noise("z", k)
            fade = sin(pi * turn)
            if look.rise:
                climb = (climb + moment.t * look.rise / max(look.high - look.low, 0.3)) % 1.0
                fade *= sin(pi * min(1.0, 0.15 + 0.85 * climb))
            at = (
                x0 + (x1 - x0) * turn,
                y0 + (y1 - y0) * (0.05 + 0.8 * placed.noise("y", k) ** 1.3),
                look.low + (look.high - look.low) * climb,
            )
            growth = 0.75 + 0.4 * climb + 0.25 * density
            back = (at[1] - y0) / max(y1 - y0, 0.1)  # what is before people stays thin
            yield Stand(at, (k % SHAPES,), look.alpha * share * (0.45 + 0.55 * fade) * (0.5 + 0.5 * back), growth)

    reach = look.size * 1.4
    return Billboards(draw=draw, box=((-reach, -0.1, -reach), (reach, 0.1, reach)), place=place, veil=True)


def around(reach: float) -> Rect:
    """A square about the foot."""
    return (-reach, -reach * 0.7, reach, reach * 0.7)


def _stands(placed: Placed) -> bool:
    """Placed by `at`: the zone it happens to stand in is not its own."""
    assert placed.zone is not None
    x0, y0, x1, y1 = placed.zone
    return abs(x0 + x1) > 0.01 or abs(y0 + y1) > 0.01


def filled(placed: Placed) -> Rect | None:
    """The zone that is all its own; None where it stands in a place, be it in a zone or not."""
    if placed.zone is None:
        return None
    x0, y0, x1, y1 = placed.zone
    return placed.zone if abs(x0 + x1) + abs(y0 + y1) < 0.02 else None
