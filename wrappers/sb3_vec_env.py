"""`SB3VecEnv`: a vector of fiction worlds as Stable-Baselines3 steps it, without Python for each of them. Own design.

Contract: `stable_baselines3.common.vec_env.VecEnv`. Stable-Baselines3 is imported with this module, which is why
nothing in the package imports it before somebody trains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NoReturn

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from conflictbench.envs.fiction.families import FAMILIES
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.errors import InvalidValue, ResetNeeded, UnknownName

Observations = NDArray[Any] | dict[str, NDArray[Any]]
Indices = int | Iterable[int] | None


class NoNews(dict[str, Any]):
    """The info of every world that has nothing to say; one for all of them, so nothing may be put into it."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("worlds without news share this info: replace infos[i] by a dict of your own, don't fill it")

    __setitem__ = setdefault = update = __ior__ = _refuse

    def __reduce__(self) -> tuple[type[NoNews], tuple[()]]:
        return NoNews, ()


NO_NEWS = NoNews()


def make_sb3_vec_env(env_id: str, num_envs: int = 1, *, flat: bool = True, **kwargs: Any) -> SB3VecEnv:
    """As SB3's `make_vec_env`, over tables.

    Args:
        env_id: `ConflictBench/EP1-v0`, `EP2-v0` or `EP3-v0`.
        num_envs: worlds, >= 1.
        flat: as `SB3VecEnv`.
        **kwargs: as `gym.make(env_id, ...)`; the observation is features.
    Raises:
        UnknownName: another id, which SB3's own `make_vec_env` may know.  And as `FictionVectorEnv`.
    """
    if env_id not in FAMILIES:
        hint = "stable_baselines3.common.env_util.make_vec_env steps any other env one by one"
        raise UnknownName("env with tables", env_id, FAMILIES, hint=hint)
    given = {"observation": "features", **kwargs}
    return SB3VecEnv(FictionVectorEnv(num_envs, AutoresetMode.SAME_STEP, category=FAMILIES[env_id], **given), flat=flat)


