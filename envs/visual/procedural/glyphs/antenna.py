"""A dish on a pedestal that turns with `angle`; waves and a lamp say that it is speaking. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, scale, unit
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.shapes import waves

HUB: Vec3 = (0.0, -0.05, 1.30)
DISH, FIRST = 0.52, -40.0  # metres; degrees from the viewer (to the left) at angle 0
STEP, STEPS, PHASES = 6, 8, 8
IRON: RGB = (0.28, 0.29, 0.32)
PALE: RGB = (0.74, 0.76, 0.79)


def build(placed: Placed) -> Iterator[Part]:
    """One dish a spot: angle turns it, spin keeps it turning, glow says how strongly it sends."""

    def speed(moment: Moment) -> int:
        return moment.step("spin", 4, 0.0)

    def turned(moment: Moment) -> int:
        if "spin" in placed.bound:
            return round(90.0 * speed(moment) / 4 * moment.t % 360.0 / STEP)
        angle = moment.number("angle", 0.0)
        if "angle" not in placed.bound and moment.motion == "turn":
            angle = 120.0 * moment.work
        return round(angle / STEP)

    def sends(moment: Moment) -> int:
        return max(moment.step("glow", STEPS, 0.3), round(STEPS * moment.alert)) if moment.dead < 0.9 else 0

    def key(moment: Moment) -> Key:
        power = sends(moment)
        busy = round(4 * max(moment.work, moment.alert))
        phase = moment.phase(PHASES, 0.8) if power else 0
        return (turned(moment), power, phase, busy, round(2 * moment.dead), speed(moment))

    def dish(brush: Brush, key: Key, x: float, y: float) -> None:
        turn, power, phase, busy, dead, spins = (int(k or 0) for k in key)
        hub = add(HUB, (x, y, 0.0))
        a = radians(FIRST + turn * STEP)
        aim = unit((sin(a), -cos(a), 0.42))
        light = mix(placed.colour, (1.0, 1.0, 1.0), 0.2 * busy / 4)
        share = power / STEPS
        for foot in range(3):
            b = 2 * pi * foot / 3 + 0.5
            brush.rod((x + 0.42 * sin(b), y - 0.36 * cos(b), 0.03), (x, y, 0.5), 0.045, 0.04, IRON)
        brush.lathe(
            [(0.10, 0.2), (0.09, 1.12), (0.15, 1.14), (0.15, 1.24)], (0.46, 0.47, 0.50), centre=(x, y), foot=1.0
        )
        with brush.sheet((x - 0.16, y - 0.14, 0.92), (0.32, 0.0, 0.0), (0.0, 0.0, -0.38), 32.0) as box:
            box.rect(0, 0, 32, 38, (0.20, 0.21, 0.23), radius=2)
            for lamp in range(4):
                on = lamp < -(-4 * power // STEPS)
                box.rect(5, 29 - 8 * lamp, 22, 6, light if on else scaled(light, 0.14), radius=1, lit=True)
        bowl = mix(PALE, (1.0, 1.0, 1.0), 0.1 * busy)
        shells = [
            (hub, 0.10),
            (add(hub, scale(aim, 0.05)), 0.30),
            (add(hub, scale(aim, 0.13)), 0.44),
            (add(hub, scale(aim, 0.22)), DISH),
        ]
        feed = add(hub, scale(aim, 0.56))
        seen = sum(u * v for u, v in zip(aim, brush.view.towards(add(brush.origin, hub)), strict=True)) > 0
        inside = brush.lit(bowl, hub, aim)
        outside = brush.lit(scaled(bowl, 0.62), hub, scale(aim, -1.0))
        if not seen:
            brush.rod(hub, feed, 0.02, 0.02, IRON)
        for number, (centre, radius) in enumerate(shells if seen else shells[::-1]):
            tone = scaled(inside, 1.0 - 0.09 * number) if seen and number == 3 else outside
            brush.disc(centre, radius, aim, tone)
        rim = shells[-1][0]
        if seen:
            brush.disc(add(rim, scale(aim, -0.03)), 0.36, aim, scaled(inside, 0.86))
            brush.disc(add(rim, scale(aim, -0.06)), 0.2, aim, scaled(inside, 0.72))
            for spoke in brush.circle(rim, DISH * 0.9, aim, 3):
                brush.line([spoke, feed], 0.025, brush.lit(IRON, feed, (0.0, -0.8, 0.5)))
        brush.ring(rim, DISH, aim, 0.03, brush.lit(scaled(bowl, 0.9), rim, (0.0, -0.6, 0.8)))
        brush.sphere(feed, 0.07, mix((0.25, 0.26, 0.28), light, share), shine=share)
        if spins:  # a bent arrow under the dish: which way it turns, and how fast
            bow = brush.circle((x, y, 0.74), 0.36, (0.0, 0.0, 1.0 if spins > 0 else -1.0), 24)
            first = 11 if spins > 0 else 1  # it passes before the post
            head = bow[(first + 11) % 24]
            arc = [bow[(first + k) % 24] for k in range(12)]
            brush.line(arc, 0.03 + 0.01 * abs(spins), light)
            brush.polygon([add(head, p) for p in ((-0.10, 0.0, 0.0), (0.10, 0.0, 0.0), (0.0, 0.16, 0.0))], light)
        if power:
            waves(brush, feed, aim, light, 0.25 + 0.75 * share, phase / PHASES)
        if dead:
            brush.dot(add(hub, (0.0, -0.16, -0.12)), 0.05, (0.95, 0.12, 0.08))

    def glows(moment: Moment) -> Iterator[Glow]:
        a = radians(FIRST + turned(moment) * STEP)
        for x, y, _ in placed.spots:
            feed = (x + 0.5 * sin(a), y - 0.5 * cos(a), HUB[2] + 0.22)
            yield Glow(feed, 0.5, placed.colour, 0.75 * sends(moment) / STEPS)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.6, 0.5, 0.55, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(dish, x=x, y=y),
            key=key,
            box=((x - 1.3, y - 0.95, 0.0), (x + 1.3, y + 0.95, 2.35)),
            depth=(x, y - 0.3),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="antenna",
    summary="a dish on a pedestal; angle or spin turns it, glow makes it send",
    words="a dish antenna",
    build=build,
    props={"glow": "share", "angle": "degrees", "spin": "signed"},
    footprint=(0.95, 0.8),
    height=1.9,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.3, 1.05),
)
