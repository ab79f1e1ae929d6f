"""Rate limits: no 60 seconds hold more than was allowed, and nobody is overtaken."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.models.fake_time import FakeTime

from conflictbench.agents.models import RateLimitModel, ScriptedModel
from conflictbench.agents.models.estimate import estimate_input_tokens
from conflictbench.errors import ProviderError
from conflictbench.types import Completion, Limits, Message, Reply, ToolCall, ToolSpec, Usage

ASK = (Message(role="user", content="x" * 30),)  # 10 tokens by estimate, and 8 for the message


def starts(n: int, *, rpm: int | None = None, tpm: int | None = None, limits: Limits, used: int = 0) -> list[float]:
    """When each of n calls made at once was let through, in the order it was made."""
    time = FakeTime()
    started: dict[str, float] = {}

    def answer(messages: tuple[Message, ...], *_: object) -> Completion:
        started[messages[-1].content] = time.now
        return Completion(reply=Reply(text="x"), usage=Usage(calls=1, input_tokens=used))

    model = RateLimitModel(
        ScriptedModel(answer), requests_per_minute=rpm, tokens_per_minute=tpm, sleep=time.sleep, clock=time.clock
    )

    async def main() -> None:
        await asyncio.gather(
            *(model.complete((*ASK, Message(role="user", content=f"{k:03}")), (), limits) for k in range(n))
        )

    asyncio.run(main())
    return [started[f"{k:03}"] - 1000.0 for k in range(n)]


def test_rate_limit__requests_wait_for_the_next_minute_in_order() -> None:
    got = starts(5, rpm=2, limits=Limits())
    assert got == pytest.approx([0.0, 0.0, 60.0, 60.0, 120.0])


def test_rate_limit__tokens_wait_for_the_next_minute() -> None:
    # A call reserves ceil(33 / 3) + 2 * 8 + 73 = 100 tokens, and takes as many where the provider names none.
    assert starts(3, tpm=250, limits=Limits(max_tokens=73)) == pytest.approx([0.0, 0.0, 60.0])


def test_rate_limit__a_finished_call_gives_back_what_it_did_not_take() -> None:
    # Only 10 of the 100 reserved are used: the third waits for a nap of a second, not for the minute.
    assert max(starts(3, tpm=250, limits=Limits(max_tokens=73), used=10)) <= 1.0


def test_rate_limit__a_call_above_the_limit_by_itself_goes_alone() -> None:
    assert starts(2, tpm=50, limits=Limits(max_tokens=73)) == pytest.approx([0.0, 60.0])


def test_rate_limit__a_call_longer_than_the_window_leaves_the_count_right() -> None:
    time = FakeTime()

    def answer(*_: object) -> Completion:
        time.now += 90.0  # gone from the window before it is answered
        return Completion(reply=Reply(text="x"), usage=Usage(calls=1, input_tokens=10))

    model = RateLimitModel(ScriptedModel(answer), tokens_per_minute=150, sleep=time.sleep, clock=time.clock)

    async def main() -> None:
        for _ in range(4):
            await model.complete(ASK, (), Limits(max_tokens=82))

    asyncio.run(main())
    assert time.slept == []
    assert model._window_tokens == 10


@settings(max_examples=40, deadline=None, derandomize=True)
@given(n=st.integers(1, 25), rpm=st.integers(1, 9))
def test_rate_limit__no_window_holds_more_and_none_is_overtaken(n: int, rpm: int) -> None:
    got = starts(n, rpm=rpm, limits=Limits())
    assert got == sorted(got)
    assert all(later - earlier >= 60.0 - 1e-6 for earlier, later in zip(got, got[rpm:], strict=False))


def test_rate_limit__a_failed_call_counts() -> None:
    time = FakeTime()
    model = RateLimitModel(
        ScriptedModel([ProviderError("no"), "x"]), requests_per_minute=1, sleep=time.sleep, clock=time.clock
    )

    async def main() -> None:
        with pytest.raises(ProviderError):
            await model.complete(ASK)
        await model.complete(ASK)

    asyncio.run(main())
    assert time.now == pytest.approx(1060.0)


def test_estimate__is_on_the_high_side_and_counts_everything_that_is_sent() -> None:
    assert estimate_input_tokens(ASK) == 18
    english = "You are standing in the control room, and the pressure keeps falling. "  # 14 words, 13 to 16 tokens
    assert estimate_input_tokens([Message(role="user", content=english)]) > 16
    called = Message(role="assistant", content="", tool_calls=(ToolCall(name="act", arguments="x" * 27),))
    assert estimate_input_tokens([called]) == 18
    tool = ToolSpec(name="act", description="x" * 25, parameters={})
    assert estimate_input_tokens([], [tool]) == 18
