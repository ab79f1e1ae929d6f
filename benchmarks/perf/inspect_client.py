"""Calls of Inspect's `model.generate`, timed: the anchor of `harness.py`, in a process or a venv of its own.

    python inspect_client.py BASE_URL CONCURRENCY CALLS < CONVERSATION

Reads one conversation as JSON, a list of {"role", "content"}; prints calls, wall and CPU seconds as JSON. Imports
nothing of conflictbench: it must run where only inspect-ai is installed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any


async def generate(base_url: str, concurrency: int, calls: int, conversation: list[dict[str, str]]) -> dict[str, Any]:
    """Make the calls, so many at a time."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model

    config = GenerateConfig(max_connections=concurrency, max_tokens=2048, temperature=0.0)
    model = get_model("openai-api/mock/any-name", base_url=base_url, api_key="none", config=config)
    kinds: dict[str, Any] = {"system": ChatMessageSystem, "user": ChatMessageUser}
    messages = [kinds[message["role"]](content=message["content"]) for message in conversation]
    await model.generate(messages)  # connections, lazy imports
    left = iter(range(calls))

    async def work() -> None:
        for _ in left:
            answer = await model.generate(messages)
            assert "ACTION: look" in answer.completion

    wall_s, cpu_s = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(concurrency)))
    return {"calls": calls, "wall_s": time.perf_counter() - wall_s, "cpu_s": time.process_time() - cpu_s}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(generate(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), json.load(sys.stdin)))))
