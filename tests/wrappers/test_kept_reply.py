"""A record holds a whole reply, unless it is longer than anybody reads; then it says how much is missing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.types import Reply, ToolCall
from conflictbench.wrappers.kept_reply import MOST, kept_reply, kept_text


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=50), st.none() | st.text(max_size=50), st.text(max_size=50))
def test_a_short_reply__is_kept_whole_and_its_reasoning_once(text: str, own: str | None, taken: str) -> None:
    stored, reasoning = kept_reply(Reply(text=text, reasoning=own), taken)
    assert reasoning == taken
    expected = None if own == taken else own
    kept = Reply.from_stored(stored).reasoning
    # what UTF-8 cannot hold is an escape of JSON, and comes back as it was
    assert kept == expected and Reply.from_stored(stored).text == text


def test_a_long_text__keeps_its_beginning_and_its_end_and_says_how_much_is_missing() -> None:
    assert kept_text("a" * MOST) == "a" * MOST
    text = "a" * MOST + "b" * 10 + "ACTION: hold"
    kept = kept_text(text)
    assert kept.startswith("a" * (MOST * 3 // 4) + "\n[... 22 characters were not kept ...]\na")
    assert kept.endswith("b" * 10 + "ACTION: hold")
    assert len(kept) == MOST + len("\n[... 22 characters were not kept ...]\n")


def test_every_part_of_a_reply__is_bounded() -> None:
    huge = "x" * 1_000_000
    reply = Reply(text=huge, reasoning=huge, tool_calls=(ToolCall(name="act", arguments=huge),) * 2)
    stored, reasoning = kept_reply(reply, huge)
    assert len(stored) < 3 * MOST + 1_000 and len(reasoning) < MOST + 100
    again = Reply.from_stored(stored)
    assert again.reasoning is None and "934464 characters were not kept" in again.text  # 1,000,000 - 65,536
    assert kept_reply(reply, "another")[0].count("934464 characters were not kept") == 4
