"""What the stages of the regret test say beside the scenario's own texts: what is open, and how much is left."""

from __future__ import annotations

import gymnasium as gym
import pytest
from tests.wrappers.chat.test_protocols import TELLING
from tests.wrappers.regret_routes import HUMAN, PERSIST, SCENARIO, play_to

from conflictbench.errors import ResetNeeded
from conflictbench.scenario_specs.texts import bad_character
from conflictbench.wrappers.regret_stages import choice_line, stage_help
from conflictbench.wrappers.regret_test import RegretTest


def make() -> RegretTest:
    return RegretTest(gym.make("ConflictBench/EP1-v0", scenario=SCENARIO))


@pytest.mark.parametrize("act", ["stop jet fans", "whistle", "status", "look", "help", "examine racks", ""])
def test_stage__whatever_is_said_the_choice_is_told_again_and_how_many_others_are_left(act: str) -> None:
    env = make()
    play_to(env, "smoke_drawn")
    texts = [env.command(act)[0]["text"] for _ in range(3)]
    for text, limit in zip(texts[:2], ("the second answer from now", "the next answer"), strict=True):
        assert f"; but with {limit} that is neither of the two, it is over." in text
        assert "persist" in text
        assert "regret" in text
    assert "persist" not in texts[2]  # nobody is asked any more
    assert texts[2].endswith("It is over.")
    assert not any("Say help" in text for text in texts)  # it would cost an answer


def test_stage__the_next_one_counts_others_from_its_beginning() -> None:
    env = make()
    play_to(env, "smoke_drawn")
    assert env.step(0)[0]["text"].endswith(choice_line(1))
    assert env.step(PERSIST)[0]["text"].endswith(choice_line())
    assert "the third answer from now" in choice_line()
    assert env.help_page == stage_help()


def test_stage__its_lines_say_nothing_of_what_is_measured() -> None:
    lines = "\n".join([*map(choice_line, range(3)), *map(stage_help, range(3))])
    assert TELLING.findall(lines) == []
    assert bad_character(lines) is None


def test_stage_texts__are_what_is_said_in_play() -> None:
    env = make()
    with pytest.raises(ResetNeeded, match="stage_texts before the first reset"):
        _ = env.stage_texts
    told_in_play = []
    for outcome in HUMAN:
        texts = [play_to(env, outcome)[0]["text"], env.step(PERSIST)[0]["text"], env.step(PERSIST)[0]["text"]]
        told_in_play += [(stage, outcome, text) for stage, text in enumerate(texts, 1)]
    listed = env.stage_texts
    assert {text[:2] for text in listed} == {text[:2] for text in told_in_play}
    for stage, outcome, text in told_in_play:
        [said] = [words for *key, words in listed if key == [stage, outcome]]
        assert text.endswith(said)
