"""A flat surface somewhere in the room, drawn on in its own units: gauges, screens, signs, doors. Own design.

The canvas carries the homography, so circles become ellipses and letters lean as they should.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conflictbench.envs.visual.procedural.camera import Vec2
from conflictbench.envs.visual.procedural.colours import RGB, argb, times
from conflictbench.envs.visual.procedural.text import fitted, font, width

WHITE: RGB = (1.0, 1.0, 1.0)


class Sheet:
    """x to the right, y downwards, `wide` x `high` units. Colours take the light that falls on it, unless lit."""

    def __init__(self, canvas: Any, wide: float, high: float, light: RGB) -> None:
        import skia

        self._skia = skia
        self._canvas = canvas
        self.wide = wide
        self.high = high
        self.light = light

    def _paint(self, colour: RGB, alpha: float, stroke: float | None, lit: bool) -> Any:
        skia = self._skia
        paint = skia.Paint()  # its keywords would cost as much again
        paint.setAntiAlias(True)
        paint.setColor(argb(colour if lit else times(colour, self.light), alpha))
        if stroke is not None:
            paint.setStyle(skia.Paint.kStroke_Style)
            paint.setStrokeWidth(stroke)
            paint.setStrokeCap(skia.Paint.kRound_Cap)
            paint.setStrokeJoin(skia.Paint.kRound_Join)
        return paint

    def rect(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        colour: RGB,
        *,
        alpha: float = 1.0,
        radius: float = 0.0,
        stroke: float | None = None,
        lit: bool = False,
    ) -> None:
        """A rectangle, filled or as an outline of width `stroke`; `lit`: it shines by itself."""
        rect = self._skia.Rect.MakeXYWH(x, y, wide, high)
        paint = self._paint(colour, alpha, stroke, lit)
        if radius:
            self._canvas.drawRoundRect(rect, radius, radius, paint)
        else:
            self._canvas.drawRect(rect, paint)

    def rects(self, rects: Sequence[tuple[float, float, float, float]], colour: RGB, *, lit: bool = False) -> None:
        """Many rectangles (x, y, width, height) of one colour at the price of one."""
        path = self._skia.Path()
        for x, y, wide, high in rects:
            path.addRect(self._skia.Rect.MakeXYWH(x, y, wide, high))
        self._canvas.drawPath(path, self._paint(colour, 1.0, None, lit))

    def circle(
        self, x: float, y: float, radius: float, colour: RGB, *, alpha: float = 1.0, stroke: float | None = None,
        lit: bool = False,
    ) -> None:  # fmt: skip
        """A circle or a ring."""
        self._canvas.drawCircle(x, y, radius, self._paint(colour, alpha, stroke, lit))

    def arc(
        self, x: float, y: float, radius: float, start: float, sweep: float, colour: RGB, *, stroke: float,
        alpha: float = 1.0, lit: bool = False,
    ) -> None:  # fmt: skip
        """Part of a ring; degrees clockwise from the right."""
        skia = self._skia
        paint = self._paint(colour, alpha, stroke, lit)
        paint.setStrokeCap(skia.Paint.kButt_Cap)
        oval = skia.Rect.MakeXYWH(x - radius, y - radius, 2 * radius, 2 * radius)
        self._canvas.drawArc(oval, start, sweep, False, paint)

    def line(
        self, points: Sequence[Vec2], colour: RGB, stroke: float, *, alpha: float = 1.0, closed: bool = False,
        lit: bool = False,
    ) -> None:  # fmt: skip
        """A line through points."""
        path = self._path(points, closed)
        self._canvas.drawPath(path, self._paint(colour, alpha, stroke, lit))

    def polygon(self, points: Sequence[Vec2], colour: RGB, *, alpha: float = 1.0, lit: bool = False) -> None:
        """A filled polygon."""
        self._canvas.drawPath(self._path(points, True), self._paint(colour, alpha, None, lit))

    def stripes(
        self, x: float, y: float, wide: float, high: float, a: RGB, b: RGB, *, step: float = 8.0, lit: bool = False
    ) -> None:
        """Diagonal warning stripes."""
        skia = self._skia
        canvas = self._canvas
        canvas.save()
        canvas.clipRect(skia.Rect.MakeXYWH(x, y, wide, high), skia.ClipOp.kIntersect, True)
        self.rect(x, y, wide, high, a, lit=lit)
        at = x - high
        while at < x + wide:
            self.polygon([(at, y + high), (at + step, y + high), (at + step + high, y), (at + high, y)], b, lit=lit)
            at += 2 * step
        canvas.restore()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        colour: RGB,
        *,
        face: str = "bold",
        align: str = "left",
        room: float | None = None,
        alpha: float = 1.0,
        lit: bool = False,
    ) -> None:
        """Letters with their baseline at y; made smaller to fit into `room`."""
        if room is not None:
            size = fitted(words, face, size, room)
        if align != "left":
            wide = width(words, face, size)
            x -= wide if align == "right" else wide / 2
        self._canvas.drawString(words, x, y, font(face, size), self._paint(colour, alpha, None, lit))

    def _path(self, points: Sequence[Vec2], closed: bool) -> Any:
        builder = self._skia.Path()
        builder.moveTo(*points[0])
        for point in points[1:]:
            builder.lineTo(*point)
        if closed:
            builder.close()
        return builder
