"""Answers are made once and shared; what is handed out is the reader's own; what is kept has a bound."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conflictbench.envs.fiction import answers as answers_module
from conflictbench.envs.fiction.answers import Answers, Look, Room, answers_of
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.reading import read
from conflictbench.envs.fiction.reward import parse_reward
from conflictbench.errors import InvalidAction, ResetNeeded

ACTIONS = (1, 0, 11, 3, 2, 7, 1, 5, 9, 4)


def look(**kwargs: Any) -> Look:
    plain = {"text": True, "features": None, "scenario_bits": True, "mask": "exists", "privileged": ()}
    return Look(**{**plain, "reward": parse_reward("human"), **kwargs})  # type: ignore[arg-type]


def steps_of(env: FictionEnv, actions: tuple[int, ...] = ACTIONS) -> list[Any]:
    """What an episode hands out, as plain values."""
    kept = []
    for action in actions:
        observation, *rest = env.step(action)
        kept.append([{key: np.asarray(value).tolist() for key, value in observation.items()}, *rest])
        if rest[1] or rest[2]:
            break
    return kept


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """An empty room of 4,000 bytes: six answers with words."""
    small = Room(4_000)
    monkeypatch.setattr(answers_module, "ROOM", small)
    answers_of.cache_clear()
    yield small
    answers_of.cache_clear()


def test_answers_of__is_one_object_for_the_same_look_and_another_for_another() -> None:
    reading = read("EP1-001", "conflict", "core")
    assert answers_of(reading, look()) is answers_of(reading, look())
    assert answers_of(reading, look()) is not answers_of(reading, look(mask="available"))


def test_at__makes_an_answer_once_and_hands_it_out_again() -> None:
    answers = Answers(read("EP1-001", "conflict", "core"), look())
    first = answers.at(0, 1)
    assert answers.at(0, 1) is first
    assert answers.opening.ahead[1] is first
    assert answers.opening.ahead[0] is None  # nobody asked


@pytest.mark.parametrize("observation", ["text", "features"])
@pytest.mark.parametrize("mask", ["exists", "available"])
def test_step__what_a_reader_spoils_is_the_readers_own(observation: str, mask: str) -> None:
    def make() -> FictionEnv:
        env = FictionEnv("EP1", scenario="EP1-001", observation=observation, mask=mask, privileged=("state",))
        env.reset(seed=0)
        return env

    clean = steps_of(make())
    env = make()
    for action in ACTIONS[: len(clean)]:
        seen, _, _, _, info = env.step(action)
        seen["action_mask"][:] = 7
        if observation == "features":
            seen["features"][:] = 0.5
        info["state"].clear()
        info.clear()
    assert steps_of(make()) == clean


def test_room__lets_all_go_when_full_and_episodes_go_on_as_before(room: Room) -> None:
    env = FictionEnv("EP1", scenario="EP1-001")
    env.reset(seed=0)
    clean = steps_of(env)
    assert len(clean) > 6  # more than there is room for: some were let go on the way
    (holder,) = room.holders
    kept = sum(answer is not None for place in holder.values() for answer in place.ahead)
    assert 0 < kept <= 6
    assert 0 < room.taken <= room.limit
    env.reset(seed=0)
    assert steps_of(env) == clean


def test_let_go__in_the_middle_of_an_episode_changes_nothing() -> None:
    through, interrupted = FictionEnv("EP2", scenario="EP2-001"), FictionEnv("EP2", scenario="EP2-001")
    through.reset(seed=0)
    interrupted.reset(seed=0)
    expected = steps_of(through)
    seen = []
    for action in ACTIONS[: len(expected)]:
        answers_of(interrupted._played, interrupted.config.look).let_go()  # type: ignore[arg-type]
        seen += steps_of(interrupted, (action,))
    assert seen == expected


def test_pickle__leaves_the_answers_behind() -> None:
    env = FictionEnv("EP1", scenario="EP1-001")
    env.reset(seed=0)
    small = len(pickle.dumps(env))
    answers = answers_of(env._played, env.config.look)  # type: ignore[arg-type]
    for state in range(200):
        if answers[state].outcome < 0:
            for action in range(12):
                answers.at(state, action)
    # twelve answers lie ahead of where it stands, a kilobyte each at most; thousands more are known
    assert len(pickle.dumps(env)) < small + 15_000


def test_deepcopy__shares_the_answers() -> None:
    env = FictionEnv("EP1", scenario="EP1-001")
    env.reset(seed=0)
    branch = copy.deepcopy(env)
    assert branch._known is env._known
    assert steps_of(branch) == steps_of(env)


@pytest.mark.parametrize("action, error", [(12, InvalidAction), (99, InvalidAction), (1, ResetNeeded)])
def test_step__a_refusal_tells_of_nothing_else(action: int, error: type[Exception]) -> None:
    env = FictionEnv("EP1", scenario="EP1-001", max_interactions=1)
    env.reset(seed=0)
    if error is ResetNeeded:
        env.step(0)
    with pytest.raises(error) as raised:
        env.step(action)
    assert raised.value.__suppress_context__  # no traceback of how it was found
