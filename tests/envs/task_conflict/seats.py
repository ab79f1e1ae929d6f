"""Two seats for tests: the chiller as an environment, masked random play, and plays by the ids of moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from tests.scenario_specs.parties.chiller import chiller

from conflictbench.envs.task_conflict.config import AGENTS
from conflictbench.envs.task_conflict.env import TaskConflictEnv
from conflictbench.scenario_specs.parties.game import Game
from conflictbench.scenario_specs.parties.joint import Joint

INCUMBENT, REQUESTER = AGENTS
Stepped = tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]


def chiller_env(game: Game | None = None, **kwargs: Any) -> TaskConflictEnv:
    """The chiller, or another game, as an environment."""
    return TaskConflictEnv(scenario=Joint(game if game is not None else chiller()), **kwargs)


def moves(env: TaskConflictEnv, incumbent: str = "hold", requester: str = "hold") -> Stepped:
    """Play one move phase by the ids of moves."""
    ids = [[move.id for move in env.moves(agent)] for agent in AGENTS]
    return env.step({INCUMBENT: ids[0].index(incumbent), REQUESTER: ids[1].index(requester)})


def plays(env: TaskConflictEnv, turns: Sequence[tuple[str, str]]) -> list[Stepped]:
    """Play several move phases."""
    return [moves(env, *turn) for turn in turns]


def mask_of(observation: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.int8]]:
    """The mask of an observation, whatever it is called."""
    return observation["action_mask"] if "action_mask" in observation else observation["move_mask"]


def random_actions(
    env: TaskConflictEnv, observations: dict[str, Any], rng: np.random.Generator, message: str = ""
) -> dict[str, Any]:
    """A legal action of each agent."""
    acts = {agent: int(rng.choice(np.flatnonzero(mask_of(observations[agent])))) for agent in AGENTS}
    if env.config.talk != "text":
        return dict(acts)
    return {agent: {"act": act, "message": message} for agent, act in acts.items()}


def random_episode(
    env: TaskConflictEnv, rng: np.random.Generator, *, seed: int | None = None, **options: Any
) -> Iterator[Any]:
    """What a masked random episode returns, reset first."""
    observations, infos = env.reset(seed=seed, options=options)
    yield observations, infos
    while env.agents:
        stepped = env.step(random_actions(env, observations, rng, message=f"says {rng.integers(1000)}"))
        observations = stepped[0]
        yield stepped
