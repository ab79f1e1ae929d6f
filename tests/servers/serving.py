"""The frame of a server: one route over real HTTP, every request journalled, the port printed. Own design."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from base64 import b64decode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from aiohttp import web
from tests.servers.completions import completion
from tests.servers.journal import Journal

from conflictbench.types import Reply


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request, read whole."""

    http: web.Request
    caller: str  # as in `journal.Seen`
    episode: str
    attempt: int
    messages: list[dict[str, Any]]
    in_tools: bool  # it offers functions


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a server will do to one request."""

    kind: str
    send: Callable[[], Awaitable[web.StreamResponse]]  # until its last byte is handed over
    input_tokens: int = 0
    output_tokens: int = 0


Decide = Callable[[Request], Plan]


def arguments(**more: type) -> Namespace:
    """The command line that both servers have, and what one of them adds."""
    parser = ArgumentParser()
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--announce", type=int, default=0, help="say so on stdout at every so many requests")
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    for name, kind in more.items():
        parser.add_argument(f"--{name}", type=kind, required=True)
    return parser.parse_args()


def serve(decide: Decide, given: Namespace) -> None:
    """Serve `POST /v1/chat/completions` on this machine until the process is ended."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(decide, Journal(given.journal), given.announce, given.port))


async def _serve(decide: Decide, journal: Journal, announce: int, port: int) -> None:
    received = 0

    async def handle(http: web.Request) -> web.StreamResponse:
        nonlocal received
        body = await http.json()
        request = Request(
            http=http,
            caller=http.headers.get("Authorization", "").rpartition("-")[2],
            episode=http.headers.get("X-Conflictbench-Episode", ""),
            attempt=int(http.headers.get("X-Conflictbench-Attempt", "0")),
            messages=body["messages"],
            in_tools=bool(body.get("tools")),
        )
        plan = decide(request)
        received += 1
        number = received
        journal.add(
            "received",
            number=number,
            caller=request.caller,
            episode=request.episode,
            attempt=request.attempt,
            place=len(request.messages),
            parts=[parts_of(message) for message in request.messages],
            kind=plan.kind,
        )
        if announce and number % announce == 0:
            print(f"received {number}", flush=True)
        response = await plan.send()
        used = {"input_tokens": plan.input_tokens, "output_tokens": plan.output_tokens}
        journal.add("answered", number=number, **used)
        return response

    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", handle)
    # Connections are kept as long as a client likes: one closed at the wrong moment would be a fault nobody planned.
    runner = web.AppRunner(app, keepalive_timeout=3600, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=1024).start()
    print(f"port {runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


def parts_of(message: dict[str, Any]) -> list[str]:
    """What a message is made of, in order: see `journal.Seen`."""
    content = message["content"]
    if not isinstance(content, list):
        return [message["role"], "text"]
    return [message["role"], *(_part(part) for part in content)]


def _part(part: dict[str, Any]) -> str:
    if part["type"] != "image_url":
        return str(part["type"])
    head, _, data = part["image_url"]["url"].partition(",")
    assert head in ("data:image/jpeg;base64", "data:image/png;base64"), head
    return f"image:{sha256(b64decode(data, validate=True)).hexdigest()[:16]}"


def answering(request: Request, reply: Reply, model: str, *, kind: str, type_: str = "application/json") -> Plan:
    """Send a reply as a completion."""
    answer = completion(reply, request.messages, model)

    async def send() -> web.StreamResponse:
        response = web.json_response(answer)
        response.content_type = type_
        return await sent(request, response)

    usage = answer["usage"]
    return Plan(kind=kind, send=send, input_tokens=usage["prompt_tokens"], output_tokens=usage["completion_tokens"])


async def sent(request: Request, response: web.StreamResponse) -> web.StreamResponse:
    """The response, when its last byte is handed over."""
    await response.prepare(request.http)
    await response.write_eof()
    return response
