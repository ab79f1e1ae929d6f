"""`TextActions`: an environment whose actions are replies in words. Own design (architecture, "Results are data")."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Protocol, SupportsFloat, cast

import gymnasium as gym
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from conflictbench.envs.fiction.spaces import CHARSET
from conflictbench.errors import ResetNeeded
from conflictbench.types import Reply, Verdict
from conflictbench.wrappers.text_actions.parser import Commands, Parsed, ReplyParser

MAX_REPLY_CHARS = 8192  # of the action space; longer replies are read all the same

REASK_SENTENCES: Mapping[Verdict, str] = {
    Verdict.UNPARSED: (
        "That reply did not contain exactly one command. End your reply with one line that reads ACTION: "
        "followed by a single command."
    ),
    Verdict.REFUSED: (
        "That reply contained no command. If you go on, end your reply with one line that reads ACTION: "
        "followed by a single command."
    ),
    Verdict.CUT_OFF: (
        "That reply ended before its command. Keep it shorter, and end it with one line that reads ACTION: "
        "followed by a single command."
    ),
}

# What `gym.make` puts round an environment; both only look on.
_LOOKING_ON = (OrderEnforcing, PassiveEnvChecker)
_UNCHANGEABLE = (str, int, float, type(None))  # bools are ints
_OF_ONE_INTERACTION = frozenset({"event", "action", "command", "seed"})

Step = tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]


class _World(Protocol):
    """What the wrapper needs beneath it."""

    @property
    def command_book(self) -> Commands: ...
    def command(self, text: str) -> Step: ...


class TextActions(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Takes a reply (`str` or `Reply`), parses it, and hands the command to the world.

    A command goes to the nearest layer with `command(text)`, as a rule `env.unwrapped`, past what stands between; so
    this wrapper stands directly round what `gym.make` returns, and every other wrapper round it. An action index is
    passed on as it is.

    A reply without a command is asked again: same observation, with the sentence of `REASK_SENTENCES` as its text;
    reward 0.0; no interaction. After `reasks` such replies in a row the next one ends the episode: truncated, with
    the verdict as `info["status"]`, and with "" as the text, since nothing was answered.

    Info gains, for replies: `verdict`; `reask` (bool: this reply is asked again); `reasoning` and `reasoning_source`
    ("provider", "tag", "text" or ""); `malformed` (int: tool calls and JSON objects in this reply that were not one
    action in words, whatever its verdict). What a caller does to an observation or info changes no later one.
    """

    def __init__(self, env: gym.Env[Any, Any], reasks: int = 1) -> None:
        """Wrap `env`.

        Args:
            reasks: how many replies without a command in a row are asked again, >= 0.
        Raises:
            TypeError: the environment takes no commands.
            ValueError: a negative `reasks`, or a wrapper beneath that commands would bypass.
        """
        gym.utils.RecordConstructorArgs.__init__(self, reasks=reasks)
        gym.Wrapper.__init__(self, env)
        if type(reasks) is not int or reasks < 0:  # True is an int, and no number
            raise ValueError(f"reasks must be an int of 0 or more, not {reasks!r}")
        layer = env
        while isinstance(layer, gym.Wrapper) and not _takes_commands(layer):
            if not isinstance(layer, _LOOKING_ON):
                name = type(layer).__name__
                raise ValueError(
                    f"TextActions speaks to the world itself, past {name}: wrap the other way round, "
                    f"{name}(TextActions(gym.make(...)), ...)"
                )
            layer = layer.env
        if not _takes_commands(layer):
            raise TypeError(f"TextActions needs an environment with command(text); {type(layer).__name__} has none")
        self._world = cast(_World, layer)
        self._reasks = reasks
        self._parser: ReplyParser | None = None
        self._failed = 0  # replies without a command in a row
        self._over = False
        self._observation: Any = None
        self._info: dict[str, Any] = {}
        self._stand_in: str | None = None  # what stands for the world's answer where it gave none
        self.action_space = gym.spaces.Text(max_length=MAX_REPLY_CHARS, min_length=0, charset=CHARSET)

    @property
    def text(self) -> str:
        """The last answer: the world's, the sentence that asks again, or "" where the episode ended without one."""
        return self._stand_in if self._stand_in is not None else str(self.env.get_wrapper_attr("text"))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset the world; its commands are read anew, for each scenario has its own."""
        self._parser = None
        observation, info = self.env.reset(seed=seed, options=options)
        self._parser = ReplyParser(self._world.command_book)
        self._failed, self._over = 0, False
        return self._keep(observation, info)

    def step(self, action: Any) -> Step:
        """Carry out one reply, or one action index.

        Args:
            action: `str` or `Reply`; anything else is taken for an index and goes to `env.step`.
        Raises:
            ResetNeeded: before the first `reset`, or after the episode has ended.
        """
        if self._parser is None or self._over:
            raise ResetNeeded("call reset() before step(): " + ("the episode is over" if self._over else "no episode"))
        if not isinstance(action, str | Reply):
            self._failed = 0
            return self._finish(self.env.step(action), {})
        parsed = self._parser.parse(action)
        if parsed.verdict not in REASK_SENTENCES:
            self._failed = 0
            return self._finish(self._world.command(parsed.command), _about(parsed, reask=False))
        self._failed += 1
        if self._failed > self._reasks:
            return self._give_up(parsed)
        return self._ask_again(parsed)

    def _finish(self, step: Step, about: dict[str, Any]) -> Step:
        observation, reward, terminated, truncated, info = step
        self._over = terminated or truncated
        observation, info = self._keep(observation, {**info, **about})
        return observation, reward, terminated, truncated, info

    def _keep(self, observation: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        # copies, here and where they are shown again: a caller may change whatever it is given
        self._observation, self._stand_in = _own(observation), None
        self._info = _own({name: value for name, value in info.items() if name not in _OF_ONE_INTERACTION})
        return observation, info

    def _ask_again(self, parsed: Parsed) -> Step:
        return self._without_answer(REASK_SENTENCES[parsed.verdict], False, _about(parsed, reask=True))

    def _give_up(self, parsed: Parsed) -> Step:
        self._over = True
        return self._without_answer("", True, _about(parsed, reask=False) | {"status": parsed.verdict.value})

    def _without_answer(self, text: str, truncated: bool, about: dict[str, Any]) -> Step:
        """The last step's observation and info again; where the observation holds a text, with this one."""
        self._stand_in = text
        observation = _own(self._observation)
        if isinstance(observation, Mapping) and "text" in observation:
            observation = {**observation, "text": text}
        return observation, 0.0, False, truncated, _own(self._info) | about


def _own(values: Any) -> Any:
    """Copy what can be changed; a tenth of the time of a `deepcopy` of the whole, nearly all of which is scalars."""
    if not isinstance(values, dict):
        return deepcopy(values)
    return {name: value if isinstance(value, _UNCHANGEABLE) else deepcopy(value) for name, value in values.items()}


def _takes_commands(layer: gym.Env[Any, Any]) -> bool:
    return callable(getattr(type(layer), "command", None))


def _about(parsed: Parsed, *, reask: bool) -> dict[str, Any]:
    return {
        "verdict": parsed.verdict.value,
        "reask": reask,
        "reasoning": parsed.reasoning,
        "reasoning_source": parsed.reasoning_source,
        "malformed": parsed.malformed,
    }
