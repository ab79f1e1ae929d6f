"""A capsule for one person on a cradle, under a canopy that lifts. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, scale
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

HALF, RADIUS, AXIS_Z, STEPS = 0.62, 0.46, 0.72, 8  # metres: of its straight part, of its shell, height of its axis
SHELL: RGB = (0.66, 0.69, 0.72)
IRON: RGB = (0.26, 0.27, 0.30)
SKINS: tuple[RGB, ...] = ((0.86, 0.66, 0.52), (0.62, 0.42, 0.30), (0.78, 0.58, 0.43), (0.42, 0.28, 0.21))
FACE: Vec3 = (0.0, -0.72, 0.69)  # the canopy looks at the viewer and up
DOWN: Vec3 = (0.0, -0.69, -0.72)  # along the canopy, towards the viewer


def build(placed: Placed) -> Iterator[Part]:
    """One pod a spot: open lifts its canopy, glow and heat light it, level is its bar, load puts somebody inside."""

    def key(number: int, moment: Moment) -> Key | None:
        if moment.known("present") and moment.number("present", placed.count) <= number:
            return None
        opened = moment.number("open", 0.0)
        if "open" not in placed.bound and moment.motion in ("open", "press", "turn", "pull"):
            opened = moment.work
        taken = moment.number("load", 1.0) > 0.5
        alive = 1.0 - min(max(moment.dead * placed.count - number, 0.0), 1.0)
        bar = moment.step("level", STEPS, moment.number("glow", 0.75))
        glow = round(moment.number("glow", 0.6) * alive * STEPS)
        busy = round(4 * max(moment.work, moment.alert))
        return (round(STEPS * min(max(opened, 0.0), 1.0)), glow, moment.step("heat", STEPS, 0.0), bar, taken, busy)

    def colour(warmth: int) -> RGB:
        return heat(0.1 + 0.9 * warmth / STEPS) if "heat" in placed.bound else placed.colour

    def oval(centre: Vec3, wide: float, long: float, along: Vec3) -> list[Vec3]:
        points = []
        for turn in (2 * pi * k / 32 for k in range(32)):
            across: Vec3 = (wide * _squared(cos(turn)), 0.0, 0.0)
            points.append(add(centre, add(across, scale(along, long * _squared(sin(turn))))))
        return points

    def pod(brush: Brush, key: Key, number: int) -> None:
        opened, glow, warmth, bar, taken, busy = (int(k or 0) for k in key)
        x, y, _ = placed.spots[number]
        light = mix(colour(warmth), (1.0, 1.0, 1.0), 0.1 * busy)
        power = glow / STEPS
        brush.shadow(1.35, 0.7, 0.6, (x, y, 0.0))
        for side in (-0.62, 0.62):
            brush.box((x + side - 0.14, y - 0.34, 0.0), (x + side + 0.14, y + 0.34, 0.42), IRON)
        shell = mix(mix(SHELL, placed.colour, 0.12), (1.0, 1.0, 1.0), 0.06 * busy)
        for side in (-HALF, HALF):
            brush.sphere((x + side, y, AXIS_Z), RADIUS, shell)
        brush.rod((x - HALF, y, AXIS_Z), (x + HALF, y, AXIS_Z), RADIUS, RADIUS, shell)
        for side in (-HALF - 0.02, HALF + 0.02):
            turns = [radians(k) for k in range(60, 261, 10)]
            band = [(x + side, y + RADIUS * cos(t), AXIS_Z + RADIUS * sin(t)) for t in turns]
            brush.line(band, 0.06, brush.lit(placed.colour, band[12], (0.0, -0.8, 0.5)))
        rim: Vec3 = add((x, y, AXIS_Z), scale(FACE, RADIUS * 0.98))
        brush.polygon(oval(rim, 0.70, 0.30, DOWN), brush.lit((0.22, 0.23, 0.26), rim, FACE))
        bed = mix((0.04, 0.05, 0.07), light, 0.12 + 0.5 * power)
        brush.polygon(oval(rim, 0.64, 0.25, DOWN), bed)
        if taken:
            skin = mix(SKINS[int(placed.noise("skin", number) * len(SKINS))], light, 0.25 * power)
            suit = mix((0.34, 0.42, 0.55), light, 0.3 * power)
            inside = add(rim, scale(FACE, -0.05))
            feet, hips, neck = (add(inside, (along_x, 0.0, 0.0)) for along_x in (-0.52, -0.02, 0.30))
            brush.rod(feet, hips, 0.09, 0.13, scaled(suit, 0.8), shine=0.4)
            brush.rod(hips, neck, 0.155, 0.165, suit, shine=0.4)
            brush.sphere(add(inside, (0.47, 0.0, 0.02)), 0.115, skin, shine=0.35)
        brush.line(oval(rim, 0.67, 0.275, DOWN), 0.035, mix(scaled(light, 0.25), light, power), closed=True)
        turn = radians(138.0 * opened / STEPS)
        along = add(scale(DOWN, cos(turn)), scale(FACE, sin(turn)))
        hinge = add(rim, scale(DOWN, -0.28))
        canopy = add(hinge, scale(along, 0.28))
        brush.polygon(oval(canopy, 0.66, 0.27, along), (0.60, 0.82, 0.92), alpha=0.16 if opened < 2 else 0.26)
        brush.line(oval(canopy, 0.66, 0.27, along), 0.03, brush.lit((0.72, 0.75, 0.78), canopy, FACE), closed=True)
        corners = ((-0.5, -0.14), (-0.1, -0.2), (-0.22, 0.02), (-0.54, 0.0))
        shine = [add(canopy, add((u, 0.0, 0.0), scale(along, v))) for u, v in corners]
        brush.polygon(shine, (1.0, 1.0, 1.0), alpha=0.20)
        with brush.sheet((x - 0.46, y - 0.5, 0.52), (0.92, 0.0, 0.0), (0.0, 0.0, -0.17), 92.0) as panel:
            panel.rect(0, 0, 92, 17, (0.10, 0.11, 0.13), radius=3, lit=True)
            for lamp in range(STEPS):
                tone = light if lamp < bar else scaled(light, 0.14)
                panel.rect(4 + 10.6 * lamp, 4, 8.6, 9, tone, radius=1.5, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        for number, (x, y, _) in enumerate(placed.spots):
            found = key(number, moment)
            if found is not None:
                power = 0.55 * int(found[1] or 0) / STEPS + 0.4 * moment.alert
                yield Glow((x, y - 0.4, 1.0), 0.85, colour(moment.step("heat", STEPS, 0.0)), power)

    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(pod, number=number),
            key=partial(key, number),
            box=((x - 1.38, y - 0.75, -0.02), (x + 1.38, y + 0.75, 2.0)),
            depth=(x, y - 0.45),
        )
    yield Glows(at=glows)


def _squared(share: float) -> float:
    """Rounds the corners of an oval less than a circle would."""
    return float(abs(share) ** 0.7) * (1.0 if share >= 0 else -1.0)


GLYPH = Glyph(
    name="pod",
    summary="a capsule for one; open lifts its canopy, load puts somebody in, present counts them, level is its bar",
    words="a life pod with a glass canopy",
    build=build,
    props={"open": "share", "glow": "share", "heat": "share", "level": "share", "load": "share", "present": "count"},
    movable=True,
    footprint=(2.2, 1.0),
    height=1.2,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.5, 0.6),
)
