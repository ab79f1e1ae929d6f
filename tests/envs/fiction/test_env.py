"""`FictionEnv` against the tunnel fire, EP1-001: what each kind of interaction does, in the open."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.errors import InvalidAction, ResetNeeded
from conflictbench.types import Label

ALWAYS = {"scenario", "variant", "turn", "turns_left", "interactions"}
AFTER_A_STEP = ALWAYS | {"event", "action", "command"}
AT_AN_END = AFTER_A_STEP | {"outcome", "label", "assigned_value"}


@pytest.fixture
def env() -> FictionEnv:
    env = FictionEnv("EP1", scenario="EP1-001")
    env.reset(seed=0)
    return env


def index(env: FictionEnv, action: str) -> int:
    return [a.id for a in env.scenario.spec.actions].index(action)


def play_to_human(env: FictionEnv) -> tuple[Any, ...]:
    """Follow the oracle's action to the end."""
    env.reset(seed=0)
    while True:
        best = env._played.privileged.get("best_action_human", env.state_index)  # type: ignore[union-attr]
        step = env.step(best)
        if step[2]:
            return step


def test_reset__shows_opening_and_status(env: FictionEnv) -> None:
    observation, info = env.reset(seed=4)
    assert observation["text"].startswith("You are MARLOW")
    assert "Tunnel air: eastward." in observation["text"]
    assert observation["action_mask"].dtype == np.int8
    assert set(info) == ALWAYS | {"seed"}
    assert info == {
        "scenario": "EP1-001", "variant": "conflict", "turn": 0, "turns_left": 6, "interactions": 0, "seed": 4,
    }  # fmt: skip


def test_step__accepted_action_costs_a_turn_and_an_interaction(env: FictionEnv) -> None:
    observation, reward, terminated, truncated, info = env.step(index(env, "stop_fans"))
    assert "Forty pairs of blades" in observation["text"]
    assert "Tunnel air: still." in observation["text"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info == {
        "scenario": "EP1-001", "variant": "conflict", "turn": 1, "turns_left": 5, "interactions": 1,
        "event": "accepted", "action": "stop_fans", "command": "stop jet fans",
    }  # fmt: skip


def test_step__rejected_action_costs_no_turn(env: FictionEnv) -> None:
    state = env.state_index
    observation, reward, terminated, truncated, info = env.step(index(env, "reverse_fans"))
    assert observation["text"] == env.scenario.spec.actions[index(env, "reverse_fans")].needs[0].else_
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["event"], info["action"], info["turn"], info["interactions"]) == ("rejected", "reverse_fans", 0, 1)
    assert env.state_index == state


@pytest.mark.parametrize(
    "words, command",
    [
        ("look", "look"),
        ("HELP", "help"),
        ("status.", "status"),
        ("examine the racks", "examine racks"),
        ("examine duct valve", "examine duct valve"),
    ],
)
def test_command__free_ones_are_answered_at_no_turn(env: FictionEnv, words: str, command: str) -> None:
    state = env.state_index
    observation, reward, terminated, truncated, info = env.command(words)
    assert observation["text"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["event"], info["action"], info["command"]) == ("free", None, command)
    assert (info["turn"], info["interactions"], env.state_index) == (0, 1, state)


def test_command__examine_answers_with_the_items_look(env: FictionEnv) -> None:
    assert env.scenario.spec.items[0].look in env.command("examine racks")[0]["text"]


@pytest.mark.parametrize("words", ["Stop the jet fans!", '"stop jet fans"', "  HALT JET FANS ", "**stop jet fans**"])
def test_command__an_action_in_words_is_the_step(env: FictionEnv, words: str) -> None:
    other = FictionEnv("EP1", scenario="EP1-001")
    other.reset(seed=0)
    said, done = env.command(words), other.step(index(env, "stop_fans"))
    assert said[0]["text"] == done[0]["text"]
    assert said[1:] == done[1:]


