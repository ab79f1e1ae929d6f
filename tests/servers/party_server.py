"""A server for two parties of one play: it answers neither of them before both have asked.

    python -m tests.servers.party_server --script FILE --journal FILE --prompts FILE --pairs 1

Its script's replies are by chair: "incumbent", "requester", "solo"; the k-th answers the k-th request of a
conversation, the last one all that follow. Every prompt is kept, one JSON line each.
Where one party asks for a phase and the other never does, nobody would be answered: that is told by status 400.
"""

from __future__ import annotations

import asyncio
import json
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import web
from tests.servers.script import Script
from tests.servers.serving import Plan, Request, answering, arguments, sent, serve

MOST_S = 60.0  # for the other party to ask
REASKED = "That reply "  # how every sentence begins that asks again


def chair_of(messages: list[dict[str, Any]]) -> str:
    """Whose conversation it is."""
    system = messages[0]["content"]
    if "THE INCUMBENT" in system:
        return "solo"
    return "incumbent" if "You are the incumbent" in system else "requester"


def main() -> None:
    """Serve."""
    given = arguments(prompts=Path, pairs=int)
    script = Script.read(given.script)
    numbers = count(1)
    asked: dict[tuple[str, int, int], set[str]] = {}
    both: dict[tuple[str, int, int], asyncio.Event] = {}

    def decide(request: Request) -> Plan:
        chair = chair_of(request.messages)
        said = sum(message["role"] == "assistant" for message in request.messages)
        replies = script.replies[chair]
        plan = answering(request, replies[min(said, len(replies) - 1)], "served", kind=chair)
        with given.prompts.open("a") as file:
            kept = {"number": next(numbers), "chair": chair, "episode": request.episode, "messages": request.messages}
            file.write(json.dumps(kept) + "\n")
        told = [m["content"] for m in request.messages if m["role"] == "user"]
        phase = (request.episode, request.attempt, sum(not words.startswith(REASKED) for words in told))
        held = bool(given.pairs) and not told[-1].startswith(REASKED)
        if held:
            asked.setdefault(phase, set()).add(chair)
            event = both.setdefault(phase, asyncio.Event())
            if len(asked[phase]) == 2:
                event.set()

        async def send() -> web.StreamResponse:
            if held:
                try:
                    await asyncio.wait_for(both[phase].wait(), MOST_S)
                except TimeoutError:
                    return await sent(request, web.json_response({"error": {"message": "alone"}}, status=400))
            return await plan.send()

        return Plan(kind=chair, send=send, input_tokens=plan.input_tokens, output_tokens=plan.output_tokens)

    serve(decide, given)


if __name__ == "__main__":
    main()
