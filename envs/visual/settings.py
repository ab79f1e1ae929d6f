"""How an episode is shown: the arguments of a world that concern pictures, each checked. Own design."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal, cast

from conflictbench.envs.arguments import name_list, one_of
from conflictbench.envs.visual.clip import GEOMETRY, MAX_SIDE, Geometry
from conflictbench.envs.visual.names import OVERLAYS, Overlay
from conflictbench.envs.visual.registry import DEFAULT_WORLD_MODEL, WORLD_MODELS
from conflictbench.envs.visual.store.folder import OFF
from conflictbench.errors import InvalidValue

IMAGE_OBSERVATIONS = ("visual", "pixels", "all")
KEPT_OBSERVATIONS = ("visual", "all")  # whose clips are kept on disk unless said otherwise
MISSING_IMAGES = ("error", "blank")
CLIP_INFO = ("clip", "frames")
MIN_SIDE = 8  # pixels; below it a camera's picture has nothing in it
_NEEDED = {"procedural": "skia"}  # the package that a world model draws with
_WEIGHTY = 2**32  # seeds below it are exact in JSON


@dataclass(frozen=True, kw_only=True)
class PictureSettings:
    """What shows an episode, and what becomes of it; made by `parse_pictures`."""

    world_model: str = DEFAULT_WORLD_MODEL
    overlay: Overlay | None = None  # None: the scenario's own
    size: tuple[int, int] = (GEOMETRY.height, GEOMETRY.width)  # of an image, (height, width) in pixels
    clips: bool | str = False  # whether clips are kept on disk: in the usual folder, or in this one
    clip_seed: int = 0
    missing_image: Literal["error", "blank"] = "error"
    clip_info: tuple[str, ...] = ()
    first_frame: bool = False

    @property
    def geometry(self) -> Geometry:
        """Of every clip."""
        return Geometry(self.size[1], self.size[0])


def parse_pictures(
    *,
    observation: str,
    world_model: Any,
    overlay: Any,
    image_size: Any,
    clips: Any,
    clip_seed: Any,
    missing_image: Any,
    clip_info: Any,
    first_frame: Any,
) -> PictureSettings:
    """Check the arguments.

    Raises:
        UnknownName: a value outside its list.  InvalidValue: another type, or a number out of range.
    """
    one_of("world model", world_model, tuple(sorted(WORLD_MODELS)))
    if overlay is not None:
        one_of("overlay", overlay, OVERLAYS)
    one_of("missing_image", missing_image, MISSING_IMAGES)
    if not isinstance(first_frame, bool):
        raise InvalidValue(f"first_frame {first_frame!r} must be True or False")
    if (clips is not None and not isinstance(clips, bool | str)) or clips == "":
        raise InvalidValue(f"clips {clips!r} must be True, False, the path of a folder, 'off', or None for the usual")
    if isinstance(clip_seed, bool) or not isinstance(clip_seed, int) or not 0 <= clip_seed < _WEIGHTY:
        raise InvalidValue(f"clip_seed {clip_seed!r} must be a whole number from 0 to {_WEIGHTY - 1:,}")
    if isinstance(clips, str):
        if "\0" in clips:
            raise InvalidValue(f"clips {clips!r} must be the path of a folder; a path holds no NUL character")
        clips = False if clips == OFF else os.path.expanduser(clips)
    return PictureSettings(
        world_model=world_model,
        overlay=cast("Overlay | None", overlay),
        size=(GEOMETRY.height, GEOMETRY.width) if image_size is None else parse_size("image_size", image_size),
        # a learner that tries everything would fill a disk with the tree of all action chains
        clips=observation in KEPT_OBSERVATIONS if clips is None else clips,
        clip_seed=clip_seed,
        missing_image=missing_image,
        clip_info=_clip_info(clip_info),
        first_frame=first_frame,
    )


def parse_size(name: str, value: Any) -> tuple[int, int]:
    """Read a size in pixels, (height, width). Raises InvalidValue."""
    sides = tuple(value) if isinstance(value, list | tuple) else ()
    whole = len(sides) == 2 and all(isinstance(side, int) and not isinstance(side, bool) for side in sides)
    if not whole or not all(MIN_SIDE <= side <= MAX_SIDE for side in sides):
        raise InvalidValue(f"{name} {value!r} must be (height, width), whole numbers from {MIN_SIDE} to {MAX_SIDE:,}")
    return sides[0], sides[1]


def can_draw(world_model: str) -> bool:
    """Whether what a world model draws with is installed; nothing is imported."""
    package = _NEEDED.get(world_model)
    return package is None or find_spec(package) is not None


def _clip_info(value: Any) -> tuple[str, ...]:
    # a bare string would be read letter by letter
    if isinstance(value, str):
        raise InvalidValue(f"clip_info {value!r} must be a list or tuple of names, such as ({value!r},)")
    return name_list("clip_info", value, CLIP_INFO)
