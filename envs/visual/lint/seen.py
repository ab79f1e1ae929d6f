"""Is everything that tells something in sight: things, people, names of zones, both sides? Source: visual.md 3.4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from conflictbench.envs.visual.block import Entity, Zone
from conflictbench.envs.visual.check_faults import listed
from conflictbench.envs.visual.lint.bench import Bench
from conflictbench.envs.visual.lint.cases import Case, extremes, shown_by
from conflictbench.envs.visual.lint.faults import fault
from conflictbench.envs.visual.lint.layers import OVERLAY, Layers, Seen
from conflictbench.envs.visual.procedural.compiling import Compiler
from conflictbench.envs.visual.procedural.room import label_corners
from conflictbench.envs.visual.procedural.stage import Item
from conflictbench.errors import Fault

MIN_PIXELS = 400
MIN_SHARE = 0.4  # of a thing that must not be covered
MIN_SPREAD = 0.15  # of what fills a zone, water or smoke
WHOLE = 0.5  # of the most that is ever there: as much as that must be seen at the start as well
MAX_EDGE = 24  # pixels of the picture's edge that a thing may touch
MIN_PERSON = 0.35  # of one person of a group that can be counted
COUNTED = 8  # people in a group that can be counted at a glance
MIN_LABEL = 0.6  # of a zone's name


def entity_faults(bench: Bench, chosen: list[Case]) -> Iterator[Fault]:
    """Things that show a variable, and people: seen at the start, and in the state that shows most of them."""
    telling = [entity for entity in bench.scene.block.entities if _tells(entity)]
    states = dict.fromkeys([0, *(case.transition.after for case in chosen)])
    pictures = {state: bench.layers(bench.rest(state)) for state in states}
    for entity in telling:
        seen = {state: layers.seen(partial(_is, name=entity.id)) for state, layers in pictures.items()}
        fullest = max(seen, key=lambda state: seen[state].alone)  # the first of the best
        found = list(_entity(bench, entity, seen[fullest]))
        if found:  # what comes late in the story
            for state in extremes(bench.scene, entity):
                pictures.setdefault(state, bench.layers(bench.rest(state)))
                seen[state] = pictures[state].seen(partial(_is, name=entity.id))
            fullest = max(seen, key=lambda state: seen[state].alone)
            found = list(_entity(bench, entity, seen[fullest]))
        if not found and seen[0].alone >= WHOLE * seen[fullest].alone:
            found = list(_entity(bench, entity, seen[0]))
        yield from found
        if entity.glyph == "humans" and entity.count <= COUNTED:
            yield from _people(entity, pictures[fullest])


def _tells(entity: Entity) -> bool:
    return bool(shown_by(entity)) or entity.glyph == "humans"


def _is(item: Item, name: str) -> bool:
    return item.node.id == name


def _entity(bench: Bench, entity: Entity, seen: Seen) -> Iterator[Fault]:
    key = f"visual.entities.{entity.id}"
    fills = entity.zone is not None and not bench.nodes[entity.id].glyph.apart  # people stand in it, and before it
    least = MIN_SPREAD if fills else MIN_SHARE
    if seen.alone < MIN_PIXELS:
        message = f"covers {seen.alone:.0f} pixels of the picture at most, {MIN_PIXELS} are needed"
        fix = "move it nearer" if seen.alone else "remove it"
        if _larger_when_over(bench, entity):
            message += "; at an ending it covers more, but no clip is made of an ending"
            fix = "let it show while the story runs, or remove it"
        yield fault(key, message, fix)
    elif seen.visible < MIN_PIXELS or seen.share < least:
        message = f"{seen.visible:.0f} of its {seen.alone:.0f} pixels are seen ({_percent(seen.share)})"
        behind = f"; before it: {listed(seen.covers)}" if seen.covers else ""
        yield fault(key, f"{message}, {MIN_PIXELS} and {least:.0%} are needed{behind}", _aside(seen.covers))
    if seen.edge > MAX_EDGE and not fills:
        message = f"the picture's edge cuts it off along {seen.edge:.0f} pixels, {MAX_EDGE} are the most"
        yield fault(key, message, "move it towards the middle, or the camera back")


def _percent(share: float) -> str:
    """Rounded down: what falls short of 40 % does not read as 40 %."""
    return f"{int(100 * share + 1e-9)}%"


def _aside(covers: Sequence[str]) -> str:
    """What to do about what covers a thing, most first."""
    if not covers:
        return ""
    return "move it from under what the overlay prints" if covers[0] == OVERLAY else f"move it or {covers[0]} aside"


def _larger_when_over(bench: Bench, entity: Entity) -> bool:
    """Whether it is large enough in some state in which the story is over."""
    over = (bench.layers(bench.rest(state)) for state in extremes(bench.scene, entity, ended=True))
    return any(layers.seen(partial(_is, name=entity.id)).alone >= MIN_PIXELS for layers in over)


def _people(entity: Entity, layers: Layers) -> Iterator[Fault]:
    people = [item for item in layers.items if item.node.id == entity.id]
    for person in people:
        seen = layers.seen(lambda item, person=person: item is person)  # type: ignore[misc]
        if seen.share < MIN_PERSON:
            message = f"of one of its {len(people)} people {_percent(seen.share)} are seen, {MIN_PERSON:.0%} are needed"
            yield fault(f"visual.entities.{entity.id}", f"{message}; before them: {listed(seen.covers)}",
                        f"move {seen.covers[0]} aside, or widen the zone" if seen.covers else "")  # fmt: skip
            return


def zone_faults(bench: Bench) -> Iterator[Fault]:
    """Names of zones can be read, and the zones of both sides are there."""
    layers = bench.layers(bench.rest(0))
    for zone in bench.scene.block.zones:
        share, before = _legible(bench, zone, layers)
        if share < MIN_LABEL:
            seen = f"{_percent(share)} of the name {zone.label!r} on the floor can be seen"
            message = f"{seen}, {MIN_LABEL:.0%} are needed"
            behind = f"; before it: {listed(before)}" if before else ""
            yield fault(f"visual.zones.{zone.id}.label", message + behind, _clearing(before))
    placed = Compiler(bench.scene.block, 0)
    sides = {placed.side(zone) for zone in bench.scene.block.zones}
    for side, whose in (("ai", "the agent's"), ("human", "people's")):
        if side not in sides:
            message = f"no zone is {whose} side, and both are to be seen at once"
            yield fault("visual.zones", message, f"a zone with id {side}, or with their things in it")


def _clearing(before: Sequence[str]) -> str:
    if not before:
        return "move the zone into the picture"
    if before[0] == OVERLAY:
        return "move the zone from under what the overlay prints"
    return f"move {before[0]} off the floor before the zone's front edge, or to the side"


def _legible(bench: Bench, zone: Zone, layers: Layers) -> tuple[float, tuple[str, ...]]:
    """Share of a zone's name that is in the picture with nothing before it; and what stands there, most first."""
    height, width = layers.shape
    (x0, y0, _), (x1, y1, _) = label_corners(zone)
    points = [
        (x0 + (x1 - x0) * a, y0 + (y1 - y0) * b, 0.0) for a in np.linspace(0, 1, 40) for b in np.linspace(0, 1, 6)
    ]
    free, before = 0, Counter[str]()
    for point in points:
        x, y = bench.stage.camera.project(point)
        column, row = int(x * bench.stage.raster.sx), int(y * bench.stage.raster.sy)
        if 0 <= column < width and 0 <= row < height:
            by = layers.before(row, column)
            if by is None:
                free += 1
            else:
                before[by] += 1
    return free / len(points), tuple(name for name, _ in before.most_common(3))
