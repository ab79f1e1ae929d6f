"""A crate with a lid; crates stack three high. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import NAMED, RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.vehicles import faded

WIDE, DEEP, HIGH = 0.66, 0.54, 0.46
LID = 0.05
ALONE = 1.3  # a single one is drawn larger, so that its label can be read
GOODS: tuple[RGB, ...] = ((0.82, 0.80, 0.72), (0.55, 0.66, 0.72), (0.76, 0.62, 0.40), (0.70, 0.74, 0.62))
STRAP: RGB = (0.13, 0.135, 0.15)


def build(placed: Placed) -> Iterator[Part]:
    """Crates; the one counted last leaves first. A lid opens where nothing stands on it."""
    paint = scaled(mix(placed.colour, (0.62, 0.50, 0.36), 0.6 if placed.side else 0.3), 0.85)
    k = ALONE if placed.count == 1 else 1.0
    wide, deep, high = WIDE * k, DEEP * k, HIGH * k

    def held(number: int, moment: Moment) -> float:
        there = moment.number("present", placed.count) if moment.known("present") else float(placed.count)
        return min(max(there - number, 0.0), 1.0)

    def covered(number: int, moment: Moment) -> bool:
        above = number + 1
        return above < placed.count and placed.spots[above][2] > placed.spots[number][2] and held(above, moment) > 0.3

    def key(number: int, moment: Moment) -> Key | None:
        seen = round(8 * held(number, moment))
        if not seen:
            return None
        lid = moment.number("open", 0.0)
        if "open" not in placed.bound and moment.motion in ("open", "close"):
            lid = moment.work
        level = moment.step("level", 16, 0.0) if moment.known("level") else -2
        busy = max(moment.work if number == 0 else 0.0, moment.alert)
        return (
            seen, 0 if covered(number, moment) else round(16 * lid), moment.step("load", 4, 1.0),
            moment.step("tint", 16, 0.0) if "tint" in placed.bound else -1, level if "level" in placed.bound else -1,
            max(moment.step("glow", 8, 0.0), round(8 * moment.alert)), round(4 * busy), int(moment.dead > 0.5),
        )  # fmt: skip

    def draw(brush: Brush, key: Key, number: int) -> None:
        seen, lid, load, tint, level, glow, busy, lost = (int(k or 0) for k in key)
        x, y, z = placed.spots[number]
        x0, x1, y0, y1, top = x - wide / 2, x + wide / 2, y - deep / 2, y + deep / 2, z + high - LID - 0.01
        body = mix(
            scaled(paint, 0.45 if lost else 0.9 + 0.2 * placed.noise("tone", number)), (1.0, 1.0, 1.0), 0.05 * busy
        )
        with faded(brush, seen / 8):
            if z == 0.0:
                brush.shadow(wide * 0.8, deep * 0.8, 0.5, (x, y, 0.0))
            if lid:
                a = 1.85 * lid / 16
                raised = [
                    (x0, y1, top), (x1, y1, top),
                    (x1, y1 - deep * cos(a), top + deep * sin(a)), (x0, y1 - deep * cos(a), top + deep * sin(a)),
                ]  # fmt: skip
                inner = scaled(brush.lit(body, (x, y, top), (0.0, -0.8, 0.3)), 0.85)
            if lid and lid > 8:
                brush.polygon(raised, inner)
                brush.line(raised, 0.035, scaled(inner, 1.35), closed=True)
            brush.box((x0, y0, z), (x1, y1, top), body)
            if lid:
                hollow = [
                    (x0 + 0.03, y1 - 0.03, top),
                    (x1 - 0.03, y1 - 0.03, top),
                    (x1 - 0.03, y0 + 0.03, top),
                    (x0 + 0.03, y0 + 0.03, top),
                ]
                brush.polygon(hollow, (0.03, 0.03, 0.035))
                for item in range(load):
                    left = x0 + 0.05 + item * (wide - 0.1) / 4
                    tip = top + 0.03 + 0.05 * placed.noise("goods", number, item)
                    brush.box(
                        (left, y0 + 0.08, top - 0.02), (left + 0.18 * wide, y1 - 0.08, tip), GOODS[item], edge=0.5
                    )
            front(brush, (x0, y0, z), top, body, (load, tint, level, glow, lost))
            if not lid:
                brush.box(
                    (x0 - 0.015, y0 - 0.015, top), (x1 + 0.015, y1 + 0.015, z + high), scaled(body, 0.82), foot=0.95
                )
            elif lid <= 8:
                brush.polygon(raised, brush.lit(scaled(body, 0.82), (x, y, top), (0.0, -0.3, 0.9)))
                brush.line(raised, 0.03, scaled(inner, 1.3), closed=True)

    def front(brush: Brush, foot: Vec3, top: float, body: RGB, shown: tuple[int, int, int, int, int]) -> None:
        load, tint, level, glow, lost = shown
        with brush.sheet((foot[0], foot[1] - 0.004, top), (wide, 0.0, 0.0), (0.0, 0.0, foot[2] - top), 66.0) as face:
            for left in (6.0, 54.0):
                face.rect(left, 0, 6, face.high, STRAP)
            for slot in range(4 if "load" in placed.bound else 0):
                full = slot < load
                face.rect(7, face.high - 11 - 6 * slot, 4, 4.4, GOODS[0] if full else (0.2, 0.2, 0.2), lit=full)
            face.rect(0, face.high - 5, 66, 5, scaled(body, 0.5))
            label = mix((0.80, 0.79, 0.72), placed.colour, 0.25)
            face.rect(17, 7, 32, 15, label, radius=1.5)
            if glow or lost:
                lamp: RGB = (0.9, 0.12, 0.1) if lost else mix((0.2, 0.2, 0.2), placed.colour, glow / 8)
                face.circle(57, 8, 4.0, lamp, lit=True)
            if tint >= 0:
                face.rect(17, 7, 32, 15, heat(tint / 16), radius=1.5, lit=True)
                place = 20 + 26 * tint / 16
                face.polygon([(place - 3.5, 24), (place + 3.5, 24), (place, 18)], (0.05, 0.05, 0.05), lit=True)
            elif level == -1:
                for row, span in ((11.0, 22.0), (15.0, 16.0), (19.0, 25.0)):
                    face.rect(20, row - 1, span, 1.8, scaled(label, 0.35))
            if level != -1:
                face.rect(15, 26, 36, 9, (0.05, 0.06, 0.07), radius=1.5, lit=True)
                if level >= 0:
                    face.rect(16.5, 27.5, 33 * level / 16, 6, NAMED["cyan"], radius=1.0, lit=True)
                else:
                    face.text(33, 33.5, "--", 8, (0.9, 0.9, 0.9), align="center", lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        power = max(moment.number("glow", 0.0), moment.alert)
        if power > 0.1:
            for number, (x, y, z) in enumerate(placed.spots):
                if not covered(number, moment):
                    yield Glow((x, y - deep / 2, z + 0.2), 0.4, placed.colour, 0.5 * power * held(number, moment))

    def floor(brush: Brush) -> None:
        if "present" in placed.bound:  # where they stood stays marked
            for x, y, z in placed.spots:
                if z == 0.0:
                    edge = [
                        (x + dx * wide / 2, y + dy * deep / 2, 0.0) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                    ]
                    brush.line(edge, 0.03, (0.75, 0.75, 0.70), alpha=0.35, closed=True)

    yield Floor(draw=floor)
    reach = deep + 0.1
    for number, (x, y, z) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(draw, number=number),
            key=partial(key, number),
            box=((x - 0.6, y - 0.5, z - 0.05), (x + 0.6, y + 0.65, z + high + reach)),
            depth=(x, y - deep / 2),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="crate",
    summary="crates, three on each other; present counts them, open lifts a lid, tint colours a label, level is a bar",
    words="a crate",
    build=build,
    props={"present": "count", "open": "share", "load": "share", "tint": "share", "level": "share", "glow": "share"},
    movable=True,
    places=("at", "zone"),
    footprint=(WIDE, DEEP),
    height=HIGH,
    stacks=3,
    contact=lambda placed: (
        placed.spots[0][0],
        placed.spots[0][1] - DEEP / 2 - 0.06,
        max(z for x, y, z in placed.spots if (x, y) == placed.spots[0][:2]) + 0.3,
    ),
)
