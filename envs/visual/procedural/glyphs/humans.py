"""A group of people: how many are there, how they stand, who lies on the floor. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import NAMED, RGB, mix
from conflictbench.envs.visual.procedural.figures import PHASES, Outfit, distinct, draw_figure, posed
from conflictbench.envs.visual.procedural.glyph import Billboards, Glyph, Key, Moment, Part, Placed, Stand

POSES = ("stand", "walk", "work", "alarm", "crouch", "down")
BLEND = 8
LOOKS = 10  # different people in a crowd: beyond it pictures are shared
SKINS: tuple[RGB, ...] = (
    (0.86, 0.66, 0.52),
    (0.62, 0.42, 0.30),
    (0.78, 0.58, 0.43),
    (0.42, 0.28, 0.21),
    (0.92, 0.74, 0.62),
)
HAIR: tuple[RGB, ...] = ((0.10, 0.08, 0.07), (0.30, 0.19, 0.11), (0.52, 0.38, 0.20), (0.45, 0.44, 0.43))
SHIRTS = ("teal", "rust", "purple", "blue", "sand", "pink", "lime", "silver")
SPEED = {"stand": 0.35, "walk": 1.5, "work": 0.8, "alarm": 1.6, "crouch": 0.7, "down": 0.0}  # cycles a second


def outfit(placed: Placed, number: int) -> Outfit:
    """What the number-th of them wears: by role, with small differences."""
    skin = SKINS[int(placed.noise("skin", number) * len(SKINS))]
    hair = HAIR[int(placed.noise("hair", number) * len(HAIR))]
    shirt = NAMED[SHIRTS[int(placed.noise("shirt", number) * len(SHIRTS))]]
    size = 0.96 + 0.08 * placed.noise("size", number)
    navy: RGB = (0.24, 0.31, 0.44)
    if placed.role == "medic":
        return Outfit((0.80, 0.84, 0.85), (0.45, 0.62, 0.62), None, None, hair, skin, size, cross=True)
    if placed.role == "patient":
        return Outfit((0.66, 0.78, 0.84), (0.66, 0.78, 0.84), None, None, hair, skin, size)
    if placed.role == "civilian":
        return Outfit(shirt, (0.25, 0.27, 0.33), None, None, hair, skin, size)
    if placed.role == "child":
        return Outfit(mix(shirt, (1.0, 0.9, 0.5), 0.25), navy, None, None, hair, skin, size * 0.76)
    if placed.role == "diver":
        return Outfit(
            (0.15, 0.16, 0.19),
            (0.13, 0.14, 0.17),
            placed.colour,
            (0.14, 0.15, 0.18),
            hair,
            skin,
            size,
            (0.85, 0.7, 0.15),
        )
    if placed.role == "firefighter":
        return Outfit(
            (0.36, 0.30, 0.20),
            (0.30, 0.26, 0.19),
            NAMED["amber"],
            (0.85, 0.16, 0.12),
            hair,
            skin,
            size,
            (0.5, 0.5, 0.52),
        )
    if placed.role == "crew":
        return Outfit(navy, navy, placed.colour, None, hair, skin, size)
    return Outfit(navy, (0.21, 0.27, 0.39), placed.colour, NAMED["yellow"], hair, skin, size)


def build(placed: Placed) -> Iterator[Part]:
    """One billboard a person; who is counted last leaves and falls first."""
    looks = min(placed.count, LOOKS)
    outfits = [outfit(placed, look) for look in range(looks)]
    facings = [0.7 * (placed.noise("facing", look) - 0.5) for look in range(looks)]

    def draw(brush: Brush, key: Key) -> None:
        look, before, after, share, phase, heading, carrying = (int(k or 0) for k in key)
        facing = heading * 0.9 if heading else facings[look]
        wearing = outfits[look]
        bones = posed(POSES[before], POSES[after], share / BLEND, phase, facing, wearing.size)
        draw_figure(brush, bones, wearing, load=(0.70, 0.52, 0.30) if carrying else None)

    def place(moment: Moment) -> Iterator[Stand]:
        present = moment.number("present", placed.count) if moment.known("present") else float(placed.count)
        fallen = moment.number("down", 0.0)
        pose = moment.word("pose", "stand")
        before = moment.previous.get("pose", pose)
        for number, spot in enumerate(placed.spots):
            seen = min(max(present - number, 0.0), 1.0)
            if seen <= 0.0:
                continue
            last = placed.count - 1 - number
            lying = round(BLEND * min(max(fallen - last, 0.0), 1.0))
            if moment.heading:
                pair, share = ("walk", "walk"), 0
            elif lying:
                pair, share = (pose, "down"), lying
            elif moment.motion and moment.work > 0.0:
                pair, share = (pose, "work"), round(BLEND * moment.work)
            else:
                late = 0.25 * placed.noise("late", number)
                pair, share = (before, pose), round(BLEND * min(max((moment.share - late) / (1.0 - late), 0.0), 1.0))
            if pair[0] == pair[1] or share == 0:
                pair, share = (pair[0], pair[0]), 0
            elif share == BLEND:
                pair, share = (pair[1], pair[1]), 0
            cycle = SPEED[pair[1]]
            phase = distinct(pair[1], moment.phase(PHASES, cycle, placed.noise("phase", number))) if cycle else 0
            heading = round(moment.heading)
            names = (POSES.index(pair[0]), POSES.index(pair[1]))
            yield Stand(
                spot, (number % looks, *names, share, phase, heading, int(moment.carrying and number == 0)), seen
            )

    yield Billboards(draw=draw, box=((-1.3, -0.8, -0.15), (1.3, 0.8, 2.4)), place=place)


GLYPH = Glyph(
    name="humans",
    summary="people, by role; present counts them, pose says what they do, down how many lie on the floor",
    words="people",
    build=build,
    props={"present": "count", "pose": "pose", "down": "count"},
    movable=True,
    places=("zone", "at"),
    footprint=(0.6, 0.5),
    height=1.9,
    apart=True,
    solid=False,
    role=True,
    contact=lambda placed: (placed.spots[0][0] + 0.3, placed.spots[0][1] - 0.3, 1.1),
)
