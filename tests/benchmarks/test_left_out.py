"""One line that says why episodes are left out."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from tests.benchmarks.building import a_record
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import ModelOptions, by_turn, make_model
from conflictbench.benchmarks.left_out import LONGEST, how_to_play_again, why_left_out
from conflictbench.benchmarks.limits import RunLimits
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.summary import Summary
from conflictbench.errors import ProviderError
from conflictbench.types import Completion, Message, Reply, Status, Usage


def failing(*errors: str, status: Status = Status.PROVIDER_ERROR) -> Summary:
    return summarise([a_record(seed=seed, status=status, error=error) for seed, error in enumerate(errors)])


def test_why__nothing_where_nothing_is_left_out() -> None:
    assert why_left_out([]) == ""
    assert why_left_out([summarise([a_record()])]) == ""


def test_why__the_commonest_first_over_all_runs() -> None:
    runs = [failing("KeyError: 1", status=Status.ENV_ERROR), failing("down", "down"), failing("down")]
    assert why_left_out(runs) == "3 x provider_error: down; 1 x env_error: KeyError: 1"


def test_why__reasons_that_differ_in_their_numbers_are_one() -> None:
    waited = failing("gave up after 6 attempts in 12.5 s", "gave up after 6 attempts in 3 s", "gone")
    assert why_left_out([waited]) == (
        "2 x provider_error: gave up after 6 attempts in 12.5 s; 1 x provider_error: gone"
    )


def test_why__three_reasons_are_shown_and_each_is_cut() -> None:
    words = why_left_out([failing("a" * 400, "b", "c", "d", "e")])
    assert words.startswith("1 x provider_error: aaa")
    assert words.endswith("and 2 more in the report")
    assert len(words.split("; ")[0]) == len("1 x ") + LONGEST


EPISODE_TOKENS = "BudgetExceeded: the episode's 35 tokens are spent (40 used)"
EPISODE_TIME = "the episode's 1 minute is over"
TOO_SLOW = "ProviderError: gave up after 6 attempts in 12.5 s: host did not answer within 5 s"
AGAIN = "the same command plays them again"


@pytest.mark.parametrize(
    "runs, expected",
    [
        ([failing("down")], "the same command plays it again"),
        ([failing("down", "down")], AGAIN),
        (
            [failing(EPISODE_TOKENS, EPISODE_TOKENS, status=Status.BUDGET)],
            "to play them, give the command again with a higher --episode-tokens",
        ),
        (
            [failing(EPISODE_TIME, status=Status.BUDGET), failing(TOO_SLOW)],
            "to play them, give the command again with a higher --episode-minutes and with a higher --timeout",
        ),
        (
            [failing(TOO_SLOW, "down", "down")],
            f"{AGAIN}, but 1 would end as before: give it with a higher --timeout",
        ),
        (
            [failing("KeyError: 1", status=Status.ENV_ERROR)],
            "to play it, give the command again when what raised the error is mended",
        ),
        (
            [failing("ProviderError: --max-tokens 2048 leaves no room for a prompt: host answered 400: too long")],
            "to play it, give the command again with a lower --max-tokens",
        ),
    ],
)
def test_again__names_what_has_to_change_first(runs: list[Summary], expected: str) -> None:
    assert how_to_play_again(runs) == expected


@pytest.mark.parametrize(
    "limits, option",
    [
        (RunLimits(episode_tokens=35), "--episode-tokens"),
        (RunLimits(episode_minutes=1e-9), "--episode-minutes"),
    ],
)
def test_again__reads_the_words_that_a_run_writes(
    limits: RunLimits, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Completion(reply=Reply(text="ACTION: look"), usage=Usage(calls=1, input_tokens=10))
    ask(monkeypatch, by_turn([answer]))
    assert run_command("ep1", [LLM], limits=limits, runs=tmp_path) == 3
    assert f"to play it, give the command again with a higher {option}\n" in capsys.readouterr().err


def test_again__a_timeout_of_a_call_is_one_of_them() -> None:
    async def main(port: int) -> str:
        options = ModelOptions(base_url=f"http://127.0.0.1:{port}/v1", timeout_s=0.05, retries=0)
        model = make_model("vllm/m", options)
        with pytest.raises(ProviderError) as raised:
            await model.complete([Message(role="user", content="x")], limits=options.limits)
        await model.close()
        return str(raised.value)

    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and says nothing
        fault = asyncio.run(main(silent.getsockname()[1]))
    assert how_to_play_again([failing(f"ProviderError: {fault}")]).endswith("with a higher --timeout")
