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
        "scenario": scenario,
        "variant": variant,
        "protocol": get_protocol(protocol).id,
        "messages": [{"role": message.role, "content": message.content} for message in call.messages],
        "tools": [asdict(tool) for tool in call.tools],
    }


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_text__holds_each_message_as_it_is_sent(protocol: str) -> None:
    call = received("EP1-001", protocol, "conflict")
    lines = ["=== scenario EP1-001, variant conflict", f"=== protocol {get_protocol(protocol).id}"]
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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_visual__says_which_images_are_sent(protocol: str) -> None:
    import hashlib

    options = ("--protocol", protocol, "--observation", "visual", "--world-model", "fake", "--keep-clips", "3")
    env = ChatEnv(
        TextActions(gym.make("ConflictBench/EP1-v0", scenario="EP1-001", observation="visual", world_model="fake")),
        protocol,
        keep_clips=3,
    )
    observation, info = env.reset(seed=0)
    system, first = observation["messages"]
    printed = json.loads(shown("EP1-001", *options, "--json"))
    assert printed["protocol"] == info["protocol"]
    assert "images" not in printed["messages"][0]
    assert printed["messages"][1]["images"] == [
        {
            "name": f"base, frame {index} of 0..48",
            "media_type": "image/jpeg",
            "width": 832,
            "height": 480,
            "bytes": len(image.data),
            "sha256": hashlib.sha256(image.data).hexdigest(),
        }
        for index, image in zip((16, 32, 48), first.images, strict=True)
    ]
    text = shown("EP1-001", *options)
    assert system.content in text
    lines = text.splitlines()
    place = lines.index("=== user")
    assert [line.split(";")[0] for line in lines[place + 1 : place + 4]] == [
        f"=== image: base, frame {index} of 0..48" for index in (16, 32, 48)
    ]
    assert lines[place + 4] == first.content.splitlines()[0]


@pytest.mark.parametrize(
    "options, message",
    [
        (("--observation", "pixels"), "unknown observation 'pixels'; known: text, visual"),
        (("--overlay", "none"), "observation 'text' has no pictures"),
        (("--observation", "visual", "--world-model", "wan"), "unknown world model 'wan'"),
    ],
)
def test_visual__what_cannot_be_is_said(options: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(app, ["show-prompt", "EP1-001", *options])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
