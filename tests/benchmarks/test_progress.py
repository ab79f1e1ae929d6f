"""Progress lines, by a clock the test turns."""

from __future__ import annotations

import io
import re

import pytest

from conflictbench.benchmarks.progress import BarProgress, PlainProgress, duration, make_progress


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_plain__says_nothing_in_the_first_two_seconds() -> None:
    stream, clock = io.StringIO(), Clock()
    with PlainProgress("quick random", 10, 0, stream, clock) as progress:
        for _ in range(10):
            clock.now += 0.19
            progress.advance()
    assert stream.getvalue() == ""


def test_plain__then_a_line_every_five_seconds_with_rate_and_time_left() -> None:
    stream, clock = io.StringIO(), Clock()
    with PlainProgress("quick random", 100, 40, stream, clock) as progress:
        for _ in range(16):
            clock.now += 0.5
            progress.advance()
    # 2.0 s: 4 played, 2/s, 56 left: 28 s; 7.0 s: 14 played, 46 left: 23 s; the end, at 8.0 s: 16 played, 44 left: 22 s
    assert stream.getvalue().splitlines() == [
        "quick random: 44/100 episodes, 2.0/s, 0:28 left",
        "quick random: 54/100 episodes, 2.0/s, 0:23 left",
        "quick random: 56/100 episodes, 2.0/s, 0:22 left",
    ]


def test_plain__a_long_first_episode_is_not_silent() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = PlainProgress("quick slow", 3, 0, stream, clock)
    clock.now += 3
    progress.tick()
    assert stream.getvalue() == "quick slow: 0/3 episodes\n"  # no rate of nothing


def test_plain__says_what_else_there_is_to_say() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = PlainProgress("quick llm", 10, 0, stream, clock, extra=lambda: "1,234 tokens, $0.0100")
    clock.now += 2
    progress.advance(4)
    progress.say("note: the model changed")
    assert stream.getvalue().splitlines() == [
        "quick llm: 4/10 episodes, 2.0/s, 0:03 left, 1,234 tokens, $0.0100",
        "note: the model changed",
    ]


@pytest.mark.parametrize("seconds, text", [(0.4, "0:00"), (7, "0:07"), (750, "12:30"), (10805, "3:00:05")])
def test_duration__is_written_as_a_clock(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_make_progress__is_a_bar_on_a_terminal_and_lines_elsewhere() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert isinstance(make_progress("quick random", 3, 0, io.StringIO()), PlainProgress)
    stream = Terminal()
    with make_progress("quick [random]", 3, 1, stream, extra=lambda: "[9 tokens]") as bar:
        assert isinstance(bar, BarProgress)
        bar.advance()
        bar.tick()
        bar.say("note: [changed]")
    assert "quick [random]" in stream.getvalue()
    assert "2/3" in stream.getvalue()
    assert "[9 tokens]" in stream.getvalue()
    assert "note: [changed]" in stream.getvalue()


def test_bar__in_80_columns_the_name_gives_way_to_the_count_and_the_last_words() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    name, words = "ep llm:openai/a-model-with-a-long-name", "1,234 calls, 3,434,120 tokens, $12.0123"
    bar = BarProgress(name, 1260, 3, stream, lambda: words)
    console = bar._bar.console
    console._force_terminal, console.size = True, (80, 25)
    with bar:
        bar.advance()
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).replace("\r", "\n").splitlines()
    shown = next(line for line in reversed(last) if "1260" in line)
    assert len(shown) <= 80
    assert "4/1260" in shown
    assert words in shown
    assert shown.startswith("ep llm")


def test_make__where_a_person_plays_says_only_what_must_be_said() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    with make_progress("quick human", 3, 0, stream, interactive=True) as progress:
        progress.advance()
        progress.tick()
        progress.say("the model changed")
    assert stream.getvalue() == "the model changed\n"
