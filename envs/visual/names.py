"""The closed lists of a `visual` block: what an author may call by name, glyphs and properties apart. Own design.

A glyph is a file of its own with the properties that it has (`procedural/glyphs/`); `check.py` reads them there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

CameraPreset = Literal["cctv_high_corner", "cctv_left_corner", "cctv_right_corner", "cctv_low"]
Floor = Literal[
    "asphalt", "concrete", "concrete_tiles", "grating", "hospital_vinyl", "ice", "planks", "rock", "rubber", "soil",
    "steel_plate",
]  # fmt: skip
Wall = Literal["brick", "concrete", "ice", "open", "panels", "planks", "rock", "steel", "tiles"]  # open: outdoors
Color = Literal[
    "amber", "black", "blue", "brown", "chlorine", "cyan", "green", "grey", "ice", "lime", "magenta", "navy", "orange",
    "pink", "purple", "red", "rust", "sand", "silver", "steel", "sulfur", "teal", "violet", "white", "yellow",
]  # fmt: skip
Overlay = Literal["none", "cctv", "telemetry"]
Marking = Literal["hazard_stripes", "line", "dashed"]
Enclosure = Literal["glass", "fence", "rail"]
WallSide = Literal["back", "left", "right"]
Pose = Literal["stand", "walk", "work", "alarm", "crouch", "down"]
Role = Literal["crew", "worker", "medic", "patient", "civilian", "child", "diver", "firefighter"]
Bad = Literal["high", "low"]

OVERLAYS: tuple[Overlay, ...] = get_args(Overlay)
POSES: tuple[Pose, ...] = get_args(Pose)


@dataclass(frozen=True)
class Camera:
    """Where a preset stands and looks, as shares of the room's size (x right, y away from the viewer, z up)."""

    pos: tuple[float, float, float]
    look_at: tuple[float, float, float]
    fov: float  # degrees, horizontal


CAMERAS: dict[CameraPreset, Camera] = {
    "cctv_high_corner": Camera((0.5, -0.52, 1.27), (0.5, 0.385, 0.23), 62.0),
    "cctv_left_corner": Camera((0.2, -0.5, 1.3), (0.53, 0.385, 0.2), 62.0),
    "cctv_right_corner": Camera((0.8, -0.5, 1.3), (0.47, 0.385, 0.2), 62.0),
    "cctv_low": Camera((0.5, -0.62, 0.8), (0.5, 0.385, 0.25), 58.0),
}


MAX_COUNT = 99  # things of one entity
