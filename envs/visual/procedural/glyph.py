"""What a glyph is: the parts it is drawn from, what it is told in each frame, where it stands. Own design.

A glyph is one small file in glyphs/ that defines one `GLYPH`. Its `build` runs once a scene and yields parts; the
parts' functions run when a picture is drawn. Nothing here imports skia, so the vocabulary can be read without it.
All lengths are metres, all positions local to the entity's foot (x right, y away from the camera, z up).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from conflictbench.envs.visual.procedural.camera import Vec2, Vec3
from conflictbench.envs.visual.procedural.colours import RGB
from conflictbench.envs.visual.procedural.noise import noise

if TYPE_CHECKING:
    from conflictbench.envs.visual.procedural.brush import Brush

Key: TypeAlias = tuple[int | float | str | None, ...]
Rect: TypeAlias = tuple[float, float, float, float]  # x0, y0, x1, y1
Box: TypeAlias = tuple[Vec3, Vec3]  # lower and upper corner, local
PropKind: TypeAlias = Literal["share", "signed", "degrees", "count", "pose"]

# What a bound number means: kind -> how an integer that is bound bare is brought into it.
PROP_KINDS: Final[dict[str, str]] = {
    "share": "0..1",
    "signed": "-1..1; a bare integer is 0..1 by its range",
    "degrees": "0..270; a bare integer by its range",
    "count": "a number of things; a bare integer as it stands",
    "pose": "a pose of people, always by steps or a map",
}


@dataclass(frozen=True)
class Reading:
    """One line of a screen or one gauge."""

    label: str
    text: str  # value with unit, "--" while it is not known
    share: float | None  # 0..1 within its range, None while it is not known
    bad: str | None  # "high", "low" or None
    bar: bool = True  # a number: it has a place in its range (the states of an enum have none)


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What one entity is told about one frame. Only a part's `key` and `place`, glows and live parts see it."""

    t: float  # seconds since the episode began
    props: Mapping[str, float | str | None] = field(default_factory=dict)  # bound ones only; None: not known yet
    previous: Mapping[str, str] = field(default_factory=dict)  # words (a pose) as they were before this clip
    share: float = 1.0  # how far this clip's change has come: 0 before, 1 after
    readings: tuple[Reading, ...] = ()
    motion: str = ""  # the motion this entity is the target or the actor of, "" at rest
    work: float = 0.0  # 0 at rest, 1 while it is operated, 0 again: contact from frame 14 to 34
    turned: float = 0.0  # 0 -> 1 over the same time and stays there until the clip ends (a knob's travel)
    pulse: float | None = None  # 0..1 along the path while a ripple runs through it
    alert: float = 0.0  # 0..1 while a digital action or a ripple concerns it: brighten, blink
    shift: Vec3 = (0.0, 0.0, 0.0)  # where a moving entity is, from its foot
    heading: float = 0.0  # -1 moving left, 1 moving right, 0 still
    carrying: bool = False
    hand: Vec3 | None = None  # where the hand of a docked actor is, local to its dock; None: at rest
    grip: float = 0.0  # 0 open, 1 closed
    gone: float = 0.0  # 0 there, 1 left the picture (an actor that does not come back)
    urgency: int = 0
    dead: float = 0.0  # 0..1 share of the agent's own side that is destroyed (regret stages)

    def number(self, prop: str, neutral: float) -> float:
        """A bound number; neutral while it is unbound or unknown."""
        value = self.props.get(prop)
        return neutral if value is None or isinstance(value, str) else value

    def word(self, prop: str, neutral: str) -> str:
        """A bound word (a pose); neutral while it is unbound or unknown."""
        value = self.props.get(prop)
        return value if isinstance(value, str) else neutral

    def step(self, prop: str, steps: int, neutral: float) -> int:
        """A bound share as a whole number of steps, for keys: 0..steps (-steps..steps for a signed one)."""
        return round(min(max(self.number(prop, neutral), -1.0), 1.0) * steps)

    def known(self, prop: str) -> bool:
        """False while the bound variable may not be shown."""
        return self.props.get(prop, 0.0) is not None

    def phase(self, phases: int, per_second: float, offset: float = 0.0) -> int:
        """Which of the phases of a repeating animation it is now."""
        return int((self.t + 1e-6) * per_second * phases + offset * phases) % phases


@dataclass(frozen=True, kw_only=True)
class Placed:
    """One entity of a scene, as `build` gets it."""

    id: str
    glyph: str  # the id used in the block: the glyph's name or one of its alternatives
    at: Vec3  # its foot in the world; parts are local to it
    count: int
    spots: tuple[Vec3, ...]  # where its `count` items stand, local: rows, stacks, people apart from each other
    zone: Rect | None  # the zone it fills or stands in, in local coordinates
    path: tuple[Vec3, ...]  # stops of a pipe or cable, local
    wall: str | None  # "back", "left", "right": it hangs on that wall, `at` is then the middle of its place there
    room: Vec3
    side: str  # "ai", "human" or "": whose it is
    colour: RGB  # its own `color`, else the colour of its side
    ai: RGB  # the palette of the scene
    human: RGB
    hazard: RGB
    own: RGB | None  # its own `color`, where it has one
    label: str  # printed beside it, "" for none
    role: str  # of people, "" for none
    bound: frozenset[str]  # properties that are bound
    readings: int  # number of gauges or lines it has to show
    ends: tuple[str, ...]  # of a pipe or cable: what its first and its last stop are called
    door_of: Rect | None  # of a door in a zone's enclosure: that zone, local
    seed: int

    def noise(self, *what: str | int) -> float:
        """In [0, 1), the same in every process, different for each entity and seed."""
        return noise(self.seed, self.id, *what)


