"""Agents that wait, for tests of the event loop."""

from __future__ import annotations

import asyncio
import os
import signal
from itertools import count
from typing import ClassVar

from conflictbench.agents import RandomAgent
from conflictbench.types import Decision, Info, Observation, Task, Usage


class Waits(RandomAgent):
    """Plays at random, and lets others go first."""

    name = "waits"

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        await asyncio.sleep(0)
        return RandomAgent.act(self, observation, info)


class Hangs(Waits):
    """Never answers on odd seeds."""

    name = "hangs"
    hanging: ClassVar[bool] = True

    def reset(self, task: Task) -> None:
        super().reset(task)
        self._odd = task.seed % 2 == 1

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        if self._odd and type(self).hanging:
            await asyncio.Event().wait()
        return await super().act(observation, info)


class Stubborn(Hangs):
    """Nor does it let itself be ended, for a while."""

    name = "stubborn"
    hanging = True
    release: ClassVar[asyncio.Event | None] = None

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        while self._odd and type(self).hanging:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if type(self).release is None:
                    type(self).release = asyncio.Event()  # ignored once
                    continue
                raise
        return await Waits.act(self, observation, info)


class Spends(Waits):
    """Says `look` to the end, ten tokens a time."""

    name = "spends"

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        await asyncio.sleep(0)
        return Decision(text="ACTION: look", usage=Usage(input_tokens=6, output_tokens=4))


class CancelsItself(Waits):
    """Raises what only its caller may."""

    name = "cancels-itself"

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        raise asyncio.CancelledError


class Interrupts(Waits):
    """When `wanted` episodes are in flight it sends its own process a signal; until then all of them wait."""

    name = "interrupts"
    number: ClassVar[int] = signal.SIGINT
    waiting: ClassVar[int] = 0
    wanted: ClassVar[int] = 32

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        cls = type(self)
        if cls.wanted:
            cls.waiting += 1
            if cls.waiting == cls.wanted:
                signal.raise_signal(cls.number)
            await asyncio.Event().wait()
        return await super().act(observation, info)


class HoldingAsync(Waits):
    """From episode number $HOLD_AT of its process on it says so on file descriptor 1 and waits for ever."""

    name = "holding-async"
    episodes = count(1)
    said: ClassVar[bool] = False

    def reset(self, task: Task) -> None:
        super().reset(task)
        self._holds = next(self.episodes) >= int(os.environ.get("HOLD_AT", "1000000"))

    async def act(self, observation: Observation, info: Info) -> Decision:  # type: ignore[override]
        if self._holds and info["turn"] >= 1:
            if not HoldingAsync.said:
                HoldingAsync.said = True
                os.write(1, b"holding\n")
            await asyncio.Event().wait()
        return await super().act(observation, info)
