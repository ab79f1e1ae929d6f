"""A server in the test's own process, on a free port of this machine, for the tests of the adapters."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def chat_completion(text: str | None = "ACTION: look", **message: Any) -> dict[str, Any]:
    """A chat completion as OpenAI sends it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-1",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 4, "total_tokens": 15},
    }


@asynccontextmanager
async def serve(handler: Handler) -> AsyncIterator[str]:
    """Run the handler for `POST /v1/chat/completions`; gives the base URL."""
    app = web.Application(client_max_size=2**26)

    async def handle(request: web.Request) -> web.StreamResponse:
        return await handler(request)

    app.router.add_post("/v1/chat/completions", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


class Answers:
    """A handler that gives one answer after the other, the last from then on, and keeps what it was sent."""

    def __init__(self, *answers: web.Response | dict[str, Any] | tuple[int, Any]) -> None:
        self._answers = list(answers)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    async def __call__(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        answer = self._answers[min(len(self.bodies), len(self._answers)) - 1]
        if isinstance(answer, tuple):
            status, body = answer
            text = body if isinstance(body, str) else json.dumps(body)
            return web.Response(status=status, text=text)
        return web.json_response(answer)
