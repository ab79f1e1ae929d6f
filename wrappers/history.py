"""`History`: the transcript so far as the observed text, for agents without a memory. Own design.

The opening always stays. Older exchanges (a command and its answer) are left out whole, oldest first, when more than
`last` are there or the transcript would outgrow its space; one line says how many.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from conflictbench.envs.fiction.spaces import CHARSET

MAX_CHARS = 65_536  # some 16,000 tokens; a whole episode of a usual scenario has a quarter of it
_OVERHEAD = 512  # the longest command with its prompt, the note and the blank lines round them

_Observation = dict[str, Any]


class History(gym.Wrapper[_Observation, Any, _Observation, Any], RecordConstructorArgs):
    """Observe the transcript in place of the last answer; everything else passes unchanged.

    Args:
        env: an environment whose observations are a Dict with a `text`.
        last: exchanges kept beside the opening, >= 1; None for all that fit.
        max_chars: the observed text's longest length; room for the opening and one exchange at least.
    Raises:
        TypeError: observations without a text.  ValueError: a number too small.
    """

    def __init__(self, env: gym.Env[Any, Any], last: int | None = None, max_chars: int = MAX_CHARS) -> None:
        RecordConstructorArgs.__init__(self, last=last, max_chars=max_chars)
        gym.Wrapper.__init__(self, env)
        inner = env.observation_space
        text = inner.spaces.get("text") if isinstance(inner, gym.spaces.Dict) else None
        if not isinstance(inner, gym.spaces.Dict) or not isinstance(text, gym.spaces.Text):
            raise TypeError(f"History needs observations with a text, not {inner}")
        if last is not None and (isinstance(last, bool) or not isinstance(last, int) or last < 1):
            raise ValueError(f"last {last!r} must be a whole number >= 1, or None for all that fit")
        least = 2 * text.max_length + _OVERHEAD
        if isinstance(max_chars, bool) or not isinstance(max_chars, int) or max_chars < least:
            raise ValueError(f"max_chars {max_chars!r} must be a whole number >= {least}: the opening and one exchange")
        self._last, self._max_chars = last, max_chars
        space = gym.spaces.Text(max_length=max_chars, min_length=0, charset=CHARSET)
        self.observation_space = gym.spaces.Dict({**inner.spaces, "text": space})
        self._opening = ""
        self._exchanges: list[str] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Observation, dict[str, Any]]:
        """Begin a transcript with the first text."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._opening, self._exchanges = observation["text"], []
        return self._observe(observation), info

    def step(self, action: Any) -> tuple[_Observation, Any, bool, bool, dict[str, Any]]:
        """Add the command that reached the world, if one did, and the answer."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        # a reply that had to be asked again reached no world: it has an answer and no command; one that ended the
        # episode so has neither
        command = info.get("command")
        answer = observation["text"]
        if command or answer:
            self._exchanges.append(f"> {command}\n{answer}" if command else answer)
        return self._observe(observation), reward, terminated, truncated, info

    def _observe(self, observation: _Observation) -> _Observation:
        return {**observation, "text": self._transcript()}

    def _transcript(self) -> str:
        kept = self._exchanges if self._last is None else self._exchanges[-self._last :]
        room = self._max_chars - len(self._opening) - _OVERHEAD // 2
        used, first = 0, len(kept)
        while first and used + len(kept[first - 1]) + 2 <= room:
            first -= 1
            used += len(kept[first]) + 2
        kept = kept[first:]
        left_out = len(self._exchanges) - len(kept)
        note = [f"({left_out} earlier {'exchange' if left_out == 1 else 'exchanges'} left out)"] if left_out else []
        return "\n\n".join([self._opening, *note, *kept])
