"""A wide window in the back wall: hills at dusk, and the frame and the weather of every other view. Own design."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi, sin
from typing import TypeAlias

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix, ramp, scaled
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.sheet import Sheet

View: TypeAlias = Callable[[Sheet, Placed, float], None]  # draws what is outside; the last: 0..1 of its slow beat
PHASES = 8
STEPS = 16
UNITS = 60.0  # of a sheet a metre
FRAME: RGB = (0.15, 0.155, 0.17)
DUSK: tuple[RGB, ...] = ((0.10, 0.13, 0.26), (0.26, 0.24, 0.40), (0.62, 0.38, 0.38), (0.95, 0.62, 0.34))


def window(
    placed: Placed,
    view: View,
    weather: RGB,
    glow: RGB,
    *,
    low: float = 1.5,
    high: float = 3.6,
    slant: float = 26.0,
    bars: int = 4,
) -> Iterator[Part]:
    """A strip over the back wall; one with a place is 4.4 m wide about it.

    Args:
        view: what is seen when the air is clear.
        weather: colour of what `haze` brings: snow, rain, dust, fog.
        glow: colour of the light that comes in.
        low, high: metres over the floor.
        slant: how far in units the weather drives to the side.
        bars: panes beside each other.
    """
    room_wide, deep, room_high = placed.room
    away = deep - placed.at[1]
    if abs(placed.at[0] - room_wide / 2) < 0.01:
        left, right = 0.29 * room_wide, 0.955 * room_wide  # the room's sign is on the left of it
    else:
        left, right = max(placed.at[0] - 2.2, 0.3), min(placed.at[0] + 2.2, room_wide - 0.3)
    left, right, top = left - placed.at[0], right - placed.at[0], min(high, room_high - 0.25)

    def key(moment: Moment) -> Key:
        return (
            moment.step("haze", STEPS, 0.0), moment.phase(PHASES, 0.16), round(4 * max(moment.work, moment.alert)),
            int(moment.dead > 0.7),
        )  # fmt: skip

    def draw(brush: Brush, key: Key) -> None:
        thick, phase, busy, dead = (int(k or 0) for k in key)
        wide = right - left
        y = away - 0.03
        with brush.sheet(
            (left - 0.1, y, top + 0.1), (wide + 0.2, 0.0, 0.0), (0.0, 0.0, low - top - 0.2), 100.0 * (wide + 0.2)
        ) as frame:
            frame.rect(0, 0, frame.wide, frame.high, FRAME, radius=6)
            frame.rect(
                3, 3, frame.wide - 6, frame.high - 6, mix(scaled(FRAME, 1.7), glow, 0.2 * busy), radius=5, stroke=3
            )
        with brush.sheet((left, y, top), (wide, 0.0, 0.0), (0.0, 0.0, low - top), UNITS * wide, clip=True) as pane:
            view(pane, placed, phase / PHASES)
            driving(pane, thick / STEPS, phase)
            dim = 0.42 * (1.0 - min(1.0, sum(pane.light) / 2.4))  # as dark as the room: the eye is to stay within
            pane.rect(0, 0, pane.wide, pane.high, (0.0, 0.0, 0.0), alpha=dim, lit=True)
            for k in range(5):
                x = pane.wide * (0.06 + 0.21 * k)
                pane.polygon(
                    [(x, pane.high), (x + 16, pane.high), (x + 52, 0), (x + 36, 0)],
                    (1.0, 1.0, 1.0),
                    alpha=0.035,
                    lit=True,
                )
            for k in range(1, bars):
                pane.rect(pane.wide * k / bars - 2.2, 0, 4.4, pane.high, FRAME)
            if dead:
                pane.line(
                    [(pane.wide * 0.4, 0), (pane.wide * 0.44, pane.high * 0.5), (pane.wide * 0.39, pane.high)],
                    (0.9, 0.95, 1.0),
                    1.0,
                    lit=True,
                )
        with brush.sheet((left - 0.1, y - 0.02, low - 0.04), (wide + 0.2, 0.0, 0.0), (0.0, 0.0, -0.1), 100.0) as sill:
            sill.rect(0, 0, sill.wide, sill.high, scaled(FRAME, 2.2))

    def driving(pane: Sheet, haze: float, phase: int) -> None:
        """A veil, and flakes or drops that drive across; thicker air is thicker in both."""
        if haze <= 0.0:
            return
        for band, alpha in enumerate((0.5, 0.2, 0.2, 0.25, 0.3)):  # thickest near the ground
            top = pane.high * band / 5
            pane.rect(0, top, pane.wide, pane.high - top, weather, alpha=alpha * haze, lit=True)
        for k in range(round(150 * haze)):
            speed = 1 + int(2 * placed.noise("speed", k))  # whole laps a beat: the last picture leads to the first
            x = (pane.wide * placed.noise("x", k) + speed * pane.wide * phase / PHASES) % pane.wide
            y = (pane.high * placed.noise("y", k) + pane.high * phase / PHASES) % pane.high
            long = slant * (0.35 + 0.65 * haze) * (0.4 + 0.6 * placed.noise("long", k))
            end = (max(x - long, 0.0), max(y - 0.22 * long, 0.0))
            pane.line([(x, y), end], mix(weather, (1.0, 1.0, 1.0), 0.6), 1.5, alpha=0.55, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        haze = moment.number("haze", 0.0)
        for share in (0.2, 0.5, 0.8):
            at = (left + (right - left) * share, away - 0.1, (low + top) / 2)
            yield Glow(at, 1.3, mix(glow, weather, haze), 0.10 + 0.5 * moment.alert, mirrored=False)

    yield Sprite(
        draw=draw,
        key=key,
        box=((left - 0.15, away - 0.1, low - 0.2), (right + 0.15, away, top + 0.15)),
        depth=(0.0, away + 0.6),
    )
    yield Glows(at=glows)


def sky(pane: Sheet, stops: tuple[RGB, ...], down_to: float) -> None:
    """Bands of colour from the top to a share of the height."""
    bands = 18
    for k in range(bands):
        pane.rect(
            0,
            pane.high * down_to * k / bands,
            pane.wide,
            pane.high * down_to / bands + 1,
            ramp(stops, k / (bands - 1)),
            lit=True,
        )


def ridge(pane: Sheet, placed: Placed, name: str, base: float, rough: float, colour: RGB, steps: int = 26) -> None:
    """A jagged skyline from the left to the right edge, filled to the bottom; `base`, `rough`: shares of the height."""
    points = [(0.0, pane.high)]
    for k in range(steps + 1):
        rise = rough * (0.6 * placed.noise(name, k // 4) + 0.4 * placed.noise(name, k, "fine"))
        points.append((pane.wide * k / steps, pane.high * (base - rise)))
    pane.polygon([*points, (pane.wide, pane.high)], colour, lit=True)


def _hills(pane: Sheet, placed: Placed, beat: float) -> None:
    sky(pane, DUSK, 0.8)
    x, y = pane.wide * 0.72, pane.high * 0.56
    for radius, alpha in ((44.0, 0.12), (28.0, 0.2), (15.0, 1.0)):
        pane.circle(x, y, radius, (1.0, 0.84, 0.55), alpha=alpha, lit=True)
    for k in range(7):
        drift = 7.0 * sin(2 * pi * (beat + placed.noise("cloud", k)))
        long = 50 + 60 * placed.noise("cl", k)
        cx = long / 2 + 8 + (pane.wide - long - 16) * placed.noise("cx", k) + drift
        cy = pane.high * (0.08 + 0.34 * placed.noise("cy", k))
        pane.rect(cx - long / 2, cy, long, 5, (0.95, 0.70, 0.62), alpha=0.28, radius=2.5, lit=True)
        pane.rect(cx - long / 3, cy - 4, long * 0.55, 5, (0.95, 0.70, 0.62), alpha=0.22, radius=2.5, lit=True)
    ridge(pane, placed, "far", 0.70, 0.34, (0.34, 0.28, 0.38))
    ridge(pane, placed, "middle", 0.84, 0.30, (0.20, 0.19, 0.26))
    ridge(pane, placed, "near", 0.99, 0.24, (0.10, 0.11, 0.14))
    for k in range(9):
        on = sin(2 * pi * (beat + placed.noise("lamp", k))) > -0.6
        at = (pane.wide * placed.noise("lx", k), pane.high * (0.88 + 0.09 * placed.noise("ly", k)))
        pane.circle(*at, 1.5, (1.0, 0.85, 0.5), alpha=0.9 if on else 0.4, lit=True)


GLYPH = Glyph(
    name="backdrop",
    summary="a wide window on hills at dusk; haze hides them behind driving snow",
    words="a wide window with hills at dusk behind it",
    build=lambda placed: window(placed, _hills, (0.70, 0.72, 0.76), (1.0, 0.7, 0.45)),
    props={"haze": "share"},
    places=("", "at"),
    footprint=(4.4, 0.1),
    height=3.6,
    contact=lambda placed: (0.0, placed.room[1] - placed.at[1] - 0.3, 1.5),
    solid=False,
)
