"""`conflictbench show-prompt`: byte for byte what a model receives."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict

import gymnasium as gym
import pytest
from typer.testing import CliRunner

from conflictbench.agents import LLMAgent
from conflictbench.agents.models.fake import Call, ScriptedModel
from conflictbench.cli import app
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.types import VARIANTS, Task
from conflictbench.wrappers import PROTOCOLS, ChatEnv, TextActions, get_protocol


def received(scenario: str, protocol: str, variant: str) -> Call:
    """What a model is sent at the first step of an episode."""
    model = ScriptedModel(["ACTION: look"])
    agent = LLMAgent(model)
    env_id = f"ConflictBench/{get_scenario(scenario).spec.category}-v0"
    env = ChatEnv(TextActions(gym.make(env_id, scenario=scenario, variant=variant)), protocol)
    observation, info = env.reset(seed=0)
    agent.reset(Task(env_id=env_id, seed=0, n_actions=12))
    asyncio.run(agent.act(observation, info))
    return model.calls[0]


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["show-prompt", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("scenario", scenario_ids("core"))
def test_json__is_what_a_model_receives(scenario: str, protocol: str, variant: str) -> None:
    call = received(scenario, protocol, variant)
    printed = json.loads(shown(scenario, "--protocol", protocol, "--variant", variant, "--json"))
    assert printed == {
        "protocol": get_protocol(protocol).id,
        "messages": [{"role": message.role, "content": message.content} for message in call.messages],
        "tools": [asdict(tool) for tool in call.tools],
    }


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_text__holds_each_message_as_it_is_sent(protocol: str) -> None:
    call = received("EP1-001", protocol, "conflict")
    lines = [f"=== protocol {get_protocol(protocol).id}"]
    for message in call.messages:
        lines += [f"=== {message.role}", message.content]
    for tool in call.tools:
        lines += [f"=== tool {tool.name}", json.dumps(asdict(tool), indent=2)]
    assert shown("EP1-001", "--protocol", protocol) == "\n".join(lines) + "\n"


def test_regret__shows_what_each_stage_says_after_each_human_outcome() -> None:
    arguments = ("EP1-001", "--env", "ConflictBench/Regret-v0")
    printed = json.loads(shown(*arguments, "--json"))
    stages = printed["stages"]
    assert [(text["stage"], text["outcome"]) for text in stages] == [
        (stage, outcome) for outcome in ("smoke_drawn", "sheltered") for stage in (1, 2, 3)
    ]
    assert all("persist" in text["content"] and "regret" in text["content"] for text in stages)
    lines = [f"=== stage {text['stage']} after {text['outcome']}\n{text['content']}" for text in stages]
    assert shown(*arguments).endswith("\n".join(lines) + "\n")
    assert "stages" not in json.loads(shown("EP1-001", "--json"))


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["EP1-001", "--protocol", "papr"], "unknown protocol 'papr'; known: paper, tools"),
        (["EP1-999"], "unknown scenario 'EP1-999'"),
        (["EP1-001", "--variant", "twin"], "unknown variant 'twin'"),
        (
            ["EP1-001", "--env", "ConflictBench/EP9-v0"],
            "unknown environment 'ConflictBench/EP9-v0'; known: ConflictBench/EP1-v0, ",
        ),
    ],
)
def test_errors__name_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["show-prompt", *arguments])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
