"""A glass booth that people and things stand in: its front slides open, fog fills it. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import (
    Floor,
    Glow,
    Glows,
    Glyph,
    Key,
    Moment,
    Part,
    Placed,
    Rect,
    Sprite,
)

HIGH, STEPS = 2.15, 16
STEEL: RGB = (0.52, 0.54, 0.57)
GLASS: RGB = (0.62, 0.80, 0.88)
GREEN: RGB = (0.30, 0.95, 0.46)
RED: RGB = (1.0, 0.24, 0.16)


def extent(placed: Placed) -> Rect:
    """Where its walls stand: around its zone when it fills one, else 2.4 by 1.8 metres around its foot."""
    if placed.zone is not None and _centred(placed.zone):
        x0, y0, x1, y1 = placed.zone
        return (x0 + 0.08, y0 + 0.08, x1 - 0.08, y1 - 0.08)
    return (-1.2, -0.9, 1.2, 0.9)


def _centred(zone: Rect) -> bool:
    return abs(zone[0] + zone[2]) < 1e-6 and abs(zone[1] + zone[3]) < 1e-6


def build(placed: Placed) -> Iterator[Part]:
    """Back and sides behind what stands inside, the front before it. Its right third is the door."""
    x0, y0, x1, y1 = extent(placed)
    hinge = x1 - (x1 - x0) / 3
    edge = mix(STEEL, placed.colour, 0.25)

    def opened(moment: Moment) -> float:
        if "open" in placed.bound:
            return min(max(moment.number("open", 0.0), 0.0), 1.0)
        return moment.work if moment.motion in ("open", "close", "pull", "press", "turn") else 0.0

    def key(moment: Moment) -> Key:
        share = round(STEPS * opened(moment)) if moment.known("open") else -1
        haze = max(moment.step("haze", 8, 0.0), moment.step("density", 8, 0.0))
        return (share, haze, moment.step("glow", 8, 0.5), round(4 * max(moment.work, moment.alert)))

    def panel(brush: Brush, a: Vec3, b: Vec3, haze: int, strength: float) -> None:
        """Glass from a to b, both at the floor: a tint, a streak of light, fog."""
        top_a, top_b = (a[0], a[1], HIGH), (b[0], b[1], HIGH)
        brush.polygon([a, b, top_b, top_a], GLASS, alpha=0.07 * strength)
        if haze:
            brush.polygon(
                [a, b, top_b, top_a], brush.lit((0.78, 0.82, 0.84), top_a, (0.0, -1.0, 0.0)), alpha=0.075 * haze
            )
        for first, last in ((0.12, 0.30), (0.36, 0.42)):
            low = [(a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s) for s in (first, last)]
            lean = [(a[0] + (b[0] - a[0]) * (s + 0.28), a[1] + (b[1] - a[1]) * (s + 0.28)) for s in (first, last)]
            streak = [(*low[0], 0.15), (*low[1], 0.15), (*lean[1], HIGH - 0.05), (*lean[0], HIGH - 0.05)]
            brush.polygon(streak, (1.0, 1.0, 1.0), alpha=0.055 * strength)

    def post(brush: Brush, x: float, y: float) -> None:
        brush.rod((x, y, 0.0), (x, y, HIGH), 0.045, 0.045, edge)

    def rail(brush: Brush, a: Vec3, b: Vec3, light: RGB, power: float) -> None:
        brush.rod(a, b, 0.05, 0.05, mix(edge, light, 0.6 * power), shine=0.7 * power)

    def behind(brush: Brush, key: Key) -> None:
        _, haze, glow, busy = (int(k or 0) for k in key)
        light = mix(placed.colour, (1.0, 1.0, 1.0), 0.15 * busy)
        panel(brush, (x0, y1, 0.0), (x1, y1, 0.0), haze, 1.0)
        rail(brush, (x0, y1, HIGH), (x1, y1, HIGH), light, glow / 8)
        for x in (x0, x1):
            post(brush, x, y1)
            panel(brush, (x, y1, 0.0), (x, y0, 0.0), haze // 2, 0.8)
            rail(brush, (x, y1, HIGH), (x, y0, HIGH), light, glow / 8)

    def before(brush: Brush, key: Key) -> None:
        at, haze, glow, busy = (int(k or 0) for k in key)
        share = max(at, 0) / STEPS
        light = mix(placed.colour, (1.0, 1.0, 1.0), 0.15 * busy)
        panel(brush, (x0, y0, 0.0), (hinge, y0, 0.0), haze, 1.2)
        slid = (x1 - hinge) * 0.92 * share  # the door slides over the pane to its left
        left, right = hinge - slid, x1 - slid
        panel(brush, (left, y0 - 0.06, 0.0), (right, y0 - 0.06, 0.0), haze, 1.6)
        brush.line(
            [(x0, y0, 0.03), (x1, y0, 0.03)], 0.05, brush.lit(scaled(edge, 0.7), (x0, y0, 0.0), (0.0, -0.6, 0.8))
        )
        for x in (left, right):
            brush.rod((x, y0 - 0.06, 0.05), (x, y0 - 0.06, HIGH - 0.12), 0.032, 0.032, (0.70, 0.72, 0.75))
        brush.rod((right - 0.12, y0 - 0.1, 0.85), (right - 0.12, y0 - 0.1, 1.25), 0.03, 0.03, (0.85, 0.86, 0.88))
        for x in (x0, hinge, x1):
            post(brush, x, y0)
        rail(brush, (x0, y0, HIGH), (x1, y0, HIGH), light, glow / 8)
        word, tone = ("--", (0.8, 0.8, 0.8)) if at < 0 else ("OPEN", GREEN) if share > 0.5 else ("SHUT", RED)
        middle = (hinge + x1) / 2
        with brush.sheet((middle - 0.36, y0 - 0.07, HIGH + 0.16), (0.72, 0.0, 0.0), (0.0, 0.0, -0.26), 72.0) as sign:
            sign.rect(0, 0, 72, 26, (0.05, 0.055, 0.07), radius=4, lit=True)
            sign.rect(1, 1, 70, 24, mix(tone, (1.0, 1.0, 1.0), 0.1 * busy), radius=4, stroke=1.4, lit=True)
            sign.text(36, 21, word, 20, mix(tone, (1.0, 1.0, 1.0), 0.1 * busy), align="center", room=62, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        if moment.known("open"):
            tone = GREEN if opened(moment) > 0.5 else RED
            yield Glow(((hinge + x1) / 2, y0, HIGH + 0.03), 0.5, tone, 0.25 + 0.4 * moment.alert, False)

    def floor(brush: Brush) -> None:
        outline: list[Vec3] = [(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)]
        brush.polygon(outline, (0.0, 0.0, 0.0), alpha=0.14)
        brush.line(outline, 0.12, (0.0, 0.0, 0.0), alpha=0.3, closed=True)

    yield Floor(draw=floor)
    low, top = (x0 - 0.1, y0 - 0.2, 0.0), (x1 + 0.1, y1 + 0.1, HIGH + 0.25)
    yield Sprite(draw=behind, key=key, box=(low, top), depth=((x0 + x1) / 2, y1), veil=True)
    yield Sprite(draw=before, key=key, box=(low, top), depth=((x0 + x1) / 2, y0 - 0.06), veil=True)
    yield Glows(at=glows)


GLYPH = Glyph(
    name="glass_enclosure",
    summary="a glass booth; open slides its door, haze or density fog it, glow lights its frame",
    words="a glass booth",
    build=build,
    props={"open": "share", "haze": "share", "density": "share", "glow": "share"},
    places=("at", "zone"),
    footprint=(2.4, 1.8),
    height=HIGH,
    solid=False,
    contact=lambda placed: (extent(placed)[2] - 0.3, extent(placed)[1] - 0.15, 1.1),
)
