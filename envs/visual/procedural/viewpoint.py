"""Where the camera of a block stands. Own design."""

from __future__ import annotations

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.names import CAMERAS
from conflictbench.envs.visual.procedural.camera import DESIGN_WIDTH, Camera, Vec3, add, scale

LABEL = 0.6  # metres before a zone where its name stands
EDGE = 10.0  # design units that zones keep from the picture's sides
STEP_BACK, STEPS_BACK = 0.15, 20  # metres, steps


def camera_of(block: Block) -> Camera:
    """The block's camera: a preset scaled to the room, or moved; it steps back until every zone is in view.

    No farther than 3 metres: a zone that is not seen from there is meant to be out of the picture.
    """
    preset, size = CAMERAS[block.camera.preset], block.room.size
    pos = block.camera.pos or tuple(share * metres for share, metres in zip(preset.pos, size, strict=True))
    look = block.camera.look_at or tuple(share * metres for share, metres in zip(preset.look_at, size, strict=True))
    camera = Camera((pos[0], pos[1], pos[2]), (look[0], look[1], look[2]), block.camera.fov or preset.fov)
    for step in range(STEPS_BACK):
        if all(EDGE <= camera.project(corner)[0] <= DESIGN_WIDTH - EDGE for corner in _front_corners(block)):
            break
        back = scale(camera.forward, -STEP_BACK * (step + 1))
        camera = Camera(
            add((pos[0], pos[1], pos[2]), back), (look[0], look[1], look[2]), block.camera.fov or preset.fov
        )
    return camera


def _front_corners(block: Block) -> list[Vec3]:
    """The corners of zones that may leave the picture first."""
    return [(x, zone.rect[1] - LABEL, 0.0) for zone in block.zones for x in (zone.rect[0], zone.rect[2])]
