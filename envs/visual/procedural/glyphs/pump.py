"""A pump on a skid: a ribbed motor, a round casing with a window on its impeller. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.shapes import pace, rotor

IRON: RGB = (0.27, 0.28, 0.31)
STEEL: RGB = (0.50, 0.52, 0.55)
GREEN: RGB = (0.32, 0.95, 0.48)
RED: RGB = (1.0, 0.26, 0.18)
AXIS: Vec3 = (0.0, -1.0, 0.0)
RADIUS, BLADES = 0.42, 6
LIQUID: RGB = (0.12, 0.34, 0.46)


def build(placed: Placed) -> Iterator[Part]:
    """One pump a spot. Spin or flow runs it, heat colours its motor; an unbound one runs."""
    prop = "spin" if "spin" in placed.bound else "flow"
    paint = mix(placed.colour, (0.30, 0.32, 0.36), 0.55)

    def key(moment: Moment) -> Key:
        speed, phase = pace(moment, prop, 0.5, BLADES)
        busy = round(4 * max(moment.work, moment.alert))
        return (speed if moment.known(prop) else None, phase, moment.step("heat", 8, 0.0), busy, round(2 * moment.dead))

    def pump(brush: Brush, key: Key, x: float, y: float) -> None:
        known = key[0] is not None
        speed, phase, warmth, busy, dead = (int(k or 0) for k in key)
        speed = 0 if dead else speed
        brush.box((x - 0.95, y - 0.36, 0.0), (x + 0.95, y + 0.36, 0.15), IRON)
        shell = mix(paint, heat(0.35 + 0.65 * warmth / 8), 0.7 * warmth / 8)
        shell = mix(shell, (1.0, 1.0, 1.0), 0.08 * busy)
        brush.box((x - 0.78, y - 0.2, 0.15), (x - 0.2, y + 0.2, 0.34), IRON)
        brush.rod((x - 0.9, y, 0.56), (x - 0.1, y, 0.56), 0.28, 0.28, shell, shine=0.3 * warmth / 8)
        for fin in range(7):
            at = x - 0.82 + 0.1 * fin
            brush.rod((at - 0.018, y - 0.02, 0.56), (at + 0.018, y - 0.02, 0.56), 0.305, 0.305, scaled(shell, 0.7))
        brush.rod((x - 0.1, y, 0.56), (x + 0.2, y, 0.56), 0.1, 0.1, STEEL)
        # The casing, a thick disc that faces the viewer, with its outlet upwards.
        hub = (x + 0.46, y - 0.26, 0.58)
        brush.rod((x + 0.74, y - 0.06, 0.6), (x + 0.74, y - 0.06, 1.18), 0.13, 0.13, STEEL)
        brush.rod((x + 0.74, y - 0.06, 1.12), (x + 0.74, y - 0.06, 1.2), 0.2, 0.2, IRON)
        for back in (0.34, 0.26, 0.18, 0.09, 0.0):
            at_back = (hub[0], hub[1] + back, hub[2])
            brush.disc(at_back, RADIUS, AXIS, brush.lit(scaled(STEEL, 0.7 if back else 1.0), at_back, (0.0, -0.6, 0.7)))
        brush.disc(hub, RADIUS * 0.76, AXIS, LIQUID)
        rotor(brush, hub, RADIUS * 0.72, AXIS, BLADES, speed, phase, (0.78, 0.82, 0.86))
        brush.ring(hub, RADIUS * 0.78, AXIS, 0.05, brush.lit(IRON, hub, (0.0, -0.8, 0.5)))
        for bolt in brush.circle(hub, RADIUS * 0.9, AXIS, 8):
            brush.dot(bolt, 0.026, brush.lit((0.3, 0.31, 0.33), bolt, AXIS))
        brush.dot(hub, 0.07, brush.lit(STEEL, hub, (0.0, -0.8, 0.5)))
        with brush.sheet((x - 0.86, y - 0.30, 0.52), (0.62, 0.0, 0.0), (0.0, 0.0, -0.26), 62.0) as plate:
            word, tone = ("--", (0.8, 0.8, 0.8)) if not known else ("RUN", GREEN) if speed else ("STOP", RED)
            plate.rect(0, 0, 62, 26, (0.06, 0.065, 0.08), radius=3, lit=True)
            plate.text(31, 21, word, 20, mix(tone, (1.0, 1.0, 1.0), 0.1 * busy), align="center", room=56, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        runs = pace(moment, prop, 0.5, BLADES)[0] != 0 and not round(2 * moment.dead)
        for x, y, _ in placed.spots:
            if moment.known(prop):
                yield Glow((x - 0.55, y - 0.35, 0.4), 0.45, GREEN if runs else RED, 0.3 + 0.4 * moment.alert)
            if moment.number("heat", 0.0) > 0.4:
                warmth = moment.number("heat", 0.0)
                yield Glow((x - 0.5, y - 0.25, 0.6), 0.6, heat(warmth), 0.5 * warmth)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(1.25, 0.6, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(pump, x=x, y=y),
            key=key,
            box=((x - 0.98, y - 0.42, 0.0), (x + 0.98, y + 0.4, 1.24)),
            depth=(x, y - 0.36),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="pump",
    summary="a pump with a window on its impeller; spin or flow runs it, heat colours its motor",
    words="a pump with a ribbed motor",
    build=build,
    props={"spin": "signed", "flow": "signed", "heat": "share"},
    footprint=(1.9, 0.75),
    height=1.2,
    contact=lambda placed: (placed.spots[0][0] - 0.5, placed.spots[0][1] - 0.3, 0.85),
)
