"""A lit cable or marked way along the floor; `glow` brightens it, `flow` runs along it. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import lerp, sub
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Live, Moment, Part, Placed, Sprite
from conflictbench.envs.visual.procedural.paths import Path

SHEATH: RGB = (0.10, 0.105, 0.115)
STEPS = 16


def build(placed: Placed) -> Iterator[Part]:
    """Flat on the floor, so whatever stands there is drawn over it."""
    path = Path(placed.path)
    colour = placed.colour

    def strength(moment: Moment) -> float:
        shown = moment.number("glow", 0.25) if "glow" in placed.bound else 0.25
        return min(1.0, max(shown, abs(moment.number("flow", 0.0))) + 0.4 * moment.alert)

    def key(moment: Moment) -> Key:
        return (round(STEPS * strength(moment)),)

    def draw(brush: Brush, key: Key) -> None:
        share = int(key[0] or 0) / STEPS
        points = list(path.points)
        brush.line(points, 0.12, brush.lit(SHEATH, points[0], (0.0, 0.0, 1.0)))
        brush.line(points, 0.05, mix(scaled(colour, 0.28), colour, share))
        if share > 0.3:
            brush.line(points, 0.02, mix(colour, (1.0, 1.0, 1.0), 0.6 * share))
        for spot in path.every(1.15, 0.5):
            ahead = path.at(min(1.0, _share(path, spot) + 0.25 / path.length))
            dx, dy, _ = sub(ahead, spot)
            size = max((dx * dx + dy * dy) ** 0.5, 1e-6)
            ux, uy = dx / size * 0.13, dy / size * 0.13
            tip = (spot[0] + 1.3 * ux, spot[1] + 1.3 * uy, spot[2])
            wings = [(spot[0] - ux - uy, spot[1] - uy + ux, spot[2]), (spot[0] - ux + uy, spot[1] - uy - ux, spot[2])]
            brush.line([wings[0], tip, wings[1]], 0.045, mix(scaled(colour, 0.35), colour, share))

    def racing(brush: Brush, moment: Moment) -> None:
        flow = moment.number("flow", 0.0)
        if abs(flow) > 0.04:
            offset = (moment.t * 1.6 * (1.0 if flow > 0 else -1.0)) % 0.8
            for spot in path.every(0.8, offset):
                brush.dot(spot, 0.055, mix(colour, (1.0, 1.0, 1.0), 0.55), alpha=0.9)
        if moment.pulse is not None:
            head, tail = path.at(moment.pulse), path.at(moment.pulse - 0.12)
            brush.line([tail, lerp(tail, head, 0.5), head], 0.10, mix(colour, (1.0, 1.0, 1.0), 0.55), alpha=0.9)
            brush.dot(head, 0.12, (1.0, 1.0, 1.0), alpha=0.9)

    def glows(moment: Moment) -> Iterator[Glow]:
        share = strength(moment)
        if share > 0.12:
            for spot in path.every(max(0.9, path.length / 7), 0.3):
                yield Glow(spot, 0.42, colour, 0.45 * share, mirrored=False)
        if moment.pulse is not None:
            yield Glow(path.at(moment.pulse), 0.7, colour, 1.0, mirrored=False)

    far = max(point[1] for point in path.points)
    yield Sprite(draw=draw, key=key, box=path.box(0.25), depth=(path.at(0.5)[0], far + 2.0))
    yield Live(draw=racing, box=path.box(0.25), depth=(path.at(0.5)[0], far + 1.9))
    yield Glows(at=glows)


def _share(path: Path, spot: tuple[float, float, float]) -> float:
    """Where on the path a point of it lies, to a hundredth."""
    return min(
        (k / 100 for k in range(101)),
        key=lambda share: sum((a - b) ** 2 for a, b in zip(path.at(share), spot, strict=True)),
    )


GLYPH = Glyph(
    name="cable",
    summary="a cable or lit way along the floor; glow brightens it, flow runs dots along it",
    words="a lit cable on the floor",
    build=build,
    props={"glow": "share", "flow": "signed"},
    places=("path",),
    height=0.1,
    solid=False,
    contact=lambda placed: Path(placed.path).at(0.5),
)
