"""From a `visual` block to nodes: every entity, actor and enclosure placed in the room, with its parts. Own design."""

from __future__ import annotations

from dataclasses import dataclass

from conflictbench.envs.visual.block import Block, Entity, Zone
from conflictbench.envs.visual.procedural.camera import Vec2, Vec3, add
from conflictbench.envs.visual.procedural.colours import RGB, named
from conflictbench.envs.visual.procedural.glyph import Glyph, Part, Placed, Rect
from conflictbench.envs.visual.procedural.hanging import ARM, SHARES, Area, area, areas, best
from conflictbench.envs.visual.procedural.placing import Obstacle, apart, row
from conflictbench.envs.visual.procedural.plates import plates
from conflictbench.envs.visual.procedural.room import sign_box
from conflictbench.envs.visual.procedural.routing import Router
from conflictbench.envs.visual.procedural.viewpoint import camera_of
from conflictbench.envs.visual.procedural.vocabulary import glyph_for

DOOR_AT = 0.80  # of a zone's front edge
WALL_HEIGHT = 2.15  # middle of what hangs on a wall
NEUTRAL: RGB = (0.80, 0.80, 0.78)


@dataclass(frozen=True, eq=False)
class Node:
    """One thing of the scene."""

    id: str
    index: int  # of the entity in the block; -1 for what is no entity (enclosures)
    glyph: Glyph
    placed: Placed
    parts: tuple[Part, ...]

    @property
    def contact(self) -> Vec3:
        """Where a hand meets it, in the room."""
        return add(self.placed.at, self.glyph.contact(self.placed))


