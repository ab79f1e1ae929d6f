"""`FictionVectorEnv`: fiction worlds stepped together by table look-ups, as `gym.make_vec` makes them. Own design.

The transitions, rewards, masks, observations and draws of scenarios are those of `FictionEnv`s with the same seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from conflictbench.envs.arguments import one_of, picked_scenario
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.spaces import N_ACTIONS, observation_space
from conflictbench.envs.fiction.tables.arguments import (
    INFOS,
    action_indices,
    autoreset_mode_of,
    check_size,
    reset_rows,
    seeds_of,
    step_limit,
)
from conflictbench.envs.fiction.tables.catalog import CELL, CELLS, make_catalog
from conflictbench.envs.fiction.tables.draws import Draws
from conflictbench.envs.fiction.tables.infos import EndInfos, merged, row_info
from conflictbench.envs.fiction.tables.words import Words
from conflictbench.errors import InvalidValue, ResetNeeded

OBSERVATIONS = ("text", "features")
Rows = NDArray[np.int64]
Step = tuple[dict[str, Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class FictionVectorEnv(gym.vector.VectorEnv[Any, Any, Any]):
    """`num_envs` worlds with the same arguments; world i of a vector seeded s has seed s + i.

    Args:
        num_envs: >= 1.
        autoreset_mode: when an ended world begins anew: "NextStep" (the default), "SameStep" or "Disabled", or a
            `gymnasium.vector.AutoresetMode`.
        max_episode_steps: a further limit on steps, as `gym.make` has it; None or -1 for none.
        infos: "ends", the default: at the end of an episode `outcome`, `label`, `assigned_value`, and `episode` with
            return `r` and length `l`; "all": everything the scalar worlds say, at every step (slow), the default where
            privileged values are asked for; "none". `reset` always says all.
        resample: False lets a world play the scenario of its last `reset` again and again, where the scalar world
            draws one for each episode.
        **kwargs: as `FictionEnv`, `category` included; observation text or features, and no render mode.
    Raises:
        As `FictionEnv`; InvalidValue or UnknownName for the arguments above.
    """

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        infos: str | None = None,
        resample: bool = True,
        **kwargs: Any,
    ) -> None:
        check_size(num_envs)
        config = FictionEnv(**kwargs).config
        infos = ("all" if config.privileged else "ends") if infos is None else infos
        one_of("infos", infos, INFOS)
        if not isinstance(resample, bool):
            raise InvalidValue(f"resample {resample!r} must be True or False")
        if config.observation not in OBSERVATIONS or config.render_mode is not None:
            raise InvalidValue(
                f"observation={config.observation!r}, render_mode={config.render_mode!r}: tables hold "
                f"{' and '.join(OBSERVATIONS)}, and no pictures; FictionLoopVectorEnv steps worlds one by one"
            )
        self.config, self.num_envs, self.infos = config, num_envs, infos
        self.autoreset_mode = autoreset_mode_of(autoreset_mode)
        self._limit = step_limit(max_episode_steps)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.single_action_space = gym.spaces.Discrete(N_ACTIONS)
        self.single_observation_space = observation_space(config.observation, config.features_dtype, ())
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

        self.catalog = make_catalog(config.scenarios, config.variant, config.pack, config.reward)
        self._packed = self.catalog.packed
        self._features = self.catalog.features(config.features_dtype, bits=config.scenario_bits)
        self._words = Words(self.catalog)
        self._ends = EndInfos(self.catalog)
        self._draws: Draws | None = None  # None before the first reset

        # of each world
        self._shown = np.zeros(num_envs, np.int64)  # the state that is observed
        self._row = np.zeros(num_envs, np.int64)  # its first cell; the first of `over` behind a truncation
        self._due = np.zeros(num_envs, np.int64)  # the step at which the cap on interactions truncates
        self._over = np.zeros(num_envs, np.bool_)  # ended with the last step
        self._exists = np.zeros((num_envs, N_ACTIONS), np.int8)
        self._steps = 0
        # of the last step: the cells that were read, by their numbers and as they are
        self._index = np.zeros(num_envs, np.int64)
        self._cell = np.zeros(num_envs, np.int64)
        cell = self._cell.view(CELL)
        self._next, self._outcome, self._new = cell["next"], cell["outcome"], cell["begins"]
        # without a draw the tables alone know what an episode begins with
        self._keeps = not resample or len(config.scenarios) == 1
        self._over_row = np.zeros(num_envs, np.int64)  # first cell of `over` of the scenario being played

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode in every world, or with `options={"reset_mask": bools}` in those marked.

        Other options and the returned values are those of `FictionEnv.reset`, batched. An unseeded first reset draws
        one seed for the whole vector. Raises ResetNeeded for a first reset of some alone.
        """
        rows, rest = reset_rows(options, self.num_envs)
        picked = picked_scenario(rest, self.config.scenarios)
        seeds = seeds_of(seed, self.num_envs)
        if self._draws is None:
            if len(rows) < self.num_envs:
                raise ResetNeeded("a first reset with a reset_mask of some: call reset() of all sub-environments first")
            if seed is None:
                first = int(np_random()[0].integers(2**32))  # one for the vector: world i then has s + i
                seeds = [first + i for i in range(self.num_envs)]
            drawn = [int(np_random()[0].integers(2**32)) if one is None else one for one in seeds]
            self._seeds = drawn
            self._draws = Draws(np.array([one % 2**64 for one in drawn], np.uint64), len(self.config.scenarios))
        else:
            given = np.array([i for i in rows if seeds[i] is not None], np.int64)
            for i in given:
                self._seeds[i] = int(seeds[i] or 0)
            self._draws.advance(np.setdiff1d(rows, given))
            if given.size:
                self._draws.restart(given, np.array([self._seeds[i] % 2**64 for i in given], np.uint64))
        self._begin(rows, None if picked is None else np.full(len(rows), self.config.scenarios.index(picked)))
        infos = merged(self.num_envs, {int(i): self._info_of(int(i)) | {"seed": self._seeds[i]} for i in rows})
        return self._observation(), infos

    def step(self, actions: Any) -> Step:
        """Try one action in each world; ended worlds begin anew as `autoreset_mode` says, whatever their action.

        Args:
            actions: integers in [0, 12), shape (num_envs,).
        Returns:
            observation, of fresh arrays; rewards float64, terminated and truncated bool, shape (num_envs,); infos.
        Raises:
            ResetNeeded: before the first `reset`, or with "Disabled" behind an ending.
            InvalidAction: not such integers.
        """
        if self._draws is None:
            raise ResetNeeded("step before the first reset; call reset() first")
        given = action_indices(actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded(f"sub-environments {np.flatnonzero(self._over).tolist()} have ended: reset them first")
        self._steps += 1
        np.add(self._row, given, out=self._index)
        self._packed.take(self._index, out=self._cell, mode="clip")
        np.copyto(self._shown, self._next)
        if self._keeps:
            np.copyto(self._due, self._steps + self.config.max_interactions, where=self._new)
        elif (again := np.flatnonzero(self._new)).size:
            self._draws.advance(again)
            self._begin(again)
        terminated = self._outcome > 0
        rewards = self.catalog.rewards.take(self._outcome)
        truncated = self._due == self._steps
        np.greater(truncated, terminated, out=truncated)
        if self._limit:
            truncated |= (self._lengths() >= self._limit) & ~self._new
        np.logical_or(terminated, truncated, out=self._over)
        np.multiply(self._shown, CELLS, out=self._row)
        infos = {} if self.infos == "none" else self._infos(terminated, rewards)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._begin_ended(infos)
        else:
            np.copyto(self._row, self._over_row, where=truncated)
        return self._observation(), rewards, terminated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Masks as bools, shape (num_envs, 12)."""
        self._started("action_masks")
        return self._mask().astype(np.bool_)

    def texts(self, rows: Sequence[int] | None = None) -> tuple[str, ...]:
        """The last answer of some worlds, or of all, whatever is observed."""
        self._started("texts")
        chosen = range(self.num_envs) if rows is None else rows
        return tuple(self._words.text(int(self._shown[i]), self._last(int(i))) for i in chosen)

    @property
    def state_indices(self) -> Rows:
        """Row of each world's state in its scenario's own tables, shape (num_envs,)."""
        self._started("state_indices")
        return self._shown - self.catalog.first[self.catalog.reading_of[self._shown]]

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The scenario of each world."""
        self._started("scenarios")
        return tuple(self.config.scenarios[number] for number in self.catalog.reading_of[self._shown])

    def _started(self, what: str) -> Draws:
        if self._draws is None:
            raise ResetNeeded(f"{what} before the first reset; call reset() first")
        return self._draws

    def _last(self, i: int) -> tuple[int, int] | None:
        """State and action of a world's last step; None where it has just begun."""
        return None if self._new[i] else (int(self._index[i]) // CELLS, int(self._index[i]) % CELLS)

    def _lengths(self) -> Rows:
        """Interactions of each episode so far, those of ended ones included."""
        return self._steps + self.config.max_interactions - self._due

    def _begin(self, rows: Rows, picked: NDArray[np.integer[Any]] | None = None) -> None:
        """Put worlds at the start of the scenarios last drawn for them, or of those picked."""
        position = self._started("reset").current(rows) if picked is None else picked
        self._shown[rows] = self.catalog.first[position]
        self._row[rows] = self._shown[rows] * CELLS
        self._over_row[rows] = self.catalog.over[position] * CELLS
        self._due[rows] = self._steps + self.config.max_interactions
        self._exists[rows] = self.catalog.exists[position]
        self._over[rows] = False
        self._new[rows] = True

    def _mask(self) -> NDArray[np.int8]:
        if self.config.mask == "exists":
            return self._exists.copy()
        return self.catalog.available.take(self._shown, axis=0, mode="clip")

    def _observation(self) -> dict[str, Any]:
        if self.config.observation == "text":
            return {"action_mask": self._mask(), "text": self.texts()}
        return {"action_mask": self._mask(), "features": self._features.take(self._shown, axis=0, mode="clip")}

    def _begin_ended(self, infos: dict[str, Any]) -> dict[str, Any]:
        """Begin ended worlds anew in the same step; `infos` with what they ended with."""
        rows = np.flatnonzero(self._over)
        if not rows.size:
            return infos
        observation = self._observation()
        final = np.full(self.num_envs, None, object)  # an array of objects, as Gymnasium's own vectors have it
        for i in rows:
            final[i] = {key: value[i] for key, value in observation.items()}
        infos |= {"final_obs": final, "_final_obs": self._over.copy()}
        if self._keeps:
            self._begin(rows, self.catalog.reading_of[self._shown[rows]])
        else:
            self._started("step").advance(rows)
            self._begin(rows)
        if self.infos == "all":
            again = {int(i): self._info_of(int(i)) | {"seed": self._seeds[i]} for i in rows}
            infos = merged(self.num_envs, again, into=infos)
        return infos

    def _infos(self, terminated: NDArray[np.bool_], rewards: NDArray[np.float64]) -> dict[str, Any]:
        ended = np.flatnonzero(self._over)
        if self.infos == "ends" and not ended.size:
            return {}
        if self.infos == "all":
            rows = {int(i): self._info_of(int(i)) for i in range(self.num_envs)}
            if self.autoreset_mode is not AutoresetMode.SAME_STEP:
                again = np.flatnonzero(self._new)
                return merged(self.num_envs, rows | {int(i): rows[int(i)] | {"seed": self._seeds[i]} for i in again})
            infos = merged(self.num_envs, {i: rows[i] for i in rows if not self._over[i]})
            return merged(self.num_envs, {int(i): {"final_info": rows[int(i)]} for i in ended}, into=infos)
        found = self._ends.at(self._outcome, terminated, self._over, rewards, self._lengths())
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            return {"final_info": found, "_final_info": self._over.copy()}
        return found

    def _info_of(self, i: int) -> dict[str, Any]:
        """What the scalar world would say, `seed` apart."""
        interactions = self._steps + self.config.max_interactions - int(self._due[i])
        return row_info(self.config, self.catalog, int(self._shown[i]), self._last(i), interactions)
