"""One glyph placed in a room in each way that it allows, and the moments that it is tried in. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.names import POSES
from conflictbench.envs.visual.procedural.compiling import Compiler, Node
from conflictbench.envs.visual.procedural.glyph import Glyph, Moment, Reading
from conflictbench.envs.visual.procedural.timeline import beat
from conflictbench.envs.visual.procedural.vocabulary import glyph_for

ME = "it"
COUNT = 3
SINGLE_PLACES = ("path", "wall", "door", "dock", "")
MOTIONS = ("turn", "press", "pull", "open", "close", "carry", "travel", "digital")
VALUES: dict[str, tuple[float | str | None, ...]] = {
    "share": (0.0, 0.35, 1.0, None),
    "signed": (-1.0, 0.0, 0.6, 1.0, None),
    "degrees": (0.0, 120.0, 270.0, None),
    "count": (0.0, 1.5, float(COUNT), None),
    "pose": (*POSES, None),
}
LINES = (Reading("ONE", "12 %", 0.12, "low"), Reading("TWO", "--", None, None), Reading("THREE", "88 %", 0.88, "high"))


def places(glyph: Glyph) -> tuple[str, ...]:
    """How it may stand; a wall counts three times."""
    found = ("dock",) if glyph.dock else glyph.places
    return tuple(p for place in found for p in (("back", "left", "right") if place == "wall" else (place,)))


def block(name: str, place: str, bound: Sequence[str] = ()) -> Block:
    """A room with this glyph in one place, these properties bound, and what its place needs."""
    glyph = glyph_for(name)
    zones: list[dict[str, Any]] = [
        {"id": "ai", "rect": [0.4, 2.6, 4.2, 6.4], "label": "AGENT"},
        {"id": "people", "rect": [8.8, 2.6, 12.6, 6.4], "label": "PEOPLE", "enclosure": "glass"},
    ]
    it: dict[str, Any] = {"id": ME, "glyph": name}
    if bound:
        it["bind"] = dict.fromkeys(bound, "v")
    if "gauges" in glyph.reads:
        it["gauges"] = [{"label": reading.label, "var": "v"} for reading in LINES]
    if "lines" in glyph.reads:
        it["lines"] = [{"label": reading.label, "var": "v"} for reading in LINES]
    if glyph.role:
        it["role"] = "medic"
    entities: list[dict[str, Any]] = [{"id": "vat", "glyph": "tank", "at": [6.5, 5.4]}, it]
    actors: list[dict[str, Any]] = []
    if place == "dock":
        entities.remove(it)
        actors = [{**it, "dock": [6.5, 3.0, 4.3]}]
    elif place == "at":
        it |= {"at": [2.0, 3.6], "count": COUNT}
    elif place == "zone":
        it |= {"zone": "people", "count": COUNT}
    elif place == "path":
        it["path"] = ["vat", "people"]
    elif place == "door":
        zones[1]["door"] = ME
    elif place:
        it["wall"] = place
    return Block.model_validate({"zones": zones, "entities": entities, "actors": actors})


def built(name: str, place: str, bound: Sequence[str] = ()) -> Node:
    """The node of the glyph in such a room."""
    return next(node for node in Compiler(block(name, place, bound), 0).nodes() if node.id == ME)


def bindings(glyph: Glyph) -> Iterator[tuple[str, ...]]:
    """Nothing bound, each property alone, all together."""
    yield ()
    for prop in sorted(glyph.props):
        yield (prop,)
    if len(glyph.props) > 1:
        yield tuple(sorted(glyph.props))


def valued(glyph: Glyph, bound: Sequence[str], t: float = 0.0) -> Iterator[Moment]:
    """Moments at rest: every bound property walks through its values, all in step."""
    longest = max((len(VALUES[glyph.props[prop]]) for prop in bound), default=1)
    for step in range(longest):
        props = {}
        for prop in bound:
            values = VALUES[glyph.props[prop]]
            props[prop] = values[min(step, len(values) - 1)]
        words = {prop: value for prop, value in props.items() if isinstance(value, str)}
        yield Moment(t=t, props=props, previous=words, readings=LINES)


def acted(motion: str, frame: int, t: float) -> Moment:
    """The target of an action (and, being the target, no longer on any way) in one frame of a clip of 49."""
    now = beat(frame, 49)
    digital = motion == "digital"
    return Moment(
        t=t,
        readings=LINES,
        motion=motion,
        share=now.share,
        work=0.0 if digital else now.work,
        turned=0.0 if digital else now.share,
        alert=now.digital if digital else now.ripple,
        pulse=now.pulse,
    )


def busy(t: float = 1.3) -> Iterator[Moment]:
    """Every motion half way and at its height, and what else may befall a thing."""
    for motion in MOTIONS:
        yield acted(motion, 14, t)
        yield acted(motion, 24, t)
    yield Moment(t=t, readings=LINES, heading=-1.0, carrying=True, motion="carry", hand=(0.4, 0.5, -2.0), grip=1.0)
    yield Moment(t=t, readings=LINES, heading=1.0, motion="travel", work=0.5)
    yield Moment(t=t, readings=LINES, dead=0.4, urgency=3)
    yield Moment(t=t, readings=LINES, dead=1.0, urgency=3)
