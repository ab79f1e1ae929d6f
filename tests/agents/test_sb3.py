"""`sb3:PATH`: an agent like every other, and clear about what it cannot read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from tests.contract.agent_contract import AgentContract

import conflictbench  # noqa: F401  registers the ids
from conflictbench.agents import get_agent_entry, make_agent
from conflictbench.agents.sb3 import SB3Agent
from conflictbench.agents.sb3_policy import PolicyCard, read_card
from conflictbench.benchmarks.plan import plan_run
from conflictbench.errors import AgentError, NotYetAvailable, RunError
from conflictbench.protocols import Agent
from conflictbench.types import Task

pytest.importorskip("sb3_contrib", reason="policies are of the extra rl")

EP1 = "ConflictBench/EP1-v0"


def save(folder: Path, algo: str = "maskable-ppo", *, flat: bool = True, **kwargs: Any) -> Path:
    """An untrained policy, with what is said of it."""
    from conflictbench.agents.sb3_policy import algorithm_class
    from conflictbench.benchmarks.train.tuned import algo_called
    from conflictbench.wrappers.sb3_vec_env import make_sb3_vec_env

    env = make_sb3_vec_env(EP1, 2, flat=flat, **kwargs)
    policy = "MlpPolicy" if flat else "MultiInputPolicy"
    algorithm_class(algo_called(algo), "a test")(policy, env, seed=0, device="cpu").save(folder / "policy.zip")
    (folder / "policy.json").write_text(json.dumps({"algo": algo}))
    return folder / "policy.zip"


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("policy"))


class TestContract(AgentContract):
    """The contract of every agent, over features."""

    deterministic = True

    @pytest.fixture(autouse=True)
    def _policy(self, policy: Path) -> None:
        self.policy = policy

    def make(self) -> Agent:
        return SB3Agent(str(self.policy))


def task(**changed: Any) -> Task:
    return Task(**{"env_id": EP1, "seed": 0, "n_actions": 12, "scenario": "EP1-001", "variant": "conflict", **changed})


@pytest.mark.parametrize(
    "algo, kwargs",
    [("ppo", {}), ("dqn", {"flat": False}), ("maskable-ppo", {"features_dtype": "uint8"})],
)
def test_act__is_the_policy_s_best_action(algo: str, kwargs: dict[str, Any], tmp_path: Path) -> None:
    agent = SB3Agent(str(save(tmp_path, algo, **kwargs)))
    dtype = kwargs.get("features_dtype", "float32")
    env = gym.make(EP1, observation="features", features_dtype=dtype, scenario="EP1-001")
    observation, info = env.reset(seed=0)
    agent.reset(task())
    actions = {agent.act(observation, info).action for _ in range(3)}
    assert len(actions) == 1 and actions <= set(range(12))


def test_act__keeps_to_the_mask(policy: Path) -> None:
    agent = make_agent(f"sb3:{policy}")
    agent.reset(task())
    features = np.zeros(32, np.float32)
    for only in range(12):
        mask = (np.arange(12) == only).astype(np.int8)
        assert agent.act({"features": features, "action_mask": mask}, {}).action == only


def test_act__another_observation_is_refused_with_what_to_give(policy: Path) -> None:
    agent = SB3Agent(str(policy))
    agent.reset(task())
    mask = np.ones(12, np.int8)
    with pytest.raises(
        AgentError, match=r"reads observation\['features'\].* has action_mask, text: give --observation f"
    ):
        agent.act({"text": "You are here.", "action_mask": mask}, {})
    with pytest.raises(AgentError, match=r"features of float32, shape \(32,\); this observation's are uint8"):
        agent.act({"features": np.zeros(32, np.uint8), "action_mask": mask}, {})
    with pytest.raises(AgentError, match="12 actions, and ConflictBench/Regret-v0 has 14"):
        agent.reset(task(env_id="ConflictBench/Regret-v0", n_actions=14))


def test_plan__words_are_refused_before_anything_is_played(policy: Path) -> None:
    with pytest.raises(RunError, match=r"policy.zip' reads no 'text': give --observation features"):
        plan_run("ep1", f"sb3:{policy}")
    identity, notes = plan_run("ep1", f"sb3:{policy}", observation="features", seeds=5)
    assert identity.seeds == (0,) and "deterministic" in notes[0]
    assert identity.agent_input is not None  # another policy in the same place is another run


def test_entry__loads_nothing_to_be_listed() -> None:
    entry = get_agent_entry("sb3:anything")
    assert (entry.name, entry.deterministic, entry.reads) == ("sb3", True, ("features", "all"))


def test_read__says_what_is_missing_and_how_to_mend_it(policy: Path, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"needs a policy: sb3:PATH"):
        make_agent("sb3")
    with pytest.raises(AgentError, match=r"no policy at .*gone.zip; `conflictbench train` makes one"):
        make_agent(f"sb3:{tmp_path / 'gone.zip'}")
    with pytest.raises(AgentError, match=rf"is a directory; name the file in it: sb3:{policy.parent}/policy.zip"):
        make_agent(f"sb3:{policy.parent}")
    with pytest.raises(AgentError, match="no policy is in it; is it finished"):
        make_agent(f"sb3:{tmp_path}")
    bare = tmp_path / "mine.zip"
    bare.write_bytes(policy.read_bytes())
    with pytest.raises(
        AgentError, match=r'mine.json is missing.* put \{"algo": "ppo"\} there \(known: dqn, maskable-ppo, p'
    ):
        make_agent(f"sb3:{bare}")
    (tmp_path / "mine.json").write_text('{"algo": "a2c"}')
    with pytest.raises(AgentError, match=r"mine.json: algo: Input should be 'dqn', 'maskable-ppo' or 'ppo'"):
        make_agent(f"sb3:{bare}")
    (tmp_path / "mine.json").write_text('{"algo": "maskable-ppo"}')
    assert read_card(bare) == PolicyCard(algo="maskable-ppo")
    assert make_agent(f"sb3:{bare}").name == "sb3"
    bare.write_bytes(b"no zip")
    with pytest.raises(AgentError, match=r"mine.zip cannot be read as a policy of maskable-ppo: \w+: "):
        make_agent(f"sb3:{bare}")


def test_make__without_sb3_names_the_command(policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(NotYetAvailable, match=r"agent 'sb3' is not available yet: .*extra 'rl': .*pip.* install .*rl"):
        make_agent(f"sb3:{policy}")
