"""The spaces of a fiction world: one action space, one observation space a kind. Own design (architecture, "Envs").

The text charset is fixed and sorted: Gymnasium's default lacks blanks, and an unsorted one differs between processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from gymnasium import spaces

from conflictbench.envs.visual.clip import GEOMETRY
from conflictbench.scenario_specs.tables import FEATURE_SLOTS, SCENARIO_BITS

FeaturesDtype = Literal["float32", "uint8"]

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(  # of an observation, beside the mask
    {
        "all": ("features", "image", "text"),
        "features": ("features",),
        "text": ("text",),
        "visual": ("image", "text"),
    }
)
N_ACTIONS = 12  # the most a file of the core pack may have (scenario format, rule 10)
N_FEATURES = FEATURE_SLOTS + SCENARIO_BITS
MAX_TEXT = 8192  # characters; the longest answer of a valid scenario stays far below
CHARSET = "\n" + "".join(chr(code) for code in range(0x20, 0x7F))  # printable ASCII and newline, in code order


def text_space(max_length: int = MAX_TEXT) -> spaces.Text:
    """Return the space of every text a world answers with."""
    return spaces.Text(max_length=max_length, min_length=0, charset=CHARSET)


def features_box(dtype: FeaturesDtype) -> spaces.Box:
    """Return the features' box, shape (32,): 0..1 as float32, 0..255 as uint8."""
    if dtype == "uint8":
        return spaces.Box(0, 255, (N_FEATURES,), np.uint8)
    return spaces.Box(0.0, 1.0, (N_FEATURES,), np.float32)


def image_box(shape: tuple[int, ...]) -> spaces.Box:
    """Return the box of images, (height, width, channels)."""
    return spaces.Box(0, 255, shape, np.uint8)


def observation_space(
    observation: str, dtype: FeaturesDtype, image: tuple[int, ...] = GEOMETRY.shape
) -> spaces.Dict | spaces.Box:
    """Return the Dict of an observation's parts, or the Box of its image alone; `image` is the shape of one."""
    if observation == "pixels":
        return image_box(image)
    make: dict[str, Callable[[], spaces.Space[Any]]] = {  # only what is shown: a box of images holds whole frames
        "action_mask": lambda: spaces.MultiBinary(N_ACTIONS),
        "features": lambda: features_box(dtype),
        "image": lambda: image_box(image),
        "text": text_space,
    }
    return spaces.Dict({name: make[name]() for name in ("action_mask", *PARTS[observation])})
