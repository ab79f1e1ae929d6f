"""Where the things of a block stand: rows, stacks, people spread over a zone. Own design.

Everything is worked out from the block alone, once a scene; nothing depends on a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from conflictbench.envs.visual.procedural.camera import Vec2, Vec3
from conflictbench.envs.visual.procedural.glyph import Rect
from conflictbench.envs.visual.procedural.noise import noise

GAP = 0.08  # metres between things in a row
MARGIN = 0.12  # metres kept from the edge of a zone
MOST_IN_A_ROW = 8
SHOULDERS = 0.78  # metres between people side by side
STRIDE = 1.5  # and one behind the other, so that both are seen


@dataclass(frozen=True)
class Obstacle:
    """A thing that people do not stand in, nor hidden behind."""

    x: float
    y: float
    wide: float
    deep: float
    high: float

    def blocks(self, x: float, y: float) -> bool:
        """Whether somebody there would be inside it, or not be seen."""
        behind = min(self.high, 1.8) * 0.6
        return abs(x - self.x) < self.wide / 2 + 0.26 and -self.deep / 2 - 0.3 < y - self.y < self.deep / 2 + behind


def row(anchor: Vec2, count: int, footprint: Vec2, height: float, stacks: int, within: Rect) -> tuple[Vec3, ...]:
    """Places of things that stand in rows from `anchor` to the right, then behind each other, or stacked; local."""
    wide, deep = footprint[0] + GAP, footprint[1] + GAP
    room = within[2] - within[0] - 2 * MARGIN
    columns = max(1, min(MOST_IN_A_ROW, int((room + GAP) / wide)))
    levels = min(stacks, -(-count // columns)) if stacks > 1 else 1
    on_floor = -(-count // levels)
    columns = min(columns, on_floor)
    total = columns * wide - GAP
    start = max(within[0] + MARGIN, min(anchor[0] - footprint[0] / 2, within[2] - MARGIN - total))
    first = start + footprint[0] / 2 - anchor[0]
    return tuple(
        (first + (k // levels % columns) * wide, (k // levels // columns) * deep, (k % levels) * height)
        for k in range(count)
    )


def apart(within: Rect, count: int, obstacles: Sequence[Obstacle], *what: str | int) -> tuple[Vec2, ...]:
    """Places in the room for people in a zone: apart as a camera sees it, none inside or behind a thing.

    Front places come first, so that whoever is counted first is seen best.
    """
    x0, y0, x1, y1 = within
    margin = min(0.42, (x1 - x0) / 4)
    xs = np.linspace(x0 + margin, x1 - margin, 25)
    ys = np.linspace(y0 + min(0.5, (y1 - y0) / 4), y1 - min(0.55, (y1 - y0) / 4), 13)
    free = [(float(x), float(y)) for y in ys for x in xs if not any(o.blocks(float(x), float(y)) for o in obstacles)]
    spots = np.array(free or [((x0 + x1) / 2, (y0 + y1) / 2)])
    middle = np.array([(x0 + x1) / 2, y0 + (y1 - y0) * 0.35])
    chosen: list[int] = [int(np.argmin(((spots - middle) ** 2).sum(axis=1)))]
    scale = np.array([SHOULDERS, STRIDE])
    near = (((spots - spots[chosen[0]]) / scale) ** 2).sum(axis=1)
    while len(chosen) < count:
        # A dense crowd is packed in order of distance, not pushed to the edges: what counts ends at one step.
        score = np.minimum(near, 1.6) - 0.05 * ((spots - middle) ** 2).sum(axis=1) - 10.0 * (near < 1e-9)
        chosen.append(int(score.argmax()))
        near = np.minimum(near, (((spots - spots[chosen[-1]]) / scale) ** 2).sum(axis=1))
    found = []
    for number, index in enumerate(chosen):
        jitter = [0.16 * (noise(*what, number, axis) - 0.5) for axis in (0, 1)]
        found.append((float(spots[index][0]) + jitter[0], float(spots[index][1]) + jitter[1]))
    return tuple(found)
