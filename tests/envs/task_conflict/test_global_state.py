"""`state()` holds everything that parties observe: worked out on the chiller, and over many random games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.envs.task_conflict.seats import AGENTS, INCUMBENT, REQUESTER, chiller_env, moves, random_actions
from tests.scenario_specs.parties.chiller import chiller

from conflictbench.envs.task_conflict.env import TaskConflictEnv


def test_state__holds_the_moment_and_the_last_moves_with_what_they_cost() -> None:
    env = chiller_env()
    env.reset(seed=0, options={"start": 1})
    begun = env.state_index
    assert env.state().tolist() == [0, begun, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    moves(env, "run_batch", "lend_crew")  # moves 1 and 2; both done, event 1; a crew costs 0.02
    assert env.state().tolist() == [0, env.state_index, 1, 0, 1, 1 + begun, 2, 3, 2, 2, 0, 200, 0, 0]
    before = env.state_index
    env.step({INCUMBENT: 3, REQUESTER: 1})  # no claim to object to, no valve for the ward: rejected, event 2
    assert env.state().tolist() == [0, env.state_index, 2, 0, 2, 1 + before, 4, 2, 3, 3, 0, 200, 0, 0]


def test_state__holds_the_last_signals_and_the_phase() -> None:
    env = chiller_env(talk="signal", max_cycles=3)
    env.reset(seed=0, options={"start": 0})
    assert env.state()[[3, 4, 12, 13]].tolist() == [1, 0, 0, 0]
    env.step({INCUMBENT: 6 + 3, REQUESTER: 5})  # the fourth signal of the one, silence of the other
    assert env.state()[[3, 4, 12, 13]].tolist() == [0, 1, 4, 1]
    env.step({INCUMBENT: 0, REQUESTER: 0})
    env.step({INCUMBENT: 6, REQUESTER: 5})
    assert env.state()[[3, 4, 12, 13]].tolist() == [2, 3, 1, 1]


def play_randomly(env: TaskConflictEnv, seed: int, masked: bool, **options: Any) -> list[tuple[Any, ...]]:
    """State and observations of each moment of a random game."""
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed if not options else 0, options=options)
    seen = [(tuple(env.state().tolist()), observations)]
    while env.agents:
        if masked:
            actions = random_actions(env, observations, rng)
        else:
            actions = {agent: int(rng.integers(env.action_space(agent).n)) for agent in AGENTS}
        observations = env.step(actions)[0]
        assert env.state_space.contains(env.state())
        seen.append((tuple(env.state().tolist()), observations))
    return seen


@pytest.mark.parametrize("talk", ["none", "signal"])
@pytest.mark.parametrize("observation", ["features", "text"])
def test_state__equal_ones_are_observed_alike(observation: str, talk: str) -> None:
    env = chiller_env(chiller(types=True), observation=observation, talk=talk, max_cycles=9)
    by_state: dict[tuple[int, ...], list[bytes]] = {}
    met_again = 0
    for seed in range(120):
        for state, observations in play_randomly(env, seed, masked=seed % 2 == 0, start=seed % 4):
            shown = [as_bytes(value) for agent in AGENTS for value in observations[agent].values()]
            met_again += state in by_state
            assert by_state.setdefault(state, shown) == shown
    assert met_again > 30


def as_bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else value.tobytes()


def test_state__of_any_game_lies_in_its_space_and_no_moment_of_a_game_is_like_another() -> None:
    env = TaskConflictEnv(talk="signal")
    for seed in range(20):
        states = [state for state, _ in play_randomly(env, seed, masked=seed % 2 == 0)]
        assert len(set(states)) == len(states)
