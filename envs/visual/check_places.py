"""Where things stand: glyphs that exist, places inside the room, paths that lead somewhere, a view that shows it.

Own design; the camera's mathematics are the renderer's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from conflictbench.envs.visual.block import Block, Entity, Zone
from conflictbench.envs.visual.check_faults import fault, listed, unknown
from conflictbench.envs.visual.procedural.camera import DESIGN_HEIGHT, DESIGN_WIDTH, NEAR, Camera, dot, sub
from conflictbench.envs.visual.procedural.glyph import Glyph
from conflictbench.envs.visual.procedural.placing import row
from conflictbench.envs.visual.procedural.vehicles import fitted
from conflictbench.envs.visual.procedural.vocabulary import glyphs
from conflictbench.errors import Fault

SLACK = 0.3  # metres of an item that may stand in a wall: footprints are rounded up, and boats hang outside
NOWHERE = ""  # the place of a glyph that stands nowhere, such as what is seen in the distance
_SHOWN = {
    "at": "at: [x, y]",
    "zone": "zone: ID",
    "path": "path: [ID, ID]",
    "wall": "wall: back",
    "door": "a zone's door",
}


def place_faults(block: Block) -> Iterator[Fault]:
    """Everything of a block that stands nowhere, outside the room, or out of sight."""
    for zone in block.zones:
        yield from _zone(block, zone)
    yield from _doors(block)
    for entity in block.entities:
        yield from _entity(block, entity)
    for actor in block.actors:
        if actor.dock is not None and (out := outside(block, actor.dock)):
            yield fault(f"visual.actors.{actor.id}.dock", f"{list(actor.dock)} is outside the room: {out}")


def outside(block: Block, point: tuple[float, ...]) -> str:
    """What is wrong with a point that is not in the room; "" if it is in it."""
    for axis, value, size in zip("xyz", point, block.room.size, strict=False):
        if not 0.0 <= value <= size:
            return f"{axis} = {value:g}, valid 0 to {size:g}"
    return ""


def _zone(block: Block, zone: Zone) -> Iterator[Fault]:
    key = f"visual.zones.{zone.id}.rect"
    x0, y0, x1, y1 = zone.rect
    width, depth, _ = block.room.size
    corners = [corner for corner in ((x0, y0), (x1, y1)) if outside(block, corner)]
    if corners:
        clipped = [min(max(v, 0.0), size) for v, size in zip(zone.rect, (width, depth, width, depth), strict=True)]
        inside = clipped[2] > clipped[0] and clipped[3] > clipped[1]
        message = f"zone {zone.id} {list(zone.rect)} is outside the room: {outside(block, corners[0])}"
        yield fault(key, message, _numbers(clipped) if inside else "")
        return
    camera = Camera(*block.view)
    point = (*zone.centre, 0.0)
    if dot(sub(point, camera.pos), camera.forward) <= NEAR or not _in_picture(camera.project(point)):
        message = f"the middle of zone {zone.id}, {_numbers(list(point[:2]))}, is out of the camera's sight"
        yield fault(key, message, "move visual.camera.pos back, or its look_at towards the zone")


def _in_picture(point: tuple[float, float]) -> bool:
    return 0.0 <= point[0] <= DESIGN_WIDTH and 0.0 <= point[1] <= DESIGN_HEIGHT


def _doors(block: Block) -> Iterator[Fault]:
    doors = Counter(zone.door for zone in block.zones if zone.door is not None)
    for zone in block.zones:
        if zone.door is not None and doors[zone.door] > 1:
            message = f"{zone.door!r} is the door of {doors[zone.door]} zones; a door stands in one place"
            yield fault(f"visual.zones.{zone.id}.door", message)


def _entity(block: Block, entity: Entity) -> Iterator[Fault]:
    key = f"visual.entities.{entity.id}"
    glyph = glyphs().get(entity.glyph)
    if glyph is None:
        yield unknown(f"{key}.glyph", "glyph", entity.glyph, glyphs())
        return
    if glyph.dock and not glyph.places:
        message = f"a {entity.glyph} is no entity: it reaches out from a dock, and stands in `actors`"
        yield fault(f"{key}.glyph", message, "move it to visual.actors, with dock: [x, y, z]")
        return
    yield from _one_place(block, entity, glyph)
    if entity.at is not None and (out := outside(block, entity.at)):
        yield fault(f"{key}.at", f"{list(entity.at)} is outside the room: {out}")
    if entity.count > 1 and (entity.path is not None or entity.wall is not None):
        yield fault(
            f"{key}.count", f"{entity.count} of a thing on one path or wall place; only 1 is valid", "remove count"
        )
    yield from _count(block, entity, glyph)
    for name in ("gauges", "lines"):
        held = getattr(entity, name)
        if held and name not in glyph.reads:
            able = sorted(word for word, other in glyphs().items() if name in other.reads)
            yield fault(f"{key}.{name}", f"a {entity.glyph} shows no {name}; glyphs that do: {listed(able)}")
    if glyph.reads and not any(getattr(entity, name) for name in glyph.reads):
        wanted = " or ".join(f"`{name}`" for name in glyph.reads)
        yield fault(key, f"this {entity.glyph} shows nothing; it needs {wanted}", f"add {glyph.reads[0]}: [...]")
    yield from _path(block, entity)


def _count(block: Block, entity: Entity, glyph: Glyph) -> Iterator[Fault]:
    """Several of a thing that stand in rows or stacks, some of them outside the room. People crowd into their zone."""
    if entity.count == 1 or glyph.apart or entity.path is not None or entity.wall is not None:
        return
    at = _foot(block, entity)
    if at is None or outside(block, at) or not (out := _stand_outside(block, entity, glyph, at, entity.count)):
        return
    most = next((n for n in range(entity.count - 1, 0, -1) if not _stand_outside(block, entity, glyph, at, n)), 0)
    fits = f"at most {most} have room there" if most else "not even one has room there"
    message = f"{entity.count} of {entity.glyph} leave the room: {out}; {fits}"
    yield fault(f"visual.entities.{entity.id}.count", message, f"count: {most}" if most else "move it")


def _foot(block: Block, entity: Entity) -> tuple[float, float, float] | None:
    zone = block.zone(entity.zone) if entity.zone is not None else None
    if entity.at is not None:
        return (entity.at[0], entity.at[1], entity.at[2] if len(entity.at) > 2 else 0.0)
    return (*zone.centre, 0.0) if zone is not None else None


def _stand_outside(block: Block, entity: Entity, glyph: Glyph, at: tuple[float, float, float], count: int) -> str:
    """What is wrong with the place of the items, as they are drawn; "" if all are in the room."""
    if count == 1:
        return ""  # where it stands is its author's own choice
    zone = block.zone(entity.zone) if entity.zone is not None else block.zone_at(at[0], at[1])
    x, y, z = at
    wide, deep = glyph.footprint
    if glyph.parked:
        local = (zone.rect[0] - x, zone.rect[1] - y, zone.rect[2] - x, zone.rect[3] - y) if zone is not None else None
        spots, size = fitted(count, wide, deep, local)
    else:
        rect = zone.rect if zone is not None else (0.0, 0.0, *block.room.size[:2])
        spots, size = row((x, y), count, glyph.footprint, glyph.height, glyph.stacks, rect), 1.0
    for dx, dy, dz in spots:
        low = (x + dx - wide * size / 2 + SLACK, y + dy - deep * size / 2 + SLACK, z + dz)
        high = (x + dx + wide * size / 2 - SLACK, y + dy + deep * size / 2 - SLACK, z + dz + glyph.height * size)
        if dz == 0.0:
            high = (*high[:2], z)  # whether one fits under the ceiling is not a matter of their number
        if out := outside(block, low) or outside(block, high):
            return out
    return ""


def _one_place(block: Block, entity: Entity, glyph: Glyph) -> Iterator[Fault]:
    key = f"visual.entities.{entity.id}"
    given = [place for place in ("at", "zone", "path", "wall") if getattr(entity, place) is not None]
    if given == ["at", "wall"]:  # where on the wall it hangs
        given = ["wall"]
    if block.zone_of_door(entity.id) is not None:
        given.append("door")
    valid = listed([_SHOWN[place] for place in glyph.places if place != NOWHERE])
    if len(given) > 1:
        yield fault(key, f"has {len(given)} places ({listed(given)}); a {entity.glyph} has one: {valid}")
    elif not given and NOWHERE not in glyph.places:
        yield fault(key, f"stands nowhere; a {entity.glyph} is placed by {valid}", f"add {valid.partition(',')[0]}")
    elif given and given[0] not in glyph.places:
        fix = f"remove {given[0]}" if not valid else ""
        yield fault(f"{key}.{given[0]}" if given != ["door"] else key,
                    f"a {entity.glyph} cannot be placed by {given[0]}; valid: {valid or 'no place'}", fix)  # fmt: skip


def _path(block: Block, entity: Entity) -> Iterator[Fault]:
    for number, (before, after) in enumerate(pairwise(entity.path or ()), 2):
        if before == after:
            yield fault(
                f"visual.entities.{entity.id}.path.{number}", f"stop {after!r} stands twice in a row", "remove it"
            )
    for number, stop in enumerate(entity.path or (), 1):
        other = block.entity(stop)
        if other is not None and other.path is not None:
            ends = [name for name in other.path if name != entity.id]
            message = f"stop {stop!r} is itself a path, and so no place; valid: zones, and things with a place"
            yield fault(f"visual.entities.{entity.id}.path.{number}", message, ends[-1] if ends else "")


def _numbers(values: list[float]) -> str:
    return f"[{', '.join(f'{value:g}' for value in values)}]"
