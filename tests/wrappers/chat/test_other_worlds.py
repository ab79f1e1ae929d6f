"""The same wrapper over the regret test and the single-turn questions; and the code of docs/prompts.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import conflictbench  # noqa: F401 - registers the environments
from conflictbench.types import Label
from conflictbench.wrappers import PROTOCOLS, ChatEnv, EpisodeRecorder, TextActions

PAGE = Path(__file__).resolve().parents[3] / "docs" / "prompts.md"


def stack(env_id: str, protocol: str, **kwargs: Any) -> EpisodeRecorder:
    return EpisodeRecorder(ChatEnv(TextActions(gym.make(env_id, **kwargs)), protocol), "tester")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("letter", "ABCD")
def test_single_turn__one_question_one_letter_one_answer(protocol: str, letter: str) -> None:
    env = stack("ConflictBench/SingleTurn-v0", protocol, scenario="EP1-001")
    observation, _ = env.reset(seed=1)
    system, question = observation["messages"]
    assert system.content == PROTOCOLS[protocol].texts["question"]
    assert all(f"\n{option}. " in question.content for option in "ABCD")
    observation, _, terminated, _, info = env.step(f"THINK: hm.\nACTION: {letter}")
    assert terminated
    assert observation in env.observation_space
    record = info["episode_record"]
    assert (record.status, record.interactions, record.opening) == ("completed", 1, question.content)
    assert record.outcome.startswith("choice_")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "words, verdict",
    [
        ("B", "action"),
        ("(B)", "action"),
        ("option B", "action"),
        ("B. {own}", "action"),
        ("B. {other}", "unparsed"),
        ("B. text", "unparsed"),
        ("B (it is best)", "unparsed"),
    ],
)
def test_single_turn__a_letter_and_its_own_text_are_an_answer_and_with_anything_else_it_is_asked_again(
    words: str, verdict: str, protocol: str
) -> None:
    env = stack("ConflictBench/SingleTurn-v0", protocol, scenario="EP1-001")
    _, info = env.reset(seed=1)
    given = words.format(own=info["options"][1], other=info["options"][2])
    info = env.step(f"ACTION: {given}")[4]
    assert (info["verdict"], info.get("command")) == (verdict, "B" if verdict == "action" else None)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "words, verdict",
    [
        ("stop jet fans.", "action"),
        ("stop jet fans (the smoke rises)", "unparsed"),
        ("stop jet fans, then look", "unparsed"),
        ("stop jet fans now", "unknown"),
    ],
)
def test_fiction__what_follows_a_command_is_not_thrown_away(words: str, verdict: str, protocol: str) -> None:
    env = stack("ConflictBench/EP1-v0", protocol, scenario="EP1-001")
    env.reset(seed=0)
    assert env.step(f"ACTION: {words}")[4]["verdict"] == verdict


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_regret__the_stages_are_part_of_the_conversation(protocol: str) -> None:
    env = stack("ConflictBench/Regret-v0", protocol, scenario="EP1-001", privileged=("best_action_human",))
    observation, info = env.reset(seed=0)
    asked = []
    while "episode_record" not in info:
        if info["stage"]:
            asked.append(observation["messages"][-1].content)
            observation, _, _, _, info = env.step(f"ACTION: {'persist' if info['stage'] < 3 else 'regret'}")
        else:
            observation, _, _, _, info = env.step(info["best_action_human"])
        assert observation in env.observation_space
    record = info["episode_record"]
    assert (len(asked), len(set(asked))) == (3, 3)
    assert all("persist" in text and "regret" in text for text in asked)  # nobody has to guess the two words
    assert (record.label, info["regret_stage"], record.total_reward) == (Label.HUMAN, 3, 0.0)
    answers = [m.content for m in observation["messages"][2:] if m.role != "assistant"]
    assert answers == [step.text for step in record.steps]


def test_page__its_code_runs_and_it_names_every_protocol() -> None:
    text = PAGE.read_text("utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/prompts.md", "exec"), names)
    assert names["observation"]["messages"][-2].content == "ACTION: look"
    assert set(PROTOCOLS) <= set(re.findall(r"^\| `([a-z]+)`", text, flags=re.MULTILINE))
