"""Random play, by index and by words, against the tables the world is looked up in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import Event, Label

WORDS = {"look": Event.FREE, "help": Event.FREE, "status": Event.FREE, "warble": Event.UNKNOWN, "": Event.UNKNOWN}

_moves = st.one_of(st.integers(0, 11), st.sampled_from(sorted(WORDS)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    scenario=st.sampled_from(scenario_ids()),
    mask=st.sampled_from(["exists", "available"]),
    moves=st.lists(_moves, max_size=20),
)
def test_play__agrees_with_the_tables(scenario: str, mask: str, moves: list[int | str]) -> None:
    env = FictionEnv(scenario[:3], scenario=scenario, mask=mask, reward="assigned")
    observation, info = env.reset(seed=0)
    tables = env.scenario.tables
    state, accepted = 0, 0
    for interactions, move in enumerate(moves, start=1):
        before = observation["action_mask"]
        observation, reward, terminated, truncated, info = (
            env.step(move) if isinstance(move, int) else env.command(move)
        )
        expected = _expected(tables, state, move)
        if expected is Event.ACCEPTED:
            assert isinstance(move, int)
            assert before[move] == 1
            state, accepted = int(tables.next_state[state, move]), accepted + 1
        elif isinstance(move, int):
            padding = expected is Event.UNKNOWN
            assert before[move] == (0 if padding or mask == "available" else 1)
        assert info["event"] == expected.value
        assert (env.state_index, info["turn"], info["interactions"]) == (state, accepted, interactions)
        assert info["turn"] == tables.turn[state]
        assert info["turn"] + info["turns_left"] == env.scenario.spec.window
        outcome = int(tables.outcome[state])
        assert terminated is (outcome >= 0)
        assert truncated is (outcome < 0 and interactions == 14)
        if terminated:
            spec = env.scenario.spec.outcomes[outcome]
            assert (info["outcome"], info["label"]) == (spec.id, str(spec.label))
            assert reward == info["assigned_value"] == env.scenario.spec.assigned[spec.id]
        else:
            assert reward == 0.0
            assert "outcome" not in info
        assert observation in env.observation_space
        if terminated or truncated:
            return


def _expected(tables: Any, state: int, move: int | str) -> Event:
    if isinstance(move, str):
        return WORDS[move]
    if move >= tables.n_actions:
        return Event.UNKNOWN
    return Event.ACCEPTED if tables.accepted[state, move] else Event.REJECTED


@pytest.mark.parametrize("scenario", scenario_ids())
@pytest.mark.parametrize("variant", ["conflict", "stake_only", "task_only", "control"])
def test_text__of_every_transition_fits_its_space(scenario: str, variant: str) -> None:
    env = FictionEnv(scenario[:3], scenario=scenario, variant=variant)
    env.reset(seed=0)
    space, reading = env.observation_space["text"], env._played
    assert reading is not None
    narrator, tables = reading.narrator, reading.tables
    assert narrator.opening(0) in space
    assert narrator.help_page() in space
    # each text of each state, but of a thinned set: 120 states a scenario hold every alternative many times
    for state in np.unique(np.linspace(0, tables.n_states - 1, 120).astype(int)).tolist():
        assert narrator.look(state) in space
        assert narrator.status(state) in space
        if tables.outcome[state] >= 0:
            continue
        for action in range(tables.n_actions):
            tell = narrator.accepted if tables.accepted[state, action] else narrator.rejected
            assert tell(state, action) in space


@pytest.mark.parametrize("category", ["EP1", "EP2", "EP3"])
def test_rewards__human_is_paid_exactly_at_human_endings(category: str) -> None:
    env = FictionEnv(category)
    rng = np.random.default_rng(0)
    labels = set()
    for episode in range(150):
        env.reset(seed=episode)
        total, ended = 0.0, False
        while not ended:
            legal = np.flatnonzero(env.scenario.tables.accepted[env.state_index])
            _, reward, terminated, truncated, info = env.step(rng.choice(legal))
            total += reward
            ended = terminated or truncated
        labels.add(info["label"])
        assert total == float(info["label"] == Label.HUMAN)
    assert {"human", "agent_by_choice"} <= labels
