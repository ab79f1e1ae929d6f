"""A quadcopter on its pad; it flies while it is away from home or its `level` lifts it. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.vehicles import faded

SPAN, HIGH, CRUISE = 1.25, 0.55, 1.3  # metres; cruise: how high it flies
ARM = 0.46
SHELL: RGB = (0.20, 0.21, 0.235)


def build(placed: Placed) -> Iterator[Part]:
    """Drones; the one counted last leaves first."""
    paint = scaled(mix(placed.colour, (0.8, 0.8, 0.8), 0.2), 0.62)

    def key(number: int, moment: Moment) -> Key | None:
        there = moment.number("present", placed.count) if moment.known("present") else float(placed.count)
        seen = round(8 * min(max(there - number, 0.0), 1.0))
        if not seen:
            return None
        lost = moment.number("down", 0.0) > placed.count - 1 - number + 0.5 or moment.dead > 0.5
        away = (moment.shift[0] ** 2 + moment.shift[1] ** 2) ** 0.5
        height = 0.0 if lost else max(min(away / 0.8, 1.0), moment.number("level", 0.0), 0.35 * moment.work)
        spinning = not lost and (height > 0.0 or moment.number("spin", 0.0) != 0.0)
        carrying = moment.carrying or moment.number("load", 0.0) > 0.5
        return (
            seen, round(32 * height), 1 + moment.phase(6, 5.0, number / 6) if spinning else 0, int(carrying), int(lost),
            moment.step("tint", 16, 0.0) if "tint" in placed.bound else -1,
            max(moment.step("glow", 8, 0.4) // (2 - moment.phase(2, 1.0)), round(8 * moment.alert)),
        )  # fmt: skip

    def draw(brush: Brush, key: Key, x: float, y: float) -> None:
        seen, up, turn, carrying, lost, tint, glow = (int(k or 0) for k in key)
        z = 0.30 + CRUISE * up / 32
        tone = scaled(paint, 0.4) if lost else paint
        with faded(brush, seen / 8):
            brush.shadow(0.62 * (1 + up / 64), 0.42, 0.55 * (1 - up / 60), (x, y, 0.0))
            for side in (-0.26, 0.26):
                for leg in (-0.2, 0.2):
                    brush.rod((x + side * 0.7, y + leg * 0.7, z), (x + side, y + leg, z - 0.27), 0.018, 0.018, SHELL)
                brush.rod((x + side, y - 0.3, z - 0.28), (x + side, y + 0.3, z - 0.28), 0.025, 0.025, SHELL)
            if carrying:
                brush.box((x - 0.17, y - 0.15, z - 0.27), (x + 0.17, y + 0.15, z - 0.06), (0.62, 0.46, 0.28))
                brush.box((x - 0.03, y - 0.153, z - 0.27), (x + 0.03, y - 0.15, z - 0.06), (0.75, 0.2, 0.15), edge=0.0)
            hubs = [(x + ARM * dx, y + ARM * dy * 0.8, z + 0.10) for dx, dy in ((-1, 1), (1, 1), (-1, -1), (1, -1))]
            for k in (0, 1):
                rotor(brush, hubs[k], turn, k, lost)
            for hub in hubs:
                brush.rod((x, y, z + 0.02), (hub[0], hub[1], z + 0.04), 0.04, 0.03, SHELL)
            brush.lathe([(0.13, z - 0.10), (0.22, z - 0.02), (0.22, z + 0.06), (0.10, z + 0.15)], tone, centre=(x, y))
            if tint >= 0:
                band = [(x - 0.2, y - 0.11, z + 0.02), (x, y - 0.23, z + 0.02), (x + 0.2, y - 0.11, z + 0.02)]
                brush.line(band, 0.05, heat(tint / 16))
            brush.dot((x, y - 0.22, z - 0.05), 0.055, (0.05, 0.06, 0.08))
            brush.dot((x, y - 0.23, z - 0.05), 0.026, (0.35, 0.6, 0.8))
            for k in (2, 3):
                rotor(brush, hubs[k], turn, k, lost)
            for k, hub in enumerate(hubs):
                lamp: RGB = (0.3, 0.9, 0.45) if k % 2 else (1.0, 0.22, 0.16)
                brush.dot(
                    (hub[0], hub[1] - 0.03, z - 0.02), 0.035, mix((0.15, 0.15, 0.15), lamp, 0.2 if lost else glow / 8)
                )

    def rotor(brush: Brush, hub: tuple[float, float, float], turn: int, number: int, lost: int) -> None:
        brush.rod((hub[0], hub[1], hub[2] - 0.07), hub, 0.045, 0.045, (0.34, 0.35, 0.37))
        if turn:
            brush.disc(hub, 0.30, (0.0, 0.0, 1.0), (0.72, 0.76, 0.80), alpha=0.22)
            brush.ring(hub, 0.30, (0.0, 0.0, 1.0), 0.014, (0.85, 0.88, 0.9), alpha=0.4)
        a = pi * (turn / 6 if turn else 0.14 + 0.2 * number) + number
        droop = 0.06 if lost else 0.0
        blade = [(hub[0] + s * 0.3 * cos(a), hub[1] + s * 0.3 * sin(a), hub[2] - droop) for s in (-1, 0, 1)]
        blade[1] = hub
        brush.line(blade, 0.05, brush.lit((0.16, 0.165, 0.18), hub, (0.0, -0.3, 0.9)), alpha=0.45 if turn else 1.0)

    def glows(moment: Moment) -> Iterator[Glow]:
        for number, (x, y, _) in enumerate(placed.spots):
            state = key(number, moment)
            if state is not None and not state[4]:
                power = 0.5 * float(state[6] or 0) / 8 * float(state[0] or 0) / 8
                yield Glow((x, y - 0.2, 0.3 + CRUISE * float(state[1] or 0) / 32), 0.5, placed.colour, power)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.disc(
                (x, y, 0.0),
                0.72,
                (0.0, 0.0, 1.0),
                brush.lit((0.15, 0.155, 0.17), (x, y, 0.0), (0.0, 0.0, 1.0)),
                alpha=0.9,
            )
            brush.ring((x, y, 0.0), 0.66, (0.0, 0.0, 1.0), 0.05, scaled(placed.colour, 0.8), alpha=0.9)
            for a, b in (((-0.2, 0.25), (-0.2, -0.25)), ((0.2, 0.25), (0.2, -0.25)), ((-0.2, 0.0), (0.2, 0.0))):
                brush.line([(x + a[0], y + a[1], 0.0), (x + b[0], y + b[1], 0.0)], 0.07, (0.75, 0.76, 0.78), alpha=0.8)

    yield Floor(draw=floor)
    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(draw, x=x, y=y),
            key=partial(key, number),
            box=((x - 0.85, y - 0.75, -0.1), (x + 0.85, y + 0.75, CRUISE + HIGH + 0.2)),
            depth=(x, y - 0.35),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="drone",
    summary="a quadcopter on a pad; level lifts it, spin turns its rotors, load hangs under it, down crashes it",
    words="a delivery drone",
    build=build,
    props={
        "present": "count",
        "level": "share",
        "spin": "signed",
        "load": "share",
        "glow": "share",
        "tint": "share",
        "down": "count",
    },
    movable=True,
    places=("at", "zone"),
    footprint=(SPAN, 1.1),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.3, 0.35),
)
