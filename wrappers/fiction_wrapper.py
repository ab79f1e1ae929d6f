"""`FictionWrapper`: a wrapper that takes a fiction world's place, because it adds actions to it. Own design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils import RecordConstructorArgs
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker
from numpy.typing import NDArray

from conflictbench.envs.fiction.config import FictionConfig
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.spaces import FeaturesDtype
from conflictbench.scenario_specs import LoadedScenario
from conflictbench.types import Variant

if TYPE_CHECKING:
    from conflictbench.envs.visual.episode import EpisodePictures

_LOOKING_ON = (OrderEnforcing, PassiveEnvChecker)  # what `gym.make` puts round a world


class FictionWrapper(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """The world to every loop and wrapper round it: `env.unwrapped` is this, and it has the interface of `FictionEnv`.

    What reached past it to the world inside would miss the actions and endings that it adds.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        """Wrap `env`, a fiction world as `gym.make` returns it.

        Raises:
            TypeError: no fiction world, or another wrapper between it and this one.
        """
        RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        self._world = _world_in(env, type(self).__name__)
        self._spec: EnvSpec | None = None
        # It would print endings that the wrapper withholds: what is shown is shown from here.
        self._shown_as, self._world.render_mode = self._world.render_mode, None

    @property
    def unwrapped(self) -> Any:
        """This world."""
        return self

    @property
    def spec(self) -> EnvSpec | None:
        """The registered id's spec, or that of the wrapped world with this wrapper added."""
        return self._spec if self._spec is not None else super().spec

    @spec.setter
    def spec(self, value: EnvSpec | None) -> None:  # `gym.make` sets it on `env.unwrapped`
        self._spec = value

    @property
    def _np_random(self) -> np.random.Generator | None:  # type: ignore[override]
        """The world's generator as Gymnasium's `check_env` looks for it; nothing is drawn from it once seeded."""
        return self._world._np_random

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]  # as in gym.Wrapper
        """How `render` shows the world."""
        return self._shown_as

    @property
    def config(self) -> FictionConfig:
        """What the world was asked to be."""
        return self._world.config

    @property
    def scenario(self) -> LoadedScenario:
        """The scenario being played."""
        return self._world.scenario

    @property
    def variant(self) -> Variant:
        """The variant every episode of this environment plays."""
        return self._world.variant

    @property
    def pictures(self) -> EpisodePictures | None:
        """The clips of the episode; None where nothing shows any."""
        return self._world.pictures

    def resize_images(self, height: int, width: int) -> None:
        """As `FictionEnv.resize_images`."""
        self._world.resize_images(height, width)

    @property
    def state_index(self) -> int:
        """Row of the world's state in the scenario's tables."""
        return self._world.state_index

    @property
    def interactions(self) -> int:
        """Interactions of this episode with the world inside: those that count toward the cap."""
        return self._world.interactions

    @property
    def max_interactions(self) -> int:
        """Interactions at which an episode without an outcome is truncated."""
        return self._world.max_interactions

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask as bools, of the size of the action space."""
        return self._world.action_masks()

    def features(self, dtype: FeaturesDtype | None = None) -> NDArray[np.float32] | NDArray[np.uint8]:
        """Return the features of the world's state, shape (32,), whatever is observed."""
        return self._world.features(dtype)


def _world_in(env: gym.Env[Any, Any], name: str) -> FictionEnv:
    """The world directly inside, which commands and the wrapper itself speak to."""
    layer = env
    while isinstance(layer, gym.Wrapper):
        if not isinstance(layer, _LOOKING_ON):
            between = type(layer).__name__
            raise TypeError(
                f"{name} stands directly round the world, and {between} is between: wrap the other way round, "
                f"{between}({name}(gym.make(...)), ...)"
            )
        layer = layer.env
    if not isinstance(layer, FictionEnv):
        raise TypeError(f"{name} needs a fiction environment, not {type(layer).__name__}")
    return layer
