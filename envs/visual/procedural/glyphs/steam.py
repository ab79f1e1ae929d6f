"""Steam: a plume from a grating, or warm vapour all over a zone. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Billboards, Floor, Glyph, Key, Moment, Part, Placed, Stand
from conflictbench.envs.visual.procedural.vapour import Cloud, cloud, filled

WHITE: RGB = (0.68, 0.71, 0.74)
PUFFS, SHAPES = 22, 4
TALL = 2.5  # metres a plume rises
BEAT = 0.55  # plumes a second


def build(placed: Placed) -> Iterator[Part]:
    """What stands in a place has a grating it comes from."""
    colour = placed.own or WHITE
    if filled(placed) is not None:
        soft = scaled(colour, 0.66)
        yield cloud(placed, Cloud(soft, balls=48, size=0.62, low=0.05, high=1.9, alpha=0.66, rise=0.45, drift=0.06))
        return

    def draw(brush: Brush, key: Key) -> None:
        shape = int(key[0] or 0)
        for k in range(5):
            dx, dz = placed.noise(shape, k, "x") - 0.5, placed.noise(shape, k, "z") - 0.5
            lit = brush.lit(colour, (0.0, 0.0, 0.0), (0.0, -0.5, 0.8))
            tone = mix(lit, scaled(colour, 0.8), 0.6)  # seen in dim light too
            brush.puff(
                (0.34 * dx, 0.0, 0.34 * dz), 0.24 + 0.10 * placed.noise(shape, k, "r"), tone, alpha=0.55, core=0.1
            )

    def place(moment: Moment) -> Iterator[Stand]:
        density = moment.number("density", 1.0)
        puffs = PUFFS if density > 0.01 else 0
        for number, spot in enumerate(placed.spots):
            for k in range(puffs):
                age = (moment.t * BEAT + k / PUFFS + 0.37 * number) % 1.0
                strength = min(max(0.25 + density * 1.6 - 0.7 * placed.noise("share", k), 0.0), 1.0)
                spread = 0.06 + 0.55 * age**1.4
                sway = spread * 2.0 * (placed.noise("x", number, k) - 0.5) + 0.10 * sin(2 * pi * (0.2 * moment.t + age))
                height = 0.08 + TALL * (0.45 + 0.55 * density) * age**0.8
                at = (spot[0] + sway, spot[1] + 0.3 * spread * (placed.noise("y", number, k) - 0.5), height)
                fade = min(1.0, 6.0 * age) * (1.0 - age) ** 1.1
                yield Stand(at, (k % SHAPES,), 0.9 * strength * fade, 0.55 + 1.9 * age)

    def grating(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.5, 0.34, 0.5, (x, y, 0.0))
            plate = [
                (x - 0.34, y - 0.22, 0.0),
                (x + 0.34, y - 0.22, 0.0),
                (x + 0.34, y + 0.22, 0.0),
                (x - 0.34, y + 0.22, 0.0),
            ]
            brush.polygon(plate, brush.lit((0.30, 0.31, 0.33), (x, y, 0.0), (0.0, 0.0, 1.0)))
            for k in range(7):
                slot = x - 0.27 + 0.09 * k
                brush.line([(slot, y - 0.15, 0.0), (slot, y + 0.15, 0.0)], 0.045, (0.03, 0.03, 0.035))

    yield Floor(draw=grating)
    yield Billboards(draw=draw, box=((-0.6, -0.1, -0.6), (0.6, 0.1, 0.6)), place=place, veil=True)


GLYPH = Glyph(
    name="steam",
    summary="steam: a plume from a grating, or vapour over a zone; density thickens it",
    words="a plume of steam",
    build=build,
    props={"density": "share"},
    places=("at", "zone"),
    footprint=(0.8, 0.6),
    height=2.2,
    solid=False,
)