class SB3VecEnv(VecEnv):
    """Transitions, rewards, masks and draws of scenarios are those of SB3's `DummyVecEnv` over the same worlds.

    At the end of an episode a world's info holds `terminal_observation`, `TimeLimit.truncated`, `episode` as `Monitor`
    has it (return r, length l, seconds since construction t), and where an outcome was reached `outcome`, `label` and
    `assigned_value`. Every other info is one empty dict that all share, and so is `reset_infos[i]` of a world that has
    begun anew by itself. MaskablePPO finds `action_masks` by itself.

    Args:
        vector: worlds with the observation "features", the autoreset mode "SameStep" and infos of endings, which
            belong to this env from now on.
        flat: observe the features' Box alone, for `MlpPolicy`; else `Dict(action_mask, features)`.
    """

    def __init__(self, vector: FictionVectorEnv, *, flat: bool = True) -> None:
        config = vector.config
        if config.observation != "features":
            raise InvalidValue(f"observation={config.observation!r}: SB3 learns from numbers; use 'features'")
        if vector.autoreset_mode is not AutoresetMode.SAME_STEP or vector.infos != "ends":
            raise InvalidValue(
                f"autoreset_mode={vector.autoreset_mode.value!r}, infos={vector.infos!r}: "
                "SB3 wants a vector with 'SameStep' and 'ends'"
            )
        self.vector = vector
        self._flat = flat
        self._actions: NDArray[Any] | None = None
        self._began = time.monotonic()
        observed: Any = vector.single_observation_space
        space: spaces.Space[Any] = observed["features"] if flat else observed
        super().__init__(vector.num_envs, space, vector.single_action_space)

    def reset(self) -> Observations:
        """Begin an episode in every world, with what `seed` and `set_options` were told since the last reset."""
        options = self._options[0]
        if any(other != options for other in self._options):
            raise InvalidValue("options that differ between worlds: give all of them the same")
        observation, infos = self.vector.reset(seed=list(self._seeds), options=options or None)
        self._reset_seeds()
        self._reset_options()
        self._actions = None
        self.reset_infos = [_row(infos, i) for i in range(self.num_envs)]
        return self._shown(observation)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions, integers in [0, 12), shape (num_envs,)."""
        self._actions = actions

    def step_wait(self) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Carry them out.

        Returns:
            observations, of fresh arrays; rewards float32, dones bool, shape (num_envs,); infos, a fresh list.
        """
        if self._actions is None:
            raise ResetNeeded("step_wait without actions: call step_async(actions) first")
        actions, self._actions = self._actions, None
        observation, rewards, terminated, truncated, news = self.vector.step(actions)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [NO_NEWS] * self.num_envs
        if news:
            self._tell(infos, np.flatnonzero(dones).tolist(), terminated, truncated, news)
        return self._shown(observation), rewards.astype(np.float32), dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Masks of all worlds, shape (num_envs, 12)."""
        return self.vector.action_masks()

    def close(self) -> None:
        """Close the vector; a second call does nothing."""
        self.vector.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of some worlds, of those that worlds in tables have. Raises AttributeError for another."""
        if attr_name not in _ATTRIBUTES:
            known = ", ".join(_ATTRIBUTES)
            raise AttributeError(f"worlds in tables have no attribute {attr_name!r}; they have {known}")
        values = _ATTRIBUTES[attr_name](self)
        return [values[i] for i in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refuse: worlds in tables share everything. Raises AttributeError."""
        raise AttributeError(f"attribute {attr_name!r} cannot be set: make the worlds with other arguments")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Call `action_masks` of some worlds, the one method they have. Raises AttributeError for another."""
        if method_name != "action_masks":
            raise AttributeError(f"worlds in tables have no method {method_name!r}; they have action_masks")
        masks = self.vector.action_masks(*args, **kwargs)
        return list(masks if indices is None else masks[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """True for `Monitor`, whose part these worlds play themselves, and for no other wrapper."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def _shown(self, observation: Mapping[str, NDArray[Any]]) -> Observations:
        return observation["features"] if self._flat else dict(observation)

    def _tell(
        self,
        infos: list[dict[str, Any]],
        ended: list[int],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        news: Mapping[str, Any],
    ) -> None:
        """Put into `infos` what the ended worlds have to say."""
        final, ends = news["final_obs"], news["final_info"]
        returns, lengths = ends["episode"]["r"], ends["episode"]["l"]
        seconds = round(time.monotonic() - self._began, 6)
        for i in ended:
            info: dict[str, Any] = {
                "terminal_observation": self._shown(final[i]),
                "TimeLimit.truncated": bool(truncated[i]),
                "episode": {"r": round(float(returns[i]), 6), "l": int(lengths[i]), "t": seconds},
            }
            if terminated[i]:
                info["outcome"], info["label"] = ends["outcome"][i], ends["label"][i]
                info["assigned_value"] = float(ends["assigned_value"][i])
            infos[i], self.reset_infos[i] = info, NO_NEWS

    def _mask_of(self, i: int) -> NDArray[np.bool_]:
        mask: NDArray[np.bool_] = self.vector.action_masks()[i]
        return mask


_ATTRIBUTES: dict[str, Callable[[SB3VecEnv], Any]] = {
    "action_masks": lambda env: [partial(env._mask_of, i) for i in range(env.num_envs)],
    "render_mode": lambda env: [None] * env.num_envs,
    "state_index": lambda env: env.vector.state_indices.tolist(),
    "text": lambda env: env.vector.texts(),
}


def _row(infos: Mapping[str, Any], i: int) -> dict[str, Any]:
    """One world's info out of a vector's."""
    keys = [key for key in infos if not key.startswith("_") and infos[f"_{key}"][i]]
    return {key: _plain(infos[key][i]) for key in keys}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
