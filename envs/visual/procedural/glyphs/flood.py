"""Water that stands in a zone, or in a pool about a place; `level` or `density` raises it up a staff. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.vapour import filled

DEEP = 1.0  # metres of water when it is full
STEPS = 32
PHASES = 8
STRIPS = 8
COUNT = 24  # pieces of a line of the surface
STAFF = 1.35
WATER: RGB = (0.10, 0.30, 0.42)
FOAM: RGB = (0.72, 0.86, 0.92)


def water_key(placed: Placed, moment: Moment) -> Key | None:
    """How full it is, and the beat of its waves."""
    bound = placed.bound & {"density", "level"}
    full = max((moment.step(prop, STEPS, 0.5) for prop in sorted(bound)), default=STEPS // 2)
    return (full, moment.phase(PHASES, 0.4)) if full > 0 else None


def build(placed: Placed) -> Iterator[Part]:
    """The surface lies in strips from far to near, so that whoever stands between them is wet up to it."""
    water = placed.own or WATER
    zone = filled(placed)
    if zone is None:
        yield from pool(placed, water)
        return
    x0, y0, x1, y1 = zone

    def edge(y: float, phase: int, depth: float, first: int = 0, last: int = COUNT) -> list[Vec3]:
        """A line of the surface from left to right, with small waves: the points from first to last."""
        found: list[Vec3] = []
        for k in range(first, last + 1):
            x = x0 + (x1 - x0) * k / COUNT
            swell = sin(2 * pi * (phase / PHASES + 1.7 * y + 0.55 * x)) + 0.6 * sin(
                2 * pi * (phase / PHASES - 0.9 * x + 0.6 * y)
            )
            found.append((x, y, depth + 0.012 * swell * min(1.0, 8 * depth)))
        return found

    def strip(brush: Brush, key: Key, number: int) -> None:
        full, phase = int(key[0] or 0), int(key[1] or 0)
        depth = 0.02 + DEEP * full / STEPS
        near = y0 + (y1 - y0) * number / STRIPS
        far = y0 + (y1 - y0) * (number + 1) / STRIPS
        front, back = edge(near, phase, depth), edge(far, phase, depth)
        tone = mix(water, (0.5, 0.7, 0.8), 0.10 * number / STRIPS)
        shade = mix(
            brush.lit(tone, ((x0 + x1) / 2, near, depth), (0.0, -0.2, 1.0)), tone, 0.35
        )  # blue in red light too
        brush.polygon([*front, *reversed(back)], shade, alpha=0.74)
        glint = brush.lit(FOAM, ((x0 + x1) / 2, near, depth), (0.0, 0.0, 1.0))
        for k in range(5):
            start = int(20 * placed.noise("glint", number, k))
            y = near + (far - near) * (0.2 + 0.6 * placed.noise("row", number, k))
            bright = 0.14 + 0.30 * (0.5 + 0.5 * sin(2 * pi * (phase / PHASES + placed.noise("beat", number, k))))
            brush.line(edge(y, phase, depth, start, start + 3), 0.022, glint, alpha=bright)
        if number == 0:
            face(brush, front, depth, shade, glint)

    def face(brush: Brush, front: list[Vec3], depth: float, shade: RGB, glint: RGB) -> None:
        """The side that is turned to the viewer, clearer towards the bottom."""
        for k in range(4):
            top, low = 1.0 - k / 4, 0.75 - k / 4
            upper = [(x, y, z * top) for x, y, z in front]
            lower = [(x, y, z * low) for x, y, z in front]
            brush.polygon([*upper, *reversed(lower)], scaled(shade, 0.78 - 0.07 * k), alpha=0.66 - 0.10 * k)
        brush.line(front, 0.03, glint, alpha=0.65)

    def staff(brush: Brush, key: Key) -> None:
        """Red and white, with a mark every quarter; what is under water shows through it."""
        x, y = x1 - 0.22, y1 - 0.25
        for k in range(9):
            low, high = STAFF * k / 9, STAFF * (k + 1) / 9
            brush.box(
                (x - 0.055, y - 0.02, low),
                (x + 0.055, y + 0.02, high),
                (0.72, 0.13, 0.10) if k % 2 else (0.86, 0.86, 0.84),
                foot=1.0,
                edge=0.0,
            )
        brush.sphere((x, y, STAFF + 0.04), 0.06, (0.86, 0.86, 0.84))

    def wet(brush: Brush) -> None:
        floor = [(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)]
        brush.polygon(floor, (0.03, 0.06, 0.08), alpha=0.32)

    yield Floor(draw=wet)
    yield Sprite(draw=staff, box=((x1 - 0.4, y1 - 0.4, 0.0), (x1, y1, STAFF + 0.2)), depth=(x1 - 0.22, y1 + 0.02))
    for number in range(STRIPS):
        near = y0 + (y1 - y0) * number / STRIPS
        yield Sprite(
            draw=partial(strip, number=number),
            key=partial(water_key, placed),
            box=((x0, near - 0.05, 0.0), (x1, near + (y1 - y0) / STRIPS + 0.05, DEEP + 0.1)),
            depth=((x0 + x1) / 2, near),
            veil=True,
        )


def pool(placed: Placed, water: RGB) -> Iterator[Part]:
    """A pool about a place, which spreads as it fills."""

    def draw(brush: Brush, key: Key, spot: Vec3) -> None:
        full, phase = int(key[0] or 0) / STEPS, int(key[1] or 0) / PHASES
        for reach, colour, alpha in ((1.0, scaled(water, 0.7), 0.55), (0.94, water, 0.8)):
            brush.polygon(rim(spot, full, reach), brush.lit(colour, spot, (0.0, -0.2, 1.0)), alpha=alpha)
        glint = brush.lit(FOAM, spot, (0.0, 0.0, 1.0))
        for ring in range(3):
            share = (ring + phase) / 3
            brush.line(rim(spot, full, 0.9 * share), 0.024, glint, alpha=0.55 * (1.0 - share), closed=True)

    def rim(spot: Vec3, full: float, reach: float) -> list[Vec3]:
        size = reach * (0.25 + 0.85 * full**0.7)
        angles = [2 * pi * k / 28 for k in range(28)]
        wave = [size * (1.0 + 0.09 * sin(3 * a + 1) + 0.05 * sin(5 * a)) for a in angles]
        return [
            (spot[0] + 1.15 * r * cos(a), spot[1] + 0.72 * r * sin(a), 0.01) for r, a in zip(wave, angles, strict=True)
        ]

    for x, y, z in placed.spots:
        yield Sprite(
            draw=partial(draw, spot=(x, y, z)),
            key=partial(water_key, placed),
            box=((x - 1.5, y - 1.0, 0.0), (x + 1.5, y + 1.0, 0.05)),
            depth=(x, y + 1.0),
            veil=True,
        )


GLYPH = Glyph(
    name="flood",
    summary="water standing in a zone or a pool; level or density raises it along a staff",
    words="standing water",
    build=build,
    props={"density": "share", "level": "share"},
    places=("zone", "at"),
    footprint=(2.2, 1.4),
    height=DEEP,
    solid=False,
)
