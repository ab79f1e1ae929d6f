"""`History` shows the transcript so far, in whole exchanges."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

from conflictbench.types import Verdict
from conflictbench.wrappers import History, TextActions
from conflictbench.wrappers.text_actions import REASK_SENTENCES

LEAST = 2 * 8192 + 512


class Talker(gym.Env[dict[str, Any], Any]):
    """Answers with as many characters as the action says."""

    def __init__(self) -> None:
        self.observation_space = gym.spaces.Dict({"text": gym.spaces.Text(8192, min_length=0, charset="ax")})
        self.action_space = gym.spaces.Discrete(8193)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return {"text": "x"}, {}

    def step(self, action: Any) -> Any:
        return {"text": "a" * action}, 0.0, False, False, {"command": f"say {action}"} if action else {}


def test_text__begins_with_the_opening_and_grows_by_exchanges() -> None:
    env = History(gym.make("ConflictBench/EP1-v0", scenario="EP1-001"))
    opening = env.reset(seed=0)[0]["text"]
    assert opening == env.unwrapped.text
    first = env.step(0)[0]["text"]
    answer = env.unwrapped.text
    assert first == f"{opening}\n\n> stop jet fans\n{answer}"
    env.unwrapped.command("look")  # past the wrapper: not in the transcript
    second = env.step(0)[0]["text"]
    assert second == f"{first}\n\n> stop jet fans\n{env.unwrapped.text}"
    assert env.reset(seed=0)[0]["text"] == opening


def test_text__of_a_whole_episode_is_in_its_space() -> None:
    for category in ("EP1", "EP2", "EP3"):
        env = History(gym.make(f"ConflictBench/{category}-v0"))
        observation, _ = env.reset(seed=0)
        action, ended = 0, False
        while not ended:
            assert observation in env.observation_space
            observation, _, terminated, truncated, _ = env.step(action % 12)
            action, ended = action + 1, terminated or truncated
        assert observation in env.observation_space
        assert "left out" not in observation["text"]


def test_last__keeps_that_many_and_says_how_many_are_left_out() -> None:
    env = History(Talker(), last=2)
    env.reset()
    texts = [env.step(length)[0]["text"] for length in (1, 2, 3, 4)]
    assert texts[1] == "x\n\n> say 1\na\n\n> say 2\naa"
    assert texts[2] == "x\n\n(1 earlier exchange left out)\n\n> say 2\naa\n\n> say 3\naaa"
    assert texts[3] == "x\n\n(2 earlier exchanges left out)\n\n> say 3\naaa\n\n> say 4\naaaa"


def test_max_chars__drops_the_oldest_exchanges_whole() -> None:
    env = History(Talker(), max_chars=LEAST)
    env.reset()
    # 16,896 - 256 - 1 = 16,639 characters beside the opening: two answers of 8,192 with prompts fit, three do not
    texts = [env.step(8192)[0]["text"] for _ in range(3)]
    assert [text.count("> say 8192\n") for text in texts] == [1, 2, 2]
    assert texts[2].startswith("x\n\n(1 earlier exchange left out)\n\n> say 8192\naaa")
    assert all(text in env.observation_space["text"] for text in texts)


def test_text__over_text_actions_holds_the_question_asked_again() -> None:
    env = History(TextActions(gym.make("ConflictBench/EP1-v0", scenario="EP1-001")))
    opening = env.reset(seed=0)[0]["text"]
    asked = env.step("I would rather think about it.")[0]["text"]
    sentence = REASK_SENTENCES[Verdict.UNPARSED]
    assert asked == f"{opening}\n\n{sentence}"
    done = env.step("ACTION: stop jet fans")[0]["text"]
    assert done == f"{opening}\n\n{sentence}\n\n> stop jet fans\n{env.unwrapped.text}"


def test_text__a_step_with_neither_command_nor_answer_adds_nothing() -> None:
    env = History(Talker())
    env.reset()
    assert env.step(0)[0]["text"] == "x"
    assert env.step(3)[0]["text"] == "x\n\n> say 3\naaa"


@pytest.mark.parametrize("reasks", [0, 1, 2])
def test_text__a_reply_that_ends_the_episode_repeats_nothing(reasks: int) -> None:
    env = History(TextActions(gym.make("ConflictBench/EP1-v0", scenario="EP1-001"), reasks=reasks))
    opening = env.reset(seed=0)[0]["text"]
    first = f"{opening}\n\n> look\n{(env.step('ACTION: look'), env.unwrapped.text)[1]}"
    for _ in range(reasks):
        env.step("Hm.")
    observation, _, _, truncated, info = env.step("Hm.")
    assert (truncated, info["status"]) == (True, "unparsed")
    assert observation["text"] == "\n\n".join([first, *[REASK_SENTENCES[Verdict.UNPARSED]] * reasks])


@pytest.mark.parametrize("last", [0, -1, 1.0, True])
def test_init__last_must_be_positive(last: Any) -> None:
    with pytest.raises(ValueError, match=r"last .* whole number >= 1"):
        History(Talker(), last=last)


@pytest.mark.parametrize("max_chars", [LEAST - 1, 0, None, True])
def test_init__max_chars_must_hold_opening_and_one_exchange(max_chars: Any) -> None:
    with pytest.raises(ValueError, match=f"whole number >= {LEAST}"):
        History(Talker(), max_chars=max_chars)


def test_init__observations_without_text_are_refused() -> None:
    with pytest.raises(TypeError, match="needs observations with a text"):
        History(gym.make("ConflictBench/EP1-v0", observation="features"))
    with pytest.raises(TypeError, match="needs observations with a text"):
        History(gym.make("CartPole-v1"))


def test_spec__rebuilds_the_wrapper_from_json() -> None:
    env = History(gym.make("ConflictBench/EP1-v0"), last=3)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space
    assert again.reset(seed=0)[0]["text"] == env.reset(seed=0)[0]["text"]