@pytest.mark.parametrize(
    "words, kept",
    [
        ("open the pod bay doors", "open the pod bay doors"),
        ("", ""),
        ("caf\u00e9\n\u2603", "caf\\xe9\\n\\u2603"),
        ("x" * 5000, "x" * 200),
        ("\u2603" * 150, ("\\u2603" * 34)[:200]),
        ("tab\there\x00", "tab\\there\\x00"),
        ("\ud800", "\\ud800"),
    ],
)
def test_command__unknown_words_are_kept_printable(env: FictionEnv, words: str, kept: str) -> None:
    observation, _, _, _, info = env.command(words)
    assert observation in env.observation_space
    assert (info["event"], info["action"], info["command"]) == ("unknown", None, kept)
    assert (info["turn"], info["interactions"], env.state_index) == (0, 1, 0)


@pytest.mark.parametrize("words", [None, 3, b"look", ["look"]])
def test_command__other_types_are_refused(env: FictionEnv, words: Any) -> None:
    with pytest.raises(InvalidAction, match="must be a str"):
        env.command(words)
    assert env.interactions == 0


def test_step__human_ending_pays_and_says_what_it_was(env: FictionEnv) -> None:
    observation, reward, terminated, truncated, info = play_to_human(env)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert set(info) == AT_AN_END
    assert info["label"] == "human"
    assert type(info["label"]) is str
    assert info["outcome"] in {o.id for o in env.scenario.spec.outcomes if o.label is Label.HUMAN}
    assert info["assigned_value"] == env.scenario.spec.assigned[info["outcome"]]
    assert observation in env.observation_space


def test_step__assigned_reward_follows_the_variant() -> None:
    # against people the human ending is worth what the file says; where the task asks for it, 1.0
    conflict = FictionEnv("EP1", scenario="EP1-001", reward="assigned", variant="conflict")
    asked = FictionEnv("EP1", scenario="EP1-001", reward="assigned", variant="stake_only")
    ended = play_to_human(conflict)
    assert ended[1] == ended[4]["assigned_value"] == conflict.scenario.spec.assigned[ended[4]["outcome"]]
    assert play_to_human(asked)[1] == 1.0


@pytest.mark.parametrize("words", ["look", "no such thing"])
def test_step__cap_truncates_without_an_outcome(words: str) -> None:
    env = FictionEnv("EP1", scenario="EP1-001", max_interactions=3)
    env.reset(seed=0)
    steps = [env.command(words) for _ in range(3)]
    assert [step[3] for step in steps] == [False, False, True]
    assert [step[2] for step in steps] == [False, False, False]
    assert steps[-1][1] == 0.0
    assert set(steps[-1][4]) == AFTER_A_STEP
    with pytest.raises(ResetNeeded, match="after the end"):
        env.command(words)


def test_step__cap_is_14_with_text() -> None:
    env = FictionEnv("EP1")
    env.reset(seed=0)
    assert [env.command("look")[3] for _ in range(14)] == [False] * 13 + [True]


def test_step__an_ending_on_the_last_interaction_is_terminated_not_truncated(env: FictionEnv) -> None:
    length = play_to_human(env)[4]["interactions"]
    tight = FictionEnv("EP1", scenario="EP1-001", max_interactions=length)
    step = play_to_human(tight)
    assert step[4]["interactions"] == length
    assert step[2:4] == (True, False)


def test_mask__exists_marks_all_but_padding(env: FictionEnv) -> None:
    n_actions = len(env.scenario.spec.actions)
    expected = [1] * n_actions + [0] * (12 - n_actions)
    assert env.reset(seed=0)[0]["action_mask"].tolist() == expected
    assert play_to_human(env)[0]["action_mask"].tolist() == expected


def test_mask__available_marks_what_is_accepted_now() -> None:
    env = FictionEnv("EP1", scenario="EP1-001", mask="available")
    mask = env.reset(seed=0)[0]["action_mask"]
    assert mask[index(env, "stop_fans")] == 1
    assert mask[index(env, "reverse_fans")] == 0  # only from standstill
    mask = env.step(index(env, "stop_fans"))[0]["action_mask"]
    assert mask[index(env, "stop_fans")] == 0
    assert mask[index(env, "reverse_fans")] == 1
    assert env.action_masks().tolist() == [bool(bit) for bit in mask]
    assert not play_to_human(env)[0]["action_mask"].any()


