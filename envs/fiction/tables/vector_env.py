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
from conflictbench.envs.fiction.answers import Answer, Answers, answers_of
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.spaces import N_ACTIONS, observation_space
from conflictbench.envs.fiction.tables.arguments import (
    INFOS,
    action_indices,
    autoreset_mode_of,
    reset_rows,
    seeds_of,
    size_of,
    step_limit,
)
from conflictbench.envs.fiction.tables.catalog import CELL, CELLS, HOME, make_catalog, whole
from conflictbench.envs.fiction.tables.draws import Draws
from conflictbench.envs.fiction.tables.infos import EndInfos, merged
from conflictbench.errors import InvalidValue, ResetNeeded

OBSERVATIONS = ("text", "features")
Rows = NDArray[np.int64]
Step = tuple[dict[str, Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


_LOOKED_UP = frozenset({
    "catalog", "_packed", "_features", "_answers", "_ends", "_masks", "_cells", "_home", "_next", "_outcome", "_new",
    "_terminated", "_first", "_over_row",
})  # by `_look_up`  # fmt: skip


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
        num_envs = size_of(num_envs)
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

        self._draws: Draws | None = None  # None before the first reset

        # of each world
        self._shown = np.zeros(num_envs, np.int64)  # the state that is observed
        self._row = np.zeros(num_envs, np.int64)  # its first cell; the first of `over` behind a truncation
        self._left = np.zeros(num_envs, np.int64)  # interactions until the cap truncates
        self._over = np.zeros(num_envs, np.bool_)  # ended with the last step
        self._exists = np.zeros((num_envs, N_ACTIONS), np.int8)
        # of the last step: the cells that were read, by their numbers and as they are
        self._index = np.zeros(num_envs, np.int64)
        self._taken = np.zeros(num_envs, CELL)
        # numbers as arrays: NumPy takes half a microsecond to make one of a Python number, each time
        self._none, self._one, self._width = np.array(0), np.array(1), np.array(CELLS)
        self._nothing = np.full(num_envs, None, object)
        self._cap = np.full(num_envs, config.max_interactions)
        # without a draw the tables alone know what an episode begins with
        self._keeps = not resample or len(config.scenarios) == 1
        self._homes = np.zeros(num_envs, HOME)  # of the scenario being played
        self._in_words, self._one_mask = config.observation == "text", config.mask == "exists"
        # whether anybody asks which worlds have ended
        self._disabled = self.autoreset_mode is AutoresetMode.DISABLED
        self._same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        self._told = infos != "none" or self.autoreset_mode is not AutoresetMode.NEXT_STEP
        self._look_up()

    def _look_up(self) -> None:
        """What is not a vector's own: the tables, which vectors of the same arguments share, and views."""
        config, cells, homes = self.config, self._taken, self._homes
        self.catalog = make_catalog(config.scenarios, config.variant, config.pack, config.reward)
        self._packed = self.catalog.packed
        self._features = self.catalog.features(config.features_dtype, bits=config.scenario_bits)
        self._answers = [answers_of(reading, config.look) for reading in self.catalog.readings]
        self._ends = EndInfos(self.catalog)
        self._masks, self._cells, self._home = whole(self._exists), whole(cells), whole(homes)
        self._next, self._outcome, self._new = cells["next"], cells["outcome"], cells["begins"]
        self._terminated = cells["terminated"]
        self._first, self._over_row = homes["first"], homes["over"]

    def __getstate__(self) -> dict[str, Any]:
        """What is a vector's own: a view that is copied by itself is none any more."""
        return {name: value for name, value in vars(self).items() if name not in _LOOKED_UP}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Look up again what the copy shares, or views in arrays of its own."""
        vars(self).update(state)
        self._look_up()

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
            self._seeds = [int(np_random()[0].integers(2**32)) if one is None else one for one in seeds]
            self._draws = Draws(np.array([one % 2**64 for one in self._seeds], np.uint64), len(self.config.scenarios))
        else:
            given = np.array([i for i in rows if seeds[i] is not None], np.int64)
            for i in given:
                self._seeds[i] = int(seeds[i] or 0)
            self._draws.advance(np.setdiff1d(rows, given))
            if given.size:
                self._draws.restart(given, np.array([self._seeds[i] % 2**64 for i in given], np.uint64))
        drawn = self._draws.current(rows)
        self._begin(rows, drawn if picked is None else np.full(len(rows), self.config.scenarios.index(picked)))
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
        if self._disabled and self._over.any():
            raise ResetNeeded(f"sub-environments {np.flatnonzero(self._over).tolist()} have ended: reset them first")
        np.add(self._row, given, out=self._index)
        self._packed.take(self._index, out=self._cells, mode="clip")
        np.copyto(self._shown, self._next)
        np.subtract(self._left, self._one, out=self._left)
        np.copyto(self._left, self._cap, where=self._new)
        if not self._keeps and (again := self._new.nonzero()[0]).size:
            self._place(again, self._draws.advance(again))
        terminated, rewards = self._terminated.copy(), self.catalog.rewards.take(self._outcome)
        truncated = np.equal(self._left, self._none)
        np.greater(truncated, terminated, out=truncated)
        if self._limit:
            truncated |= (self._lengths() >= self._limit) & ~self._new
        np.multiply(self._shown, self._width, out=self._row)
        infos: dict[str, Any] = {}
        if self._told:
            np.logical_or(terminated, truncated, out=self._over)
            infos = self._infos(terminated, rewards)
        if self._same_step:
            infos = self._begin_ended(infos)
        else:
            np.copyto(self._row, self._over_row, where=truncated)
        return self._observation(), rewards, terminated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Masks as bools, shape (num_envs, 12)."""
        self._started("action_masks")
        return self._mask().astype(np.bool_)

    def texts(self, rows: Sequence[int] | Rows | None = None) -> tuple[str, ...]:
        """The last answer of some worlds, or of all, whatever is observed."""
        self._started("texts")
        chosen = range(self.num_envs) if rows is None else rows
        said = (self._answer(int(i)) for i in chosen)
        return tuple(answers.words(answer) for answers, answer in said)

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

    def _answer(self, i: int) -> tuple[Answers, Answer]:
        """What a world was told last, and the answers that it is one of."""
        number = int(self.catalog.reading_of[self._shown[i]])
        answers = self._answers[number]
        if self._new[i]:
            return answers, answers.opening
        state, action = divmod(int(self._index[i]), CELLS)
        return answers, answers.at(state - int(self.catalog.first[number]), action)

    def _lengths(self) -> Rows:
        """Interactions of each episode so far, those of ended ones included."""
        return self._cap - self._left

    def _begin(self, rows: Rows, position: NDArray[np.integer[Any]]) -> None:
        """Begin an episode in some worlds, outside a step."""
        self._place(rows, position)
        self._row[rows] = self._shown.take(rows) * self._width
        self._left[rows] = self._cap.take(rows)
        self._over[rows] = False
        self._new[rows] = True

    def _place(self, rows: Rows, position: NDArray[np.integer[Any]]) -> None:
        """Put worlds at the start of scenarios."""
        self._home[rows] = self.catalog.homes.take(position)
        self._shown[rows] = self._first.take(rows)
        self._masks[rows] = self.catalog.masks.take(position)

    def _mask(self) -> NDArray[np.int8]:
        if self._one_mask:
            return self._exists.copy()
        return self.catalog.available.take(self._shown, axis=0, mode="clip")

    def _observation(self) -> dict[str, Any]:
        if self._in_words:
            return {"action_mask": self._mask(), "text": self.texts()}
        return {"action_mask": self._mask(), "features": self._features.take(self._shown, axis=0, mode="clip")}

    def _begin_ended(self, infos: dict[str, Any]) -> dict[str, Any]:
        """Begin ended worlds anew in the same step; `infos` with what they ended with."""
        rows = self._over.nonzero()[0]
        if not rows.size:
            return infos
        # an array of objects, as Gymnasium's own vectors have it
        final = self._nothing.copy()
        for i, observed in zip(rows.tolist(), self._ended_with(rows), strict=True):
            final[i] = observed
        infos |= {"final_obs": final, "_final_obs": self._over.copy()}
        if self._keeps:
            self._begin(rows, self.catalog.reading_of[self._shown[rows]])
        else:
            self._begin(rows, self._started("step").advance(rows))
        if self.infos == "all":
            again = {int(i): self._info_of(int(i)) | {"seed": self._seeds[i]} for i in rows}
            infos = merged(self.num_envs, again, into=infos)
        return infos

    def _ended_with(self, rows: Rows) -> list[dict[str, Any]]:
        """What is observed of some worlds, one by one."""
        shown = self._shown.take(rows)
        masks = self._exists.take(rows, axis=0) if self._one_mask else self.catalog.available.take(shown, axis=0)
        if self._in_words:
            return [{"action_mask": mask, "text": text} for mask, text in zip(masks, self.texts(rows), strict=True)]
        numbers = self._features.take(shown, axis=0)
        return [{"action_mask": mask, "features": row} for mask, row in zip(masks, numbers, strict=True)]

    def _infos(self, terminated: NDArray[np.bool_], rewards: NDArray[np.float64]) -> dict[str, Any]:
        if self.infos == "none":
            return {}
        if self.infos == "ends" and not self._over.item(self._over.argmax()):
            return {}
        if self.infos == "all":
            ended = np.flatnonzero(self._over)
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
        interactions = self.config.max_interactions - int(self._left[i])
        return self._answer(i)[1].info_at(interactions)
