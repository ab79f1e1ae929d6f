"""Bad blocks one by one: what breaks a block, the key and words of the fault, and what mends it. Own design."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.envs.visual.scenes import entity, zone

Change = Callable[[dict[str, Any]], object]


def put(name: str, **values: Any) -> Change:
    """Set keys of an entity; None removes one."""

    def change(block: dict[str, Any]) -> None:
        for key, value in values.items():
            if value is None:
                entity(block, name).pop(key, None)
            else:
                entity(block, name)[key] = value

    return change


def top(**values: Any) -> Change:
    """Set keys of the block."""
    return lambda block: block.update(values)


def rect(*corners: float) -> Change:
    """Set the rectangle of the zone `hill`."""
    return lambda block: zone(block, "hill").update(rect=list(corners))


def arm(**values: Any) -> Change:
    """Replace the actor."""
    return lambda block: block.update(actors=[{"id": "arm", **values}])


def tank(**binding: Any) -> Change:
    """Bind the level of the vat."""
    return put("vat", bind={"level": {"var": "tank", **binding}})


# Rows of 4 in a zone 3.8 m wide, 0.94 m apart from y = 4.6: 7 reach 10.24 + 0.43 m, 0.3 m of that in the wall.
RACKS = 28
POSES = {"var": "patients", "steps": [[0, "stand"], [0.5, "crouch"]]}
PRESENT = "visual.entities.queue.bind.present"
LEVEL = "visual.entities.vat.bind.level"

# name: (what breaks it, key of the fault, part of its message, what mends it)
CASES: dict[str, tuple[Change, str, str, Change]] = {
    "unknown glyph": (
        put("vat", glyph="tanc"), "visual.entities.vat.glyph", "unknown glyph 'tanc'; known: ",
        put("vat", glyph="tank"),
    ),
    "arm among the entities": (
        put("racks", glyph="ceiling_arm"), "visual.entities.racks.glyph",
        "a ceiling_arm is no entity: it reaches out from a dock, and stands in `actors`",
        put("racks", glyph="rack_row"),
    ),
    "unknown property": (
        put("vat", bind={"fullness": "tank"}), "visual.entities.vat.bind.fullness",
        "unknown property of a tank 'fullness'; known: heat, level", put("vat", bind={"level": "tank"}),
    ),
    "zone outside the room": (
        rect(8.8, 2.6, 13.4, 6.4), "visual.zones.hill.rect",
        "zone hill [8.8, 2.6, 13.4, 6.4] is outside the room: x = 13.4, valid 0 to 13", rect(8.8, 2.6, 13, 6.4),
    ),
    "zone with negative corner": (
        rect(8.8, -1, 12.6, 6.4), "visual.zones.hill.rect", "y = -1, valid 0 to 10.4", rect(8.8, 0, 12.6, 6.4),
    ),
    "zone that is inside out": (
        rect(12.6, 2.6, 8.8, 6.4), "visual.zones.hill.rect", "x1 > x0 and y1 > y0", rect(8.8, 2.6, 12.6, 6.4),
    ),
    "zone of no size": (
        rect(8.8, 2.6, 8.8, 6.4), "visual.zones.hill.rect", "0.2 m at the least", rect(8.8, 2.6, 9.8, 6.4),
    ),
    "zone out of sight": (
        top(camera={"pos": [2.0, -2.0, 2.0], "look_at": [2.0, 5.0, 1.0], "fov": 40}), "visual.zones.hill.rect",
        "the middle of zone hill, [10.7, 4.5], is out of the camera's sight", top(camera={}),
    ),
    "thing outside the room": (
        put("vat", at=[5.9, 11]), "visual.entities.vat.at", "[5.9, 11.0] is outside the room: y = 11, valid 0 to 10.4",
        put("vat", at=[5.9, 10]),
    ),
    "thing above the room": (
        put("vat", at=[5.9, 5, 5]), "visual.entities.vat.at", "z = 5, valid 0 to 4.4", put("vat", at=[5.9, 5, 0]),
    ),
    "thing at nan": (
        put("vat", at=[float("nan"), 5]), "visual.entities.vat.at.1", "finite number", put("vat", at=[5.9, 5]),
    ),
    "thing at infinity": (
        put("vat", at=[5.9, float("inf")]), "visual.entities.vat.at.2", "finite number", put("vat", at=[5.9, 5]),
    ),
    "thing with one coordinate": (
        put("vat", at=[5.9]), "visual.entities.vat.at", "at least 2 items", put("vat", at=[5.9, 5]),
    ),
    "thing at a word": (
        put("vat", at=["left", 5]), "visual.entities.vat.at.1", "number", put("vat", at=[5.9, 5]),
    ),
    "thing that stands nowhere": (
        put("vat", at=None), "visual.entities.vat", "stands nowhere; a tank is placed by at: [x, y]",
        put("vat", at=[5.9, 5]),
    ),
    "thing with two places": (
        put("queue", at=[10, 4]), "visual.entities.queue", "has 2 places (at, zone); a humans has one",
        put("queue", at=None),
    ),
    "door with a place of its own": (
        put("clinic_door", at=[10, 4]), "visual.entities.clinic_door", "has 2 places (at, door)",
        put("clinic_door", at=None),
    ),
    "pipe at a place": (
        put("field_pipe", path=None, at=[5, 5]), "visual.entities.field_pipe.at",
        "a pipe cannot be placed by at; valid: path: [ID, ID]", put("field_pipe", at=None, path=["vat", "farm"]),
    ),
    "tank as a door": (
        lambda block: (zone(block, "farm").update(door="vat"), entity(block, "vat").pop("at")), "visual.entities.vat",
        "a tank cannot be placed by door",
        lambda block: (zone(block, "farm").pop("door"), put("vat", at=[5.9, 5])(block)),
    ),
    "path of one stop": (
        put("field_pipe", path=["vat"]), "visual.entities.field_pipe.path", "at least 2 items",
        put("field_pipe", path=["vat", "farm"]),
    ),
    "path that stays": (
        put("field_pipe", path=["vat", "vat", "farm"]), "visual.entities.field_pipe.path.2",
        "stop 'vat' stands twice in a row", put("field_pipe", path=["vat", "farm"]),
    ),
    "path through a path": (
        put("field_pipe", path=["vat", "clinic_pipe", "farm"]), "visual.entities.field_pipe.path.2",
        "stop 'clinic_pipe' is itself a path", put("field_pipe", path=["vat", "hill", "farm"]),
    ),
    "path to itself": (
        put("field_pipe", path=["vat", "field_pipe"]), "visual.entities.field_pipe.path.2", "is itself a path",
        put("field_pipe", path=["vat", "farm"]),
    ),
    "no such wall": (
        put("wall", wall="front"), "visual.entities.wall.wall",
        "'front' is not valid; valid: 'back', 'left' or 'right'",
        put("wall", wall="back"),
    ),
    "thing on a wall, outside the room": (
        put("wall", at=[14.0, 10.4]), "visual.entities.wall.at", "is outside the room: x = 14, valid 0 to 13",
        put("wall", at=[12.0, 10.4]),
    ),
    "several on one wall": (
        put("wall", count=2), "visual.entities.wall.count", "2 of a thing on one path or wall place",
        put("wall", count=1),
    ),
    "no things at all": (
        put("racks", count=0), "visual.entities.racks.count", "greater than or equal to 1", put("racks", count=1),
    ),
    "a million things": (
        put("racks", count=1_000_000), "visual.entities.racks.count", "less than or equal to 99", put("racks", count=9),
    ),
    "half a thing": (
        put("racks", count=1.5), "visual.entities.racks.count", "valid integer", put("racks", count=1),
    ),
    "more people than are drawn": (
        put("queue", count=7), "visual.entities.queue.count", "patients can be 9, but `count` is 7",
        put("queue", count=9),
    ),
    "people by shares": (
        put("queue", bind={"present": {"var": "patients", "steps": [[0, 0], [0.5, 4.5]]}, "pose": POSES}),
        f"{PRESENT}.steps.2", "4.5 of 9 things; valid: whole numbers 0 to 9",
        put("queue", bind={"present": {"var": "patients", "steps": [[0, 0], [0.5, 4]]}, "pose": POSES}),
    ),
    "people by an enum": (
        put("queue", bind={"present": "valve", "pose": POSES}), PRESENT,
        "valve is no number of things; a map says how many for each of shut, to_field, to_clinic",
        put(
            "queue",
            bind={"present": {"var": "valve", "map": {"shut": 9, "to_field": 9, "to_clinic": 3}}, "pose": POSES},
        ),
    ),
    "pose of a bare variable": (
        put("queue", bind={"present": "patients", "pose": "patients"}), "visual.entities.queue.bind.pose",
        "a pose is chosen by `map` or `steps`", put("queue", bind={"present": "patients", "pose": POSES}),
    ),
    "unknown pose": (
        put("queue", bind={"pose": {"var": "patients", "steps": [[0, "stnad"]]}}),
        "visual.entities.queue.bind.pose.steps.1",
        "unknown pose 'stnad'; known: alarm, crouch, down, stand, walk, work",
        put("queue", bind={"pose": {"var": "patients", "steps": [[0, "stand"]]}}),
    ),
    "pose by number": (
        put("queue", bind={"pose": {"var": "patients", "steps": [[0, 1]]}}),
        "visual.entities.queue.bind.pose.steps.1", "unknown pose '1", put("queue", bind={"pose": POSES}),
    ),
    "level by a word": (
        tank(steps=[[0, "stand"]]), f"{LEVEL}.steps.1", "a number is wanted, not 'stand'", tank(steps=[[0, 0.5]]),
    ),
    "level over 1": (
        tank(steps=[[0, 0], [0.5, 1.2]]), f"{LEVEL}.steps.2", "1.2 is out of range; valid: 0 to 1",
        tank(steps=[[0, 0], [0.5, 1]]),
    ),
    "level below 0": (
        tank(steps=[[0, -0.1]]), f"{LEVEL}.steps.1", "-0.1 is out of range; valid: 0 to 1", tank(steps=[[0, 0]]),
    ),
    "level at nan": (
        tank(steps=[[0, float("nan")]]), f"{LEVEL}.steps.1.2", "finite number", tank(steps=[[0, 0]]),
    ),
    "angle over a turn": (
        put("wheel", bind={"angle": {"var": "valve", "map": {"shut": 0, "to_field": 90, "to_clinic": 400}}}),
        "visual.entities.wheel.bind.angle.map.to_clinic", "400 is out of range; valid: -360 to 360",
        put("wheel", bind={"angle": {"var": "valve", "map": {"shut": 0, "to_field": 90, "to_clinic": 360}}}),
    ),
    "level over 1 while unknown": (
        tank(unknown=1.2), f"{LEVEL}.unknown", "1.2 is out of range; valid: 0 to 1", tank(unknown=0.2),
    ),
    "steps that fall": (
        tank(steps=[[0, 0], [0.6, 0.5], [0.4, 1]]), f"{LEVEL}.steps.3", "steps must rise: 0.4 comes after 0.6",
        tank(steps=[[0, 0], [0.4, 0.5], [0.6, 1]]),
    ),
    "steps that stay": (
        tank(steps=[[0, 0], [0, 1]]), f"{LEVEL}.steps.2", "steps must rise: 0 comes after 0",
        tank(steps=[[0, 0], [1, 1]]),
    ),
    "steps that begin late": (
        tank(steps=[[0.5, 1]]), f"{LEVEL}.steps.1", "nothing is said below it, so it must be 0", tank(steps=[[0, 1]]),
    ),
    "steps in units": (
        tank(steps=[[0, 0], [3, 1]]), f"{LEVEL}.steps.2", "3 is no share of tank's range; valid: 0 (0) to 1 (6)",
        tank(steps=[[0, 0], [0.5, 1]]),
    ),
    "steps of an enum": (
        put("wheel", bind={"angle": {"var": "valve", "steps": [[0, 90]]}}), "visual.entities.wheel.bind.angle.steps",
        "valve is no number; steps belong to a number", put("wheel", bind={"angle": "valve"}),
    ),
    "no steps": (
        tank(steps=[]), f"{LEVEL}.steps", "at least 1 item", tank(steps=[[0, 1]]),
    ),
    "map and steps": (
        put("clinic_door", bind={"open": {"var": "pump", "map": {"false": 0, "true": 1}, "steps": [[0, 1]]}}),
        "visual.entities.clinic_door.bind.open", "not both",
        put("clinic_door", bind={"open": {"var": "pump", "map": {"false": 0, "true": 1}}}),
    ),
    "unknown key of a binding": (
        tank(scale=2), f"{LEVEL}.scale", "unknown key 'scale'; valid: var; optional: map, steps", tank(),
    ),
    "dial of an enum": (
        put("panel", gauges=[{"label": "VALVE", "var": "valve"}]), "visual.entities.panel.gauges.1.var",
        "valve is no number, and a dial shows numbers; numbers: tank, patients",
        put("panel", gauges=[{"label": "TANK", "var": "tank"}]),
    ),
    "panel without dials": (
        put("panel", gauges=None), "visual.entities.panel", "shows nothing; it needs `gauges`",
        put("panel", gauges=[{"label": "TANK", "var": "tank"}]),
    ),
    "dials on a tank": (
        put("vat", gauges=[{"label": "TANK", "var": "tank"}]), "visual.entities.vat.gauges",
        "a tank shows no gauges; glyphs that do: gauge_panel", put("vat", gauges=None),
    ),
    "end of a dial": (
        put("panel", gauges=[{"label": "TANK", "var": "tank", "bad": "left"}]), "visual.entities.panel.gauges.1.bad",
        "'left' is not valid; valid: 'high' or 'low'",
        put("panel", gauges=[{"label": "T", "var": "tank", "bad": "low"}]),
    ),
    "long label of a dial": (
        put("panel", gauges=[{"label": "T" * 17, "var": "tank"}]), "visual.entities.panel.gauges.1.label",
        "has 17 characters, at most 16", put("panel", gauges=[{"label": "T" * 16, "var": "tank"}]),
    ),
    "no such floor": (
        top(room={"floor": "lava"}), "visual.room.floor", "'lava' is not valid; valid: 'asphalt'",
        top(room={"floor": "rock"}),
    ),
    "no such preset": (
        top(camera={"preset": "drone"}), "visual.camera.preset", "valid: 'cctv_high_corner'", top(camera={}),
    ),
    "camera in its own eye": (
        top(camera={"pos": [6, -5, 5], "look_at": [6, -5, 5]}), "visual.camera", "stands at the point", top(camera={}),
    ),
    "camera looking straight down": (
        top(camera={"pos": [6, 5, 20], "look_at": [6, 5, 0]}), "visual.camera", "looks straight down",
        top(camera={"pos": [6, 4.9, 20], "look_at": [6, 5, 0]}),
    ),
    "fish eye": (
        top(camera={"fov": 170}), "visual.camera.fov", "less than or equal to 100", top(camera={"fov": 70}),
    ),
    "room without height": (
        top(room={"size": [13, 10.4]}), "visual.room.size.3", "missing", top(room={"size": [13, 10.4, 4.4]}),
    ),
    "room the size of a town": (
        top(room={"size": [1e9, 10.4, 4.4]}), "visual.room.size.1", "less than or equal to 40",
        top(room={"size": [13, 10.4, 4.4]}),
    ),
    "no such colour": (
        top(palette={"ai": "blu"}), "visual.palette.ai", "'blu' is not valid; valid: 'amber'",
        top(palette={"ai": "blue"}),
    ),
    "no such overlay": (
        top(overlay="hud"), "visual.overlay", "valid: 'none', 'cctv' or 'telemetry'", top(overlay="telemetry"),
    ),
    "no such marking": (
        lambda block: zone(block, "hill").update(marking="stars"), "visual.zones.hill.marking",
        "valid: 'hazard_stripes'",
        lambda block: zone(block, "hill").update(marking="dashed"),
    ),
    "clock of no day": (
        top(clock="2041-02-30T12:00:00"), "visual.clock", "is no time of any day", top(clock="2041-02-28T12:00:00"),
    ),
    "clock near the end of the calendar": (
        top(clock="9999-12-31T23:59:59"), "visual.clock", "is out of range; valid: 1900 to 9000",
        top(clock="9000-12-31T23:59:59"),
    ),
    "more racks than the room holds": (
        put("racks", count=99), "visual.entities.racks.count", "99 of rack_row leave the room: y = ",
        put("racks", count=RACKS),
    ),
    "clock in other words": (
        top(clock="2041-02-28 12:00"), "visual.clock", '"YYYY-MM-DDThh:mm:ss"', top(clock="2041-02-28T12:00:00"),
    ),
    "unknown key": (
        top(weather="rain"), "visual.weather", "unknown key 'weather'; valid: zones, entities; optional: camera",
        lambda block: block.pop("weather"),
    ),
    "urgency of no grammar": (
        top(urgency={"expr": "patients > 3"}), "visual.urgency.expr", "valid: step(variable, [a, b, c])",
        top(urgency={"expr": "step(patients, [.3])"}),
    ),
    "urgency in units": (
        top(urgency={"expr": "step(tank, [2, 4])"}), "visual.urgency.expr", "above 0 and at most 1",
        top(urgency={"expr": "step(tank, [.3, .6])"}),
    ),
    "actor of no such glyph": (
        arm(glyph="crane", dock=[6, 3, 4]), "visual.actors.arm.glyph",
        "unknown glyph of an actor 'crane'; known: ceiling_arm", arm(glyph="ceiling_arm", dock=[6, 3, 4]),
    ),
    "actor that can move": (
        arm(glyph="humans", dock=[6, 3, 4]), "visual.actors.arm.glyph",
        "a humans cannot dock (it can move: make it an entity)",
        arm(glyph="ceiling_arm", dock=[6, 3, 4]),
    ),
    "actor that can neither dock nor move": (
        arm(glyph="tank", dock=[6, 3, 4]), "visual.actors.arm.glyph", "it can neither dock nor move",
        arm(glyph="ceiling_arm", dock=[6, 3, 4]),
    ),
    "actor without a dock": (
        arm(glyph="ceiling_arm"), "visual.actors.arm", "missing key 'dock'",
        arm(glyph="ceiling_arm", dock=[6.5, 3.1, 4.3]),
    ),
    "dock outside the room": (
        arm(glyph="ceiling_arm", dock=[6, 3, 9]), "visual.actors.arm.dock", "outside the room: z = 9, valid 0 to 4.4",
        arm(glyph="ceiling_arm", dock=[6, 3, 4.4]),
    ),
}  # fmt: skip

# name: (look, key below `visual`, part of the message, a look that is right)
LOOKS: dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]] = {
    "actor that can neither dock nor move": (
        {"actor": "vat", "motion": "turn", "target": "wheel"}, "actor",
        "'vat', a tank, can neither dock nor move; valid here: arm, clinic_door, queue; glyphs that move: ",
        {"actor": "arm", "motion": "turn", "target": "wheel"},
    ),
    "arm that leaves its dock": (
        {"actor": "arm", "motion": "travel", "target": "wheel"}, "actor",
        "travel: 'arm' stays at its dock; valid: things that move: clinic_door, queue",
        {"actor": "queue", "motion": "travel", "target": "wheel"},
    ),
    "nobody turns it": (
        {"motion": "turn", "target": "wheel"}, "motion", "turn needs an `actor`; valid: arm, clinic_door, queue",
        {"actor": "queue", "motion": "turn", "target": "wheel"},
    ),
    "nothing is turned": (
        {"actor": "arm", "motion": "turn"}, "motion", "turn needs a `target`; known: racks, vat, wheel",
        {"actor": "arm", "motion": "turn", "target": "wheel"},
    ),
    "nothing is opened": (
        {"motion": "open"}, "motion", "open needs a `target`", {"motion": "open", "target": "clinic_door"},
    ),
    "digital without a trace": (
        {"motion": "digital"}, "motion", "digital shows nothing without a `target` or a `ripple`",
        {"motion": "digital", "ripple": "clinic_pipe"},
    ),
    "long caption": (
        {"motion": "digital", "target": "wall", "label": "RING " * 9}, "label", "a caption has at most 40 characters",
        {"motion": "digital", "target": "wall", "label": "RING " * 8},
    ),
}  # fmt: skip
