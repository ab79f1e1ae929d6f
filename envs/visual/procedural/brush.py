"""Draws solids: boxes, lathes, tubes, spheres, each face lit by where it is and how it faces. Own design.

Faces are antialiased paths with gradients (drawVertices of skia has no antialiasing). Flat things: `Pen`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import asin, atan2, cos, sin

from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, add, dot, lerp, scale, sub
from conflictbench.envs.visual.procedural.colours import RGB, argb, mix, scaled
from conflictbench.envs.visual.procedural.pen import SIDES, Pen, View, circle_points
from conflictbench.envs.visual.procedural.sheet import WHITE

__all__ = ["Brush", "View"]

Points = Sequence[Vec2]

_FACES: tuple[tuple[Vec3, tuple[Vec3, Vec3, Vec3, Vec3]], ...] = (
    ((0, 1, 0), ((1, 1, 1), (0, 1, 1), (0, 1, 0), (1, 1, 0))),
    ((-1, 0, 0), ((0, 1, 1), (0, 0, 1), (0, 0, 0), (0, 1, 0))),
    ((1, 0, 0), ((1, 0, 1), (1, 1, 1), (1, 1, 0), (1, 0, 0))),
    ((0, 0, 1), ((0, 1, 1), (1, 1, 1), (1, 0, 1), (0, 0, 1))),
    ((0, -1, 0), ((0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0))),
)  # normal, corners from the top left; the bottom is never seen


class Brush(Pen):
    """Everything that a glyph draws with."""

    def box(
        self, low: Vec3, high: Vec3, colour: RGB, *, foot: float = 0.72, edge: float = 0.30, shine: float = 0.0
    ) -> None:
        """An upright box between two corners.

        Args:
            foot: how dark its sides are at the bottom (contact with what it stands on); 1: not at all.
            edge: how bright the edges of its top are.
            shine: 0..1 of its own light.
        """
        size = sub(high, low)
        for normal, corners in _FACES:
            spots = [(low[0] + c[0] * size[0], low[1] + c[1] * size[1], low[2] + c[2] * size[2]) for c in corners]
            middle = scale(add(spots[0], spots[2]), 0.5)
            if dot(normal, self.view.towards(add(self.origin, middle))) <= 0:
                continue
            above = self._own(colour, lerp(spots[0], spots[1], 0.5), normal, shine)
            below = self._own(colour, lerp(spots[2], spots[3], 0.5), normal, shine)
            below = scaled(below, foot if normal[2] == 0 else 1.0)
            flat = [self.at(s) for s in spots]
            top = ((flat[0][0] + flat[1][0]) / 2, (flat[0][1] + flat[1][1]) / 2)
            bottom = ((flat[2][0] + flat[3][0]) / 2, (flat[2][1] + flat[3][1]) / 2)
            self._shaded(flat, top, bottom, [argb(above), argb(below)], [0.0, 1.0])
        if edge:
            front = [(low[0], low[1], high[2]), (high[0], low[1], high[2])]
            glint = self._own(mix(colour, WHITE, 0.5), front[0], (0.0, -0.5, 0.8), shine)
            self.line(front, 0.012, glint, alpha=edge)

    def lathe(
        self, profile: Sequence[Vec2], colour: RGB, *, centre: Vec2 = (0.0, 0.0), gloss: float = 0.25,
        foot: float = 0.75, shine: float = 0.0,
    ) -> None:  # fmt: skip
        """A thing of revolution about a vertical axis: (radius, height) from the bottom to the top."""
        for (r0, z0), (r1, z1) in pairwise(profile):
            lower, upper, outline = _bulge(self.view, self.origin, (*centre, z0), r0, (*centre, z1), r1)
            if abs(z1 - z0) > 1e-6:
                wide = (max(r0, r1), 0.0, 0.0)
                left = self.at(sub((*centre, (z0 + z1) / 2), wide))
                right = self.at(add((*centre, (z0 + z1) / 2), wide))
                slope = atan2(r0 - r1, z1 - z0)
                stops = self._across(colour, (*centre, (z0 + z1) / 2), slope, gloss, shine)
                self._shaded(outline, left, right, stops, None)
                if z0 < 0.05 and foot < 1.0:
                    self._foot(lower, upper, outline, 1.0 - foot)
            cap = self._own(colour, (*centre, z1), (0.0, 0.0, 1.0), shine)
            self.canvas.drawPath(self.path(upper), self.fill(cap, 1.0))

    def cylinder(
        self, radius: float, low: float, high: float, colour: RGB, *, centre: Vec2 = (0.0, 0.0), gloss: float = 0.25,
        foot: float = 0.75, shine: float = 0.0,
    ) -> None:  # fmt: skip
        """An upright cylinder."""
        self.lathe([(radius, low), (radius, high)], colour, centre=centre, gloss=gloss, foot=foot, shine=shine)

    def sphere(self, centre: Vec3, radius: float, colour: RGB, *, gloss: float = 0.35, shine: float = 0.0) -> None:
        """A ball."""
        skia = self.skia
        x, y = self.at(centre)
        reach = max(radius * self.pixels(centre), 0.5)
        bright = mix(self._own(colour, centre, (0.0, -0.45, 0.9), shine), WHITE, gloss * 0.6)
        middle = self._own(colour, centre, (0.3, -0.8, 0.4), shine)
        dark = scaled(self._own(colour, centre, (0.5, -0.3, -0.8), shine), 0.62)
        shader = skia.GradientShader.MakeRadial(
            skia.Point(x - reach * 0.28, y - reach * 0.38), reach * 1.35, [argb(bright), argb(middle), argb(dark)],
            [0.0, 0.45, 1.0],
        )  # fmt: skip
        self.canvas.drawCircle(x, y, reach, skia.Paint(Shader=shader, AntiAlias=True))

    def tube(
        self, points: Sequence[Vec3], radius: float, colour: RGB, *, gloss: float = 0.3, shine: float = 0.0,
        joints: bool = True,
    ) -> None:  # fmt: skip
        """A round pipe through points, with elbows."""
        for a, b in pairwise(points):
            self.rod(a, b, radius, radius, colour, gloss=gloss, shine=shine)
        for point in points[1:-1] if joints else ():
            self.sphere(point, radius * 1.12, colour, gloss=gloss, shine=shine)

    def rod(
        self, a: Vec3, b: Vec3, ra: float, rb: float, colour: RGB, *, gloss: float = 0.3, shine: float = 0.0
    ) -> None:
        """One straight round piece, tapering from radius ra at a to rb at b."""
        pa, pb = self.at(a), self.at(b)
        dx, dy = pb[0] - pa[0], pb[1] - pa[1]
        size = (dx * dx + dy * dy) ** 0.5
        if size < 0.3:
            return
        nx, ny = -dy / size, dx / size
        if ny > 0 or (ny == 0 and nx > 0):
            nx, ny = -nx, -ny  # the upper side
        wa, wb = max(ra * self.pixels(a), 0.4), max(rb * self.pixels(b), 0.4)
        corners = [
            (pa[0] + nx * wa, pa[1] + ny * wa), (pb[0] + nx * wb, pb[1] + ny * wb),
            (pb[0] - nx * wb, pb[1] - ny * wb), (pa[0] - nx * wa, pa[1] - ny * wa),
        ]  # fmt: skip
        middle = lerp(a, b, 0.5)
        wide = (wa + wb) / 2
        mx, my = (pa[0] + pb[0]) / 2, (pa[1] + pb[1]) / 2
        up = self._own(colour, middle, (0.0, -0.3, 0.95), shine)
        front = self._own(colour, middle, (0.0, -0.9, 0.2), shine)
        under = scaled(self._own(colour, middle, (0.0, -0.4, -0.8), shine), 0.55)
        stops = [argb(scaled(up, 0.8)), argb(mix(up, WHITE, gloss * 0.7)), argb(front), argb(under)]
        self._shaded(
            corners, (mx + nx * wide, my + ny * wide), (mx - nx * wide, my - ny * wide), stops, [0.0, 0.28, 0.6, 1.0]
        )

    def _own(self, colour: RGB, point: Vec3, normal: Vec3, shine: float) -> RGB:
        lit = self.lit(colour, point, normal)
        return mix(lit, colour, shine) if shine else lit

    def _across(self, colour: RGB, point: Vec3, slope: float, gloss: float, shine: float) -> list[int]:
        """Colours of a round side from its left to its right edge, at even steps."""
        eye = self.view.towards(add(self.origin, point))
        facing = atan2(eye[1], eye[0])
        found = []
        for u in (-0.999, -0.66, -0.33, 0.0, 0.33, 0.66, 0.999):
            turn = facing + asin(u)
            normal = (cos(turn) * cos(slope), sin(turn) * cos(slope), sin(slope))
            tone = self._own(colour, point, normal, shine)
            tone = scaled(tone, 1.0 - 0.42 * u * u)
            found.append(argb(mix(tone, WHITE, gloss * 0.55) if u == -0.33 else tone))
        return found

    def _foot(self, lower: Points, upper: Points, outline: Points, strength: float) -> None:
        """Darken a round side towards the floor."""
        skia = self.skia
        bottom = max(p[1] for p in lower)
        top = bottom - 0.4 * (bottom - min(p[1] for p in upper))
        shader = skia.GradientShader.MakeLinear(
            [skia.Point(0, top), skia.Point(0, bottom)], [0, argb((0.0, 0.0, 0.0), strength)]
        )
        self.canvas.drawPath(self.path(outline), skia.Paint(Shader=shader, AntiAlias=True))

    def _shaded(
        self, points: Sequence[Vec2], start: Vec2, end: Vec2, colours: list[int], places: list[float] | None
    ) -> None:
        skia = self.skia
        if abs(start[0] - end[0]) + abs(start[1] - end[1]) < 0.05:
            end = (start[0] + 0.1, start[1])
        shader = skia.GradientShader.MakeLinear([skia.Point(*start), skia.Point(*end)], colours, places)
        paint = skia.Paint(Shader=shader, AntiAlias=True)
        paint.setStyle(skia.Paint.kStrokeAndFill_Style)
        paint.setStrokeWidth(0.5)  # closes the hair between two antialiased faces
        self.canvas.drawPath(self.path(points), paint)


@lru_cache(maxsize=512)
def _bulge(
    view: View, origin: Vec3, low: Vec3, below: float, high: Vec3, above: float
) -> tuple[Points, Points, Points]:
    """The lower and the upper rim of a round side, and its outline: the same in every colour and light."""
    at, upright = view.projector(origin), (0.0, 0.0, 1.0)
    lower = [at(point) for point in circle_points(low, below, upright, SIDES)]
    upper = [at(point) for point in circle_points(high, above, upright, SIDES)]
    return lower, upper, _hull([*lower, *upper])


def _hull(points: Sequence[Vec2]) -> list[Vec2]:
    """The convex hull, by Andrew's monotone chain."""
    order = sorted(set(points))
    if len(order) < 3:
        return list(order)

    def half(side: Sequence[Vec2]) -> list[Vec2]:
        chain: list[Vec2] = []
        for p in side:
            while len(chain) >= 2 and (
                (chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                <= (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])
            ):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(order) + half(order[::-1])
