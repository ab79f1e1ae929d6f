"""A server that plays by its script and fails by a schedule, in every way of `faults.py`.

    python -m tests.servers.faulty_server --script FILE --journal FILE --seed N

Three of its errors repeat the key they were sent, as a careless proxy does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from aiohttp import web
from tests.servers.completions import act, completion
from tests.servers.faults import ACTION, DOWN, HARMLESS, REASKED, Schedule
from tests.servers.script import Script
from tests.servers.serving import Plan, Request, answering, arguments, sent, serve

from conflictbench.types import Reply, ToolCall

MODEL = "faulty-1"
NEVER_S = 3600.0
HUGE = 17 * 2**20  # bytes
REFUSAL = "I'm sorry, but I can't take part in this."
Send = Callable[[Request], Awaitable[web.StreamResponse]]


def main() -> None:
    """Serve."""
    given = arguments(seed=int)
    script, schedule = Script.read(given.script), Schedule(given.seed)

    def decide(request: Request) -> Plan:
        kind = schedule.next(request.caller, request.episode, request.attempt, len(request.messages))
        if kind == ACTION:
            reply = script.answer(request.episode, request.messages, in_tools=request.in_tools)
            return answering(request, reply, MODEL, kind=kind)
        command = script.next_command(request.messages)
        assert command is not None
        if kind in HARMLESS:
            reply = act(command, in_tools=request.in_tools, times=1 + (kind == "doubled call"))
            type_ = "text/html" if kind == "wrong content type" else "application/json"
            return answering(request, reply, MODEL, kind=kind, type_=type_)
        if kind in REASKED and kind != "policy error":
            return answering(request, WITHOUT_COMMAND[kind](command), MODEL, kind=kind)
        return Plan(kind=kind, send=lambda: FAILING[kind](request))

    serve(decide, given)


WITHOUT_COMMAND: dict[str, Callable[[str], Reply]] = {
    "refusal": lambda command: Reply(text=REFUSAL),
    "content filter": lambda command: Reply(finish_reason="content_filter"),
    "malformed call": lambda command: Reply(
        tool_calls=(ToolCall(name="act", arguments='{}""', id="call_0"),), finish_reason="tool_calls"
    ),
    "two commands": lambda command: Reply(text=f"ACTION: {command}, then look"),
    "cut off": lambda command: replace(Reply(text="THINK: there is much to weigh here, and"), finish_reason="length"),
}


def _error(status: int, message: str, code: str | None = None, **headers: str) -> Send:
    async def send(request: Request) -> web.StreamResponse:
        key = request.http.headers.get("Authorization", "").removeprefix("Bearer ")
        error = {"message": message.replace("KEY", key), "type": "error", "param": None, "code": code}
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return await sent(request, web.json_response({"error": error}, status=status, headers=names))

    return send


def _body(body: bytes) -> Send:
    async def send(request: Request) -> web.StreamResponse:
        return await sent(request, web.Response(body=body, content_type="application/json"))

    return send


async def _slow(request: Request) -> web.StreamResponse:
    await asyncio.sleep(NEVER_S)  # cancelled when the client hangs up, or with the server
    return web.Response()


async def _cut(request: Request) -> web.StreamResponse:
    whole = json.dumps(_ordinary(request)).encode()
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(whole)
    await response.prepare(request.http)
    await response.write(whole[: len(whole) // 2])
    transport = request.http.transport
    assert transport is not None
    transport.close()  # hands over what was written, then hangs up
    return response


async def _huge(request: Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request.http)
    try:
        for _ in range(HUGE // 2**20):
            await response.write(b" " * 2**20)
        await response.write(json.dumps(_ordinary(request)).encode())
        await response.write_eof()
    except ConnectionError:  # the client had enough
        pass
    return response


async def _no_choices(request: Request) -> web.StreamResponse:
    return await sent(request, web.json_response(_ordinary(request) | {"choices": []}))


async def _no_json(request: Request) -> web.StreamResponse:
    text = json.dumps(_ordinary(request))
    return await sent(request, web.Response(text=text[:-20], content_type="application/json"))


def _ordinary(request: Request) -> dict[str, Any]:
    return completion(Reply(text="ACTION: look"), request.messages, MODEL)


FAILING: dict[str, Send] = {
    "rate limited": _error(429, "Rate limit reached for requests", "rate_limit_exceeded"),
    "rate limited, with a wait": _error(429, "Rate limit reached for tokens", "rate_limit_exceeded", Retry_After="1"),
    "server error": _error(500, "upstream said no to KEY"),
    "overloaded": _error(503, "The engine is currently overloaded"),
    DOWN: _error(503, "The engine is currently overloaded"),
    "slow": _slow,
    "cut": _cut,
    "garbage": _body(bytes(range(256)) * 4),
    "no JSON": _no_json,
    "no choices": _no_choices,
    "huge": _huge,
    "policy error": _error(400, "Rejected by our safety system, sent with KEY.", "content_policy_violation"),
    "overflow": _error(400, "This model's maximum context length is 9000 tokens.", "context_length_exceeded"),
    "key refused": _error(401, "Incorrect API key provided: KEY.", "invalid_api_key"),
}


if __name__ == "__main__":
    main()
