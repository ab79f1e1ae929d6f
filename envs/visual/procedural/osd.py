"""What a surveillance system prints over its picture: camera, time, alarm, the action under way, numbers. Own design.

Drawn last, over grain and shake. Levels: none; cctv (default); telemetry, which prints every visible variable and so
turns seeing into reading: keep it apart in results (it is part of the backend's id).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from conflictbench.envs.visual.names import Overlay
from conflictbench.envs.visual.procedural.camera import DESIGN_HEIGHT, DESIGN_WIDTH
from conflictbench.envs.visual.procedural.colours import RGB, argb, heat
from conflictbench.envs.visual.procedural.glyph import Reading
from conflictbench.envs.visual.procedural.layers import Pixels, Raster, SpriteCache, surface
from conflictbench.envs.visual.procedural.text import fitted, font, width

BAR: Final = 34  # design units, height of the upper strip
CAPTION_TOP, CAPTION_HIGH, CAPTION_WIDE = 414, 44, 420
WHITE: RGB = (0.93, 0.94, 0.95)
CHIPS: Final[tuple[tuple[str, RGB], ...]] = (
    ("", (0.0, 0.0, 0.0)),
    ("CAUTION", (1.0, 0.70, 0.16)),
    ("ALARM", (0.95, 0.20, 0.15)),
    ("CRITICAL", (1.0, 0.12, 0.10)),
)


@dataclass(frozen=True)
class Printed:
    """Everything that is printed in one frame."""

    camera: str
    place: str
    clock: str  # "YYYY-MM-DD hh:mm:ss.cc"
    level: int
    blink: bool
    action: str  # "" for none
    shown: float  # how visible the action's words are
    progress: float
    readings: tuple[Reading, ...] = ()  # telemetry only
    lost: bool = False  # the feed is damaged


class Printer:
    """Prints over frames of one size; what recurs is kept as pictures."""

    def __init__(self, raster: Raster, sprites: SpriteCache) -> None:
        self._raster = raster
        self._sprites = sprites

    def print(self, frame: Pixels, overlay: Overlay, printed: Printed) -> None:
        """Onto a frame of (h, w, 4), in place."""
        if overlay == "none":
            return
        canvas = surface(frame).getCanvas()
        chip = printed.blink or printed.level < 3
        strip = (printed.camera, printed.place, printed.level, chip, printed.blink, printed.lost)
        self._blit(canvas, ("osd", *strip), (0, 0, DESIGN_WIDTH, BAR), lambda c: _strip(c, printed))
        right = DESIGN_WIDTH - 16
        date, _, time = printed.clock.partition(" ")
        self._blit(canvas, ("osd", date), (right - 300, 0, right - 105, BAR), lambda c: _right(c, date, right - 110))
        self._blit(
            canvas, ("osd", time[:8]), (right - 108, 0, right + 2, BAR), lambda c: _right(c, time[:8], right - 26)
        )
        tail = time[8:]
        self._blit(canvas, ("osd", tail), (right - 30, 0, right + 10, BAR), lambda c: _right(c, tail, right))
        if overlay == "telemetry":
            self._telemetry(canvas, printed.readings)
        if printed.action and printed.shown > 0.02:
            self._caption(canvas, printed, lifted=overlay == "telemetry")

    def _caption(self, canvas: Any, printed: Printed, *, lifted: bool) -> None:
        import skia

        left, top = (DESIGN_WIDTH - CAPTION_WIDE) / 2, CAPTION_TOP - (40 if lifted else 0)
        done = printed.progress >= 1.0
        area = self._raster.bounds(left, top, left + CAPTION_WIDE, top + CAPTION_HIGH)
        box = self._sprites.get(
            ("osd caption", printed.action, done, top),
            lambda: self._raster.paint(area, lambda c: _caption(c, printed.action, done, left, top)),
        )
        if box is None:
            return
        shown = min(printed.shown, 1.0)
        canvas.drawImage(box.image, box.x, box.y, skia.SamplingOptions(), skia.Paint(Alpha=round(255 * shown)))
        canvas.save()
        canvas.scale(self._raster.sx, self._raster.sy)
        wide = (CAPTION_WIDE - 28) * round(200 * printed.progress) / 200
        canvas.drawRect(skia.Rect.MakeXYWH(left + 14, top + 33, wide, 4), _paint(_mark(done), shown))
        canvas.restore()

    def _telemetry(self, canvas: Any, readings: Sequence[Reading]) -> None:
        key = tuple((r.label, r.text, None if r.share is None else round(64 * r.share)) for r in readings)
        high = 26 * (1 + (len(readings) - 1) // 6) + 8
        self._blit(canvas, ("osd telemetry", key), (0, DESIGN_HEIGHT - high, DESIGN_WIDTH, DESIGN_HEIGHT),
                   lambda c: _numbers(c, readings, high))  # fmt: skip

    def _blit(self, canvas: Any, key: Any, area: tuple[float, float, float, float], draw: Any) -> None:
        picture = self._sprites.get(key, lambda: self._raster.paint(self._raster.bounds(*area), draw))
        if picture is not None:
            canvas.drawImage(picture.image, picture.x, picture.y)


def overlay_box(overlay: Overlay, readings: int) -> list[tuple[float, float, float, float]]:
    """Design units that print covers: x0, y0, x1, y1 of each piece."""
    if overlay == "none":
        return []
    left, top = (DESIGN_WIDTH - CAPTION_WIDE) / 2 - 1, CAPTION_TOP - 1.0
    found = [
        (0.0, 0.0, float(DESIGN_WIDTH), float(BAR)),
        (left, top, left + CAPTION_WIDE + 2, top + CAPTION_HIGH + 2),
    ]
    if overlay == "telemetry" and readings:
        found[1] = (left, top - 40, left + CAPTION_WIDE + 2, top - 38 + CAPTION_HIGH)
        found.append(
            (0.0, DESIGN_HEIGHT - 26.0 * (1 + (readings - 1) // 6) - 8, float(DESIGN_WIDTH), float(DESIGN_HEIGHT))
        )
    return found


def _paint(colour: RGB, alpha: float = 1.0) -> Any:
    import skia

    return skia.Paint(Color=argb(colour, alpha), AntiAlias=True)


def _words(canvas: Any, x: float, y: float, words: str, size: float, colour: RGB, face: str = "mono_bold") -> float:
    canvas.drawString(words, x + 1, y + 1, font(face, size), _paint((0.0, 0.0, 0.0), 0.7))
    canvas.drawString(words, x, y, font(face, size), _paint(colour))
    return x + width(words, face, size)


def _right(canvas: Any, words: str, x: float) -> None:
    _words(canvas, x - width(words, "mono_bold", 14), 27, words, 14, WHITE)


def _strip(canvas: Any, printed: Printed) -> None:
    import skia

    shade = skia.GradientShader.MakeLinear(
        [skia.Point(0, 0), skia.Point(0, BAR)], [argb((0, 0, 0), 0.62), argb((0, 0, 0), 0.0)]
    )
    canvas.drawRect(skia.Rect.MakeWH(DESIGN_WIDTH, BAR), skia.Paint(Shader=shade))
    x = _words(canvas, 16, 27, printed.camera, 14, WHITE)
    if printed.place:
        x = _words(canvas, x + 14, 27, printed.place, 14, WHITE)
    if printed.blink:
        canvas.drawCircle(x + 20, 22, 4.6, _paint((1.0, 0.22, 0.18)))
    x = _words(
        canvas,
        x + 30,
        27,
        "NO SIGNAL" if printed.lost else "REC",
        13,
        (1.0, 0.4, 0.3) if printed.lost else WHITE,
        "mono",
    )
    words, colour = CHIPS[printed.level]
    if words and (printed.blink or printed.level < 3):
        canvas.drawRoundRect(skia.Rect.MakeXYWH(x + 22, 13, 96, 19), 3, 3, _paint(colour, 0.92))
        dark: RGB = (0.08, 0.02, 0.02)
        canvas.drawString(words, x + 70 - width(words, "bold", 13) / 2, 27, font("bold", 13), _paint(dark))


def _mark(done: bool) -> RGB:
    return (0.4, 0.95, 0.55) if done else (1.0, 0.8, 0.3)


def _caption(canvas: Any, words: str, done: bool, left: float, top: float) -> None:
    import skia

    box = skia.Rect.MakeXYWH(left + 0.5, top + 0.5, CAPTION_WIDE - 1, CAPTION_HIGH - 1)
    canvas.drawRoundRect(box, 5, 5, _paint((0.03, 0.04, 0.055), 0.84))
    edge = _paint((0.45, 0.85, 1.0), 0.85)
    edge.setStyle(skia.Paint.kStroke_Style)
    edge.setStrokeWidth(1.2)
    canvas.drawRoundRect(box, 5, 5, edge)
    size = fitted(words, "bold", 16, CAPTION_WIDE - 110)
    _words(canvas, left + 14, top + 24, "\u25b6", 13, _mark(done), "sans")
    _words(canvas, left + 34, top + 24, words, size, WHITE, "bold")
    state = "DONE" if done else "ACTIVE"
    _words(canvas, left + CAPTION_WIDE - 14 - width(state, "mono_bold", 12), top + 24, state, 12, _mark(done))
    canvas.drawRect(skia.Rect.MakeXYWH(left + 14, top + 33, CAPTION_WIDE - 28, 4), _paint((0.2, 0.23, 0.27)))


def _numbers(canvas: Any, readings: Sequence[Reading], high: float) -> None:
    import skia

    top = DESIGN_HEIGHT - high
    canvas.drawRect(skia.Rect.MakeXYWH(0, top, DESIGN_WIDTH, high), _paint((0.02, 0.025, 0.03), 0.80))
    columns = min(len(readings), 6)
    room = (DESIGN_WIDTH - 20) / max(columns, 1)
    for number, reading in enumerate(readings):
        x, y = 12 + (number % columns) * room, top + 15 + 26 * (number // columns)
        value = fitted(reading.text, "mono_bold", 12, room * 0.5)
        taken = width(reading.text, "mono_bold", value)
        colour = (
            (0.6, 0.62, 0.65)
            if reading.share is None
            else heat(0.15 + 0.7 * reading.share)
            if reading.bar
            else (0.6, 0.88, 1.0)
        )
        _words(canvas, x + room - 16 - taken, y, reading.text, value, colour)
        label = fitted(reading.label.upper(), "mono", 11, room - taken - 24)
        _words(canvas, x, y, reading.label.upper(), label, WHITE, "mono")
        if reading.bar:
            canvas.drawRect(skia.Rect.MakeXYWH(x, y + 4, room - 16, 3), _paint((0.2, 0.22, 0.25)))
            if reading.share:
                canvas.drawRect(skia.Rect.MakeXYWH(x, y + 4, (room - 16) * reading.share, 3), _paint(colour))
