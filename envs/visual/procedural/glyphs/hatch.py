"""A hatch: a round lid over a shaft in the floor, or a heavy round door in a wall or an enclosure. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, scale
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.shapes import plane

RADIUS, RIM, STEPS, SWING = 0.62, 0.24, 16, 104.0  # metres; height of the coaming; degrees of a lid that is open
STEEL: RGB = (0.44, 0.46, 0.49)
IRON: RGB = (0.25, 0.26, 0.29)
GREEN: RGB = (0.30, 0.95, 0.46)
RED: RGB = (1.0, 0.24, 0.16)


def build(placed: Placed) -> Iterator[Part]:
    """One hatch; unbound it opens while it is operated and shuts again."""
    upright = placed.wall is not None or placed.door_of is not None
    right, out = plane(placed.wall)
    lift = 0.0 if placed.wall is not None else 0.92
    # Hinged where the open lid does not come between the viewer and the shaft: 1 on the right as it is seen, -1 left.
    hinged = {"left": 1.0, "right": -1.0}.get(placed.wall or "", 1.0 if placed.at[0] > placed.room[0] / 2 else -1.0)
    spots = ((0.0, 0.0, 0.0),) if upright else placed.spots

    def opened(moment: Moment) -> float:
        if "open" in placed.bound:
            return min(max(moment.number("open", 0.0), 0.0), 1.0)
        return moment.work if moment.motion in ("open", "turn", "pull", "press") else 0.0

    def key(moment: Moment) -> Key:
        share = round(STEPS * opened(moment)) if moment.known("open") else -1
        turning = round(8 * moment.work) if moment.motion in ("turn", "open", "close") else 0
        return (share, moment.step("glow", 8, 0.5), round(4 * max(moment.work, moment.alert)), turning)

    def said(at: int) -> tuple[str, RGB]:
        return ("--", (0.8, 0.8, 0.8)) if at < 0 else ("OPEN", GREEN) if at > STEPS / 2 else ("SHUT", RED)

    def lid(brush: Brush, centre: Vec3, across: Vec3, along: Vec3, normal: Vec3, busy: int, turning: int) -> None:
        """A thick round lid in the plane of two vectors, its wheel on the side that `normal` points to."""

        def at(radius: float, turn: float, off: float) -> Vec3:
            flat = add(scale(across, radius * cos(turn)), scale(along, radius * sin(turn)))
            return add(centre, add(flat, scale(normal, off)))

        shell = mix(STEEL, (1.0, 1.0, 1.0), 0.1 * busy)
        turns = [2 * pi * k / 28 for k in range(28)]
        faces = sum(u * v for u, v in zip(normal, brush.view.towards(add(brush.origin, centre)), strict=True)) > 0
        for number in range(8):
            off = (-0.06 + 0.12 * number / 7) * (1.0 if faces else -1.0)
            seen = normal if faces else scale(normal, -1.0)
            tone = brush.lit(shell if number == 7 else scaled(shell, 0.55), centre, seen)
            brush.polygon([at(RADIUS, t, off) for t in turns], tone)
        if not faces:
            brush.polygon(
                [at(RADIUS * 0.8, t, -0.061) for t in turns], brush.lit(scaled(shell, 0.6), centre, scale(normal, -1.0))
            )
            return
        brush.line(
            [at(RADIUS * 0.86, t, 0.062) for t in turns],
            0.03,
            brush.lit(scaled(shell, 0.6), centre, normal),
            closed=True,
        )
        for bolt in turns[::4]:
            brush.dot(at(RADIUS * 0.93, bolt, 0.065), 0.028, brush.lit((0.72, 0.73, 0.75), centre, normal))
        wheel = brush.lit(mix((0.78, 0.14, 0.11), (1.0, 0.8, 0.6), 0.15 * busy), centre, normal)
        brush.line([at(0.28, t, 0.16) for t in turns], 0.06, scaled(wheel, 0.5), closed=True)
        brush.line([at(0.28, t, 0.17) for t in turns], 0.045, wheel, closed=True)
        for spoke in range(3):
            t = 2 * pi * (spoke / 3 + turning / 24)
            brush.line([at(0.0, t, 0.17), at(0.28, t, 0.17)], 0.04, wheel)
        brush.dot(at(0.0, 0.0, 0.18), 0.07, scaled(wheel, 1.2))

    def plate(brush: Brush, corner: Vec3, side: Vec3, at: int, busy: int) -> None:
        word, tone = said(at)
        tone = mix(tone, (1.0, 1.0, 1.0), 0.1 * busy)
        with brush.sheet(corner, scale(side, 0.66), (0.0, 0.0, -0.22), 66.0) as sign:
            sign.rect(0, 0, 66, 22, (0.05, 0.055, 0.065), radius=3, lit=True)
            sign.text(33, 18, word, 18, tone, align="center", room=58, lit=True)

    def in_floor(brush: Brush, key: Key, x: float, y: float) -> None:
        at, glow, busy, turning = (int(k or 0) for k in key)
        share = max(at, 0) / STEPS
        brush.lathe([(RADIUS + 0.16, 0.0), (RADIUS + 0.12, RIM)], IRON, centre=(x, y))
        mouth: Vec3 = (x, y, RIM + 0.002)
        upwards: Vec3 = (0.0, 0.0, 1.0)
        light = scaled(placed.colour, 0.15 + 0.85 * glow / 8)
        brush.ring(mouth, RADIUS + 0.07, upwards, 0.045, scaled(light, 0.9))  # seeps out even when it is shut
        brush.disc(mouth, RADIUS + 0.02, upwards, (0.02, 0.022, 0.03))
        brush.disc(add(mouth, (0.0, 0.05, 0.0)), RADIUS * 0.86, upwards, scaled(light, 0.35))
        brush.puff(add(mouth, (0.0, 0.1, 0.0)), RADIUS * 0.55, light, alpha=0.8 * share)
        for rung in range(3):
            z = y + 0.34 - 0.13 * rung
            brush.line([(x - 0.16, z, RIM), (x + 0.16, z, RIM)], 0.03, scaled(light, 0.8))
        turn = radians(SWING * share)
        along: Vec3 = (0.0, -cos(turn), sin(turn))  # from the hinge at the back to the lid's free edge
        normal: Vec3 = (0.0, sin(turn), cos(turn))
        hinge: Vec3 = (x, y + RADIUS, RIM + 0.06)
        brush.rod((x - 0.24, hinge[1], hinge[2]), (x + 0.24, hinge[1], hinge[2]), 0.06, 0.06, IRON)
        lid(brush, add(hinge, scale(along, RADIUS)), (1.0, 0.0, 0.0), along, normal, busy, turning)
        plate(brush, (x - 0.33, y - RADIUS - 0.15, RIM - 0.01), (1.0, 0.0, 0.0), at, busy)

    def in_wall(brush: Brush, key: Key) -> None:
        at, glow, busy, turning = (int(k or 0) for k in key)
        share = max(at, 0) / STEPS
        centre = add(scale(out, 0.06), (0.0, 0.0, lift))
        if placed.door_of is not None:
            brush.box((-0.92, -0.08, 0.0), (0.92, 0.08, 2.1), STEEL)
        light = scaled(placed.colour, 0.15 + 0.85 * glow / 8)
        ring = add(centre, scale(out, 0.03))
        brush.disc(ring, RADIUS + 0.15, out, brush.lit(IRON, ring, out))
        brush.ring(ring, RADIUS + 0.12, out, 0.05, brush.lit(STEEL, ring, out))
        brush.ring(ring, RADIUS + 0.06, out, 0.035, scaled(light, 0.9))
        brush.disc(ring, RADIUS, out, scaled(light, 0.10))
        brush.puff(ring, RADIUS * 0.8, light, alpha=0.75 * share)
        turn = radians(SWING * share)
        across = add(scale(right, -hinged * cos(turn)), scale(out, sin(turn)))  # from the hinge to the free edge
        normal = add(scale(out, cos(turn)), scale(right, hinged * sin(turn)))
        hinge = add(ring, add(scale(right, hinged * RADIUS), scale(out, 0.06)))
        lid(brush, add(hinge, scale(across, RADIUS)), across, (0.0, 0.0, 1.0), normal, busy, turning)
        plate(brush, add(ring, add(scale(right, -0.33), (0.0, 0.0, RADIUS + 0.44))), right, at, busy)

    def glows(moment: Moment) -> Iterator[Glow]:
        if not moment.known("open"):
            return
        tone, share = (GREEN if opened(moment) > 0.5 else RED), opened(moment)
        for x, y, _ in spots:
            sign = add(scale(out, 0.2), (0.0, 0.0, lift + RADIUS + 0.33)) if upright else (x, y - RADIUS - 0.2, 0.15)
            yield Glow(sign, 0.45, tone, 0.25 + 0.4 * moment.alert, False)
            inside = add(scale(out, 0.1), (0.0, 0.0, lift)) if upright else (x, y, RIM)
            yield Glow(inside, 0.7, placed.colour, 0.9 * share * moment.number("glow", 0.5), False)

    if upright:
        reach = 1.35
        yield Sprite(
            draw=in_wall, key=key, box=((-reach, -reach, lift - 0.95), (reach, 0.7, lift + 1.25)), depth=(0.0, -0.05)
        )
    else:

        def floor(brush: Brush) -> None:
            for x, y, _ in spots:
                brush.shadow(1.15, 1.0, 0.6, (x, y, 0.0))

        yield Floor(draw=floor)
        for x, y, _ in spots:
            yield Sprite(
                draw=partial(in_floor, x=x, y=y),
                key=key,
                box=((x - 0.82, y - 0.82, 0.0), (x + 0.82, y + 1.1, 1.7)),
                depth=(x, y - RADIUS),
            )
    yield Glows(at=glows)


def contact(placed: Placed) -> Vec3:
    """The wheel on its lid."""
    if placed.wall is None and placed.door_of is None:
        return (placed.spots[0][0], placed.spots[0][1] - 0.1, 0.5)
    return add(scale(plane(placed.wall)[1], 0.3), (0.0, 0.0, 0.0 if placed.wall else 0.92))


GLYPH = Glyph(
    name="hatch",
    summary="a round hatch in floor, wall or enclosure; open swings its lid, glow is the light in its shaft",
    words="a round steel hatch",
    build=build,
    props={"open": "share", "glow": "share"},
    places=("at", "wall", "door"),
    movable=True,
    footprint=(1.55, 1.5),
    height=0.4,
    contact=contact,
)
