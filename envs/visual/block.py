"""The `visual` block of a scenario file: pydantic models, frozen, nothing beside them allowed. Own design.

Shapes, closed lists and single numbers are checked here; what belongs together (glyphs and their properties, places in
the room, variables) is checked by `check.py`, references between ids by the loader. Metres: x to the right, y away
from the viewer, z up; the room's front left corner on the floor is [0, 0, 0].
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    model_validator,
)

from conflictbench.envs.visual.names import (
    CAMERAS,
    MAX_COUNT,
    Bad,
    CameraPreset,
    Color,
    Enclosure,
    Floor,
    Marking,
    Overlay,
    Role,
    Wall,
    WallSide,
)
from conflictbench.scenario_specs.moments import checked_moment
from conflictbench.scenario_specs.schema import Id, Name
from conflictbench.scenario_specs.schema import Model as SpecModel

MAX_ZONES, MAX_ENTITIES, MAX_ACTORS, MAX_STOPS = 8, 80, 6, 12
MAX_GAUGES, MAX_LINES, MAX_STEPS = 4, 6, 12
FIRST_YEAR = 1900  # of the clock
MAX_CAPTION = 40  # characters of an action's label that fit the picture


Vec3 = tuple[float, float, float]


class Model(SpecModel):
    """Base of every block: also refuses nan and infinities."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Short = Annotated[str, StringConstraints(min_length=1, max_length=16)]
Sign = Annotated[str, StringConstraints(min_length=1, max_length=24)]
Metres = Annotated[float, Field(ge=-100.0, le=100.0)]
Point = Annotated[tuple[Metres, Metres, Metres], Field(strict=False)]
Place = Annotated[tuple[Metres, ...], Field(strict=False, min_length=2, max_length=3)]  # on the floor, or at a height


def _number_or_pose(value: Any) -> float | str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise ValueError(f"a finite number or the name of a pose is wanted, not {str(value)[:40]}")


Value = Annotated[float | str, PlainValidator(_number_or_pose)]  # of a property


def _real_moment(value: str) -> str:
    return checked_moment(value, shape="YYYY-MM-DDThh:mm:ss", what="the clock", first_year=FIRST_YEAR)


class CameraBlock(Model):
    """A preset, or a preset moved: `pos` and `look_at` in metres, `fov` in degrees from side to side."""

    preset: CameraPreset = "cctv_high_corner"
    pos: Point | None = None
    look_at: Point | None = None
    fov: Annotated[float, Field(ge=20.0, le=100.0)] | None = None
    label: Sign = "CAM 01"

    @model_validator(mode="after")
    def _looks_somewhere(self) -> CameraBlock:
        if self.pos is not None and self.pos == self.look_at:
            raise ValueError(f"the camera stands at the point {list(self.pos)} that it looks at; move one of them")
        if self.pos is not None and self.look_at is not None and self.pos[:2] == self.look_at[:2]:
            raise ValueError(f"the camera looks straight down from {list(self.pos)}; move it 0.1 m to the front")
        return self


class Room(Model):
    """The box that everything stands in: width, depth and height in metres."""

    size: Annotated[
        tuple[
            Annotated[float, Field(ge=4.0, le=40.0)],
            Annotated[float, Field(ge=4.0, le=40.0)],
            Annotated[float, Field(ge=2.0, le=20.0)],
        ],
        Field(strict=False),
    ] = (13.0, 10.4, 4.4)
    floor: Floor = "concrete_tiles"
    wall: Wall = "panels"
    sign: Sign | None = None


class Palette(Model):
    """Colours of the agent's side, of the people's, and of what threatens them."""

    ai: Color = "ice"
    human: Color = "orange"
    hazard: Color = "yellow"


