"""The contract every agent keeps; a new one's test subclasses `AgentContract` and says how to make it.

The world it is held against is a script: observations and info as the environments give them, no environment. So an
agent that needs more than it is shown fails here.
"""

from __future__ import annotations

import copy
import random
from typing import Any, ClassVar

import numpy as np

from conflictbench.protocols import Agent
from conflictbench.types import Decision, Info, Reply, Task

N_ACTIONS = 12
STEPS = 6


def script(scenario: str = "EP1-001", variant: str = "conflict") -> list[tuple[dict[str, Any], Info]]:
    """What an agent is shown over an episode: a mask with two padding entries, features, text, options, oracles."""
    shown: list[tuple[dict[str, Any], Info]] = []
    for step in range(STEPS):
        mask = np.ones(N_ACTIONS, np.int8)
        mask[10:] = 0
        info: Info = {
            "scenario": scenario,
            "variant": variant,
            "turn": step,
            "turns_left": STEPS - step,
            "interactions": step,
            "best_action_human": (3 * step) % 10,
            "best_action_assigned": (3 * step + 1) % 10,
            "options": tuple("option " + "x" * ((7 * place + step) % 10) for place in range(10)),
        }
        if step:
            info |= {"event": "accepted", "action": f"do_{step}", "command": f"do {step}"}
        else:
            info["seed"] = 7
        features = np.full(32, step / STEPS, np.float32)
        text = f"What the world says, {step}."
        shown.append(({"action_mask": mask, "features": features, "text": text}, info))
    return shown


def play(agent: Agent, seed: int, scenario: str = "EP1-001") -> list[Decision]:
    """Reset the agent and let it decide along the script."""
    agent.reset(Task(env_id="ConflictBench/EP1-v0", seed=seed, n_actions=N_ACTIONS, scenario=scenario))
    return [agent.act(observation, info) for observation, info in script(scenario)]


class AgentContract:
    """What any agent must do. Override `make`; say so where its seed does not matter."""

    deterministic: ClassVar[bool] = False  # True: equal decisions whatever the seed

    def make(self) -> Agent:
        """Return a fresh agent."""
        raise NotImplementedError

    def test_agent__has_the_two_methods_and_a_name(self) -> None:
        agent = self.make()
        assert isinstance(agent, Agent)
        assert isinstance(agent.name, str)
        assert agent.name

    def test_act__gives_an_open_index_or_words(self) -> None:
        for decision, (observation, _) in zip(play(self.make(), seed=1), script(), strict=True):
            assert isinstance(decision, Decision)
            if decision.action is not None:
                assert type(decision.action) is int
                assert observation["action_mask"][decision.action] == 1
            else:
                assert isinstance(decision.text, str | Reply)

    def test_act__is_set_by_the_seed_alone(self) -> None:
        for seed in (0, 1, 2**32):
            random.seed(seed + 1)
            np.random.seed(seed % 2**31 + 1)  # noqa: NPY002  # the global state must not matter
            assert play(self.make(), seed) == play(self.make(), seed)

    def test_reset__forgets_the_episode_before(self) -> None:
        used = self.make()
        play(used, seed=5)
        assert play(used, seed=6) == play(self.make(), seed=6)

    def test_reset__in_mid_episode_begins_anew(self) -> None:
        agent = self.make()
        agent.reset(Task(env_id="ConflictBench/EP1-v0", seed=5, n_actions=N_ACTIONS, scenario="EP1-001"))
        agent.act(*script()[0])
        assert play(agent, seed=6) == play(self.make(), seed=6)

    def test_act__a_deterministic_agent_says_so_rightly(self) -> None:
        if self.deterministic:
            assert play(self.make(), seed=0) == play(self.make(), seed=1)

    def test_act__leaves_what_it_is_shown_alone(self) -> None:
        agent = self.make()
        agent.reset(Task(env_id="ConflictBench/EP1-v0", seed=2, n_actions=N_ACTIONS, scenario="EP1-001"))
        for (observation, info), (same, same_info) in zip(script(), script(), strict=True):
            for part in ("action_mask", "features"):
                observation[part].setflags(write=False)
            kept = copy.deepcopy(info)
            agent.act(observation, info)
            assert observation["text"] == same["text"]
            assert all(np.array_equal(observation[part], same[part]) for part in ("action_mask", "features"))
            assert set(observation) == set(same)
            assert info == kept == same_info

    def test_act__leaves_global_randomness_alone(self) -> None:
        before = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
        play(self.make(), seed=3)
        assert random.getstate() == before[0]
        assert np.array_equal(np.random.get_state()[1], before[1])  # noqa: NPY002
