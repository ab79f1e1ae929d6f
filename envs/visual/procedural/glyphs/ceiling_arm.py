"""A jointed arm on a rail under the ceiling: the agent's hand. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, cross, dot, length, lerp, scale, sub, unit
from conflictbench.envs.visual.procedural.colours import RGB
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Live, Moment, Part, Placed, Sprite

LINK = 2.0  # metres; longer where it must reach farther
REST: Vec3 = (0.85, -0.10, -0.85)
ORANGE: RGB = (0.92, 0.48, 0.10)
DARK: RGB = (0.22, 0.22, 0.24)


def carriage(placed: Placed, hand: Vec3) -> Vec3:
    """Where on its rail the arm hangs for a place of the hand; local."""
    share = min(1.0, max(0.0, (length(hand) - length(REST)) / 1.5))
    aside = 0.9 if hand[0] + placed.at[0] < placed.room[0] / 2 else -0.9
    goal = hand[0] + aside
    low, high = 0.5 - placed.at[0], placed.room[0] - 0.5 - placed.at[0]
    return (min(max(goal * share, low), high), 0.0, 0.0)


def elbow(shoulder: Vec3, wrist: Vec3) -> Vec3:
    """The joint of two equal links, bent outwards and up."""
    away = sub(wrist, shoulder)
    half = length(away) / 2
    link = max(LINK, half * 1.06)
    ahead = unit(away)
    wish: Vec3 = (1.0 if away[0] <= 0 else -1.0, -0.25, 0.75)
    bend = unit(sub(wish, scale(ahead, dot(wish, ahead))))
    return add(lerp(shoulder, wrist, 0.5), scale(bend, (link * link - half * half) ** 0.5 * 0.75))


def build(placed: Placed) -> Iterator[Part]:
    """A rail that stays, and an arm that is drawn in every frame."""

    def rail(brush: Brush, key: Key) -> None:
        left, right = -placed.at[0] + 0.05, placed.room[0] - placed.at[0] - 0.05
        brush.rod((left, 0.0, 0.16), (right, 0.0, 0.16), 0.07, 0.07, (0.36, 0.35, 0.35))

    def arm(brush: Brush, moment: Moment) -> None:
        hand = moment.hand or REST
        top = carriage(placed, hand)
        shoulder = add(top, (0.0, 0.0, -0.22))
        wrist = add(hand, (0.0, -0.05, 0.24))
        middle = elbow(shoulder, wrist)
        brush.box(add(top, (-0.34, -0.2, -0.14)), add(top, (0.34, 0.2, 0.14)), (0.62, 0.36, 0.08), edge=0.5)
        brush.sphere(shoulder, 0.20, DARK)
        brush.rod(shoulder, middle, 0.15, 0.115, ORANGE)
        brush.rod(lerp(shoulder, middle, 0.12), lerp(shoulder, middle, 0.3), 0.165, 0.155, DARK)
        brush.sphere(middle, 0.17, (0.30, 0.33, 0.37))
        brush.rod(middle, wrist, 0.11, 0.075, ORANGE)
        brush.sphere(wrist, 0.095, (0.34, 0.35, 0.38))
        if moment.carrying:
            low, high = add(hand, (-0.17, -0.17, -0.27)), add(hand, (0.17, 0.17, 0.02))
            brush.box(low, high, (0.72, 0.54, 0.30), edge=0.5)
        _gripper(brush, wrist, hand, max(moment.grip, 0.8 if moment.carrying else 0.0))

    def glows(moment: Moment) -> Iterator[Glow]:
        hand = moment.hand or REST
        wrist = add(hand, (0.0, -0.05, 0.24))
        middle = elbow(add(carriage(placed, hand), (0.0, 0.0, -0.22)), wrist)
        yield Glow(middle, 0.34, (0.45, 0.75, 1.0), 0.55, mirrored=False)
        if moment.work > 0.3:
            yield Glow(hand, 0.5, (1.0, 0.9, 0.6), 0.75 * moment.work, mirrored=False)

    reach: Vec3 = (placed.room[0], 9.0, placed.at[2] + 0.3)
    yield Sprite(draw=rail, box=((-reach[0], -0.2, 0.0), (reach[0], 0.2, 0.4)), depth=(0.0, 0.0))
    yield Live(draw=arm, box=((-reach[0], -reach[1], -reach[2]), (reach[0], reach[1], 0.4)), depth=(0.0, -1.0))
    yield Glows(at=glows)


def _gripper(brush: Brush, wrist: Vec3, hand: Vec3, grip: float) -> None:
    ahead = unit(sub(hand, wrist))
    side = unit(cross(ahead, (0.0, 1.0, 0.0)))
    spread = 0.13 - 0.07 * grip
    steel = brush.lit((0.62, 0.64, 0.68), hand, (0.0, -0.8, 0.5))
    for sign in (-1.0, 1.0):
        knuckle = add(lerp(wrist, hand, 0.35), scale(side, sign * (spread + 0.05)))
        tip = add(add(hand, scale(side, sign * spread * 0.6)), scale(ahead, 0.02))
        brush.line([wrist, knuckle, tip], 0.075, (0.07, 0.07, 0.08))
        brush.line([wrist, knuckle, tip], 0.05, steel)


GLYPH = Glyph(
    name="ceiling_arm",
    summary="a jointed arm on a rail under the ceiling; it reaches for what an action works on",
    words="a robot arm",
    build=build,
    dock=True,
    places=(),
    height=1.0,
    solid=False,
    contact=lambda placed: REST,
)
