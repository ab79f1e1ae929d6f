"""What stands around a zone: glass, a fence, a rail. Own design.

Panes behind the things in a zone are drawn before them, panes in front of them after; all are thin enough to leave
everything visible, and none is an entity of the block.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflictbench.envs.visual.block import Block, Zone
from conflictbench.envs.visual.names import Enclosure
from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, lerp
from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.compiling import DOOR_AT, Compiler, Node
from conflictbench.envs.visual.procedural.glyph import Glyph, Key, Part, Placed, Sprite

HEIGHT: dict[Enclosure, float] = {"glass": 2.25, "fence": 1.7, "rail": 1.05}
GAP = 0.74  # half of the opening for a door
METAL: RGB = (0.44, 0.46, 0.50)


def enclosure_nodes(block: Block, compiler: Compiler) -> list[Node]:
    """One node a zone that has an enclosure."""
    found = []
    for zone in block.zones:
        if zone.enclosure is None:
            continue
        x0, y0, _, _ = zone.rect
        colour = compiler.sides()[zone.id]
        placed = compiler.bare(f"enclosure of {zone.id}", (x0, y0, 0.0), colour)
        parts = tuple(_parts(zone, zone.enclosure, colour, placed))
        found.append(Node(placed.id, -1, _GLYPH, placed, parts))
    return found


def _parts(zone: Zone, kind: Enclosure, colour: RGB, placed: Placed) -> Iterator[Part]:
    wide, deep = zone.rect[2] - zone.rect[0], zone.rect[3] - zone.rect[1]
    high = HEIGHT[kind]
    front: list[tuple[Vec2, Vec2]] = [((0.0, 0.0), (wide, 0.0))]
    if zone.door is not None:
        middle = DOOR_AT * wide
        front = [((0.0, 0.0), (middle - GAP, 0.0))]
        if middle + GAP < wide:
            front.append(((middle + GAP, 0.0), (wide, 0.0)))
    panes = [((0.0, deep), (wide, deep), False), ((0.0, deep), (0.0, 0.0), False), ((wide, deep), (wide, 0.0), False)]
    centre = zone.rect[0] + wide / 2
    panes += [(a, b, True) for a, b in front]
    for a, b, before in panes:
        aside = a[0] == b[0]
        # A side pane that faces the middle of the picture stands between the viewer and what is in the zone.
        near = before or (aside and (a[0] > 0) == (centre < placed.room[0] / 2))
        yield Sprite(
            draw=partial(_pane, kind=kind, a=a, b=b, high=high, colour=colour),
            box=((min(a[0], b[0]), min(a[1], b[1]), 0.0), (max(a[0], b[0]), max(a[1], b[1]), high)),
            depth=(a[0], 0.0) if near else (a[0], deep),
            veil=True,
        )


def _pane(brush: Brush, key: Key, kind: Enclosure, a: Vec2, b: Vec2, high: float, colour: RGB) -> None:
    low_a, low_b = (*a, 0.0), (*b, 0.0)
    top_a, top_b = (*a, high), (*b, high)
    metal = brush.lit(METAL, lerp(top_a, top_b, 0.5), (0.0, -0.7, 0.6))
    long = ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
    posts = max(1, round(long / 1.6))
    if kind == "glass":
        tint = mix((0.62, 0.80, 0.90), colour, 0.12)
        brush.polygon([low_a, low_b, top_b, top_a], tint, alpha=0.055)
        for k in range(posts):
            left, right = lerp(low_a, low_b, (k + 0.18) / posts), lerp(low_a, low_b, (k + 0.42) / posts)
            shine: list[Vec3] = [
                left, right, (lerp(right, low_b, 0.16)[0], lerp(right, low_b, 0.16)[1], high),
                (lerp(left, low_b, 0.16)[0], lerp(left, low_b, 0.16)[1], high),
            ]  # fmt: skip
            brush.polygon(shine, (0.85, 0.93, 1.0), alpha=0.05)
        brush.line([low_a, low_b], 0.05, metal)
        brush.line([top_a, top_b], 0.065, metal)
        brush.line([(*a, high + 0.02), (*b, high + 0.02)], 0.018, mix(metal, (1.0, 1.0, 1.0), 0.5), alpha=0.8)
    elif kind == "fence":
        for k in range(1, 8):
            brush.line([(*a, high * k / 8), (*b, high * k / 8)], 0.01, metal, alpha=0.5)
        for k in range(1, int(long / 0.22)):
            foot = lerp(low_a, low_b, k * 0.22 / long)
            brush.line([foot, (foot[0], foot[1], high)], 0.01, metal, alpha=0.5)
        brush.line([top_a, top_b], 0.05, metal)
    else:
        for share in (0.5, 1.0):
            brush.line([(*a, high * share), (*b, high * share)], 0.055, mix(metal, (0.95, 0.75, 0.15), 0.55))
    for k in range(posts + 1):
        foot = lerp(low_a, low_b, k / posts)
        brush.rod(foot, (foot[0], foot[1], high), 0.032, 0.032, METAL)


def _nothing(placed: Placed) -> Iterator[Part]:
    return iter(())


_GLYPH = Glyph(name="enclosure", summary="", build=_nothing)
