"""A wall screen with one line a reading: label, value, bar. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Lamp, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.readings import key_of, keyed

UNITS = 200.0
LINE = 48.0


def build(placed: Placed) -> Iterator[Part]:
    """Hangs on a wall, tilted a little towards the room."""
    lines = max(1, placed.readings)
    high = 0.30 + 0.50 * lines
    wide = 2.8
    along: Vec3 = {"left": (0.0, wide, 0.0), "right": (0.0, -wide, 0.0)}.get(placed.wall or "back", (wide, 0.0, 0.0))
    out: Vec3 = {"left": (0.14, 0.0, 0.0), "right": (-0.14, 0.0, 0.0)}.get(placed.wall or "back", (0.0, -0.14, 0.0))
    corner = tuple(out[c] - along[c] / 2 + (0.0, 0.0, high / 2)[c] for c in range(3))
    start: Vec3 = (corner[0], corner[1], corner[2])

    def key(moment: Moment) -> Key:
        return (round(4 * moment.alert), moment.phase(4, 0.5) if moment.alert > 0 else 0, *key_of(moment.readings))

    def draw(brush: Brush, key: Key) -> None:
        alert, phase = int(key[0] or 0), int(key[1] or 0)
        down = (-out[0] * 0.5, -out[1] * 0.5, -high)
        with brush.sheet(start, along, down, UNITS) as s:
            s.rect(-5, -5, s.wide + 10, s.high + 10, (0.10, 0.105, 0.115), radius=6)
            ground: RGB = mix((0.025, 0.035, 0.05), (0.05, 0.20, 0.28), alert / 4)
            s.rect(0, 0, s.wide, s.high, ground, radius=3, lit=True)
            s.rect(
                1,
                1,
                s.wide - 2,
                s.high - 2,
                mix((0.20, 0.24, 0.28), placed.colour, alert / 4),
                radius=3,
                stroke=2,
                lit=True,
            )
            if alert:
                s.rect(3, s.high * phase / 4, s.wide - 6, s.high / 4, (0.4, 0.9, 1.0), alpha=0.10, lit=True)
            step = (s.high - 8) / lines
            for number, reading in enumerate(keyed(key[2:])):
                top = 6 + number * step
                colour = (0.62, 0.66, 0.70) if reading.share is None else _colour(reading.share, reading.bad)
                s.text(9, top + step * 0.44, reading.label, 15, (0.74, 0.80, 0.85), face="mono", room=88, lit=True)
                s.text(
                    s.wide - 9,
                    top + step * 0.52,
                    reading.text,
                    23,
                    colour,
                    face="mono_bold",
                    align="right",
                    room=94,
                    lit=True,
                )
                if reading.bar:
                    s.rect(9, top + step * 0.68, s.wide - 18, 6, (0.14, 0.16, 0.19), radius=2, lit=True)
                    if reading.share:
                        s.rect(9, top + step * 0.68, (s.wide - 18) * reading.share, 6, colour, radius=2, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        yield Glow(
            (out[0] * 1.5, out[1] * 1.5, 0.0), 1.7, (0.35, 0.75, 1.0), 0.14 + 0.35 * moment.alert, mirrored=False
        )

    def lamp(moment: Moment) -> RGB:
        strength = 0.10 + 0.25 * moment.alert
        return (0.35 * strength, 0.75 * strength, strength)

    low = tuple(min(start[c], start[c] + along[c]) - 0.3 for c in range(3))
    top = tuple(max(start[c], start[c] + along[c]) + 0.3 for c in range(3))
    box = ((low[0], low[1], -high), (top[0], top[1], high))
    yield Sprite(draw=draw, key=key, box=box, depth=(0.0, 0.0))
    yield Glows(at=glows)
    yield Lamp(at=(out[0] * 8, out[1] * 8, -0.4), reach=1.4, shine=lamp)


def _colour(share: float, bad: str | None) -> RGB:
    """Along the heat ramp for what is bad when high (or low), ice otherwise."""
    if bad is None:
        return (0.55, 0.88, 1.0)
    return heat(0.35 + 0.65 * (share if bad == "high" else 1.0 - share))


GLYPH = Glyph(
    name="screen",
    summary="a wall screen with a line for each reading",
    words="a wall screen",
    build=build,
    places=("wall",),
    height=1.2,
    solid=False,
    reads=("lines",),
    contact=lambda placed: (0.0, -0.3, -0.4),
)
