"""A server that plays by its script and never fails.

    python -m tests.servers.scripted_server --script FILE --journal FILE --latency 0 --models ID[,ID] --change 0

The first of the ids is returned up to request number `--change`, the last one after it.
"""

from __future__ import annotations

import asyncio
from itertools import count

from aiohttp import web
from tests.servers.script import Script
from tests.servers.serving import Plan, Request, answering, arguments, serve


def main() -> None:
    """Serve."""
    given = arguments(latency=float, models=str, change=int)
    script = Script.read(given.script)
    first, last = given.models.split(",")[0], given.models.split(",")[-1]
    numbers = count(1)

    def decide(request: Request) -> Plan:
        reply = script.answer(request.episode, request.messages, in_tools=request.in_tools)
        plan = answering(request, reply, first if next(numbers) <= given.change else last, kind="action")

        async def send() -> web.StreamResponse:
            await asyncio.sleep(given.latency)
            return await plan.send()

        return Plan(kind=plan.kind, send=send, input_tokens=plan.input_tokens, output_tokens=plan.output_tokens)

    serve(decide, given)


if __name__ == "__main__":
    main()
