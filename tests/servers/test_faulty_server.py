"""The faulty server itself: each fault as a client meets it, and a schedule that anybody can work out again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.servers.faults import (
    ACTION,
    DOWN,
    ENDING,
    HARMLESS,
    KINDS,
    MOST_IN_A_ROW,
    REASKED,
    TRANSIENT,
    Expected,
    Schedule,
    expected,
)
from tests.servers.script import Script
from tests.servers.started import Server, server

from conflictbench.agents.models.keys import Secret
from conflictbench.agents.models.labels import CallLabels, labelled
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.errors import ContextOverflow, ModelError, ProviderError, TransientError
from conflictbench.types import DEFAULT_LIMITS, Completion, Message, Reply, Status, ToolSpec

SEED, CALLER = 3, "7"
KEY = "canary-of-this-test"  # with the caller behind it
MESSAGES = (Message(role="system", content="You are KEEL."), Message(role="user", content="Commands: seal door"))
TOOLS = (ToolSpec(name="act", description="act", parameters={"type": "object", "properties": {}}),)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    script = Script(routes={"You are KEEL.": ["seal door"]})
    with server("faulty_server", script, tmp_path_factory.mktemp("faulty"), seed=SEED) as started:
        yield started


def episode_for(kind: str) -> str:
    """An episode whose first request is answered that way."""
    return next(name for name in map(str, range(10_000)) if Schedule(SEED).next(CALLER, name, 1, 2) == kind)


def ask(faulty: Server, kind: str, caller: str = CALLER) -> Completion | ModelError:
    async def once() -> Completion:
        model = OpenAIHTTPModel("any", base_url=faulty.base_url, key=Secret(f"{KEY}-{caller}"))
        # nothing but the slow answer is ever waited for to its end
        limits = replace(DEFAULT_LIMITS, timeout_s=0.3 if kind == "slow" else 60)
        try:
            with labelled(CallLabels(episode=episode_for(kind), attempt=1)):
                return await model.complete(MESSAGES, TOOLS, limits)
        finally:
            await model.close()

    try:
        return asyncio.run(once())
    except ModelError as error:
        return error


@pytest.mark.parametrize("kind", KINDS)
def test_server__each_kind_is_what_it_is_called(kind: str, faulty: Server) -> None:
    found = ask(faulty, kind)
    assert faulty.seen()[-1].kind == kind
    assert KEY not in repr(found) + str(found)
    if kind in TRANSIENT or kind == DOWN:
        assert type(found) is TransientError
        assert found.calls == 1
        assert found.retry_after_s == (1.0 if kind == "rate limited, with a wait" else None)
    elif kind == "overflow":
        assert type(found) is ContextOverflow
    elif kind == "key refused":
        assert type(found) is ProviderError
        assert "[key]" in str(found)
    else:
        assert isinstance(found, Completion)
        assert found.model == ("" if kind == "policy error" else "faulty-1")
        check_reply(kind, found.reply)
        assert ("[key]" in found.reply.text) == (kind == "policy error")


def check_reply(kind: str, reply: Reply) -> None:
    commands = [call.arguments for call in reply.tool_calls]
    good = '{"command": "seal door"}'
    match kind:
        case "doubled call":
            assert commands == [good, good]
        case "malformed call":
            assert commands == ['{}""']
        case "content filter" | "policy error":
            assert reply.finish_reason == "content_filter"
        case "cut off":
            assert reply.finish_reason == "length"
        case "refusal" | "two commands":
            assert (commands, reply.finish_reason) == ([], "stop")
        case _:
            assert commands == [good]


def test_server__keeps_every_request_with_who_asked_what(faulty: Server) -> None:
    before = len(faulty.seen())
    ask(faulty, ACTION, caller="8")  # one that has asked nothing yet
    ask(faulty, "slow", caller="8")
    good, slow = faulty.seen()[before:]
    assert (good.number, good.caller, good.episode) == (before + 1, "8", episode_for(ACTION))
    assert (good.attempt, good.place, good.answered) == (1, 2, True)
    assert (good.input_tokens, good.output_tokens) == (6, 1)  # You are KEEL. Commands: seal door -> one call
    assert (slow.kind, slow.answered) == ("slow", False)


def test_schedule__follows_from_what_is_asked_and_not_from_the_order() -> None:
    asked = [(str(episode), place, time) for episode in range(50) for place in (2, 4) for time in range(3)]
    one, other = Schedule(0), Schedule(0)
    forwards = {ask: one.next("1", ask[0], 1, ask[1]) for ask in asked}
    backwards = {}
    for episode in reversed(range(50)):
        for time in range(3):
            for place in (4, 2):
                backwards[str(episode), place, time] = other.next("1", str(episode), 1, place)
    assert forwards == backwards
    again = {ask: one.next("2", ask[0], 1, ask[1]) for ask in asked}  # another process begins anew
    assert again == forwards


def test_schedule__a_client_that_asks_often_enough_gets_through() -> None:
    schedule = Schedule(5)
    for episode in map(str, range(3_000)):
        kinds = [schedule.next("1", episode, 1, 2) for _ in range(MOST_IN_A_ROW + 1)]
        assert DOWN in kinds or kinds[-1] not in TRANSIENT


@pytest.mark.parametrize(
    "kinds, status, steps, reasks",
    [
        ([ACTION, ACTION], Status.COMPLETED, 2, 0),
        ([ACTION, "cut", "huge", ACTION], Status.COMPLETED, 2, 0),
        (["refusal", ACTION, "refusal", "doubled call"], Status.COMPLETED, 4, 2),
        (["refusal", "slow", "cut off"], Status.CUT_OFF, 2, 1),
        ([ACTION, "content filter", "policy error"], Status.REFUSED, 3, 1),
        (["wrong content type", "two commands", "two commands"], Status.UNPARSED, 3, 1),
        ([ACTION, "garbage", "overflow"], Status.CONTEXT_OVERFLOW, 1, 0),
        (["key refused"], Status.PROVIDER_ERROR, 0, 0),
        ([DOWN, DOWN, DOWN, DOWN], Status.PROVIDER_ERROR, 0, 0),
    ],
)
def test_expected__worked_out_by_hand(kinds: list[str], status: Status, steps: int, reasks: int) -> None:
    due = Expected(status=status, calls=len(kinds), steps=steps, reasks=reasks, malformed=0)
    assert expected(kinds) == due


def test_kinds__each_is_in_one_group() -> None:
    groups = [{ACTION}, {DOWN}, set(TRANSIENT), set(REASKED), set(HARMLESS), set(ENDING)]
    assert sum(map(len, groups)) == len(set().union(*groups)) == len(KINDS)
