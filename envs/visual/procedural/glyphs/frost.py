"""Frost: ice creeps in from the edges, crystals stand up, cold air lies low; `density` is how far. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import (
    Billboards,
    Glow,
    Glows,
    Glyph,
    Key,
    Moment,
    Part,
    Placed,
    Rect,
    Sprite,
    Stand,
)
from conflictbench.envs.visual.procedural.vapour import Cloud, cloud, filled

ICE: RGB = (0.80, 0.90, 0.98)
STEPS = 16
PATCHES, SHARDS, SHAPES = 16, 26, 5
FEW = 11  # crystals about a place


def build(placed: Placed) -> Iterator[Part]:
    """Patches and crystals come one after the other, those at the edges first."""
    ice = placed.own or ICE
    fills = filled(placed) is not None
    x0, y0, x1, y1 = filled(placed) or about(placed.spots)
    wide, deep = x1 - x0, y1 - y0

    def somewhere(what: str, k: int) -> Vec3:
        """A place; the first ones lie at the rim, the last ones in the middle."""
        a = 2 * pi * placed.noise(what, k, "a")
        reach = (0.96 - 0.62 * k / (SHARDS if what == "shard" else PATCHES)) * (
            0.85 + 0.15 * placed.noise(what, k, "r")
        )
        square = max(abs(cos(a)), abs(sin(a)))
        return (
            (x0 + x1) / 2 + wide / 2 * reach * cos(a) / square,
            (y0 + y1) / 2 + deep / 2 * reach * sin(a) / square,
            0.0,
        )

    def film(brush: Brush, key: Key) -> None:
        amount = int(key[0] or 0) / STEPS
        tone = brush.lit(ice, ((x0 + x1) / 2, (y0 + y1) / 2, 0.0), (0.0, 0.0, 1.0))
        floor = [
            (x0 + 0.03, y0 + 0.03, 0.0),
            (x1 - 0.03, y0 + 0.03, 0.0),
            (x1 - 0.03, y1 - 0.03, 0.0),
            (x0 + 0.03, y1 - 0.03, 0.0),
        ]
        if fills:
            brush.polygon(floor, tone, alpha=0.26 * amount)
        for k in range(PATCHES):
            grown = min(max(amount * 1.7 - 0.7 * k / PATCHES, 0.0), 1.0)
            if grown > 0.0:
                x, y, _ = somewhere("patch", k)
                brush.polygon(
                    star(x, y, grown * min(wide, 2 * deep) * (0.16 + 0.10 * placed.noise("size", k)), k),
                    tone,
                    alpha=0.30 if fills else 0.20,
                )
        for k in range(round(18 * amount)):
            x, y, _ = somewhere("patch", k % PATCHES)
            a = 2 * pi * placed.noise("vein", k)
            long = 0.35 + 0.5 * placed.noise("vein", k, "long")
            points = [(x, y, 0.0)]
            for bend in range(3):
                a += 1.2 * (placed.noise("vein", k, bend) - 0.5)
                last = points[-1]
                points.append(
                    (clamp(last[0] + long / 3 * cos(a), x0, x1), clamp(last[1] + long / 3 * sin(a), y0, y1), 0.0)
                )
            brush.line(points, 0.022, mix(tone, (1.0, 1.0, 1.0), 0.5), alpha=0.7)

    def star(x: float, y: float, reach: float, k: int) -> list[Vec3]:
        """A jagged patch that stays within its place."""
        found: list[Vec3] = []
        for corner in range(14):
            a = 2 * pi * corner / 14
            r = reach * ((1.0 if corner % 2 else 0.55) + 0.3 * (placed.noise("jag", k, corner) - 0.5))
            found.append((clamp(x + r * cos(a), x0, x1), clamp(y + 0.8 * r * sin(a), y0, y1), 0.0))
        return found

    def shard(brush: Brush, key: Key) -> None:
        shape, grown = int(key[0] or 0), int(key[1] or 0) / 4
        for k in (1, 2, 0):
            lean = 0.5 * (placed.noise("lean", shape, k) - 0.5) + (0.0, -0.35, 0.35)[k]
            high = grown * (0.20 + 0.16 * placed.noise("high", shape, k)) * (1.5 if k == 0 else 0.9)
            half = 0.045 + 0.02 * placed.noise("half", shape, k)
            foot, tip = (0.10 * (0, -1, 1)[k], 0.0, 0.0), (0.10 * (0, -1, 1)[k] + lean * high, 0.0, high)
            left, right = (foot[0] - half, 0.0, 0.0), (foot[0] + half, 0.0, 0.0)
            bright = brush.lit(ice, foot, (-0.5, -0.7, 0.6))
            brush.polygon([left, tip, foot], mix(bright, (1.0, 1.0, 1.0), 0.35), alpha=0.92)
            brush.polygon(
                [foot, tip, right], brush.lit(mix(ice, (0.35, 0.6, 0.85), 0.55), foot, (0.6, -0.6, 0.3)), alpha=0.92
            )

    def place(moment: Moment) -> Iterator[Stand]:
        amount = moment.number("density", 1.0)
        shards = SHARDS if fills else FEW
        for k in range(shards):
            grown = round(4 * min(max(amount * 1.9 - 0.9 * k / shards - 0.1, 0.0), 1.0))
            if grown:
                yield Stand(somewhere("shard", k), (k % SHAPES, grown), 1.0, 0.85 + 0.6 * placed.noise("tall", k))

    def glows(moment: Moment) -> Iterator[Glow]:
        amount = moment.number("density", 1.0)
        if amount > 0.05:
            yield Glow(
                ((x0 + x1) / 2, (y0 + y1) / 2, 0.1), 0.4 * wide, (0.45, 0.75, 1.0), 0.10 * amount, mirrored=False
            )

    yield Sprite(
        draw=film,
        key=lambda moment: (moment.step("density", STEPS, 1.0),) if moment.step("density", STEPS, 1.0) > 0 else None,
        box=((x0, y0, 0.0), (x1, y1, 0.05)),
        depth=((x0 + x1) / 2, y1),
        veil=True,
    )
    yield Billboards(draw=shard, box=((-0.35, -0.05, -0.05), (0.35, 0.05, 0.65)), place=place)
    yield cloud(placed, Cloud(ice, balls=9, size=0.55, low=0.1, high=0.35, alpha=0.22, drift=0.08))
    yield Glows(at=glows)


def about(spots: Sequence[Vec3]) -> Rect:
    """Floor around some places."""
    xs, ys = [x for x, _, _ in spots], [y for _, y, _ in spots]
    return (min(xs) - 0.9, min(ys) - 0.6, max(xs) + 0.9, max(ys) + 0.6)


def clamp(value: float, low: float, high: float) -> float:
    """The nearest value within bounds."""
    return min(max(value, low), high)


GLYPH = Glyph(
    name="frost",
    summary="ice on the floor with crystals and cold air; density is how far it has spread",
    words="a coat of frost",
    build=build,
    props={"density": "share"},
    places=("zone", "at"),
    footprint=(1.8, 1.2),
    height=0.4,
    solid=False,
)
