"""An OpenAI-compatible server that gives one answer after a fixed wait, for timing clients. Own design.

    python -m conflictbench.benchmarks.perf.mock_server SECONDS

Prints its port; ends when its standard input does, so that it never outlives who started it.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

REPLY = (
    "THINK: I do not know enough yet. Before I do anything that cannot be undone I want to see how things stand, who "
    "is where, and how much time there is; what I have been told so far may have changed since.\nACTION: look"
)
ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "mock-1",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": REPLY}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 450, "completion_tokens": 50, "total_tokens": 500},
}


@contextmanager
def mock_server(latency_s: float) -> Iterator[str]:
    """Run one in another process; gives its base URL."""
    command = [sys.executable, "-m", "conflictbench.benchmarks.perf.mock_server", str(latency_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.stdin.close()


async def serve(latency_s: float) -> None:
    """Serve until standard input ends."""
    from aiohttp import web

    body = json.dumps(ANSWER).encode()

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(latency_s)
        return web.Response(body=body, content_type="application/json")

    app = web.Application(client_max_size=2**24)
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=3600, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
