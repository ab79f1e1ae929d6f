"""Retries: only what may pass, no longer than the deadline, every request counted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.agents.models.fake_time import FakeTime

from conflictbench.agents.models import RetryModel, ScriptedModel
from conflictbench.errors import BudgetExceeded, ContextOverflow, ModelError, ProviderError, TransientError
from conflictbench.types import Completion, Message

ASK = (Message(role="user", content="one two three"),)


def busy(calls: int = 1, retry_after_s: float | None = None) -> TransientError:
    return TransientError("busy", calls=calls, retry_after_s=retry_after_s)


def retried(script: list[Any], **kwargs: Any) -> tuple[Completion, FakeTime]:
    time = FakeTime()
    model = RetryModel(ScriptedModel(script), sleep=time.sleep, clock=time.clock, **kwargs)
    return asyncio.run(model.complete(ASK)), time


def test_retry__a_fault_that_passes_is_not_seen_and_its_requests_are_counted() -> None:
    completion, time = retried([busy(), busy(calls=2), busy(calls=0), "ACTION: look"])
    assert completion.reply.text == "ACTION: look"
    assert completion.usage.calls == 1 + 2 + 0 + 1
    assert completion.usage.input_tokens == 3  # of the attempt that was answered
    assert len(time.slept) == 3


def test_retry__waits_double_and_are_scattered_down_to_half() -> None:
    _, time = retried([*(busy() for _ in range(5)), "x"], first_wait_s=1.0, longest_wait_s=6.0)
    for waited, full in zip(time.slept, [1.0, 2.0, 4.0, 6.0, 6.0], strict=True):
        assert full / 2 <= waited <= full


def test_retry__the_scatter_is_set_by_the_seed() -> None:
    def waits(seed: int) -> list[float]:
        return retried([busy(), busy(), "x"], seed=seed)[1].slept

    assert waits(1) == waits(1) != waits(2)


def test_retry__the_servers_wish_is_the_least_wait() -> None:
    _, time = retried([busy(retry_after_s=40.0), busy(retry_after_s=0.0), "x"], first_wait_s=1.0)
    assert 40.0 <= time.slept[0] <= 44.0
    assert 1.0 <= time.slept[1] <= 2.0  # the second back-off: a wish of 0 does not hurry it


def test_retry__gives_up_after_its_retries() -> None:
    with pytest.raises(ProviderError, match=r"^gave up after 3 attempts in \d+\.\d s: busy$") as error:
        retried([busy() for _ in range(9)], retries=2)
    assert type(error.value) is ProviderError
    assert error.value.calls == 3


@pytest.mark.parametrize("hopeless", [True, False])
def test_retry__what_it_gives_up_is_as_hopeless_as_the_last_fault(hopeless: bool) -> None:
    model = RetryModel(
        ScriptedModel([TransientError("a"), TransientError("b", hopeless=hopeless)]), retries=1, first_wait_s=0
    )
    with pytest.raises(ProviderError) as caught:
        asyncio.run(model.complete(()))
    assert caught.value.hopeless is hopeless


def test_retry__without_retries_asks_once() -> None:
    with pytest.raises(ProviderError, match=r"gave up after 1 attempt in 0\.0 s"):
        retried([busy(), "x"], retries=0)


def test_retry__no_wait_goes_past_the_deadline() -> None:
    with pytest.raises(ProviderError, match=r"gave up after 1 attempt in 0\.0 s, asked to wait \d+ s more: busy"):
        retried([busy(retry_after_s=90.0), "x"], deadline_s=60.0)
    assert retried([busy(retry_after_s=50.0), "x"], deadline_s=60.0)[0].reply.text == "x"


@pytest.mark.parametrize("kind", [ContextOverflow, BudgetExceeded, ProviderError, ModelError])
def test_retry__what_does_not_pass_is_not_asked_again(kind: type[ModelError]) -> None:
    script = ScriptedModel([busy(), kind("no", calls=1), "x"])
    time = FakeTime()
    with pytest.raises(kind, match=r"^no$") as error:
        asyncio.run(RetryModel(script, sleep=time.sleep, clock=time.clock).complete(ASK))
    assert error.value.calls == 2  # the busy one too
    assert len(script.calls) == 2


def test_retry__a_bug_is_not_asked_again() -> None:
    with pytest.raises(KeyError):
        retried([KeyError("x"), "y"])
