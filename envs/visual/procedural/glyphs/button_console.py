"""A slanted desk with one big button, a small screen and a bar of lamps. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, scale
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import (
    Floor,
    Glow,
    Glows,
    Glyph,
    Key,
    Moment,
    Part,
    Placed,
    Sprite,
    Under,
)
from conflictbench.envs.visual.procedural.noise import noise

HALF, BACK, FRONT, HIGH, LOW = 0.54, 0.30, -0.36, 1.14, 0.84  # the desk: half its width, y and z of its edges
BODY: RGB = (0.26, 0.275, 0.30)
OUT: Vec3 = (0.0, -0.41, 0.91)  # out of the desk
STEPS = 8


def build(placed: Placed) -> Iterator[Part]:
    """One desk a spot. The button lights up with glow and sinks while it is pressed."""
    shows = bool({"glow", "level"} & placed.bound)

    def key(moment: Moment) -> Key:
        known = moment.known("glow") and moment.known("level")
        share = moment.step("glow", STEPS, moment.number("level", 0.6 if not shows else 0.0)) if known else -1
        pressed = round(4 * moment.work) if moment.motion in ("press", "pull", "turn") else 0
        dead = round(4 * moment.dead)
        return (
            share,
            moment.step("tint", STEPS, 0.0),
            pressed,
            round(4 * max(moment.alert, moment.work)),
            dead,
            moment.phase(4, 0.5),
        )

    def colour(warmth: int) -> RGB:
        return heat(0.3 + 0.7 * warmth / STEPS) if "tint" in placed.bound else placed.colour

    def plinth(brush: Brush, key: Key, x: float, y: float) -> None:
        warmth = int(key[0] or 0)
        brush.box((x - 0.40, y - 0.20, 0.0), (x + 0.40, y + 0.26, LOW), BODY)
        with brush.sheet((x - 0.34, y - 0.205, 0.72), (0.68, 0.0, 0.0), (0.0, 0.0, -0.62), 68.0) as foot:
            for slot in range(4):
                foot.rect(8, 10 + 7 * slot, 52, 3, (0.12, 0.125, 0.14))
            foot.rect(0, 54, 68, 5, scaled(colour(warmth), 0.8))
        side: RGB = (0.20, 0.21, 0.235)
        for edge, normal in ((-HALF, (-1.0, 0.0, 0.0)), (HALF, (1.0, 0.0, 0.0))):
            outline = [
                (x + edge, y + BACK, 0.80),
                (x + edge, y + BACK, HIGH),
                (x + edge, y + FRONT, LOW),
                (x + edge, y + FRONT, 0.76),
            ]
            brush.polygon(outline, brush.lit(side, outline[1], normal))
        lip = [
            (x - HALF, y + FRONT, LOW),
            (x + HALF, y + FRONT, LOW),
            (x + HALF, y + FRONT, 0.76),
            (x - HALF, y + FRONT, 0.76),
        ]
        brush.polygon(lip, brush.lit((0.36, 0.37, 0.40), lip[0], (0.0, -1.0, 0.0)))

    def desk(brush: Brush, key: Key, x: float, y: float) -> None:
        share, warmth, pressed, busy, dead, phase = (int(k or 0) for k in key)
        alive = 0.0 if dead >= 4 else 1.0
        light = mix(colour(warmth), (1.0, 1.0, 1.0), 0.1 * busy)
        with brush.sheet(
            (x - HALF, y + BACK, HIGH), (2 * HALF, 0.0, 0.0), (0.0, FRONT - BACK, LOW - HIGH), 108.0
        ) as top:
            top.rect(0, 0, 108, top.high, (0.40, 0.42, 0.45), radius=3)
            top.rect(3, 3, 102, top.high - 6, (0.15, 0.16, 0.18), radius=3)
            top.rect(8, 8, 46, 34, (0.03, 0.05, 0.06), radius=2, lit=True)
            if alive:
                tone = mix(light, (1.0, 1.0, 1.0), 0.25)
                for bar in range(6):
                    tall = (2 + 8 * (share >= 0) if shows else 6 + 20) * noise(
                        placed.seed, placed.id, "bar", bar, phase
                    )
                    top.rect(12 + 6.6 * bar, 39 - tall, 4, tall, tone, alpha=0.75, lit=True)
                if shows:
                    word = "--" if share < 0 else "ON" if share >= STEPS // 2 else "LOW" if share > 0 else "OFF"
                    top.text(31, 26, word, 18, tone, align="center", room=40, lit=True)
            for lamp in range(5):
                on = alive and share > 0 and lamp < -(-5 * share // STEPS)
                top.rect(8 + 9.6 * lamp, 49, 7.6, 8, light if on else scaled(light, 0.14), radius=1.5, lit=True)
            top.circle(79, 34, 24, (0.80, 0.62, 0.10))
            top.circle(79, 34, 21, (0.10, 0.10, 0.11))
        base = (x + 0.25, y - 0.015, 0.995)
        high = 0.13 - 0.10 * pressed / 4
        power = max(share, 0) / STEPS * alive
        cap = mix(scaled(light, 0.34), light, power)
        head = add(base, scale(OUT, high))
        brush.disc(base, 0.17, OUT, scaled(brush.lit(cap, base, (0.0, -1.0, 0.0)), 0.55))
        brush.rod(base, head, 0.17, 0.165, cap, shine=0.7 * power)
        brush.disc(head, 0.165, OUT, mix(brush.lit(cap, head, OUT), cap, 0.8 * power))
        brush.disc(add(head, (-0.02, 0.02, 0.02)), 0.10, OUT, mix(cap, (1.0, 1.0, 1.0), 0.18 + 0.4 * power), alpha=0.7)

    def glows(moment: Moment) -> Iterator[Glow]:
        share = moment.number("glow", moment.number("level", 0.6 if not shows else 0.0)) * (1.0 - moment.dead)
        for x, y, _ in placed.spots:
            light = colour(moment.step("tint", STEPS, 0.0))
            yield Glow((x + 0.25, y - 0.08, 1.12), 0.5, light, 0.1 + 0.5 * share + 0.5 * moment.alert, False)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.8, 0.55, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(desk, x=x, y=y),
            under=Under(draw=partial(plinth, x=x, y=y), key=lambda key: key[1:2]),
            key=key,
            box=((x - 0.56, y - 0.42, 0.0), (x + 0.56, y + 0.32, 1.22)),
            depth=(x, y + FRONT),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="button_console",
    summary="a slanted desk with a big button; glow or level lights it, tint colours it, a press sinks it",
    words="a control desk with one large button",
    build=build,
    props={"glow": "share", "level": "share", "tint": "share"},
    footprint=(1.1, 0.7),
    height=1.15,
    contact=lambda placed: (placed.spots[0][0] + 0.25, placed.spots[0][1] - 0.08, 1.15),
)
