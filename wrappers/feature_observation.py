"""`FeatureObservation`: numbers instead of words, over a world that answers in words. Own design.

For loops that make their environment as text (to record it, to show it) and train on features.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.spaces import FeaturesDtype, features_box
from conflictbench.errors import UnknownName
from conflictbench.wrappers.fiction_wrapper import FictionWrapper

DTYPES: tuple[FeaturesDtype, ...] = ("float32", "uint8")


class FeatureObservation(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Observe `Dict(features, action_mask)` as `observation="features"` does, or the bare features.

    Args:
        env: a fiction environment, wrapped or not, whose observations hold `action_mask`.
        dtype: "float32" in 0..1, or "uint8" in 0..255; shape (32,).
        flat: observe the features' Box alone, for SB3's `MlpPolicy`. The mask stays within reach through
            `action_masks()`, where MaskablePPO looks for it. For features and mask in one vector, wrap `flat=False` in
            `gymnasium.wrappers.FlattenObservation`.
    """

    def __init__(self, env: gym.Env[Any, Any], dtype: FeaturesDtype = "float32", flat: bool = False) -> None:
        RecordConstructorArgs.__init__(self, dtype=dtype, flat=flat)
        gym.ObservationWrapper.__init__(self, env)
        if not isinstance(env.unwrapped, FictionEnv | FictionWrapper):
            raise TypeError(f"FeatureObservation needs a fiction environment, not {type(env.unwrapped).__name__}")
        if dtype not in DTYPES:
            raise UnknownName("dtype", dtype, DTYPES)
        self._world = env.unwrapped
        self._dtype: FeaturesDtype = dtype
        self._flat = flat
        box = features_box(dtype)
        if flat:
            self.observation_space = box
        else:
            inner = env.observation_space
            if not isinstance(inner, gym.spaces.Dict) or "action_mask" not in inner.spaces:
                raise TypeError(f"FeatureObservation(flat=False) needs observations with an action_mask, not {inner}")
            self.observation_space = gym.spaces.Dict({"action_mask": inner["action_mask"], "features": box})

    def observation(self, observation: Any) -> Any:
        """Return the features of the world's state, beside the inner observation's mask unless flat."""
        features = self._world.features(self._dtype)
        return features if self._flat else {"action_mask": observation["action_mask"], "features": features}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the world's mask as bools, shape (12,), (14,) of a regret test."""
        return self._world.action_masks()