def test_privileged__enters_info_by_name_only() -> None:
    names = ("state", "best_action_human", "human_reachable")
    env = FictionEnv("EP1", scenario="EP1-001", privileged=names)
    _, info = env.reset(seed=0)
    assert set(info) == ALWAYS | {"seed", *names}
    assert info["state"]["air"] == "eastward"
    assert info["state"]["looked"] is False  # hidden from everybody else
    assert info["human_reachable"] is True
    info["state"]["air"] = "spoilt"
    assert env.step(index(env, "stop_fans"))[4]["state"]["air"] == "still"
    assert env.reset(seed=0)[1]["state"]["air"] == "eastward"


def test_privileged__what_does_not_exist_at_an_ending_is_left_out() -> None:
    env = FictionEnv("EP1", scenario="EP1-001", privileged=("best_action_human", "state_index"))
    info = play_to_human(env)[4]
    assert set(info) == AT_AN_END | {"state_index"}


def test_variant__changes_texts_and_nothing_else() -> None:
    envs = [
        FictionEnv("EP1", scenario="EP1-001", variant=v) for v in ("conflict", "stake_only", "task_only", "control")
    ]
    openings = {env.reset(seed=0)[0]["text"] for env in envs}
    assert len(openings) == 4
    for action in (0, 1, 2, 3):
        steps = [env.step(action) for env in envs]
        assert len({(s[2], s[3], s[4]["event"], s[4]["turn"]) for s in steps}) == 1
    assert [env.variant for env in envs] == ["conflict", "stake_only", "task_only", "control"]


def test_text__is_the_last_answer_whatever_is_observed() -> None:
    words, numbers = (
        FictionEnv("EP1", scenario="EP1-001"),
        FictionEnv("EP1", scenario="EP1-001", observation="features"),
    )
    assert words.reset(seed=0)[0]["text"] == (numbers.reset(seed=0), numbers.text)[1]
    for action in (1, 0, 1, 11):
        assert words.step(action)[0]["text"] == (numbers.step(action), numbers.text)[1]


def test_reset__mid_episode_begins_anew(env: FictionEnv) -> None:
    env.step(0)
    env.command("look")
    _, info = env.reset()
    assert (info["turn"], info["interactions"], env.state_index) == (0, 0, 0)
    assert env.text.startswith("You are MARLOW")


def test_deepcopy__is_a_branch_of_the_episode_of_its_own(env: FictionEnv) -> None:
    env.step(index(env, "stop_fans"))
    branch = copy.deepcopy(env)
    assert branch.scenario is env.scenario  # what cannot change is shared
    branch.step(index(env, "reverse_fans"))
    assert (branch.interactions, env.interactions) == (2, 1)
    assert env.step(index(env, "reverse_fans"))[0]["text"] == branch.text


def test_pickle__goes_on_where_it_was(env: FictionEnv) -> None:
    env.step(index(env, "stop_fans"))
    again = pickle.loads(pickle.dumps(env))
    assert again.text == env.text
    assert again.step(1)[4] == env.step(1)[4]


@pytest.mark.parametrize("what", ["text", "scenario", "command_book", "state_index"])
def test_properties__before_reset_raise(what: str) -> None:
    with pytest.raises(ResetNeeded, match=f"{what} before the first reset"):
        getattr(FictionEnv(), what)


@pytest.mark.parametrize("what", ["command", "features", "action_masks", "render"])
def test_methods__before_reset_raise(what: str) -> None:
    arguments = ("look",) if what == "command" else ()
    with pytest.raises(ResetNeeded, match="before the first reset"):
        getattr(FictionEnv(), what)(*arguments)


def test_reset__negative_seed_is_gymnasiums_error() -> None:
    env = FictionEnv()
    with pytest.raises(gym.error.Error, match=r"[Ss]eed"):
        env.reset(seed=-1)


def test_make__passes_command_and_properties_through_unwrapped() -> None:
    env = gym.make("ConflictBench/EP2-v0")
    env.reset(seed=0)
    world = env.unwrapped
    assert isinstance(world, FictionEnv)
    assert world.command("help")[4]["event"] == "free"
    assert (world.env_id, world.max_interactions, world.interactions) == ("ConflictBench/EP2-v0", 14, 1)
