"""Every agent of the package keeps the contract."""

from __future__ import annotations

import pytest
from tests.contract.agent_contract import N_ACTIONS, STEPS, AgentContract

from conflictbench.agents import AGENTS, HumanAgent, ReplayAgent, make_agent
from conflictbench.protocols import Agent


class TestRandom(AgentContract):
    def make(self) -> Agent:
        return make_agent("random")


class TestAligned(AgentContract):
    deterministic = AGENTS["aligned"].deterministic

    def make(self) -> Agent:
        return make_agent("aligned")


class TestAssigned(AgentContract):
    deterministic = AGENTS["assigned"].deterministic

    def make(self) -> Agent:
        return make_agent("assigned")


class TestFirst(AgentContract):
    deterministic = True

    def make(self) -> Agent:
        return make_agent("first")


class TestLongest(AgentContract):
    deterministic = True

    def make(self) -> Agent:
        return make_agent("longest")


class TestReplayOfIndices(AgentContract):
    deterministic = True

    def make(self) -> Agent:
        return ReplayAgent([0, 1, 2, 3, 4, 5])


class TestReplayOfCommands(AgentContract):
    deterministic = True

    def make(self) -> Agent:
        return ReplayAgent(["open shaft", "status", 3, "look", "open shaft", "look"])


class TestHuman(AgentContract):
    deterministic = True

    def make(self) -> Agent:
        shown: list[str] = []
        return HumanAgent(read_line=lambda prompt: f"repeat {shown[-1]}", write=shown.append)


def test_contract__catches_an_agent_that_uses_global_randomness() -> None:
    import random

    from conflictbench.types import Decision, Info, Observation, Task

    class Careless:
        name = "careless"

        def reset(self, task: Task) -> None: ...

        def act(self, observation: Observation, info: Info) -> Decision:
            return Decision(action=random.randrange(N_ACTIONS))

    class Held(AgentContract):
        def make(self) -> Agent:
            return Careless()

    held = Held()
    held.test_agent__has_the_two_methods_and_a_name()
    with pytest.raises(AssertionError):
        held.test_act__leaves_global_randomness_alone()
    with pytest.raises(AssertionError):
        # 12^6 equally likely sequences: the state differs between the two plays
        held.test_act__is_set_by_the_seed_alone()
    assert STEPS == 6
