"""How pipes and cables run from stop to stop: along the axes of the room, on the viewer's side. Own design."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from conflictbench.envs.visual.block import Block, Entity
from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, sub
from conflictbench.envs.visual.procedural.glyph import Rect
from conflictbench.envs.visual.procedural.vocabulary import glyph_for

PIPE_HEIGHT, CABLE_HEIGHT = 0.34, 0.05
LANE = 0.16  # metres that one run keeps from another


class Router:
    """Runs of one block; `foot` says where an entity stands."""

    def __init__(self, block: Block, foot: Callable[[Entity], Vec3]) -> None:
        self.block = block
        self._foot = foot
        self._runs = [entity.id for entity in block.entities if entity.path is not None]

    def start(self, entity: Entity) -> Vec3:
        """Where a run begins, in the room."""
        assert entity.path is not None
        return self._stop(entity.path[0], None, height(entity))

    def run(self, entity: Entity, foot: Vec3) -> tuple[Vec3, ...]:
        """All points of a run, local to its foot; empty for what is no run."""
        if entity.path is None:
            return ()
        level = height(entity)
        stops: list[Vec3] = []
        for stop in entity.path:
            nearest = stops[-1] if stops else self._stop(entity.path[1], None, level)
            stops.append(self._stop(stop, (nearest[0], nearest[1]), level))
        points = elbows(stops, -LANE * (self._runs.index(entity.id) % 3))
        return tuple(sub(point, foot) for point in points)

    def ends(self, entity: Entity) -> tuple[str, ...]:
        """What its first and its last stop are called; empty for what is no run."""
        if entity.path is None:
            return ()
        words = []
        for stop in (entity.path[0], entity.path[-1]):
            named = self.block.zone(stop) or self.block.entity(stop)
            words.append(named.label if named is not None and named.label else stop.replace("_", " ").upper())
        return tuple(words)

    def _stop(self, name: str, coming_from: Vec2 | None, level: float) -> Vec3:
        zone = self.block.zone(name)
        if zone is not None:
            x, y = edge_towards(zone.rect, coming_from or zone.centre)
            return (x, y, level)
        entity = self.block.entity(name)
        assert entity is not None  # the loader saw to it
        x, y, z = self._foot(entity)
        if entity.wall is not None:
            return (x, y - (0.08 if entity.wall == "back" else 0.0), z - 0.5)
        dx, dy, dz = glyph_for(entity.glyph).port(level)
        return (x + dx, min(y + dy, self.block.room.size[1]), z + dz)


def height(entity: Entity) -> float:
    """Metres above the floor at which a run lies."""
    return CABLE_HEIGHT if entity.glyph == "cable" else PIPE_HEIGHT


def edge_towards(rect: Rect, point: Vec2, inside: float = 0.45) -> Vec2:
    """Where a pipe from `point` ends in a zone: a little inside its nearest edge."""
    x0, y0, x1, y1 = rect
    room_x, room_y = min(inside, (x1 - x0) / 2), min(inside, (y1 - y0) / 2)
    return (min(max(point[0], x0 + room_x), x1 - room_x), min(max(point[1], y0 + room_y), y1 - room_y))


def elbows(stops: Sequence[Vec3], lane: float) -> tuple[Vec3, ...]:
    """A pipe through stops along the axes of the room: first across (on the side of the viewer), then away.

    Args:
        lane: metres that this pipe is moved from others with the same stops.
    """
    points: list[Vec3] = [stops[0]]
    for a, b in pairwise(stops):
        if abs(a[0] - b[0]) > 0.5 and abs(a[1] - b[1]) > 0.5:
            near = min(a[1], b[1]) + lane
            points += [c for c in ((a[0], near, a[2]), (b[0], near, b[2])) if _far(points[-1], c)]
        if _far(points[-1], b):
            points.append(b)
    return tuple(points)


def _far(a: Vec3, b: Vec3) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) > 0.12
