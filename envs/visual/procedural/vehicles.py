"""What every vehicle shares: a body drawn in its own frame, parked, lit, loaded, marked. Own design."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import cos, hypot, pi, radians, sin
from typing import Final, TypeAlias

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, add, dot, scale, sub
from conflictbench.envs.visual.procedural.colours import NAMED, RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import (
    Glow,
    Glows,
    Key,
    Moment,
    Part,
    Placed,
    PropKind,
    Rect,
    Sprite,
)

PROPS: Final[dict[str, PropKind]] = {
    "present": "count", "load": "share", "glow": "share", "angle": "degrees", "tint": "share", "level": "share",
    "down": "count",
}  # fmt: skip
Draw: TypeAlias = "Callable[[Turned, Look], None]"
GAP = 0.14  # metres between parked ones
STEP = 3  # degrees
DARK: RGB = (0.10, 0.105, 0.12)
GLASS: RGB = (0.13, 0.17, 0.22)
WARM: RGB = (1.0, 0.90, 0.66)
CARGO: RGB = (0.60, 0.43, 0.26)


class Turned:
    """Draws in the frame of a body: x ahead, y to its left, z up, turned about its foot and made smaller."""

    def __init__(self, brush: Brush, foot: Vec3, degrees: float, size: float = 1.0) -> None:
        self.brush = brush
        self.size = size
        self._foot = foot
        self._cos, self._sin = cos(radians(degrees)), sin(radians(degrees))
        self._eye = brush.view.towards(add(brush.origin, foot))
        # The flank that is seen: 1 left, -1 right.
        self.near = 1 if dot(self.way((0.0, 1.0, 0.0)), self._eye) > 0 else -1

    def way(self, v: Vec3) -> Vec3:
        """A direction of the body in the entity's frame."""
        return (v[0] * self._cos - v[1] * self._sin, v[0] * self._sin + v[1] * self._cos, v[2])

    def at(self, point: Vec3) -> Vec3:
        """A point of the body in the entity's frame."""
        return add(self._foot, scale(self.way(point), self.size))

    def face(
        self, corners: Sequence[Vec3], normal: Vec3, colour: RGB, *, shine: float = 0.0, alpha: float = 1.0
    ) -> None:
        """A flat face, left out where it looks away; `shine`: 0..1 of its own light."""
        points = [self.at(corner) for corner in corners]
        middle = scale(_sum(points), 1.0 / len(points))
        out = self.way(normal)
        if dot(out, self.brush.view.towards(add(self.brush.origin, middle))) <= 0:
            return
        lit = scaled(self.brush.lit(colour, middle, out), 1.0 - 0.2 * out[2])  # lamps hang right over its top
        tone = mix(lit, colour, shine)
        self.brush.polygon(points, tone, alpha=alpha)
        if alpha == 1.0:
            self.brush.line(points, 0.012, tone, closed=True)  # closes the hair between two faces

    def prism(self, outline: Sequence[Vec2], y0: float, y1: float, colour: RGB) -> None:
        """A side view (x, z), anticlockwise as seen from the right, drawn out from y0 to y1."""
        faces = []
        for (ax, az), (bx, bz) in zip(outline, [*outline[1:], outline[0]], strict=True):
            corners = [(ax, y0, az), (bx, y0, bz), (bx, y1, bz), (ax, y1, az)]
            faces.append((dot(self.way(scale(_sum(corners), 0.25)), self._eye), corners, (bz - az, 0.0, ax - bx)))
        for _, corners, normal in sorted(faces, key=lambda face: face[0]):
            self.face(corners, normal, colour)
        for y, out in ((y0, -1.0), (y1, 1.0)):
            self.face([(x, y, z) for x, z in outline], (0.0, out, 0.0), colour)
            low = min(z for _, z in outline)
            foot = [(x, y, min(z, low + 0.22)) for x, z in outline]
            self.face(foot, (0.0, out, 0.0), (0.0, 0.0, 0.0), alpha=0.22)

    def block(self, x: Vec2, y: Vec2, z: Vec2, colour: RGB) -> None:
        """A box."""
        self.prism([(x[0], z[0]), (x[1], z[0]), (x[1], z[1]), (x[0], z[1])], y[0], y[1], colour)

    def panel(self, x: Vec2, z: Vec2, half: float, colour: RGB, *, shine: float = 0.0, alpha: float = 1.0) -> None:
        """A rectangle on the flank that is seen, `half` a width from the middle."""
        y = (half + 0.006) * self.near
        corners = [(x[0], y, z[0]), (x[1], y, z[0]), (x[1], y, z[1]), (x[0], y, z[1])]
        self.face(corners, (0.0, float(self.near), 0.0), colour, shine=shine, alpha=alpha)

    def far_first(self, *things: tuple[float, Draw]) -> list[Draw]:
        """What stands at an x of the body, in the order in which it is to be drawn."""
        return [draw for _, draw in sorted(things, key=lambda thing: dot(self.way((thing[0], 0.0, 0.0)), self._eye))]

    def wheels(self, places: Sequence[float], half: float, radius: float, turn: int, *, far: bool = False) -> None:
        """Wheels at those x: of the far flank (draw them before the body), or of the near one; `turn` in sixteenths."""
        for side in (-self.near, self.near) if far else (self.near,):
            edge_on = dot(self.way((0.0, float(side), 0.0)), self._eye) < 0.2
            if edge_on == far:
                self._wheels(side, places, half, radius, turn, far)

    def _wheels(self, side: int, places: Sequence[float], half: float, radius: float, turn: int, far: bool) -> None:
        axis = self.way((0.0, float(side), 0.0))
        wide = radius * self.size
        for x in places:
            inner, outer = self.at((x, (half - 0.16) * side, radius)), self.at((x, (half + 0.01) * side, radius))
            self.brush.disc(inner, wide, axis, self.brush.lit((0.05, 0.05, 0.055), inner, axis))
            self.brush.rod(inner, outer, wide, wide, (0.06, 0.06, 0.065))
            if far:
                continue
            self.brush.disc(outer, wide, axis, self.brush.lit((0.075, 0.075, 0.08), outer, axis))
            self.brush.disc(outer, 0.6 * wide, axis, self.brush.lit((0.50, 0.51, 0.53), outer, axis))
            for spoke in range(3):
                a = 2 * pi * (turn / 16 + spoke / 3)
                rim = self.at((x + 0.5 * radius * sin(a), (half + 0.015) * side, radius * (1.0 + 0.5 * cos(a))))
                self.brush.line([outer, rim], 0.05 * self.size, self.brush.lit((0.20, 0.21, 0.22), outer, axis))


