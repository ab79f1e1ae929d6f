"""Flames with light and smoke; `density` feeds them. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB
from conflictbench.envs.visual.procedural.glyph import (
    Billboards,
    Floor,
    Glow,
    Glows,
    Glyph,
    Key,
    Lamp,
    Moment,
    Part,
    Placed,
    Stand,
)
from conflictbench.envs.visual.procedural.vapour import Cloud, cloud

TONGUES = 15
PHASES = 6
LAYERS: tuple[tuple[RGB, float], ...] = (((0.9, 0.20, 0.03), 1.0), ((1.0, 0.48, 0.08), 0.72), ((1.0, 0.86, 0.42), 0.42))


def build(placed: Placed) -> Iterator[Part]:
    """Tongues around the foot (or over a zone), each with its own beat."""
    x0, y0, x1, y1 = (
        placed.zone if placed.zone is not None and abs(sum(placed.zone)) < 0.02 else (-1.05, -0.55, 1.05, 0.55)
    )

    def feed(moment: Moment) -> float:
        return moment.number("density", 1.0)

    def draw(brush: Brush, key: Key) -> None:
        shape, phase = int(key[0] or 0), int(key[1] or 0)
        for colour, size in LAYERS:
            for k in range(5):
                climb = k / 4
                sway = 0.13 * (placed.noise(shape, phase, k) - 0.5) * (0.4 + climb)
                radius = 0.34 * size * (1.0 - 0.74 * climb)
                brush.puff((sway, 0.0, 0.10 + 0.95 * climb * size), radius, colour, alpha=0.50, core=0.2)

    def place(moment: Moment) -> Iterator[Stand]:
        strength = feed(moment)
        for k in range(TONGUES):
            share = min(max(strength * 1.5 - 0.5 * k / TONGUES, 0.0), 1.0)
            if strength <= 0.01 or share <= 0.05:
                continue
            beat = 0.85 + 0.3 * placed.noise("beat", k, moment.phase(16, 0.6, placed.noise("at", k)))
            at = (
                x0 + (x1 - x0) * placed.noise("x", k),
                y0 + (y1 - y0) * placed.noise("y", k),
                0.25 * placed.noise("z", k),
            )
            yield Stand(
                at,
                (k % 3, moment.phase(PHASES, 1.1, placed.noise("phase", k))),
                0.9,
                (0.55 + 0.85 * strength) * share * beat,
            )

    def flicker(moment: Moment) -> float:
        return 0.82 + 0.18 * placed.noise("flicker", moment.phase(16, 0.7))

    def glows(moment: Moment) -> Iterator[Glow]:
        strength = feed(moment) * flicker(moment)
        if strength > 0.01:
            yield Glow((0.0, -0.2, 0.8), 1.2 + 1.3 * strength, (1.0, 0.42, 0.10), 0.3 + 0.7 * strength)

    def lamp(moment: Moment) -> RGB:
        strength = 1.5 * feed(moment) * flicker(moment)
        return (strength, 0.42 * strength, 0.12 * strength)

    def floor(brush: Brush) -> None:
        brush.shadow(1.4, 0.9, 0.75)

    yield Floor(draw=floor)
    yield Billboards(draw=draw, box=((-0.8, -0.2, -0.4), (0.8, 0.2, 1.8)), place=place, glows=True)
    yield cloud(placed, Cloud((0.16, 0.15, 0.15), balls=9, size=0.7, low=1.4, high=3.6, alpha=0.34, rise=0.5))
    yield Glows(at=glows)
    yield Lamp(at=(0.0, -0.6, 1.2), reach=2.6, shine=lamp)


GLYPH = Glyph(
    name="fire",
    summary="flames with light and smoke; density feeds them",
    words="a fire",
    build=build,
    props={"density": "share"},
    places=("at", "zone"),
    footprint=(1.6, 1.2),
    height=1.6,
)
