"""What a vector of worlds is given, checked. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from conflictbench.envs.arguments import reset_options, seed_of, whole_number
from conflictbench.envs.fiction.spaces import N_ACTIONS
from conflictbench.errors import InvalidAction, InvalidValue, UnknownName, shown

_INT64, _UINT64 = np.dtype(np.int64), np.dtype(np.uint64)
INFOS = ("ends", "all", "none")


def size_of(num_envs: Any) -> int:
    """Read `num_envs`: a whole number >= 1. Raises InvalidValue."""
    size = whole_number(num_envs)
    if size is None or size < 1:
        raise InvalidValue(f"num_envs {shown(num_envs)} must be a whole number >= 1")
    return size


def autoreset_mode_of(
    value: AutoresetMode | str, known: Sequence[AutoresetMode] = tuple(AutoresetMode)
) -> AutoresetMode:
    """Read a mode by its value ("NextStep") or its name ("NEXT_STEP"), out of those that the vector has."""
    for mode in known:
        if isinstance(value, AutoresetMode | str) and value in (mode, mode.value, mode.name):
            return mode
    given = value.value if isinstance(value, AutoresetMode) else value
    raise UnknownName("autoreset_mode", given, [mode.value for mode in known])


def step_limit(value: Any) -> int:
    """Read `max_episode_steps`; 0 for none. Raises InvalidValue."""
    if value in (None, -1):
        return 0
    limit = whole_number(value)
    if limit is None or limit < 1:
        raise InvalidValue(f"max_episode_steps {shown(value)} must be a whole number >= 1, or None or -1 for no limit")
    return limit


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
    if isinstance(seed, list | tuple) or (isinstance(seed, np.ndarray) and seed.ndim == 1):
        if len(seed) != num_envs:
            raise InvalidValue(f"{len(seed)} seeds for {num_envs} sub-environments")
        return [seed_of(one) for one in seed]
    first = whole_number(seed)
    if first is None:
        raise InvalidValue(f"seed {shown(seed)} must be a whole number >= 0, a list of {num_envs}, or None")
    return [seed_of(first + i) for i in range(num_envs)]


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
