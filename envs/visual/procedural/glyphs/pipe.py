"""A pipe between things; `flow` sends bright drops along it, `tint` colours it. Own design."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, length, lerp, sub
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Live, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.paths import Path

RADIUS = 0.085
COLLAR: RGB = (0.36, 0.37, 0.39)
STEEL: RGB = (0.50, 0.51, 0.53)
DROP_EVERY = 0.42  # metres
SPEED = 1.1  # metres a second at full flow


def build(placed: Placed) -> Iterator[Part]:
    """A run of steel a leg (each with its own place in painter's order), then what moves in it."""
    path = Path(placed.path)
    colour = placed.colour

    def key(moment: Moment) -> Key:
        flow = moment.number("flow", 0.0)
        warmth = moment.step("tint", 12, 0.0) if "tint" in placed.bound and moment.known("tint") else -1
        return (round(4 * min(abs(flow), 1.0)), round(4 * moment.alert), warmth)

    def leg(brush: Brush, key: Key, a: Vec3, b: Vec3) -> None:
        flow, alert, warmth = (int(k or 0) for k in key)
        body = mix(STEEL, colour, 0.10 * flow + 0.06 * alert)
        if warmth >= 0:
            body = mix(body, heat(warmth / 12), 0.65)
        flat = max(length((b[0] - a[0], b[1] - a[1], 0.0)), 0.05)
        feet = max(1, round(flat / 1.6))
        for k in range(feet):
            foot = lerp(a, b, (k + 0.5) / feet)
            if foot[2] > 0.15:
                brush.rod((foot[0], foot[1], 0.0), foot, 0.035, 0.035, (0.26, 0.27, 0.29))
        brush.rod(a, b, RADIUS, RADIUS, body)
        for near, far in ((a, b), (b, a)) if flat > 0.5 else ():
            brush.rod(lerp(near, far, 0.12 / flat), lerp(near, far, 0.19 / flat), RADIUS * 1.5, RADIUS * 1.5, COLLAR)
        brush.sphere(b if b != path.points[-1] else a, RADIUS * 1.15, body)

    def flowing(brush: Brush, moment: Moment, start: float, end: float) -> None:
        flow = moment.number("flow", 0.0)
        if abs(flow) > 0.04:
            bright = min(1.0, 0.35 + abs(flow))
            gone = (moment.t * SPEED * (1.0 if flow > 0 else -1.0)) % DROP_EVERY
            gone += DROP_EVERY * max(0, -int((gone - start) // DROP_EVERY))
            while gone < end:
                x, y, z = path.at(gone / path.length)
                top = (x, y - RADIUS * 0.6, z + RADIUS * 0.55)
                brush.dot(top, 0.05, colour, alpha=bright)
                brush.dot(top, 0.025, mix(colour, (1.0, 1.0, 1.0), 0.7), alpha=bright)
                gone += DROP_EVERY
        for lag in range(5) if moment.pulse is not None else ():
            share = (moment.pulse or 0.0) - lag * 0.028
            if start <= share * path.length <= end:
                x, y, z = path.at(share)
                pale = mix(colour, (1.0, 1.0, 1.0), 0.6)
                brush.dot((x, y - 0.04, z + 0.05), 0.12 - 0.016 * lag, pale, alpha=0.9 - 0.16 * lag)

    def plate(brush: Brush, key: Key) -> None:
        flow, alert = int(key[0] or 0), int(key[1] or 0)
        words = placed.ends[1]
        lit = flow > 0 or alert > 0
        wide = 0.22 + 0.105 * len(words)
        x, y, z = path.at(0.5)
        shown = colour if lit else (0.36, 0.37, 0.38)
        with brush.sheet((x - wide / 2, y - 0.12, z + 0.52), (wide, 0.0, 0.0), (0.0, 0.0, -0.26), wide * 100) as sign:
            sign.rect(0, 0, sign.wide, sign.high, (0.06, 0.065, 0.075), radius=4, lit=True)
            sign.rect(1, 1, sign.wide - 2, sign.high - 2, shown, radius=4, stroke=1.8, lit=True)
            arrow = "\u25b6 " if placed.path[-1][0] >= placed.path[0][0] else "\u25c0 "
            sign.text(
                sign.wide / 2,
                sign.high - 8,
                arrow + words,
                14,
                shown,
                align="center",
                face="mono_bold",
                room=sign.wide - 8,
                lit=True,
            )
        brush.line([(x, y - 0.1, z + 0.26), (x, y - 0.05, z)], 0.02, (0.3, 0.3, 0.32))

    def glows(moment: Moment) -> Iterator[Glow]:
        flow = abs(moment.number("flow", 0.0))
        if flow > 0.04:
            for spot in path.every(max(1.1, path.length / 5), 0.4):
                yield Glow(spot, 0.42, colour, 0.30 * min(flow, 1.0))
        if moment.pulse is not None:
            yield Glow(path.at(moment.pulse), 0.6, colour, 0.9)

    for a, b, start, end in path.legs():
        yield from _leg_parts(a, b, partial(leg, a=a, b=b), partial(flowing, start=start, end=end), key)
    if "flow" in placed.bound and placed.ends:
        x, y, z = path.at(0.5)
        yield Sprite(draw=plate, key=key, box=((x - 1.3, y - 0.2, z), (x + 1.3, y, z + 0.6)), depth=(x, y - 0.2))
    yield Glows(at=glows)


def _leg_parts(
    a: Vec3,
    b: Vec3,
    steel: Callable[[Brush, Key], None],
    drops: Callable[[Brush, Moment], None],
    key: Callable[[Moment], Key],
) -> Iterator[Part]:
    low = (min(a[0], b[0]) - 0.15, min(a[1], b[1]) - 0.15, -0.1)
    high = (max(a[0], b[0]) + 0.15, max(a[1], b[1]) + 0.15, max(a[2], b[2]) + 0.25)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    yield Sprite(draw=steel, key=key, box=(low, high), depth=middle)
    yield Live(draw=drops, box=(low, high), depth=middle)


GLYPH = Glyph(
    name="pipe",
    summary="a pipe along a path; flow sends drops along it (below 0 backwards), tint colours it",
    words="a steel pipe",
    build=build,
    props={"flow": "signed", "tint": "share"},
    places=("path",),
    height=0.5,
    solid=False,
    contact=lambda placed: sub(Path(placed.path).at(0.5), (0.0, 0.1, 0.0)),
)
