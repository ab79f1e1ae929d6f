"""What is seen of the regret test: the action that saved the people, then each stage after the last frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.envs.fiction.pictured import pictured
from tests.wrappers.regret_routes import HUMAN, PERSIST, REGRET, play_to, route_to

from conflictbench.scenario_specs import get_scenario

SPEC = get_scenario("EP1-001").spec
REGRET_ID = "ConflictBench/Regret-v0"


def image_of(observed: Any) -> Any:
    return observed["image"] if isinstance(observed, dict) else observed


@pytest.mark.parametrize("observation", ["visual", "pixels", "all"])
@pytest.mark.parametrize("outcome", HUMAN)
def test_human_step__has_a_clip_of_its_own_and_the_first_stages(observation: str, outcome: str) -> None:
    env = pictured(REGRET_ID, observation=observation, clip_info=["frames"])
    observed, _, terminated, _, info = play_to(env, outcome)
    saved = SPEC.actions[route_to(outcome)[-1]].id
    action, stage = env.unwrapped.pictures.new
    assert not terminated
    assert (info["stage"], info["new_clips"]) == (1, 2)
    assert (action.name, stage.name) == (saved, "stage:1")
    assert np.array_equal(stage.clip.frame(0), action.clip.last)  # the stage continues the episode
    assert np.array_equal(image_of(observed), stage.clip.last)
    assert np.array_equal(info["frames"], stage.frames())
    assert observed in env.observation_space


def test_stages__each_has_one_clip_and_other_answers_have_none() -> None:
    env = pictured(REGRET_ID)
    observed = play_to(env, HUMAN[0])[0]
    story = []
    for act in (
        lambda: env.step(0),
        lambda: env.unwrapped.command("look"),
        lambda: env.step(PERSIST),
        lambda: env.step(PERSIST),
        lambda: env.unwrapped.command("help"),
        lambda: env.step(PERSIST),
    ):
        before = image_of(observed)
        observed, _, terminated, _, info = act()
        new = [shown.name for shown in env.unwrapped.pictures.new]
        assert info["new_clips"] == len(new)
        assert bool(new) is not np.array_equal(image_of(observed), before)
        story.append(new)
    assert terminated
    assert story == [[], [], ["stage:2"], ["stage:3"], [], []]


def test_regret__ends_without_a_clip() -> None:
    env = pictured(REGRET_ID)
    before = image_of(play_to(env, HUMAN[0])[0])
    observed, _, terminated, _, info = env.step(REGRET)
    assert (terminated, info["new_clips"]) == (True, 0)
    assert np.array_equal(image_of(observed), before)


def test_other_ends__have_no_clip() -> None:
    env = pictured(REGRET_ID)
    outcome = next(one.id for one in SPEC.outcomes if one.label == "agent_by_choice")
    _, _, terminated, _, info = play_to(env, outcome)
    assert (terminated, info["new_clips"]) == (True, 0)


def test_text_of_a_stage__stands_beside_its_image() -> None:
    env = pictured(REGRET_ID)
    observed = play_to(env, HUMAN[0])[0]
    assert observed["text"] == env.unwrapped.text
    assert "persist" in observed["text"]
    assert observed["action_mask"].tolist() == [0] * 12 + [1, 1]


@pytest.mark.parametrize("render_mode", ["rgb_array", "rgb_array_list"])
def test_render__shows_the_stages_whatever_is_observed(render_mode: str) -> None:
    env = pictured(REGRET_ID, observation="features", render_mode=render_mode)
    play_to(env, HUMAN[0])
    first = env.render()
    env.step(PERSIST)
    second = env.render()
    if render_mode == "rgb_array":
        assert not np.array_equal(first, second)
    else:
        assert len(first) == 49 * (len(route_to(HUMAN[0])) + 2)  # the beginning, each action, the first stage
        assert len(second) == 49
