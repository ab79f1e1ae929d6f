"""Messages: 80 columns in a terminal, one line in a pipe."""

from __future__ import annotations

import io

import pytest

from conflictbench.saying import WIDTH, fitted, say

LONG = "Error: " + "a word " * 40 + "then /a/path/" + "that-is-long/" * 8 + "of-a-run and --an-option"


class Terminal(io.StringIO):
    """A stream that a person is looking at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_say__in_a_pipe_is_one_line() -> None:
    stream = io.StringIO()
    say(LONG, stream)
    assert stream.getvalue() == f"{LONG}\n"


def test_say__in_a_terminal_is_80_columns_however_wide_it_is() -> None:
    stream = Terminal()
    say(LONG, stream)
    lines = stream.getvalue().splitlines()
    path = "/a/path/" + "that-is-long/" * 8 + "of-a-run"  # is not broken: it may be copied
    assert [line for line in lines if len(line) > WIDTH] == [f"  {path}"]
    assert " ".join(" ".join(lines).split()) == LONG
    assert all(line.startswith("  ") for line in lines[1:])


def test_say__in_a_narrow_terminal_is_as_wide_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, fitted("stopped: " + "word " * 30, Terminal()).splitlines())) <= 40


def test_say__keeps_the_lines_of_a_message() -> None:
    assert fitted("a.yaml: error\nb.yaml: error", Terminal()) == "a.yaml: error\nb.yaml: error"


def test_say__goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    say("stopped: no key")
    assert capsys.readouterr() == ("", "stopped: no key\n")
