"""A sliding door in a frame, with a lamp and the word SHUT or OPEN; `open` slides it. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

WIDE, HIGH, THICK = 1.16, 2.12, 0.14
FRAME: RGB = (0.30, 0.31, 0.33)
LEAF: RGB = (0.46, 0.49, 0.53)
RED: RGB = (1.0, 0.20, 0.14)
GREEN: RGB = (0.30, 0.95, 0.45)
STEPS = 24


def opening(moment: Moment, bound: bool) -> float:
    """How far it is open: the bound share, or open and shut again while a motion works it."""
    return moment.number("open", 0.0) if bound else moment.work


def build(placed: Placed) -> Iterator[Part]:
    """The leaf slides upwards into the lintel, so that it hides nothing beside it."""
    bound = "open" in placed.bound

    def key(moment: Moment) -> Key:
        state = -1 if not moment.known("open") else round(STEPS * min(max(opening(moment, bound), 0.0), 1.0))
        busy = max(moment.alert, moment.work) > 0.3
        return (state, busy and moment.phase(2, 2.0) == 1)

    def draw(brush: Brush, key: Key) -> None:
        state, blink = int(key[0] or 0), bool(key[1])
        share = max(state, 0) / STEPS
        half = WIDE / 2
        lamp = (0.75, 0.72, 0.55) if state < 0 else GREEN if share > 0.5 else RED
        word = "--" if state < 0 else "OPEN" if share > 0.5 else "SHUT"
        brush.box((-half - 0.13, 0.0, 0.0), (-half, THICK, HIGH), FRAME)
        brush.box((half, 0.0, 0.0), (half + 0.13, THICK, HIGH), FRAME)
        if share < 0.97:
            bottom = HIGH * share
            with brush.sheet(
                (-half, 0.05, HIGH), (WIDE, 0.0, 0.0), (0.0, 0.0, -(HIGH - bottom)), 116.0, clip=True
            ) as leaf:
                leaf.rect(0, 0, leaf.wide, leaf.high, LEAF)
                low = leaf.high  # drawn from its lower edge: what is above has gone into the lintel
                leaf.rect(5, low - 207, leaf.wide - 10, 200, mix(LEAF, (1.0, 1.0, 1.0), 0.07), radius=5)
                leaf.rect(22, low - 168, leaf.wide - 44, 52, (0.10, 0.14, 0.18), radius=5)
                leaf.polygon(
                    [(28, low - 118), (52, low - 166), (64, low - 166), (40, low - 118)], (0.6, 0.7, 0.8), alpha=0.28
                )
                leaf.rect(12, low - 98, leaf.wide - 24, 26, (0.08, 0.085, 0.09), radius=3, lit=True)
                leaf.text(leaf.wide / 2, low - 78, word, 19, lamp, align="center", face="mono_bold", lit=True)
                leaf.stripes(5, low - 34, leaf.wide - 10, 24, (0.80, 0.60, 0.12), (0.08, 0.08, 0.09), step=14)
                leaf.rect(0, low - 3, leaf.wide, 3, (0.1, 0.1, 0.1))
        brush.box((-half - 0.13, -0.03, HIGH), (half + 0.13, THICK + 0.03, HIGH + 0.40), FRAME)
        with brush.sheet(
            (-half + 0.02, -0.035, HIGH + 0.36), (WIDE - 0.04, 0.0, 0.0), (0.0, 0.0, -0.31), 112.0
        ) as sign:
            sign.rect(0, 0, sign.wide, sign.high, (0.07, 0.075, 0.085), radius=3)
            shown = mix(lamp, (1.0, 1.0, 1.0), 0.45) if blink else lamp
            sign.rect(5, 5, 22, sign.high - 10, shown, radius=3, lit=True)
            sign.text(34, sign.high - 9, word, 18, shown, face="mono_bold", room=sign.wide - 40, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        state = key(moment)[0]
        colour = GREEN if isinstance(state, int) and state > STEPS / 2 else RED
        power = 0.75 if moment.work > 0.3 and moment.phase(2, 2.0) else 0.45
        if moment.known("open"):
            yield Glow((-WIDE / 2 + 0.14, -0.08, HIGH + 0.2), 0.5, colour, power)

    def floor(brush: Brush) -> None:
        brush.shadow(WIDE * 0.75, 0.3, 0.45)

    yield Floor(draw=floor)
    yield Sprite(
        draw=draw,
        key=key,
        box=((-WIDE / 2 - 0.15, -0.05, 0.0), (WIDE / 2 + 0.15, THICK + 0.05, HIGH + 0.42)),
        depth=(0.0, 0.0),
    )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="door",
    summary="a door in its frame, by itself or in a zone's front; open lifts the leaf, lamp and word say SHUT or OPEN",
    words="a steel door",
    build=build,
    props={"open": "share"},
    movable=True,
    places=("at", "door"),
    footprint=(WIDE + 0.3, 0.4),
    height=HIGH + 0.4,
    contact=lambda placed: (WIDE / 2 + 0.07, -0.1, 1.2),
    port=lambda height: (0.0, 0.0, height),
    solid=True,
)
