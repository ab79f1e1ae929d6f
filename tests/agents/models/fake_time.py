"""A clock that only sleeping moves."""

from __future__ import annotations

import asyncio


class FakeTime:
    """`clock` and `sleep` for the layers that wait; `slept` is every wait asked for, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)
