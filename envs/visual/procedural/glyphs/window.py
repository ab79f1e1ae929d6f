"""A window in a wall, or a glazed partition on the floor. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import add, scale
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Lamp, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.shapes import plane

WIDE, HIGH, SILL, STEPS = 2.3, 1.35, 0.85, 16  # metres; the sill is that of a partition on the floor
FRAME: RGB = (0.34, 0.36, 0.39)
NIGHT: RGB = (0.07, 0.11, 0.18)
RIDGE = ((8, 34), (40, 44), (70, 30), (112, 50), (150, 32), (190, 46), (222, 30))  # hills, from the left


def build(placed: Placed) -> Iterator[Part]:
    """Neutral: the shutter is up, it is dusk outside, the glass is clear."""
    right, out = plane(placed.wall)
    middle = _middle(placed)
    standing = placed.wall is None

    def key(moment: Moment) -> Key:
        opened = moment.step("open", STEPS, 1.0)
        if "open" not in placed.bound and moment.motion in ("open", "close"):
            opened = round(STEPS * (1.0 - 0.8 * moment.work))
        bright = moment.step("glow", STEPS, 0.35)
        alert = round(4 * max(moment.work, moment.alert))
        return (opened, bright, moment.step("heat", 8, 0.0), moment.step("haze", 8, 0.0), alert)

    def outside(bright: int, warmth: int) -> RGB:
        light = heat(0.3 + 0.7 * warmth / 8) if "heat" in placed.bound else mix(placed.colour, (0.7, 0.85, 1.0), 0.5)
        return mix(NIGHT, light, bright / STEPS)

    def window(brush: Brush, key: Key) -> None:
        opened, bright, warmth, haze, busy = (int(k or 0) for k in key)
        light = outside(bright, warmth)
        corner = add(scale(right, -WIDE / 2), add(scale(out, 0.05), (0.0, 0.0, middle + HIGH / 2)))
        frame = mix(FRAME, (1.0, 1.0, 1.0), 0.1 * busy)
        if standing:
            brush.box((-WIDE / 2, -0.05, 0.0), (WIDE / 2, 0.05, SILL), frame)
            for post in (-WIDE / 2, WIDE / 2):
                brush.box((post - 0.06, -0.08, 0.0), (post + 0.06, 0.08, SILL + HIGH + 0.06), frame)
        with brush.sheet(corner, scale(right, WIDE), (0.0, 0.0, -HIGH), 230.0) as pane:
            high = pane.high
            if not standing:
                pane.rect(-6, -6, 242, high + 12, scaled(frame, 0.55), radius=5)
            clear = 0.30 if standing else 1.0
            for band in range(12):  # the sky, brighter towards the horizon, and the ground
                share = band / 11
                tone = mix(scaled(light, 0.45), light, share)
                pane.rect(8, 8 + band * (high - 36) / 12, 214, (high - 36) / 12 + 1, tone, alpha=clear, lit=True)
            if not standing:
                ridge = [(u, high - v) for u, v in RIDGE]
                pane.polygon([(8, high - 8), *ridge, (222, high - 8)], scaled(light, 0.22), lit=True)
            for left in (30, 140):  # reflections
                streak = [(left, 8), (left + 26, 8), (left - 10, high - 8), (left - 36, high - 8)]
                pane.polygon([(max(u, 8), v) for u, v in streak], (1.0, 1.0, 1.0), alpha=0.065, lit=True)
            if haze:
                pane.rect(8, 8, 214, high - 16, (0.80, 0.83, 0.86), alpha=0.11 * haze)
            shut = (high - 16) * (1.0 - opened / STEPS)
            if shut > 0.5:
                pane.rect(8, 8, 214, shut, (0.40, 0.41, 0.44))
                for slat in range(1, int(shut / 9) + 1):
                    pane.line([(8, 8 + shut - 9 * slat), (222, 8 + shut - 9 * slat)], (0.22, 0.23, 0.25), 1.6)
                pane.stripes(8, 8 + shut - 8, 214, 8, (0.85, 0.66, 0.1), (0.08, 0.08, 0.08), step=8)
            for bar in (80, 150):
                pane.rect(bar - 2.5, 8, 5, high - 16, frame)
            pane.rect(4, 4, 222, high - 8, frame, stroke=8, radius=3)
            pane.rect(0, high - 4, 230, 7, scaled(frame, 1.25))

    def seen(moment: Moment) -> float:
        opened, bright, _, haze, _ = (int(k or 0) for k in key(moment))
        return opened / STEPS * bright / STEPS * (1.0 - 0.6 * haze / 8)

    def glows(moment: Moment) -> Iterator[Glow]:
        light = outside(STEPS, moment.step("heat", 8, 0.0))
        power = 0.55 * seen(moment) + 0.3 * moment.alert
        yield Glow(add(scale(out, 0.15), (0.0, 0.0, middle)), 1.1, light, power, False)

    def shine(moment: Moment) -> RGB:
        return scaled(outside(STEPS, moment.step("heat", 8, 0.0)), 0.5 * seen(moment))

    reach = WIDE / 2 + 0.14
    low, top = (0.0, SILL + HIGH + 0.1) if standing else (-HIGH / 2 - 0.1, HIGH / 2 + 0.1)
    if right[0]:
        box = ((-reach, -0.12, low), (reach, 0.12, top))
    else:
        box = ((-0.12, -reach, low), (0.12, reach, top))
    yield Sprite(draw=window, key=key, box=box, depth=(0.0, 0.0), veil=standing)
    yield Glows(at=glows)
    yield Lamp(at=add(scale(out, 0.9), (0.0, 0.0, middle - 0.2)), reach=1.4, shine=shine)


def _middle(placed: Placed) -> float:
    """Its height above its foot: on a wall its foot is its middle."""
    return SILL + HIGH / 2 if placed.wall is None else 0.0


GLYPH = Glyph(
    name="window",
    summary="a window or a partition; open raises its shutter, glow and heat are the light beyond, haze fogs it",
    words="a wide window",
    build=build,
    props={"open": "share", "glow": "share", "heat": "share", "haze": "share"},
    places=("wall", "at"),
    footprint=(WIDE, 0.2),
    height=SILL + HIGH,
    contact=lambda placed: add(scale(plane(placed.wall)[1], 0.15), (0.0, 0.0, _middle(placed) - 0.3)),
)