def _sum(points: Sequence[Vec3]) -> Vec3:
    total: Vec3 = (0.0, 0.0, 0.0)
    for point in points:
        total = add(total, point)
    return total


@dataclass(frozen=True)
class Look:
    """What one vehicle looks like at one moment."""

    glow: float  # 0..1
    load: float
    tint: int  # 0..16, -1: unbound
    level: int  # 0..16, -1: unbound, -2: unknown
    turn: int  # of the wheels, sixteenths
    busy: float  # 0..1
    wrecked: bool
    paint: RGB


@contextmanager
def faded(brush: Brush, share: float) -> Iterator[None]:
    """Everything drawn within is see-through where share is below 1."""
    if share >= 1.0:
        yield
        return
    brush.canvas.saveLayerAlpha(None, round(255 * share))
    yield
    brush.canvas.restore()


def parked(placed: Placed, long: float, wide: float) -> tuple[tuple[Vec3, ...], float]:
    """Where several of them stand, and at what size."""
    return (placed.spots, 1.0) if placed.count == 1 else fitted(placed.count, long, wide, placed.zone)


def fitted(count: int, long: float, wide: float, zone: Rect | None) -> tuple[tuple[Vec3, ...], float]:
    """Places and size of several, in rows that fit into their zone down to a quarter of their size; local."""
    x0, y0, x1, y1 = zone or (-2.0, -1.2, 2.0, 1.6)
    for percent in range(100, 20, -4):
        size = percent / 100
        dx, dy = long * size + GAP, wide * size + 1.6 * GAP
        columns = min(max(int((x1 - x0 - 0.1) / dx), 1), count)
        rows = -(-count // columns)
        if rows * dy <= y1 - y0 - 0.3:
            break
    left = min(max(-(columns - 1) * dx / 2, x0 + 0.1 + dx / 2), x1 - 0.1 - (columns - 0.5) * dx)
    front = min(max(-(rows - 1) * dy / 2, y0 + 0.2 + dy / 2), y1 - 0.1 - (rows - 0.5) * dy)
    return tuple((left + k % columns * dx, front + k // columns * dy, 0.0) for k in range(count)), size


def vehicles(
    placed: Placed, long: float, wide: float, high: float, draw: Draw, *, radius: float = 0.2,
    lamp: Vec2 = (1.4, 0.5),
) -> Iterator[Part]:  # fmt: skip
    """The parts of any vehicle whose `draw` draws one at the origin.

    Args:
        radius: of its wheels, which turn as it moves.
        lamp: x and z of its own frame where its lights are brightest.
    """
    spots, size = parked(placed, long, wide)
    ahead = 0.0 if placed.at[0] <= placed.room[0] / 2 else 180.0  # towards the middle of the room
    paint = scaled(mix(placed.colour, (0.8, 0.8, 0.8), 0.22), 0.5)

    def angle(moment: Moment) -> float:
        turned = moment.number("angle", 0.0)
        if "angle" not in placed.bound and moment.motion == "turn":
            turned = 60.0 * moment.work
        return round(turned / STEP) * STEP + ahead

    def key(number: int, moment: Moment) -> Key | None:
        there = moment.number("present", placed.count) if moment.known("present") else float(placed.count)
        seen = round(8 * min(max(there - number, 0.0), 1.0))
        if not seen:
            return None
        lost = moment.number("down", 0.0) > placed.count - 1 - number + 0.5 or moment.dead > 0.6
        level = moment.step("level", 16, 0.0) if moment.known("level") else -2
        return (
            seen, angle(moment), moment.step("load", 8, 0.0),
            0 if lost else max(moment.step("glow", 8, 0.25), round(6 * moment.alert)),
            moment.step("tint", 16, 0.0) if "tint" in placed.bound else -1, level if "level" in placed.bound else -1,
            round(16 * moment.shift[0] / (2 * pi * radius)) % 16, round(4 * max(moment.work, moment.alert)), int(lost),
        )  # fmt: skip

    def sprite(brush: Brush, key: Key, spot: Vec3) -> None:
        seen, degrees, load, glow, tint, level, turn, busy, lost = (int(k or 0) for k in key)
        colour = scaled(paint, 0.4) if lost else mix(paint, (1.0, 1.0, 1.0), 0.05 * busy)
        look = Look(glow / 8, load / 8, tint, level, turn, busy / 4, bool(lost), colour)
        with faded(brush, seen / 8):
            r = abs(cos(radians(degrees)))
            brush.shadow(
                (long * r + wide * (1 - r)) * size * 0.66, (wide * r + long * (1 - r)) * size * 0.72, 0.62, spot
            )
            draw(Turned(brush, spot, degrees, size), look)

    def glows(moment: Moment) -> Iterator[Glow]:
        for number, spot in enumerate(spots):
            state = key(number, moment)
            power = 0.0 if state is None else float(state[0] or 0) / 8 * float(state[3] or 0) / 8
            if power > 0.2:
                way = radians(angle(moment))
                nose = add(spot, scale((cos(way) * lamp[0], sin(way) * lamp[0], lamp[1]), size))
                yield Glow(nose, 0.55 * size + 0.1, WARM, 0.55 * power)

    reach = hypot(long, wide) * size * 0.62
    for number, spot in enumerate(spots):
        yield Sprite(
            draw=partial(sprite, spot=spot),
            key=partial(key, number),
            box=(sub(spot, (reach, reach, 0.1)), add(spot, (reach, reach, high * size + 0.1))),
            depth=(spot[0], spot[1] - wide * size / 2),
        )
    yield Glows(at=glows)


def marks(body: Turned, look: Look, x: Vec2, z: float, half: float) -> None:
    """What is shown on a flank: a stripe whose colour and bright part are its tint, a row of segments for its level."""
    if look.tint >= 0:
        body.panel(x, (z - 0.05, z + 0.05), half, DARK)
        reach = x[0] + (x[1] - x[0]) * max(look.tint / 16, 0.08)
        body.panel((x[0], reach), (z - 0.035, z + 0.035), half, heat(look.tint / 16), shine=1.0)
    if look.level == -1:
        return
    body.panel(x, (z - 0.24, z - 0.08), half, DARK)
    for segment in range(8):
        a = x[0] + (x[1] - x[0]) * (segment + 0.12) / 8
        lit = look.level >= 2 * segment + 1 and not look.wrecked
        colour: RGB = NAMED["green"] if look.level > 5 else NAMED["amber"]
        body.panel(
            (a, a + (x[1] - x[0]) * 0.76 / 8),
            (z - 0.21, z - 0.11),
            half,
            colour if lit else (0.2, 0.2, 0.22),
            shine=float(lit),
        )


def headlights(body: Turned, look: Look, x: float, half: float, z: float) -> None:
    """Lamps at the nose, tail lamps are the body's own matter."""
    for y in (-half + 0.16, half - 0.16):
        corners = [(x, y - 0.1, z - 0.07), (x, y + 0.1, z - 0.07), (x, y + 0.1, z + 0.07), (x, y - 0.1, z + 0.07)]
        body.face(corners, (1.0, 0.0, 0.0), mix((0.36, 0.36, 0.36), WARM, look.glow), shine=look.glow)
    body.panel(
        (x - 0.12, x - 0.01), (z - 0.07, z + 0.07), half, mix((0.36, 0.36, 0.36), WARM, look.glow), shine=look.glow
    )


def back_doors(body: Turned, look: Look, x: float, half: float, z: Vec2, tail: RGB) -> None:
    """Two leaves with a window each and the tail lamps beside them."""
    behind = (-1.0, 0.0, 0.0)
    for side in (-1.0, 1.0):
        a, b = sorted((side * 0.03, side * (half - 0.12)))
        top = z[1] - 0.08
        window = [(x, a, top - 0.32), (x, b, top - 0.32), (x, b, top), (x, a, top)]
        body.face(window, behind, GLASS)
        lamp = [
            (x, side * (half - 0.11), z[0]),
            (x, side * half, z[0]),
            (x, side * half, z[0] + 0.2),
            (x, side * (half - 0.11), z[0] + 0.2),
        ]
        body.face(lamp, behind, tail, shine=max(look.glow, look.busy))
    body.face(
        [(x, -0.012, z[0]), (x, 0.012, z[0]), (x, 0.012, z[1]), (x, -0.012, z[1])], behind, scaled(look.paint, 0.5)
    )


def roof_load(body: Turned, look: Look, x: Vec2, half: float, z: float, most: int = 4) -> None:
    """Boxes under a strap on a roof or a bed: as many as it is loaded."""
    shown = round(look.load * most)
    step = (x[1] - x[0]) / most
    order = sorted(
        range(shown),
        key=lambda k: dot(body.way((x[0] + k * step, 0.0, 0.0)), body.brush.view.towards(body.brush.origin)),
    )
    for k in order:
        high = (0.30, 0.36, 0.26, 0.33)[k % 4]
        tone = mix(CARGO, ((0.35, 0.40, 0.46), (0.72, 0.60, 0.34))[k % 2], 0.5)
        a = x[0] + k * step
        body.block((a + 0.03, a + step - 0.03), (-half * 0.82, half * 0.82), (z, z + high), tone)
        body.panel((a + step * 0.42, a + step * 0.58), (z, z + high), half * 0.82, scaled(tone, 0.6))
