"""Episodes without a reply that could be used: told apart from the cap, and named with what helps."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.building import a_record
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import by_turn
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.unusable import why_unusable
from conflictbench.errors import ContextOverflow
from conflictbench.types import Reply, Status


def told(*statuses: Status) -> str:
    return why_unusable([summarise([a_record(seed=seed, status=status) for seed, status in enumerate(statuses)])])


def test_why__nothing_where_every_reply_was_read() -> None:
    assert told(Status.COMPLETED, Status.TRUNCATED, Status.PROVIDER_ERROR) == ""
    assert why_unusable([]) == ""


def test_why__counts_of_what_counts_with_what_helps() -> None:
    statuses = (Status.CUT_OFF, Status.CUT_OFF, Status.UNPARSED, Status.COMPLETED, Status.ENV_ERROR)
    assert told(*statuses) == (
        "3 of 4 episodes ended because no command could be read (2 cut off, 1 unparsed): raise --max-tokens; "
        "see `whole reply` in the report"
    )


@pytest.mark.parametrize(
    "answer, words",
    [
        (Reply(text="THINK: well", finish_reason="length"), "(3 cut off): raise --max-tokens"),
        (Reply(text="Hm."), "(3 unparsed): see `whole reply` in the report"),
        (Reply(text="I'm sorry, but I can't take part in this."), "(3 refused): the report has the words"),
        (
            ContextOverflow("full", calls=1),
            "(3 context overflow): the conversation needs a model with a longer context",
        ),
    ],
)
def test_run_command__names_it_in_its_last_line_and_the_table_has_it_apart_from_the_cap(
    answer: Reply | Exception,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask(monkeypatch, by_turn([answer]))
    assert run_command("quick", [LLM], runs=tmp_path) == 0
    printed = capsys.readouterr()
    last = printed.err.splitlines()[-1]
    assert "3 of 3 episodes ended because no command could be read" in last
    assert words in last
    row = next(line for line in printed.out.splitlines() if line.startswith("EP1     conflict"))
    assert row.split()[-2:] == ["0", "1"]  # of the cap, and of a reply that could not be used


def test_run_command__the_cap_is_no_fault_of_a_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, by_turn([Reply(text="ACTION: look")]))
    assert run_command("quick", [LLM], runs=tmp_path) == 0
    printed = capsys.readouterr()
    assert "could be read" not in printed.err
    row = next(line for line in printed.out.splitlines() if line.startswith("EP1     conflict"))
    assert row.split()[-2:] == ["1", "0"]
