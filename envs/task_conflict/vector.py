"""`TaskConflictVectorEnv`: two-party games stepped together by table look-ups. Own design.

Transitions, rewards, masks, features and draws are those of `TaskConflictEnv`s with the same seeds and no talk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from conflictbench.envs.arguments import one_of
from conflictbench.envs.fiction.tables.arguments import autoreset_mode_of, reset_rows, seeds_of, size_of
from conflictbench.envs.fiction.tables.draws import Draws, splitmix64_rows
from conflictbench.envs.task_conflict.catalog import CELL, CELL_EVENTS, joint_catalog
from conflictbench.envs.task_conflict.config import (
    AGENTS,
    cycle_cap,
    games_of,
    party_of,
    picked,
    refuse_unknown,
    start_of,
)
from conflictbench.envs.task_conflict.spaces import observation_space
from conflictbench.errors import InvalidAction, InvalidValue, ResetNeeded, shown

KEYWORDS = ("num_envs", "scenario", "observation", "autoreset_mode", "max_cycles", "infos")
INFOS = ("ends", "none")
SEEN = ("features", "masks")
MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
Rows = NDArray[np.int64]
Observed = dict[str, dict[str, NDArray[Any]]]
Step = tuple[Observed, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class TaskConflictVectorEnv:
    """`num_envs` games; game i of a vector seeded s plays what a `TaskConflictEnv` seeded s + i plays.

    Observed, by agent: `action_mask` int8 (num_envs, moves), and with "features" `observation` float32 (num_envs, F).

    Args:
        num_envs: >= 1.
        scenario: as `TaskConflictEnv`.
        observation: "features", or "masks" for masks alone.
        autoreset_mode: when an ended game begins anew: "NextStep" (the default; its next actions are ignored, and
            rewarded with 0) or "SameStep".
        max_cycles: moves before a game is truncated; None for no limit but its own.
        infos: "ends" tells how games ended; "none" tells nothing, which is faster.
    Raises:
        UnknownName, InvalidValue: an argument is not valid; the message names the choices.
    """

    def __init__(
        self,
        num_envs: int = 1,
        scenario: Any = None,
        observation: str = "features",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_cycles: int | None = None,
        infos: str = "ends",
        **unknown: Any,
    ) -> None:
        refuse_unknown(unknown, KEYWORDS)
        num_envs = size_of(num_envs)
        one_of("observation", observation, SEEN)
        one_of("infos", infos, INFOS)
        mode = autoreset_mode_of(autoreset_mode, MODES)
        self.num_envs, self.observation, self.autoreset_mode = num_envs, observation, mode
        self.max_cycles = cycle_cap(max_cycles)
        self.possible_agents = list(AGENTS)
        self.catalog = joint_catalog(games_of(scenario))
        self.ids = tuple(game.id for game in self.catalog.games)
        self.layouts = self.catalog.layouts
        self._spaces = [observation_space(layout, "features", "none") for layout in self.layouts]
        if observation == "masks":
            self._spaces = [spaces.Dict({"action_mask": space["action_mask"]}) for space in self._spaces]
        self._featured = observation == "features"
        self._draws: Draws | None = None  # None before the first reset
        self._seeds: list[int] = []
        self._width = self.catalog.widths[1]
        self._stride = self.catalog.widths[0] * self._width
        self._hold_alone = (np.arange(2 * self.catalog.half) % self.catalog.half == 0).astype(np.int8)
        self._keeps = infos == "ends"
        self._steps = 0
        # room for a step: the numbers of the cells that are read, and the cells
        self._index = np.zeros(num_envs, np.int64)
        self._cell = np.zeros(num_envs, np.int64)
        # of each game
        self._state = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)  # ended with the last step, and still shown
        self._begun = np.zeros(num_envs, np.int64)  # the step behind which its first move is
        self._return = np.zeros((num_envs, 2))
        self._last = np.zeros((2, num_envs), np.int64)  # rows of the catalog's `turns`

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Of all games together."""
        return batch_space(self.single_observation_space(agent), self.num_envs)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Of all games together."""
        return batch_space(self.single_action_space(agent), self.num_envs)

    def single_observation_space(self, agent: str) -> spaces.Dict:
        """Of one game."""
        return self._spaces[party_of(agent)]

    def single_action_space(self, agent: str) -> spaces.Discrete:
        """Of one game."""
        return spaces.Discrete(self.catalog.widths[party_of(agent)])

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin in every game, or with `options={"reset_mask": bools}` in those marked.

        Args:
            seed: s, or one a game. An unseeded first reset draws one for the whole vector.
            options: besides, as `TaskConflictEnv.reset`, for each game that begins; other keys are let through.
        Returns:
            observations, and infos with `seed` and `scenario` of each game. They are for who runs the games: a seed
            tells the start, and with it what is private.
        Raises:
            UnknownName, InvalidValue: a seed, mask, scenario or start that is none.
            ResetNeeded: a first reset of some alone.
        """
        rows, rest = reset_rows(options, self.num_envs)
        scenario, start = picked(rest, self.ids)
        seeds = seeds_of(seed, self.num_envs)
        if self._draws is None and len(rows) < self.num_envs:
            raise ResetNeeded("a first reset with a reset_mask of some: call reset() of all games first")
        if start is not None and scenario is None and len(self.ids) > 1:
            raise InvalidValue(f"start {shown(start)} without a scenario: which game has it? Give `scenario` too")
        numbers = None if scenario is None and start is None else self.ids.index(scenario or self.ids[0])
        begun = None if start is None else start_of(start, self.catalog.games[numbers or 0])
        draws = self._draw(rows, seeds)
        if numbers is None:
            state = draws.current(np.arange(self.num_envs))
        elif begun is not None:
            state = np.full(self.num_envs, self.catalog.starts[numbers, begun])
        else:
            drawn = splitmix64_rows(draws.seeds, draws.k.astype(np.uint64))
            state = self.catalog.begins_in(np.full(self.num_envs, numbers), drawn)
        marked = np.zeros(self.num_envs, np.bool_)
        marked[rows] = True
        self._over = self._over & ~marked
        self._begin_where(marked, state)
        return self._observations(), {"seed": np.array(self._seeds), "scenario": np.array(self.scenarios, object)}

    def step(self, actions: Any) -> Step:
        """Play one turn in each game.

        Args:
            actions: integers, shape (num_envs, 2): moves of incumbent and requester. Illegal ones count as hold.
        Returns:
            observations, of fresh arrays; rewards float64, shape (num_envs, 2); terminated and truncated bool, shape
            (num_envs,); infos. In infos, where `_episode` is True: `episode` with returns `r` (num_envs, 2) and lengths
            `l`, and `human` and `task`, whether these outcomes have come true. With "SameStep" also `final_obs`, the
            observations before the new beginnings.
        Raises:
            ResetNeeded: before the first `reset`.  InvalidAction: not such integers.
        """
        draws = self._started("step")
        moves = self._moves(actions)
        again = self._over
        np.multiply(self._state, self._stride, out=self._index)
        self._index += moves[:, 0] * self._width
        self._index += moves[:, 1]
        self.catalog.packed.take(self._index, out=self._cell, mode="clip")
        cell = self._cell.view(CELL)
        self._state[:] = cell["next"]
        terminated = cell["done"].copy()
        rewards = self.catalog.pairs.take(cell["rewards"], mode="clip").view(np.float64).reshape(-1, 2)
        if self._featured:
            np.multiply(moves[:, ::-1].T, CELL_EVENTS, out=self._last)
            self._last += cell["events"]
        self._steps += 1
        truncated = np.zeros(self.num_envs, np.bool_)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            if self.max_cycles is not None:  # a game that was stopped has not stood in an ending
                terminated[again], rewards[again] = False, 0.0
            self._begin_where(again, draws.advance_where(again))
        if self._keeps:
            self._return += rewards
        if self.max_cycles is not None:
            np.greater(self._steps - self._begun >= self.max_cycles, terminated, out=truncated)
        self._over = terminated | truncated
        return self._shown(rewards, terminated, truncated)

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The scenario of each game."""
        self._started("scenarios")
        return tuple(self.ids[number] for number in self.catalog.game_of[self._state])

    @property
    def state_indices(self) -> Rows:
        """Row of each game's state in its own tables, shape (num_envs,)."""
        self._started("state_indices")
        return self._state - self.catalog.first[self.catalog.game_of[self._state]]

    def _shown(self, rewards: NDArray[np.float64], terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]) -> Step:
        infos: dict[str, Any] = {}
        if self._keeps and self._over.any():
            cells = self.catalog.come_true.take(self._state, mode="clip")
            infos = {
                "episode": {"r": self._return.copy(), "l": self._steps - self._begun},
                "_episode": self._over.copy(),
                "human": (cells & 1).astype(np.bool_),
                "task": (cells >> 1).astype(np.bool_),
            }
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            infos |= {"final_obs": self._observations(), "_final_obs": self._over.copy()}
            self._begin_where(self._over, self._started("step").advance_where(self._over))
            self._over = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, terminated, truncated, infos

    def _observations(self) -> Observed:
        shown: Observed = {}
        half = self.catalog.half
        masks = self.catalog.legal.take(self._state, axis=0, mode="clip")
        if self.max_cycles is not None:  # after the end hold alone is open, also where a game was stopped
            masks[self._over] = self._hold_alone
        for party, agent in enumerate(AGENTS):
            shown[agent] = {"action_mask": masks[:, half * party : half * party + self.catalog.widths[party]]}
            if self._featured:
                layout = self.layouts[party]
                rows = np.empty((self.num_envs, layout.n), np.float32)
                rows[:, : layout.n_state] = self.catalog.states[party].take(self._state, axis=0, mode="clip")
                rows[:, layout.n_state :] = self.catalog.turns[party].take(self._last[party], axis=0, mode="clip")
                shown[agent]["observation"] = rows
        return shown

    def _begin_where(self, marked: NDArray[np.bool_], states: Rows) -> None:
        """Put marked games into their states; none of them has a turn behind it."""
        np.copyto(self._state, states, where=marked)
        np.copyto(self._begun, self._steps, where=marked)
        if self._keeps:
            np.copyto(self._return, 0.0, where=marked[:, None])
        if self._featured:
            for party in (0, 1):
                np.copyto(self._last[party], len(self.catalog.turns[party]) - 1, where=marked)

    def _draw(self, rows: Rows, seeds: list[int | None]) -> Draws:
        """Give new seeds to those of `rows` that have one, and the next draw to the others of them."""
        if self._draws is None:
            if all(seed is None for seed in seeds):
                first = int(np_random()[0].integers(2**32))  # one for the vector: game i then has s + i
                seeds = [first + i for i in range(self.num_envs)]
            self._seeds = [int(np_random()[0].integers(2**32)) if seed is None else seed for seed in seeds]
            self._draws = Draws(np.array(self._seeds, np.uint64), self.catalog.begins)
            return self._draws
        given = np.array([i for i in rows if seeds[i] is not None], np.int64)
        self._draws.advance(np.setdiff1d(rows, given))
        if given.size:
            for i in given:
                self._seeds[i] = int(seeds[i] or 0)
            self._draws.restart(given, np.array([self._seeds[i] for i in given], np.uint64))
        return self._draws

    def _moves(self, actions: Any) -> Rows:
        try:
            moves = np.asarray(actions)
        except ValueError:  # rows of different lengths
            raise InvalidAction(f"actions {shown(actions)}: shape ({self.num_envs}, 2) is wanted") from None
        if moves.dtype.kind not in "iu":
            raise InvalidAction(f"actions of {moves.dtype}: integers are wanted, one for each party")
        if moves.shape != (self.num_envs, 2):
            raise InvalidAction(f"actions of shape {moves.shape}; it must be ({self.num_envs}, 2)")
        moves = np.ascontiguousarray(moves, np.int64)
        # as unsigned numbers those below 0 are above every other: one comparison tells
        most = moves.view(np.uint64)
        if most[:, 0].max() >= self.catalog.widths[0] or most[:, 1].max() >= self.catalog.widths[1]:
            wrong = moves[((moves < 0) | (moves >= self.catalog.widths)).any(axis=1)][0].tolist()
            valid = " and ".join(f"0..{n - 1} of {agent}" for n, agent in zip(self.catalog.widths, AGENTS, strict=True))
            raise InvalidAction(f"actions {wrong} are outside the action spaces; valid indices are {valid}")
        return moves

    def _started(self, what: str) -> Draws:
        if self._draws is None:
            raise ResetNeeded(f"{what} before the first reset; call reset() first")
        return self._draws
