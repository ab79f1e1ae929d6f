"""A fan in a ring that hangs from the ceiling, so that it hides nobody; spin runs it, either way. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite, Under
from conflictbench.envs.visual.procedural.shapes import pace, rotor

RADIUS, HANGS = 0.56, 1.25  # metres: of the ring; of its hub below the ceiling
AXIS: Vec3 = (0.0, -1.0, 0.28)
IRON: RGB = (0.25, 0.26, 0.29)


def build(placed: Placed) -> Iterator[Part]:
    """One fan a spot; chevrons under it run the way the air goes."""
    ceiling = placed.room[2] - placed.at[2]
    z = ceiling - HANGS if placed.at[2] < 1.0 else 0.0
    blades = 5

    def key(moment: Moment) -> Key:
        speed, phase = pace(moment, "spin", 0.5 if "spin" not in placed.bound else 0.0, blades)
        return (speed, phase, moment.phase(4, 0.9) if speed else 0, round(4 * max(moment.work, moment.alert)))

    def metal(brush: Brush, busy: int, hub: Vec3) -> RGB:
        return mix(brush.lit((0.40, 0.41, 0.44), hub, (0.0, -0.8, 0.6)), (1.0, 1.0, 1.0), 0.12 * busy)

    def drum(brush: Brush, key: Key, x: float, y: float) -> None:
        frame = metal(brush, int(key[0] or 0), (x, y, z))
        for side in (-0.42, 0.42):
            brush.rod((x + side, y + 0.1, ceiling), (x + side, y + 0.1, z + 0.3), 0.03, 0.03, IRON)
        for back in (0.30, 0.22, 0.14, 0.06):  # the depth of the ring
            brush.disc((x, y + back, z - 0.28 * back), RADIUS + 0.05, AXIS, scaled(frame, 0.45))
        brush.disc((x, y, z), RADIUS + 0.04, AXIS, (0.035, 0.04, 0.05))

    def fan(brush: Brush, key: Key, x: float, y: float) -> None:
        speed, phase, step, busy = (int(k or 0) for k in key)
        hub = (x, y, z)
        frame = metal(brush, busy, hub)
        rotor(brush, hub, RADIUS, AXIS, blades, speed, phase, (0.62, 0.66, 0.72))
        for share in (0.45, 0.75):
            brush.ring(hub, RADIUS * share, AXIS, 0.012, scaled(frame, 0.8), alpha=0.8)
        brush.ring(hub, RADIUS + 0.03, AXIS, 0.08, scaled(frame, 0.6))
        brush.ring(hub, RADIUS + 0.03, AXIS, 0.05, frame)
        brush.sphere((x, y - 0.08, z + 0.02), 0.13, IRON)
        with brush.sheet((x - 0.42, y - 0.1, z - RADIUS - 0.06), (0.84, 0.0, 0.0), (0.0, 0.0, -0.22), 84.0) as plate:
            plate.rect(0, 0, 84, 22, (0.10, 0.11, 0.13), radius=4, lit=True)
            for place in range(4):
                on = speed and (place - step if speed > 0 else place + step) % 4 in ((0,) if abs(speed) < 3 else (0, 1))
                tone = placed.colour if on else (scaled(placed.colour, 0.42) if speed else (0.20, 0.21, 0.23))
                left, tip = (11 + 17 * place, 20 + 17 * place) if speed >= 0 else (20 + 17 * place, 11 + 17 * place)
                if speed:
                    plate.line([(left, 4), (tip, 11), (left, 18)], tone, 4.0, lit=True)
                else:
                    plate.line([(11 + 17 * place, 11), (20 + 17 * place, 11)], tone, 4.0, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        speed = abs(pace(moment, "spin", 0.5 if "spin" not in placed.bound else 0.0, blades)[0])
        for x, y, _ in placed.spots:
            yield Glow((x, y - 0.1, z - RADIUS - 0.17), 0.45, placed.colour, 0.1 * speed + 0.5 * moment.alert, False)

    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(fan, x=x, y=y),
            under=Under(draw=partial(drum, x=x, y=y), key=lambda key: key[3:]),
            key=key,
            box=((x - 0.66, y - 0.3, z - 0.95), (x + 0.66, y + 0.4, max(ceiling, z + 0.75))),
            depth=(x, y),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="fan",
    summary="a fan under the ceiling; spin runs it forwards or backwards, chevrons show which way the air goes",
    words="a large ceiling fan in a steel ring",
    build=build,
    props={"spin": "signed"},
    footprint=(1.3, 0.5),
    height=1.3,
    solid=False,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.25, placed.room[2] - HANGS - 0.5),
)
