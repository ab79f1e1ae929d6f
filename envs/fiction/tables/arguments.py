"""What a vector of worlds is given, checked. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from conflictbench.envs.arguments import reset_options
from conflictbench.envs.fiction.spaces import N_ACTIONS
from conflictbench.errors import InvalidAction, InvalidValue, UnknownName

_INT64, _UINT64 = np.dtype(np.int64), np.dtype(np.uint64)
INFOS = ("ends", "all", "none")


def check_size(num_envs: Any) -> None:
    """Raise InvalidValue unless it is a whole number >= 1."""
    if type(num_envs) is not int or num_envs < 1:  # a bool is an int, and no number of environments
        raise InvalidValue(f"num_envs {num_envs!r} must be a whole number >= 1")


def autoreset_mode_of(value: AutoresetMode | str) -> AutoresetMode:
    """Read a mode by its value ("NextStep") or its name ("NEXT_STEP")."""
    for mode in AutoresetMode:
        if value in (mode, mode.value, mode.name):
            return mode
    raise UnknownName("autoreset_mode", value, [mode.value for mode in AutoresetMode])


def step_limit(value: Any) -> int:
    """Read `max_episode_steps`; 0 for none. Raises InvalidValue."""
    if value in (None, -1):
        return 0
    if type(value) is not int or value < 1:
        raise InvalidValue(f"max_episode_steps {value!r} must be a whole number >= 1, or None or -1 for no limit")
    return value


def reset_rows(options: Any, num_envs: int) -> tuple[NDArray[np.int64], dict[str, Any]]:
    """Which worlds a reset is of, and its other options.

    Raises:
        InvalidValue: options are no dict, or `reset_mask` is no array of bools with one True at least.
    """
    rest = reset_options(options)
    if "reset_mask" not in rest:
        return np.arange(num_envs), rest
    mask = rest.pop("reset_mask")
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_envs,) or not mask.any():
        what = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise ResetMask(f"reset_mask must be an array of bool, shape ({num_envs},), one of them True; not {what}")
    return np.flatnonzero(mask), rest


class ResetMask(InvalidValue, TypeError):
    """A wrong `reset_mask`; a TypeError too, as Gymnasium's own vectors raise."""


def seeds_of(seed: int | Sequence[int | None] | None, num_envs: int) -> list[int | None]:
    """One seed a world: s + i, or those listed. Raises InvalidValue."""
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
        seeds: list[int | None] = [int(seed) + i for i in range(num_envs)]
    elif isinstance(seed, list | tuple | np.ndarray):
        seeds = [None if one is None else int(one) for one in seed]
    else:
        raise InvalidValue(f"seed {seed!r} must be a whole number >= 0, a list of {num_envs}, or None")
    if len(seeds) != num_envs:
        raise InvalidValue(f"{len(seeds)} seeds for {num_envs} sub-environments")
    if any(one is not None and not 0 <= one < 2**63 for one in seeds):  # infos hold them as int64
        raise InvalidValue(f"seed {seed!r}: seeds of sub-environments are 0 or more, and below 2**63")
    return seeds


def action_indices(actions: Any, num_envs: int) -> NDArray[np.int64]:
    """Actions as int64, shape (num_envs,). Raises InvalidAction."""
    given = np.asarray(actions)
    if given.dtype is not _INT64 and given.dtype != _INT64:
        if given.dtype.kind not in "iu":
            raise InvalidAction(f"actions of {given.dtype}: integers in 0..{N_ACTIONS - 1} are wanted")
        given = given.astype(np.int64)
    if given.shape != (num_envs,):
        raise InvalidAction(f"actions of shape {given.shape} for {num_envs} sub-environments")
    # as unsigned numbers those below 0 are above every other: one look at the greatest tells; argmax, because max is
    # called through Python and takes five times as long
    unsigned = given.view(_UINT64)
    if unsigned.item(unsigned.argmax()) >= N_ACTIONS:
        wrong = sorted({int(one) for one in given if not 0 <= one < N_ACTIONS})
        raise InvalidAction(f"actions {wrong} are outside the action space; valid indices are 0..{N_ACTIONS - 1}")
    return given
