"""`LLMAgent`: from a conversation to a reply, and how it is named and made."""

from __future__ import annotations

import asyncio
from pathlib import Path

import gymnasium as gym
import pytest

from conflictbench.agents import AGENTS, LLMAgent, get_agent_entry, make_agent, make_async_agent
from conflictbench.agents.models import ModelOptions, ScriptedModel, by_turn
from conflictbench.errors import AgentError, ContextOverflow, ModelError, UnknownName
from conflictbench.protocols import AsyncAgent
from conflictbench.types import Completion, EpisodeRecord, Label, Limits, Message, Reply, Task, ToolSpec, Usage
from conflictbench.wrappers import ChatEnv, EpisodeRecorder, TextActions

CONVERSATION = (Message(role="system", content="s"), Message(role="user", content="u"))
TOOLS = (ToolSpec(name="act", description="d", parameters={}),)


def task(seed: int = 3) -> Task:
    return Task(env_id="E", seed=seed, n_actions=12)


def play(model: ScriptedModel, protocol: str = "paper") -> EpisodeRecord:
    """One episode of EP1-001 in eight lines: what a loop does with an asynchronous agent."""
    agent = LLMAgent(model)
    env = EpisodeRecorder(ChatEnv(TextActions(gym.make("ConflictBench/EP1-v0", scenario="EP1-001")), protocol), "m")
    observation, info = env.reset(seed=0)
    agent.reset(task(0))

    async def episode() -> EpisodeRecord:
        nonlocal observation, info
        while "episode_record" not in info:
            decision = await agent.act(observation, info)
            env.note(decision)
            observation, _, _, _, info = env.step(decision.text)
        record: EpisodeRecord = info["episode_record"]
        return record

    return asyncio.run(episode())


def test_act__sends_what_it_observes_and_hands_back_what_is_said() -> None:
    reply = Reply(text="ACTION: look", reasoning="because", finish_reason="stop")
    usage = Usage(calls=1, input_tokens=10, output_tokens=3, cost_usd=0.5)
    model = ScriptedModel([Completion(reply=reply, usage=usage, model="gpt-x-2026")], model="gpt-x")
    agent = LLMAgent(model, Limits(max_tokens=99, temperature=0.0))
    agent.reset(task(seed=2**31 + 3))
    decision = asyncio.run(agent.act({"messages": CONVERSATION, "tools": TOOLS}, {}))
    assert (decision.text, decision.usage, decision.model) == (reply, usage, "gpt-x-2026")
    (call,) = model.calls
    assert (call.messages, call.tools) == (CONVERSATION, TOOLS)
    assert call.limits == Limits(max_tokens=99, temperature=0.0, seed=3)  # seeds are kept below 2**31
    assert agent.name == "llm:gpt-x"


def test_act__a_seed_of_the_limits_goes_before_the_episodes() -> None:
    model = ScriptedModel(by_turn(["ACTION: look"]))
    agent = LLMAgent(model, Limits(seed=77))
    for seed in (1, 2):
        agent.reset(task(seed))
        asyncio.run(agent.act({"messages": CONVERSATION, "tools": ()}, {}))
    assert [call.limits.seed for call in model.calls] == [77, 77]


def test_act__an_error_of_the_model_comes_through() -> None:
    agent = LLMAgent(ScriptedModel([ContextOverflow("too long")]))
    agent.reset(task())
    with pytest.raises(ContextOverflow, match="too long"):
        asyncio.run(agent.act({"messages": CONVERSATION, "tools": ()}, {}))


def test_act__without_a_reset_or_a_conversation_says_so() -> None:
    agent = LLMAgent(ScriptedModel(["ACTION: look"]))
    with pytest.raises(AgentError, match=r"before reset\(task\)"):
        asyncio.run(agent.act({"messages": CONVERSATION}, {}))
    agent.reset(task())
    with pytest.raises(AgentError, match=r"wrap the environment in ChatEnv; this observation has action_mask, text"):
        asyncio.run(agent.act({"text": "", "action_mask": []}, {}))


@pytest.mark.parametrize("protocol", ["paper", "tools"])
def test_play__an_episode_to_its_end_with_usage_and_model(protocol: str) -> None:
    route = ["stop jet fans", "reverse jet fans", "open west shaft"]
    model = ScriptedModel(by_turn([f"THINK: {command}.\nACTION: {command}" for command in route]), model="m-1")
    record = play(model, protocol)
    calls = len(record.steps)
    assert (record.usage.calls, record.models, {step.model for step in record.steps}) == (calls, ("m-1",), {"m-1"})
    assert {step.reasoning_source for step in record.steps} == {"text"}
    # each call held the whole conversation before it: two first messages and two for each step
    assert [len(call.messages) for call in model.calls] == [2 + 2 * number for number in range(calls)]
    assert record.protocol.startswith(f"{protocol}-v1-")


def test_play__the_oracles_commands_said_by_a_model_lead_where_the_oracle_gets() -> None:
    record = play(ScriptedModel(by_turn([f"ACTION: {command}" for command in _human_route()])))
    assert (record.label, record.total_reward) == (Label.HUMAN, 1.0)


def _human_route() -> list[str]:
    env = gym.make("ConflictBench/EP1-v0", scenario="EP1-001", privileged=("best_action_human",))
    _, info = env.reset(seed=0)
    route, ended = [], False
    while not ended:
        _, _, ended, _, info = env.step(info["best_action_human"])
        route.append(info["command"])
    return route


def test_entry__is_one_that_wants_a_conversation() -> None:
    entry = AGENTS["llm"]
    assert (entry.observation, entry.is_async, entry.privileged, entry.deterministic) == ("chat", True, (), False)
    assert get_agent_entry("llm:openai/gpt-x") is entry
    assert [name for name, other in AGENTS.items() if other.is_async or other.observation != "world"] == ["llm"]


def test_make__the_two_kinds_are_not_confused() -> None:
    with pytest.raises(AgentError, match="'llm:fake/look' is asynchronous: make it with make_async_agent"):
        make_agent("llm:fake/look")
    with pytest.raises(AgentError, match="'random' is not asynchronous: make it with make_agent"):
        make_async_agent("random")


@pytest.mark.parametrize("argument", ["", "gpt-x", "/gpt-x", "openai/"])
def test_make__half_a_model_is_refused(argument: str) -> None:
    with pytest.raises((AgentError, ModelError), match=r"(needs a model|wanted): (llm:)?PROVIDER/MODEL"):
        make_async_agent(f"llm:{argument}")


def test_make__options_reach_the_calls() -> None:
    options = ModelOptions(max_tokens=12, temperature=0.5, seed=4)
    agent = make_async_agent("llm:fake/look", options)
    assert isinstance(agent, LLMAgent)
    assert agent._limits == options.limits
    assert agent.name == "llm:fake/look"
    assert isinstance(make_async_agent("llm:fake/look"), AsyncAgent)


ASYNC_MODULE = """
class Waiting:
    name = "waiting"
    observation = "chat"

    def reset(self, task): ...

    async def act(self, observation, info): ...


class Confused(Waiting):
    observation = "pictures"
"""


def test_custom__an_asynchronous_agent_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "waiting_agents.py").write_text(ASYNC_MODULE)
    monkeypatch.chdir(tmp_path)
    entry = get_agent_entry("waiting_agents:Waiting")
    assert (entry.observation, entry.is_async) == ("chat", True)
    assert make_async_agent("waiting_agents:Waiting").name == "waiting"
    with pytest.raises(UnknownName, match="observation of agent Confused 'pictures'; known: world, chat"):
        get_agent_entry("waiting_agents:Confused")
