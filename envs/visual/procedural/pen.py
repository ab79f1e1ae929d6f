"""Draws flat things of one entity: lines, spots, polygons, shadows, puffs, sheets to write on. Own design.

Points are local to the entity's foot; what stays is kept as a sprite, so a call may cost tens of microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from math import cos, pi, sin
from typing import Any, Protocol

from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, add, cross, dot, length, scale, unit
from conflictbench.envs.visual.procedural.colours import RGB, argb, times
from conflictbench.envs.visual.procedural.lighting import Lighting
from conflictbench.envs.visual.procedural.sheet import Sheet

SIDES = 28  # corners of a round thing


class View(Hashable, Protocol):
    """A camera, or the local view of a billboard."""

    @property
    def project(self) -> Callable[[Vec3], Vec2]:
        """Gives the design units of a point."""

    def projector(self, origin: Vec3) -> Callable[[Vec3], Vec2]:
        """As `project`, of points that are local to an origin."""

    def size(self, point: Vec3) -> float:
        """Design units of one metre there."""

    def towards(self, point: Vec3) -> Vec3:
        """Unit vector from a point to the eye."""


class Pen:
    """The pen of one entity (or of one copy of a billboard)."""

    def __init__(
        self, canvas: Any, view: View, lighting: Lighting, origin: Vec3, room_point: Vec3 | None = None
    ) -> None:
        """`room_point`: where light is taken, for a billboard whose view has no place of its own."""
        import skia

        self.skia = skia
        self.canvas = canvas
        self.view = view
        self.lighting = lighting
        self.origin = origin
        self._room_point = room_point
        self.at = view.projector(origin)  # local point -> design units

    # ---- places and light

    def pixels(self, point: Vec3) -> float:
        """Design units of a metre at a local point."""
        return self.view.size(add(self.origin, point))

    def light(self, point: Vec3, normal: Vec3) -> RGB:
        """What white would look like at a local point."""
        return self.lighting.shade(self._room_point or add(self.origin, point), normal)

    def lit(self, colour: RGB, point: Vec3, normal: Vec3) -> RGB:
        """A colour in the light of a local point."""
        return times(colour, self.light(point, normal))

    # ---- flat things

    def polygon(self, points: Sequence[Vec3], colour: RGB, *, alpha: float = 1.0) -> None:
        """A flat filled shape, in this very colour (use `lit` to shade it)."""
        self.canvas.drawPath(self.path([self.at(p) for p in points]), self.fill(colour, alpha))

    def line(
        self, points: Sequence[Vec3], width: float, colour: RGB, *, alpha: float = 1.0, closed: bool = False
    ) -> None:
        """A stroke through points, `width` metres wide at its first point."""
        path = self.path([self.at(p) for p in points], closed=closed)
        self.canvas.drawPath(path, self._stroke(width * self.pixels(points[0]), colour, alpha))

    def lines(self, lines: Sequence[Sequence[Vec3]], width: float, colour: RGB, *, alpha: float = 1.0) -> None:
        """Several strokes of one width and colour at the price of one."""
        path, at = self.skia.Path(), self.at
        to = path.lineTo
        for points in lines:
            path.moveTo(*at(points[0]))
            for point in points[1:]:
                x, y = at(point)
                to(x, y)
        self.canvas.drawPath(path, self._stroke(width * self.pixels(lines[0][0]), colour, alpha))

    def dot(self, point: Vec3, radius: float, colour: RGB, *, alpha: float = 1.0) -> None:
        """A round spot that faces the eye, `radius` metres."""
        x, y = self.at(point)
        self.canvas.drawCircle(x, y, radius * self.pixels(point), self.fill(colour, alpha))

    def ring(self, centre: Vec3, radius: float, axis: Vec3, width: float, colour: RGB, *, alpha: float = 1.0) -> None:
        """A ring of round wire about an axis."""
        self.line(self.circle(centre, radius, axis), width, colour, alpha=alpha, closed=True)

    def disc(self, centre: Vec3, radius: float, axis: Vec3, colour: RGB, *, alpha: float = 1.0) -> None:
        """A filled circle about an axis, in this very colour."""
        self.polygon(self.circle(centre, radius, axis), colour, alpha=alpha)

    def shadow(self, rx: float, ry: float, strength: float = 0.55, centre: Vec3 = (0.0, 0.0, 0.0)) -> None:
        """A soft dark ellipse on the floor (for things that move; `Floor` parts for those that stay)."""
        skia = self.skia
        x, y = self.at(centre)
        wide = self.at(add(centre, (rx, 0.0, 0.0)))[0] - x
        high = abs(self.at(add(centre, (0.0, ry, 0.0)))[1] - self.at(add(centre, (0.0, -ry, 0.0)))[1]) / 2
        if wide < 0.5 or high < 0.3:
            return
        dark = argb((0.0, 0.0, 0.0), strength)
        shader = skia.GradientShader.MakeRadial(skia.Point(0, 0), 1.0, [dark, dark, 0], [0.0, 0.35, 1.0])
        self.canvas.save()
        self.canvas.translate(x, y)
        self.canvas.scale(wide, high)
        self.canvas.drawCircle(0, 0, 1.0, skia.Paint(Shader=shader, AntiAlias=True))
        self.canvas.restore()

    def puff(self, centre: Vec3, radius: float, colour: RGB, *, alpha: float = 1.0, core: float = 0.0) -> None:
        """A soft ball of vapour or light that faces the eye; `core` of its radius is evenly bright."""
        skia = self.skia
        x, y = self.at(centre)
        reach = max(radius * self.pixels(centre), 0.5)
        full, half, none = argb(colour, alpha), argb(colour, alpha * 0.45), argb(colour, 0.0)
        middle = core + (1.0 - core) * 0.5
        shader = skia.GradientShader.MakeRadial(
            skia.Point(x, y), reach, [full, full, half, none], [0.0, core, middle, 1.0]
        )
        self.canvas.drawCircle(x, y, reach, skia.Paint(Shader=shader, AntiAlias=True))

    def _stroke(self, width: float, colour: RGB, alpha: float) -> Any:
        """A skia paint for a round stroke of so many design units."""
        kind = self.skia.Paint
        paint = self.fill(colour, alpha)
        paint.setStyle(kind.kStroke_Style)
        paint.setStrokeWidth(max(width, 0.7))
        paint.setStrokeCap(kind.kRound_Cap)
        paint.setStrokeJoin(kind.kRound_Join)
        return paint

    @contextmanager
    def sheet(self, corner: Vec3, right: Vec3, down: Vec3, wide: float, *, clip: bool = False) -> Iterator[Sheet]:
        """A flat surface to draw on.

        Args:
            corner: its top left, local.
            right, down: vectors along its upper and its left edge, metres.
            wide: units of its width; the height follows.
            clip: nothing is drawn beyond its edges.
        """
        skia = self.skia
        high = wide * _long(down) / _long(right)
        middle = add(corner, scale(add(right, down), 0.5))
        normal = unit(cross(down, right))
        if dot(normal, self.view.towards(add(self.origin, middle))) < 0:
            normal = scale(normal, -1.0)
        corners = [corner, add(corner, right), add(add(corner, right), down), add(corner, down)]
        matrix = skia.Matrix()
        flat = [skia.Point(0, 0), skia.Point(wide, 0), skia.Point(wide, high), skia.Point(0, high)]
        matrix.setPolyToPoly(flat, [skia.Point(*self.at(c)) for c in corners])
        self.canvas.save()
        self.canvas.concat(matrix)
        if clip:
            self.canvas.clipRect(skia.Rect.MakeWH(wide, high), skia.ClipOp.kIntersect, True)
        yield Sheet(self.canvas, wide, high, self.light(middle, normal))
        self.canvas.restore()

    def circle(self, centre: Vec3, radius: float, axis: Vec3, sides: int = SIDES) -> list[Vec3]:
        """Points of a circle about an axis, local."""
        return list(circle_points(centre, radius, axis, sides))

    def path(self, points: Sequence[Vec2], *, closed: bool = True) -> Any:
        """A skia path through design units."""
        path = self.skia.Path()
        path.moveTo(*points[0])
        to = path.lineTo
        for x, y in points[1:]:
            to(x, y)
        if closed:
            path.close()
        return path

    def fill(self, colour: RGB, alpha: float) -> Any:
        """A skia paint of one colour."""
        paint = self.skia.Paint()  # its keywords would cost as much again
        paint.setAntiAlias(True)
        paint.setColor(argb(colour, alpha))
        return paint


@cache
def _turns(sides: int) -> tuple[Vec2, ...]:
    """Cosine and sine of evenly spaced angles."""
    return tuple((cos(2 * pi * k / sides), sin(2 * pi * k / sides)) for k in range(sides))


@lru_cache(maxsize=512)
def circle_points(centre: Vec3, radius: float, axis: Vec3, sides: int) -> tuple[Vec3, ...]:
    """Points of a circle about an axis."""
    ahead = unit(axis)
    ax, ay, az = unit(cross(ahead, (0.0, 0.0, 1.0) if abs(ahead[2]) < 0.9 else (1.0, 0.0, 0.0)))
    bx, by, bz = cross(ahead, (ax, ay, az))
    x, y, z = centre
    return tuple(
        (x + radius * (ax * c + bx * s), y + radius * (ay * c + by * s), z + radius * (az * c + bz * s))
        for c, s in _turns(sides)
    )


def _long(a: Vec3) -> float:
    return max(length(a), 1e-6)
