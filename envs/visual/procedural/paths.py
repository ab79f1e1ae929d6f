"""A line through points in the room, walked by share of its length. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, length, lerp, sub
from conflictbench.envs.visual.procedural.glyph import Box


class Path:
    """Points and the legs between them."""

    def __init__(self, points: Sequence[Vec3]) -> None:
        self.points = tuple(points) if len(points) > 1 else (*points, *points)
        self._lengths = [length(sub(b, a)) for a, b in zip(self.points, self.points[1:], strict=False)]
        self.length = max(sum(self._lengths), 1e-6)

    def legs(self) -> list[tuple[Vec3, Vec3, float, float]]:
        """Every straight piece: its ends, and how far along the whole they lie (metres)."""
        found, gone = [], 0.0
        for a, b, size in zip(self.points, self.points[1:], self._lengths, strict=False):
            found.append((a, b, gone, gone + size))
            gone += size
        return found

    def at(self, share: float) -> Vec3:
        """The point at a share of the length; outside 0..1 the nearest end."""
        left = min(max(share, 0.0), 1.0) * self.length
        for number, size in enumerate(self._lengths):
            if left <= size and size > 0:
                return lerp(self.points[number], self.points[number + 1], left / size)
            left -= size
        return self.points[-1]

    def every(self, step: float, offset: float = 0.0) -> Iterator[Vec3]:
        """Points `step` metres apart, the first at `offset`."""
        gone = offset
        while gone < self.length:
            yield self.at(gone / self.length)
            gone += step

    def box(self, margin: float) -> Box:
        """Lower and upper corner of everything on it."""
        low = tuple(min(p[c] for p in self.points) - margin for c in range(3))
        high = tuple(max(p[c] for p in self.points) + margin for c in range(3))
        return ((low[0], low[1], low[2]), (high[0], high[1], high[2]))

    @property
    def nearest(self) -> Vec2:
        """The floor point of its part that is nearest to the viewer."""
        point = min(self.points, key=lambda p: p[1])
        return (point[0], point[1])