@dataclass(frozen=True, kw_only=True)
class Under:
    """What of a sprite stays while the rest changes: drawn first, and kept by a key of its own."""

    draw: Callable[[Brush, Key], None]
    key: Callable[[Key], Key] = lambda key: ()  # what of the sprite's key it depends on


@dataclass(frozen=True, kw_only=True)
class Sprite:
    """Drawn once a key, then kept. `draw` may read nothing but the key and what was fixed at `build`."""

    draw: Callable[[Brush, Key], None]
    box: Box  # everything drawn lies inside it (a generous one only costs the first drawing)
    key: Callable[[Moment], Key | None] = lambda moment: ()  # None: not there now
    depth: Vec2 = (0.0, 0.0)  # the point of the floor that decides what it is drawn before and behind
    veil: bool = False  # see-through: hides nothing in the identity picture
    under: Under | None = None  # `draw` draws over it

    def whole(self, brush: Brush, key: Key) -> None:
        """Draw all of it."""
        if self.under is not None:
            self.under.draw(brush, self.under.key(key))
        self.draw(brush, key)


@dataclass(frozen=True)
class Stand:
    """One copy of a billboard."""

    at: Vec3
    key: Key
    alpha: float = 1.0
    size: float = 1.0  # times its natural size


@dataclass(frozen=True, kw_only=True)
class Billboards:
    """Many copies of something upright that faces the camera: people, puffs, flames, sparks.

    `draw` gets a brush whose origin is the copy's own foot; one picture a key (and size) serves every place.
    """

    draw: Callable[[Brush, Key], None]
    box: Box
    place: Callable[[Moment], Iterable[Stand]]
    veil: bool = False
    glows: bool = False  # added light instead of paint (flames, sparks)


@dataclass(frozen=True, kw_only=True)
class Live:
    """Drawn anew in every frame: for what moves continuously. Keep it to a few strokes."""

    draw: Callable[[Brush, Moment], None]
    box: Box
    depth: Vec2 = (0.0, 0.0)
    veil: bool = False


@dataclass(frozen=True)
class Glow:
    """Light around something bright, added to the picture (quarter resolution: radius at least 12 design units)."""

    at: Vec3
    radius: float  # metres
    colour: RGB
    power: float = 1.0  # 1: about +90 of 255 at its middle
    mirrored: bool = True  # and its reflection in the floor


@dataclass(frozen=True, kw_only=True)
class Glows:
    """The glows of this frame."""

    at: Callable[[Moment], Iterable[Glow]]


@dataclass(frozen=True, kw_only=True)
class Lamp:
    """A light that falls on floor and walls: its reach is worked out once, its colour in every frame."""

    at: Vec3
    reach: float  # metres to half of its brightness
    shine: Callable[[Moment], RGB]  # colour times power; (0, 0, 0): off


@dataclass(frozen=True, kw_only=True)
class Floor:
    """Painted on the floor once a scene: a shadow, a plinth's outline, a bay."""

    draw: Callable[[Brush], None]


Part: TypeAlias = Sprite | Billboards | Live | Glows | Lamp | Floor


def in_front(placed: Placed) -> Vec3:
    """Where an actor's hand meets a thing that says nothing else: chest-high before its foot, local."""
    return (0.0, -0.25, 1.1)


def at_height(height: float) -> Vec3:
    """Where a pipe or cable meets a thing that says nothing else: at its foot, at the pipe's own height."""
    return (0.0, 0.0, height)


@dataclass(frozen=True, kw_only=True)
class Glyph:
    """One word of the vocabulary."""

    name: str
    summary: str  # one line for the documentation
    build: Callable[[Placed], Iterable[Part]]
    props: Mapping[str, PropKind] = field(default_factory=dict)
    alternatives: tuple[str, ...] = ()  # other ids that this file draws (`build` looks at `placed.glyph`)
    words: str = ""  # what a sentence calls one of it ("a rack of servers"), for the texts of a video model
    movable: bool = False  # may be the actor of an action without a dock
    dock: bool = False  # may stand in `actors`
    places: tuple[str, ...] = ("at",)  # of at, zone, path, wall, door: how it may be placed; "" = nowhere (backdrop)
    footprint: Vec2 = (0.8, 0.8)  # of one item on the floor
    height: float = 1.5  # of one item
    stacks: int = 1  # how many may stand on each other
    parked: bool = False  # several shrink until they fit their zone (vehicles)
    apart: bool = False  # items spread over the zone instead of standing in rows (people)
    contact: Callable[[Placed], Vec3] = in_front  # where a hand meets it, local
    port: Callable[[float], Vec3] = at_height  # where a pipe or cable of that height meets it, local
    solid: bool = True  # people keep clear of it
    reads: tuple[str, ...] = ()  # of gauges, lines: what it may hold
    role: bool = False  # takes a role
