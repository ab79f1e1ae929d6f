"""One screen, 80 columns."""

from __future__ import annotations

import gymnasium as gym
import pytest

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.render import screen


def test_screen__has_title_place_command_and_wrapped_text() -> None:
    shown = screen(
        title="A title",
        turn=2,
        window=6,
        interactions=3,
        max_interactions=14,
        command="stop jet fans",
        text="one two " * 12 + "\n\nlast line",
    )
    assert shown == (
        "A title\n"
        "turn 2 of 6, 3 of 14 commands\n" + "-" * 80 + "\n"
        "> stop jet fans\n"
        "\n"
        # ten pairs of 8 characters fill 79 columns; the eleventh begins the next line
        + " ".join(["one two"] * 10) + "\n"
        "one two one two\n"
        "\n"
        "last line\n"
    )  # fmt: skip


def test_render__ansi_shows_every_word_of_the_text_within_80_columns() -> None:
    env = gym.make("ConflictBench/EP1-v0", render_mode="ansi", scenario="EP1-001")
    observation, _ = env.reset(seed=0)
    shown = env.render()
    assert isinstance(shown, str)
    assert max(map(len, shown.splitlines())) <= 80
    assert " ".join(observation["text"].split()) in " ".join(shown.split())
    assert ">" not in shown.splitlines()[3]  # no command yet
    env.step(0)
    assert "\n> stop jet fans\n" in env.render()


def test_render__ansi_after_the_end_still_shows_it() -> None:
    env = FictionEnv(render_mode="ansi", max_interactions=1)
    env.reset(seed=0)
    env.command("look")
    assert "> look" in (env.render() or "")


def test_render__long_unknown_command_wraps() -> None:
    env = FictionEnv(render_mode="ansi")
    env.reset(seed=0)
    env.command("x" * 500)
    assert max(map(len, (env.render() or "").splitlines())) <= 80


def test_render__human_prints_at_reset_and_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = FictionEnv(scenario="EP1-001", render_mode="human")
    env.reset(seed=0)
    assert "turn 0 of 6, 0 of 14 commands" in capsys.readouterr().out
    env.command("look")
    assert "turn 0 of 6, 1 of 14 commands" in capsys.readouterr().out
    assert env.render() is None


def test_render__features_world_renders_its_text() -> None:
    env = FictionEnv(scenario="EP1-001", observation="features", render_mode="ansi")
    env.reset(seed=0)
    assert "You are MARLOW" in (env.render() or "")


def test_render__without_a_mode_warns_and_shows_nothing() -> None:
    env = FictionEnv()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None