def _some_floor(rect: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = rect
    if x1 - x0 < 0.2 or y1 - y0 < 0.2:
        raise ValueError(f"{list(rect)} is [x0, y0, x1, y1] with x1 > x0 and y1 > y0, 0.2 m at the least")
    return rect


Rect = Annotated[tuple[Metres, Metres, Metres, Metres], Field(strict=False), AfterValidator(_some_floor)]


class Zone(Model):
    """A marked piece of floor: [x0, y0, x1, y1]; its door stands in its front edge."""

    id: Id
    rect: Rect
    label: Sign
    marking: Marking | None = None
    enclosure: Enclosure | None = None
    door: Id | None = None

    @property
    def centre(self) -> tuple[float, float]:
        x0, y0, x1, y1 = self.rect
        return ((x0 + x1) / 2, (y0 + y1) / 2)


def _shorthand(value: Any) -> Any:
    return {"var": value} if isinstance(value, str) else value


class BoundTo(Model):
    """What drives a property: a variable as it is, through a `map` of its values, or through `steps` of its share."""

    var: Name
    map: Annotated[dict[str, Value], Field(max_length=32)] | None = None
    steps: (
        Annotated[
            tuple[Annotated[tuple[float, Value], Field(strict=False)], ...],
            Field(strict=False, min_length=1, max_length=MAX_STEPS),
        ]
        | None
    ) = None
    unknown: Value | None = None  # while the variable may not be shown; None: the glyph's own neutral look

    @model_validator(mode="after")
    def _one_way(self) -> BoundTo:
        if self.map is not None and self.steps is not None:
            raise ValueError("a binding has `map` (values of an enum or a boolean) or `steps` (of a number), not both")
        return self


Bindings = dict[Name, Annotated[BoundTo, BeforeValidator(_shorthand)]]


class Gauge(Model):
    """One dial of a gauge panel; `bad` says which end of it is red."""

    label: Short
    var: Name
    bad: Bad | None = None


class Line(Model):
    """One line of a screen."""

    label: Short
    var: Name
    unit: Annotated[str, StringConstraints(min_length=1, max_length=8)] | None = None


class Entity(Model):
    """A thing: standing `at` a place, in a `zone`, on a `wall` (`at` says where), or along a `path` of others."""

    id: Id
    glyph: Name
    at: Place | None = None
    zone: Id | None = None
    path: Annotated[tuple[Id, ...], Field(strict=False, min_length=2, max_length=MAX_STOPS)] | None = None
    wall: WallSide | None = None
    count: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1
    color: Color | None = None
    label: Sign | None = None  # printed beside it
    role: Role | None = None
    bind: Annotated[Bindings, Field(max_length=16)] = Field(default_factory=dict)
    gauges: tuple[Gauge, ...] = Field(default=(), strict=False, max_length=MAX_GAUGES)
    lines: tuple[Line, ...] = Field(default=(), strict=False, max_length=MAX_LINES)


class Actor(Model):
    """What reaches out from a fixed dock, such as an arm under the ceiling."""

    id: Id
    glyph: Name
    dock: Point | None = None  # needed; `check.py` says so in the words of the rule about actors


class UrgencyBlock(Model):
    expr: Annotated[str, StringConstraints(min_length=1, max_length=400)]


class Block(Model):
    """The whole block."""

    camera: CameraBlock = CameraBlock()
    room: Room = Room()
    clock: Annotated[str, AfterValidator(_real_moment)] | None = None  # None: the setting's time
    overlay: Overlay = "cctv"
    palette: Palette = Palette()
    zones: tuple[Zone, ...] = Field(strict=False, min_length=1, max_length=MAX_ZONES)
    entities: tuple[Entity, ...] = Field(strict=False, min_length=1, max_length=MAX_ENTITIES)
    urgency: UrgencyBlock | None = None
    actors: tuple[Actor, ...] = Field(default=(), strict=False, max_length=MAX_ACTORS)

    @property
    def view(self) -> tuple[Vec3, Vec3, float]:
        """The camera's place, the point it looks at, and its horizontal angle in degrees."""
        preset, (width, depth, height) = CAMERAS[self.camera.preset], self.room.size
        pos, look_at = (
            point or (share[0] * width, share[1] * depth, share[2] * height)
            for point, share in ((self.camera.pos, preset.pos), (self.camera.look_at, preset.look_at))
        )
        return pos, look_at, self.camera.fov or preset.fov

    def zone(self, name: str) -> Zone | None:
        """The zone with this id."""
        return next((zone for zone in self.zones if zone.id == name), None)

    def zone_at(self, x: float, y: float) -> Zone | None:
        """The first zone that holds a place."""
        for zone in self.zones:
            x0, y0, x1, y1 = zone.rect
            if x0 <= x <= x1 and y0 <= y <= y1:
                return zone
        return None

    def entity(self, name: str) -> Entity | None:
        """The entity with this id."""
        return next((entity for entity in self.entities if entity.id == name), None)

    def actor(self, name: str) -> Actor | None:
        """The actor with this id."""
        return next((actor for actor in self.actors if actor.id == name), None)

    def zone_of_door(self, entity: str) -> Zone | None:
        """The zone whose door this entity is."""
        return next((zone for zone in self.zones if zone.door == entity), None)