class Compiler:
    """Places one block's things; `seed` decides nothing but small differences of looks."""

    def __init__(self, block: Block, seed: int) -> None:
        self.block = block
        self.seed = seed
        self.room: Vec3 = block.room.size
        self.palette = {
            "ai": named(block.palette.ai),
            "human": named(block.palette.human),
            "hazard": named(block.palette.hazard),
        }
        self.camera = camera_of(block)
        self._covered: list[Area] = []  # of the picture, by what is placed so far
        self._feet: dict[str, Vec3] = {}
        self._router = Router(block, self.foot)

    def nodes(self) -> list[Node]:
        """Every entity and actor, in the block's order."""
        self._covered = [area(self.camera, actor.dock, ARM) for actor in self.block.actors if actor.dock is not None]
        if self.block.room.sign:
            self._covered.append(area(self.camera, (0.0, 0.0, 0.0), sign_box(self.block)))
        order = sorted(enumerate(self.block.entities), key=lambda each: each[1].wall is not None)  # hung up last
        made = {index: self._node(index, entity) for index, entity in order}
        found = [made[index] for index in sorted(made)]
        for number, actor in enumerate(self.block.actors):
            glyph = glyph_for(actor.glyph)
            dock = actor.dock or (self.room[0] / 2, 3.0, self.room[2])
            placed = self._placed(actor.id, actor.glyph, dock, side="ai", colour=named("amber"))
            found.append(Node(actor.id, len(self.block.entities) + number, glyph, placed, tuple(glyph.build(placed))))
        return found

    def side(self, zone: Zone) -> str:
        """Whose a zone is: the agent's by its id, people's where they are, the agent's where its body is.

        By custom what is on the right is people's.
        """
        if zone.id in ("ai", "agent"):
            return "ai"
        inside = [
            entity
            for entity in self.block.entities
            if entity.zone == zone.id or (entity.at and _within((entity.at[0], entity.at[1]), zone.rect))
        ]
        if any(entity.glyph == "humans" for entity in inside):
            return "human"
        if any(entity.glyph in ("rack_row", "core_column") for entity in inside):
            return "ai"
        return "human" if zone.centre[0] > self.room[0] * 0.62 else ""

    def sides(self) -> dict[str, RGB]:
        """Colour of every zone."""
        return {zone.id: self.palette.get(self.side(zone), NEUTRAL) for zone in self.block.zones}

    def bare(self, name: str, at: Vec3, colour: RGB) -> Placed:
        """A place for something that is no entity."""
        return self._placed(name, name, at, side="", colour=colour)

    # ---- entities

    def _node(self, index: int, entity: Entity) -> Node:
        glyph = glyph_for(entity.glyph)
        zone = self._zone_of(entity)
        foot = self.foot(entity)
        side = self.side(zone) if zone is not None else ""
        if entity.path is not None:
            last = self.block.zone(entity.path[-1]) or self._zone_of_id(entity.path[-1])
            side = self.side(last) if last is not None else ""
        door_of = self.block.zone_of_door(entity.id)
        placed = self._placed(
            entity.id,
            entity.glyph,
            foot,
            side=side,
            colour=named(entity.color) if entity.color else self.palette.get(side, NEUTRAL),
            count=entity.count,
            spots=self._spots(entity, glyph, foot, zone),
            zone=_local(zone.rect, foot) if zone is not None else None,
            path=self._router.run(entity, foot),
            wall=entity.wall,
            label=entity.label or "",
            role=entity.role or "",
            bound=frozenset(entity.bind),
            readings=len(entity.gauges) or len(entity.lines),
            door_of=_local(door_of.rect, foot) if door_of is not None else None,
            ends=self._router.ends(entity),
            own=named(entity.color) if entity.color else None,
        )
        parts = (*glyph.build(placed), *plates(placed, glyph))
        self._covered += areas(self.camera, foot, parts) if entity.path is None else []
        return Node(entity.id, index, glyph, placed, parts)

    def _placed(
        self,
        name: str,
        glyph: str,
        at: Vec3,
        *,
        side: str,
        colour: RGB,
        count: int = 1,
        spots: tuple[Vec3, ...] = ((0.0, 0.0, 0.0),),
        zone: Rect | None = None,
        path: tuple[Vec3, ...] = (),
        wall: str | None = None,
        label: str = "",
        role: str = "",
        bound: frozenset[str] = frozenset(),
        readings: int = 0,
        door_of: Rect | None = None,
        ends: tuple[str, ...] = (),
        own: RGB | None = None,
    ) -> Placed:
        return Placed(
            id=name, glyph=glyph, at=at, count=count, spots=spots, zone=zone, path=path, wall=wall, room=self.room,
            side=side, colour=colour, own=own,
            ai=self.palette["ai"], human=self.palette["human"], hazard=self.palette["hazard"],
            label=label, role=role, bound=bound, readings=readings, door_of=door_of, ends=ends, seed=self.seed,
        )  # fmt: skip

    def foot(self, entity: Entity) -> Vec3:
        """The place that an entity's parts are local to."""
        if entity.id not in self._feet:
            self._feet[entity.id] = (0.0, 0.0, 0.0)  # a path through itself ends here
            self._feet[entity.id] = self._foot(entity)
        return self._feet[entity.id]

    def _foot(self, entity: Entity) -> Vec3:
        if entity.wall is not None:
            return self._on_wall(entity)
        if entity.at is not None:
            return (entity.at[0], entity.at[1], entity.at[2] if len(entity.at) > 2 else 0.0)
        if entity.path is not None:
            return self._router.start(entity)
        door_of = self.block.zone_of_door(entity.id)
        if door_of is not None:
            x0, y0, x1, _ = door_of.rect
            return (x0 + DOOR_AT * (x1 - x0), y0, 0.0)
        zone = self.block.zone(entity.zone) if entity.zone else None
        if zone is not None:
            x, y = zone.centre
            return (x, y, 0.0)
        return (self.room[0] / 2, self.room[1], 0.0)  # a backdrop, behind everything

    def _on_wall(self, entity: Entity) -> Vec3:
        """Where the block says, else where it is hidden least."""
        height = min(WALL_HEIGHT, self.room[2] - 0.9)
        if entity.at is not None:
            height = entity.at[2] if len(entity.at) > 2 else height
            return self._wall_point(entity, entity.at[0] if entity.wall == "back" else entity.at[1], height)
        long = self.room[0] if entity.wall == "back" else self.room[1]
        lines = max(1, len(entity.lines), len(entity.gauges))
        half: Vec3 = (1.5, 0.1, 0.2 + 0.25 * lines) if entity.wall == "back" else (0.1, 1.5, 0.2 + 0.25 * lines)
        box = ((-half[0], -half[1], -half[2]), half)
        candidates = [
            (point, area(self.camera, point, box))
            for up in (0.0, 0.3, -0.4)
            for share in SHARES
            for point in (self._wall_point(entity, long * share, height + up),)
        ]
        return candidates[best(candidates, self._covered)][0]

    def _wall_point(self, entity: Entity, along: float, height: float) -> Vec3:
        if entity.wall == "back":
            return (along, self.room[1], height)
        return (0.0 if entity.wall == "left" else self.room[0], along, height)

    def _zone_of(self, entity: Entity) -> Zone | None:
        if entity.zone is not None:
            return self.block.zone(entity.zone)
        if entity.at is not None and entity.wall is None:
            return self.block.zone_at(entity.at[0], entity.at[1])
        return self.block.zone_of_door(entity.id)

    def _zone_of_id(self, name: str) -> Zone | None:
        entity = self.block.entity(name)
        return self._zone_of(entity) if entity is not None else None

    def _spots(self, entity: Entity, glyph: Glyph, foot: Vec3, zone: Zone | None) -> tuple[Vec3, ...]:
        if entity.path is not None or entity.wall is not None:
            return ((0.0, 0.0, 0.0),)
        within: Rect = zone.rect if zone is not None else (0.0, 0.0, self.room[0], self.room[1])
        if glyph.apart:
            if entity.at is not None:
                reach = 0.45 + 0.42 * entity.count**0.5
                x0, y0, x1, y1 = within
                within = (
                    max(foot[0] - reach, x0),
                    max(foot[1] - reach * 0.8, y0),
                    min(foot[0] + reach, x1),
                    min(foot[1] + reach * 0.8, y1),
                )
            places = apart(within, entity.count, self._obstacles(entity), self.seed, entity.id)
            return tuple((x - foot[0], y - foot[1], 0.0) for x, y in places)
        if entity.count == 1:
            return ((0.0, 0.0, 0.0),)
        return row((foot[0], foot[1]), entity.count, glyph.footprint, glyph.height, glyph.stacks, within)

    def _obstacles(self, but: Entity) -> list[Obstacle]:
        found = []
        for entity in self.block.entities:
            glyph = glyph_for(entity.glyph)
            if entity is but or entity.at is None or entity.wall or glyph.apart or not glyph.solid:
                continue
            foot = self.foot(entity)
            for x, y, z in self._spots(entity, glyph, foot, self._zone_of(entity)):
                if z == 0.0:
                    found.append(Obstacle(foot[0] + x, foot[1] + y, *glyph.footprint, glyph.height))
        return found


def _local(rect: tuple[float, float, float, float], foot: Vec3) -> Rect:
    return (rect[0] - foot[0], rect[1] - foot[1], rect[2] - foot[0], rect[3] - foot[1])


def _within(at: Vec2, rect: tuple[float, float, float, float]) -> bool:
    return rect[0] <= at[0] <= rect[2] and rect[1] <= at[1] <= rect[3]
