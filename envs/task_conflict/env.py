"""`TaskConflictEnv`: incumbent against requester as a PettingZoo `ParallelEnv`. Rules: docs/two-party.md.

This module imports PettingZoo; nobody imports it early. `conflictbench.envs.task_conflict_v0` is the way in.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from conflictbench.envs.arguments import SCREENS, seed_of
from conflictbench.envs.fiction.scenario_draw import draw_scenario
from conflictbench.envs.scenario_env import check_words
from conflictbench.envs.task_conflict.coding import ActionCoding
from conflictbench.envs.task_conflict.config import (
    AGENTS,
    parse_config,
    party_of,
    picked,
    refuse_unknown,
    start_of,
)
from conflictbench.envs.task_conflict.draws import draw_order, draw_start
from conflictbench.envs.task_conflict.features import layouts
from conflictbench.envs.task_conflict.global_state import state_of, state_space
from conflictbench.envs.task_conflict.infos import info_of
from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.render import screen
from conflictbench.envs.task_conflict.result import result_of
from conflictbench.envs.task_conflict.rules import action_mask, play_turn
from conflictbench.envs.task_conflict.seat import Phase, Said, Seat, Turn
from conflictbench.envs.task_conflict.spaces import action_of, action_space, mask_key, observation_space
from conflictbench.envs.task_conflict.speech import action_called, heard
from conflictbench.envs.task_conflict.words import briefing, situation
from conflictbench.errors import InvalidAction, ResetNeeded, shown
from conflictbench.scenario_specs.parties.game import GameMove
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.types import Info

KEYWORDS = ("scenario", "observation", "talk", "max_cycles", "render_mode")
Observed = dict[str, Any]
ByAgent = dict[str, Any]


class TaskConflictEnv(ParallelEnv):
    """Two parties choose at once, turn by turn; with talk a phase of speech, which costs no turn, precedes each.

    Observed by each party, made afresh each time:
    features: `observation` float32 (F,), in 0..1 (`feature_names` says what stands where), and the mask;
    text: `text`, printable ASCII, with the same facts, own task, own worth and menu, and the mask.
    The mask, int8, is `action_mask`, or `move_mask` with text of either kind; it opens moves or signals, by phase.

    Infos of a party: `scenario`, `role`, `phase`, `turn`, `turns_left`, `served_first`, `event` and `signal_event` of
    its own last choices, `events` and `last_moves` of both, `said` and `heard`; at the end `result`, with `seed`.

    Args:
        scenario: an id, a `Joint` (a game of one's own), a list of either, or None for every game of the core pack.
        observation: "features" or "text".
        talk: "none", "signal" (a choice out of a list) or "text" (a message of at most 280 characters beside it).
        max_cycles: phases before the game is truncated; None for no limit but the game's own.
        render_mode: None, "ansi" or "human": what an onlooker sees, private things included.
    Raises:
        UnknownName, InvalidValue: an argument is not valid; the message names the choices.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "task_conflict_v0",
        "render_modes": list(SCREENS),
        "render_fps": 4,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        scenario: str | Joint | list[str | Joint] | None = None,
        observation: str = "features",
        talk: str = "none",
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(unknown, KEYWORDS)
        self.config = config = parse_config(
            scenario=scenario, observation=observation, talk=talk, max_cycles=max_cycles, render_mode=render_mode
        )
        self.max_cycles = config.max_cycles  # may be assigned: PettingZoo's tests do
        self.render_mode = config.render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        widths = config.widths
        self.codings = tuple(
            ActionCoding(own=widths[party], other=widths[1 - party], talks=config.talks) for party in (0, 1)
        )
        self.layouts = layouts(config.games, self.codings)
        self._action_spaces = {a: action_space(c, talk) for a, c in zip(AGENTS, self.codings, strict=True)}
        self._observation_spaces = {
            a: observation_space(layout, observation, talk) for a, layout in zip(AGENTS, self.layouts, strict=True)
        }
        self.state_space = state_space(config.games, self.codings)
        self._seed: int | None = None
        self._resets = 0  # k of the draws
        self._playing: Playing | None = None  # None before the first reset
        self._start = self._state = self._cycles = 0
        self._phase: Phase = "move"
        self._turns: list[Turn] = []
        self._said: tuple[Said, Said] | None = None
        self._orders: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what `agent` observes; the same object every time."""
        self._party(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what `agent` does; the same object every time."""
        self._party(agent)
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[ByAgent, ByAgent]:
        """Begin a game.

        Args:
            seed: in 0..2**63 - 1; starts the draws anew. Without one, the first reset draws a seed and keeps it.
            options: `scenario` (an id) and `start` (an index into `joint.tables.starts`) are played in place of what
                the seed draws; other keys are let through.
        Returns:
            observations and infos by agent, as the class says.
        Raises:
            UnknownName, InvalidValue: a seed, scenario or start that is none.
        """
        ids = self.config.ids
        seed = seed_of(seed)
        scenario, start = picked(options, ids)
        if seed is None and self._seed is None:
            seed = int(np_random()[0].integers(2**32))  # 32 bits: exact in JSON and wherever a record is read
        first, k = (self._seed, self._resets + 1) if seed is None else (seed, 0)
        assert first is not None
        game = self.config.games[ids.index(scenario or draw_scenario(ids, first, k))]
        begun = draw_start(len(game.tables.starts), first, k) if start is None else start_of(start, game)
        # from here on nothing can be refused
        self._seed, self._resets, self._playing, self._start = first, k, game, begun
        self._state, self._cycles, self._turns, self._said = game.tables.starts[begun].state, 0, [], None
        self._phase = "talk" if self.config.talks else "move"
        incumbent, requester = (draw_order(game.tables.n_moves[party], first, k, party) for party in (0, 1))
        self._orders = incumbent, requester
        self.agents = list(AGENTS)
        if self.render_mode == "human":
            self.render()
        return self._observations(), self._infos()

    def step(self, actions: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Play one phase.

        Args:
            actions: one of each agent's action space, for both. What is not legal in this phase counts as hold, or as
                silence, and is flagged.
        Returns:
            observations, rewards (float: minus the cost of the move, at the end the worth of the cell), terminations,
            truncations and infos by agent. Both agents end together.
        Raises:
            ResetNeeded: before the first `reset`, or after the end.
            InvalidAction: an agent without an action, or an action outside its space.
        """
        game = self._running("step")
        chosen = self._chosen(actions)
        before = len(self._turns)
        if self._phase == "talk":
            incumbent, requester = (heard(game, p, self.codings[p], *choice) for p, choice in enumerate(chosen))
            self._said, self._phase = (incumbent, requester), "move"
        else:
            turn, self._state = play_turn(game, self._state, (chosen[0][0], chosen[1][0]))
            self._turns.append(turn)
            self._phase = "talk" if self.config.talks else "move"
            if self._said is not None:
                self._said = self._said[0].aged(), self._said[1].aged()
        self._cycles += 1
        terminated = bool(game.tables.done[self._state])
        truncated = not terminated and self.max_cycles is not None and self._cycles >= self.max_cycles
        rewards = [0, 0]
        if len(self._turns) > before:
            rewards = [-cost for cost in self._turns[-1].costs]
        if terminated:
            rewards = [units + int(worth) for units, worth in zip(rewards, game.tables.worth[self._state], strict=True)]
        if terminated or truncated:
            self._phase = "over"
        observations, infos = self._observations(), self._infos()
        if terminated or truncated:
            for agent in AGENTS:
                infos[agent]["result"] = result_of(game, self.seed, self._start, self._state, self._turns)
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            {agent: units / UNIT for agent, units in zip(AGENTS, rewards, strict=True)},
            dict.fromkeys(AGENTS, terminated),
            dict.fromkeys(AGENTS, truncated),
            infos,
        )

    def state(self) -> NDArray[np.int64]:
        """Everything, for a critic: 14 whole numbers, which `global_state` lists, made afresh."""
        game = self._started("state")
        position = self.config.games.index(game)
        return state_of(position, game, self._state, self._phase, self._cycles, self._turns, self._said, self.codings)

    def render(self) -> str | None:
        """Return the screen ("ansi"), or print it ("human")."""
        game = self._started("render")
        shown = screen(game, self._state, self._phase, self._turns, self._said)
        if self.render_mode != "human":
            return shown if self.render_mode == "ansi" else None
        sys.stdout.write(shown + "\n")
        sys.stdout.flush()
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def observe(self, agent: str) -> Observed:
        """What `agent` observes now, made afresh."""
        game, party = self._started("observation"), self._party(agent)
        mask = action_mask(game, party, self.codings[party], self._state, self._phase)
        key = mask_key(self.config.observation, self.config.talk)
        if self.config.observation == "features":
            row = self.layouts[party].row(game, self._state, self._phase, self._turns, self._said)
            return {"observation": row, key: mask}
        return {"text": f"{self.briefing(agent)}\n\n{self.situation(agent)}", key: mask}

    def briefing(self, agent: str) -> str:
        """What `agent` is told that holds for the whole game: its task, its worth, the rules, the moves of both."""
        game, party = self._started("briefing"), self._party(agent)
        return briefing(game, party, self._orders[party], self._orders[1 - party], self.config.talk)

    def situation(self, agent: str) -> str:
        """What `agent` chooses in now: the last turn, the status line, what was said, its menu."""
        game, party = self._started("situation"), self._party(agent)
        return situation(game, self._seat(party), self._turns, self._said)

    def command(self, agent: str, line: str) -> int | None:
        """The action index that a line means in this phase; None where it means nothing.

        In a move phase `hold` or a move's command; in a talk phase `silent`, `ask COMMAND` or `promise COMMAND`. A line
        of more than 2,000 characters means nothing. Raises InvalidAction for what is no str.
        """
        game, party = self._started("command"), self._party(agent)
        check_words(line)
        return action_called(game, party, self._phase, self.codings[party], line)

    def moves(self, agent: str) -> tuple[GameMove, ...]:
        """The moves of `agent` in the scenario being played, by index."""
        return self._started("moves").game.moves[self._party(agent)]

    def menu(self, agent: str) -> tuple[int, ...]:
        """Indices of `agent`'s moves in the order in which its text prints them."""
        self._started("menu")
        return self._orders[self._party(agent)]

    def feature_names(self, agent: str) -> tuple[str, ...]:
        """What each number of `agent`'s features is of, in the scenario being played; padding is ""."""
        return self.layouts[self._party(agent)].names(self._started("feature_names"))

    def signals(self, agent: str) -> ActionCoding:
        """How the actions of `agent` code signals."""
        return self.codings[self._party(agent)]

    @property
    def playing(self) -> Playing:
        """The game being played, with what is looked up in it; for bots and runners, not for policies."""
        return self._started("playing")

    @property
    def joint(self) -> Joint:
        """Game, tables and bots; for bots and runners, not for policies."""
        return self._started("joint").joint

    @property
    def state_index(self) -> int:
        """Row of the joint tables; for bots and runners, not for policies."""
        self._started("state_index")
        return self._state

    @property
    def seed(self) -> int:
        """What the draws began with; for runners: it tells the start."""
        self._started("seed")
        assert self._seed is not None
        return self._seed

    @property
    def start_index(self) -> int:
        """Index of the start being played; for runners: it tells private types."""
        self._started("start_index")
        return self._start

    @property
    def phase(self) -> Phase:
        """What is to be chosen now: "talk", "move", or nothing ("over")."""
        self._started("phase")
        return self._phase

    def check_action(self, agent: str, action: Any) -> tuple[int, str]:
        """The index and the message of an action of `agent`'s.

        Raises:
            InvalidAction: it is outside its space.
        """
        return action_of(action, self.codings[self._party(agent)], self.config.talk, agent)

    def _chosen(self, actions: Any) -> list[tuple[int, str]]:
        if not isinstance(actions, dict) or set(actions) != set(AGENTS):
            given = shown(sorted(map(str, actions))) if isinstance(actions, dict) else type(actions).__name__
            raise InvalidAction(f"actions must be a dict with one action each for {' and '.join(AGENTS)}, not {given}")
        return [self.check_action(agent, actions[agent]) for agent in AGENTS]

    def _seat(self, party: int) -> Seat:
        own, other = self._orders[party], self._orders[1 - party]
        return Seat(party=party, state=self._state, phase=self._phase, order=own, other_order=other)

    def _observations(self) -> ByAgent:
        return {agent: self.observe(agent) for agent in AGENTS}

    def _infos(self) -> dict[str, Info]:
        game = self._started("infos")
        return {agent: info_of(game, self._seat(party), self._turns, self._said) for party, agent in enumerate(AGENTS)}

    def _party(self, agent: str) -> int:
        return party_of(agent)

    def _started(self, what: str) -> Playing:
        if self._playing is None:
            raise ResetNeeded(f"{what} before the first reset; call reset() first")
        return self._playing

    def _running(self, what: str) -> Playing:
        game = self._started(what)
        if not self.agents:
            raise ResetNeeded(f"{what} after the end of the game; call reset() first")
        return game
