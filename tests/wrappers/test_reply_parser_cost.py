"""What reading a hostile reply costs: bounded questions to the command book, and work in line with its length."""

from __future__ import annotations

import pytest
from tests.wrappers.small_book import SmallBook

from conflictbench.types import Reply, ToolCall, Verdict
from conflictbench.wrappers.text_actions import ReplyParser

ACTION, UNKNOWN, UNPARSED = Verdict.ACTION, Verdict.UNKNOWN, Verdict.UNPARSED
REFUSED, CUT_OFF = Verdict.REFUSED, Verdict.CUT_OFF

MEGABYTE = 1_000_000
HUGE = [
    "ACTION:",
    "ACTION: ",
    "ACTION: seal door, ",
    "ACTION:\n",
    "ACTION: a b c d e f\n",
    "x. ACTION:",
    "<think>",
    "</think>",
    "<think></think>",
    "<action>",
    "<action>x</action>",
    "{",
    "{}",
    '{"',
    '{"action":',
    '{"a":{',
    '{"action":"vent bay"}',
    "{ ",
    "1",
    "1. ",
    "* ",
    "*",
    " ",
    "\n",
    "\x1b[",
    "\x1b]",
    "<|",
    "I can't ",
    "I'm sorry ",
    "as an AI ",
    "THINK: a\n",
    "a",
    "the ",
    "\u0301\u0316",
    "\udc80",
    "```\n",
]


@pytest.mark.parametrize("unit", HUGE, ids=repr)
def test_parse__a_megabyte_asks_the_book_a_bounded_number_of_times(unit: str) -> None:
    book = SmallBook()
    text = unit * (MEGABYTE // len(unit))
    parsed = ReplyParser(book).parse(text)
    assert parsed.verdict in (UNPARSED, REFUSED, CUT_OFF, UNKNOWN, ACTION)
    # A value is at most 400 characters, so 200 words; six windows start at each, and parts are fewer than words.
    assert book.asked <= 200 * (6 + 1)


MANY_LINES = {
    "one command": (["ACTION: seal door"], ACTION),
    "one command, marked up": ([f"ACTION: {'*' * stars}seal door{'*' * stars}" for stars in range(10)], ACTION),
    "one command, in 40 spellings": ([f"ACTION: {'the ' * articles}seal door" for articles in range(40)], UNPARSED),
    "one unknown command": (["ACTION: open pod bay"], UNKNOWN),
    "one unknown command, marked up": ([f"ACTION: {'_' * signs}Open pod bay" for signs in range(10)], UNKNOWN),
    "many unknown commands": ([f"ACTION: open pod bay {number}" for number in range(40)], UNPARSED),
    "many sentences": ([f"ACTION: open pod bay {number} and see what comes of it" for number in range(40)], UNPARSED),
}


@pytest.mark.parametrize("lines, verdict", MANY_LINES.values(), ids=MANY_LINES)
def test_parse__thousands_of_action_lines_ask_the_book_no_more_than_forty_do(
    lines: list[str], verdict: Verdict
) -> None:
    asked = []
    for count in (40, 4_000):
        book = SmallBook()
        assert ReplyParser(book).parse("\n".join((lines * count)[:count])).verdict is verdict
        asked.append(book.asked)
    assert asked[0] == asked[1] <= 16 * 30  # 16 spellings; of one with three words, its windows and parts


@pytest.mark.parametrize("unit", HUGE, ids=repr)
def test_parse__a_megabyte_as_tool_arguments_is_read_once(unit: str) -> None:
    call = ToolCall(name="act", arguments=unit * (MEGABYTE // len(unit)))
    parsed = ReplyParser(SmallBook()).parse(Reply(tool_calls=(call,), finish_reason="tool_calls"))
    assert parsed.verdict in (UNPARSED, ACTION)
    assert parsed.malformed == 1


def test_parse__ten_times_the_reply_takes_ten_times_the_work() -> None:
    """Counts executed lines of the parser's own code; a quadratic pass in it would multiply them by a hundred."""
    import sys

    def lines_run(text: str) -> int:
        count = 0

        def trace(frame: object, event: str, argument: object) -> object:
            nonlocal count
            count += event == "line"
            return trace

        parser = ReplyParser(SmallBook())
        before = sys.gettrace()
        sys.settrace(trace)  # type: ignore[arg-type]
        try:
            parser.parse(text)
        finally:
            sys.settrace(before)
        return count

    for unit in ("ACTION: seal door\n", "THINK: a\n", "prose\n", "<think>a</think>", '{"a": 1}\n'):
        assert lines_run(unit * 1_000) <= 11 * lines_run(unit * 100)
