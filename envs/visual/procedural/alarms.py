"""The two warning lamps that every room has, and the haze of a critical state. Own design (urgency, visual.md 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import sin
from typing import Final

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, scaled
from conflictbench.envs.visual.procedural.glyph import (
    Glow,
    Glows,
    Glyph,
    Key,
    Lamp,
    Moment,
    Part,
    Placed,
    Sprite,
    Under,
)
from conflictbench.envs.visual.procedural.lightbuffer import pulse
from conflictbench.envs.visual.procedural.vapour import Cloud, cloud

ALARMS: Final = "alarm lamps"  # no id of a block has a blank
COLOURS: Final[tuple[RGB, ...]] = ((0.0, 0.0, 0.0), (1.0, 0.62, 0.12), (1.0, 0.16, 0.10), (1.0, 0.10, 0.07))
RATES: Final = (0.0, 0.65, 1.1, 2.1)  # flashes a second
POWERS: Final = (0.0, 0.55, 1.0, 1.25)


def places(room: Vec3) -> tuple[Vec3, Vec3]:
    """High on the side walls, towards the back."""
    y, z = room[1] * 0.70, min(3.0, room[2] - 0.7)
    return (0.08, y, z), (room[0] - 0.08, y, z)


def flash(moment: Moment, side: int) -> float:
    """Brightness of a lamp now: the two take turns."""
    if moment.urgency == 0:
        return 0.0
    return POWERS[moment.urgency] * pulse(RATES[moment.urgency] * moment.t / 2 + 0.25 * side, 0.35)


def beam_turn(moment: Moment, side: int) -> float:
    """How far the lamp's beam has swung, -1..1."""
    return sin(6.2832 * (RATES[moment.urgency] * moment.t * 0.45 + 0.5 * side))


def parts(placed: Placed) -> Iterator[Part]:
    """Fixtures, their light, and haze under the ceiling while it is critical."""
    spots = places(placed.room)

    def out(side: int) -> float:
        return 0.16 if side == 0 else -0.16

    def bracket(brush: Brush, key: Key, side: int) -> None:
        x, y, z = spots[side]
        reach = x + out(side)
        brush.box((min(x, reach), y - 0.16, z - 0.22), (max(x, reach), y + 0.16, z - 0.12), (0.25, 0.25, 0.27))

    def fixture(brush: Brush, key: Key, side: int) -> None:
        level, bright = int(key[0] or 0), int(key[1] or 0)
        x, y, z = spots[side]
        colour: RGB = (0.35, 0.12, 0.10) if level == 0 else scaled(COLOURS[level], 0.35 + 0.65 * bright / 4)
        brush.sphere((x + out(side) * 0.6, y, z), 0.15, colour, shine=0.0 if level == 0 else 0.85)

    def glows(moment: Moment) -> Iterator[Glow]:
        for side, (x, y, z) in enumerate(spots):
            power = flash(moment, side)
            if power > 0.0:
                yield Glow((x, y, z), 1.5, COLOURS[moment.urgency], power, mirrored=False)

    def bright(moment: Moment, side: int) -> Key:
        return (moment.urgency, round(4 * min(1.0, flash(moment, side))))

    def shine(moment: Moment, side: int) -> RGB:
        return scaled(COLOURS[moment.urgency], 0.85 * flash(moment, side))

    for side, (x, y, z) in enumerate(spots):
        yield Sprite(
            draw=partial(fixture, side=side),
            under=Under(draw=partial(bracket, side=side)),
            key=partial(bright, side=side),
            box=((x - 0.3, y - 0.2, z - 0.3), (x + 0.3, y + 0.2, z + 0.3)),
            depth=(x, y),
        )
        yield Lamp(
            at=(x + (0.5 if side == 0 else -0.5), y - 0.4, z),
            reach=3.4,
            shine=partial(shine, side=side),
        )
    yield Glows(at=glows)


def haze(placed: Placed) -> Iterator[Part]:
    """Smoke under the ceiling of a room in a critical state: `share` thickens it."""
    cloudy = cloud(
        placed, Cloud((0.20, 0.17, 0.17), balls=14, size=1.5, low=2.5, high=3.7, alpha=0.30, drift=0.35), neutral=0.0
    )
    place = cloudy.place
    yield type(cloudy)(
        draw=cloudy.draw,
        box=cloudy.box,
        veil=True,
        place=lambda moment: place(Moment(t=moment.t, props={"density": moment.share if moment.urgency == 3 else 0.0})),
    )


def _none(placed: Placed) -> Iterator[Part]:
    return iter(())


GLYPH: Final = Glyph(name="alarm_lamps", summary="", build=_none)
