"""A world of four commands that answers in words, and conversations in it, for tests of `ChatEnv`."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from tests.wrappers.small_book import COMMANDS, SmallBook

from conflictbench.types import Message, Reply
from conflictbench.wrappers import ChatEnv, EpisodeRecorder, TextActions

OPENING = "You are KEEL. The corridor is dark."
HELP = "Commands:\n" + "\n".join(f"- {command}" for command in COMMANDS)


class SmallWorld(gym.Env[dict[str, Any], Any]):
    """Every command but unknown ones takes a turn; nothing ends it but the cap."""

    env_id = "Small"
    help_page = HELP

    def __init__(self, max_interactions: int = 14) -> None:
        self.action_space = gym.spaces.Discrete(len(COMMANDS))
        self.observation_space = gym.spaces.Dict()
        self.command_book = SmallBook()
        self.max_interactions = max_interactions
        self.text = ""
        self.turn = self.interactions = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.text, self.turn, self.interactions = OPENING, 0, 0
        return {"text": self.text}, self._info() | {"seed": seed or 0}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        return self.command(COMMANDS[action])

    def command(self, text: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        match = self.command_book.match(text)
        known = match.kind != "unknown"
        self.interactions += 1
        self.turn += known
        self.text = f"{self.interactions}: {match.command}." if known else f'{self.interactions}: no "{match.command}".'
        event = {"event": "accepted" if known else "unknown", "action": None, "command": match.command}
        return {"text": self.text}, 0.0, False, self.interactions >= self.max_interactions, self._info() | event

    def _info(self) -> dict[str, Any]:
        return {"scenario": "S", "variant": "conflict", "turn": self.turn, "interactions": self.interactions}


class Question(SmallWorld):
    """The same as a world that has no help page: one question, one answer."""

    offers_help = False

    def __init__(self) -> None:
        super().__init__(max_interactions=1)

    @property
    def help_page(self) -> str:  # type: ignore[override]
        raise AssertionError("a question has no help page")


def small(protocol: str = "paper", *, keep_last: int | None = None, world: SmallWorld | None = None) -> EpisodeRecorder:
    """The stack of every run over a small world, reset."""
    env = EpisodeRecorder(ChatEnv(TextActions(world or SmallWorld()), protocol, keep_last), "tester")
    env.reset(seed=0)
    return env


def said(env: EpisodeRecorder, *replies: str | Reply | int) -> list[Message]:
    """The messages behind the first two, after these replies."""
    messages: tuple[Message, ...] = ()
    for reply in replies:
        observation = env.step(reply)[0]
        assert observation in env.observation_space
        messages = observation["messages"]
    return list(messages[2:])


def assistant(text: str) -> Message:
    """An assistant's words."""
    return Message(role="assistant", content=text)


def user(text: str) -> Message:
    """What answers them."""
    return Message(role="user", content=text)
