"""`ImageObservation`: smaller or grey images, for policies that learn from pixels. Own design, after Mnih et al. 2015.

Two ways to a small image. "render" makes the clips at that size, which is quick and blurs nothing, but what is written
in the picture cannot be read any more. "area" makes them in full and averages: what a camera would see from further
away, at the price of the full picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.spaces import image_box
from conflictbench.envs.visual.settings import parse_size
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.wrappers.fiction_wrapper import FictionWrapper

METHODS = ("render", "area")
_LUMA = np.array([299, 587, 114], np.uint32)  # thousandths of red, green and blue: ITU-R BT.601

Image = NDArray[np.uint8]


class ImageObservation(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Observe images of another size, in colour or grey; everything else passes unchanged.

    Args:
        env: a fiction environment whose observation is an image (`observation="pixels"`) or a Dict with an `image`.
        size: (height, width) in pixels; SB3's `CnnPolicy` needs 36 or more of each.
        grayscale: brightness alone: uint8 (height, width, 1).
        method: "render" or "area", see above.
    Raises:
        TypeError: no fiction environment, or no images.  InvalidValue: not a size; one larger than the world's images,
            for "area".  UnknownName: no such method.
    """

    def __init__(
        self, env: gym.Env[Any, Any], size: Sequence[int] = (84, 84), grayscale: bool = False, method: str = "render"
    ) -> None:
        height, width = parse_size("size", size)
        RecordConstructorArgs.__init__(self, size=[height, width], grayscale=grayscale, method=method)
        gym.ObservationWrapper.__init__(self, env)
        world = env.unwrapped
        if not isinstance(world, FictionEnv | FictionWrapper):
            raise TypeError(f"ImageObservation needs a fiction environment, not {type(world).__name__}")
        if not world.config.observes_images:
            raise TypeError(f"ImageObservation needs images, observation='pixels' say, not {env.observation_space}")
        if method not in METHODS:
            raise UnknownName("method", method, METHODS)
        self._grayscale = grayscale
        self._rows: NDArray[np.float64] | None = None  # weights of an average; None: the images have the size already
        self._columns: NDArray[np.float64] | None = None
        if method == "render":
            world.resize_images(height, width)
        else:
            before = _image_space(env).shape
            if height > before[0] or width > before[1]:
                raise InvalidValue(f"size {(height, width)} is larger than the images, which are {before[:2]}")
            self._rows, self._columns = area_weights(before[0], height), area_weights(before[1], width)
        box = image_box((height, width, 1 if grayscale else 3))
        inner = env.observation_space
        self.observation_space = gym.spaces.Dict({**inner, "image": box}) if isinstance(inner, gym.spaces.Dict) else box

    def observation(self, observation: Any) -> Any:
        """Return the observation with its image made smaller."""
        if isinstance(observation, Mapping):
            return {**observation, "image": self._smaller(observation["image"])}
        return self._smaller(observation)

    def _smaller(self, image: Image) -> Image:
        if self._rows is not None and self._columns is not None:
            image = averaged(image, self._rows, self._columns)
        return gray(image) if self._grayscale else image


def area_weights(before: int, after: int) -> NDArray[np.float64]:
    """Shares of `before` pixels in each of `after` <= `before` equal stretches of them; rows add up to 1."""
    edges = np.arange(after + 1) * (before / after)
    pixels = np.arange(before)
    overlap = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    shares: NDArray[np.float64] = np.maximum(overlap, 0.0) * (after / before)
    return shares


def averaged(image: Image, rows: NDArray[np.float64], columns: NDArray[np.float64]) -> Image:
    """Average an image, uint8 (height, width, channels), over areas; halves are rounded up."""
    height, width, channels = image.shape
    lower = (rows @ image.reshape(height, width * channels)).reshape(len(rows), width, channels)
    small = np.einsum("xw,ywc->yxc", columns, lower, optimize=True)
    rounded: Image = np.floor(small + 0.5 + 1e-9).clip(0, 255).astype(np.uint8)  # sums of shares are a hair below 1
    return rounded


def gray(image: Image) -> Image:
    """Brightness of an image, uint8 (height, width, 1)."""
    brightness: Image = ((image @ _LUMA + 500) // 1000).astype(np.uint8)[..., None]
    return brightness


def _image_space(env: gym.Env[Any, Any]) -> gym.spaces.Box:
    space = env.observation_space
    found = space["image"] if isinstance(space, gym.spaces.Dict) else space
    assert isinstance(found, gym.spaces.Box)
    return found
