"""Text that would act on a terminal or a page is spelled out instead."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.benchmarks.report.visible import visible


@pytest.mark.parametrize(
    "text, shown",
    [
        ("plain words, 100 %", "plain words, 100 %"),
        ("Zo\u00eb \u2014 \u6c34", "Zo\u00eb \u2014 \u6c34"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2028b", "a\\u2028b"),
        ("a\U000e0041b", "a\\U000e0041b"),  # a "tag" character, invisible everywhere
        ("a\ud800b", "a\\ud800b"),
        ("a\r\nb\tc", "a\\x0d\\x0ab\\x09c"),
    ],
)
def test_visible__spells_out_what_cannot_be_seen(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_visible__keeps_what_it_is_told_to_keep() -> None:
    assert visible("a\nb\x07", keep="\n") == "a\nb\\x07"


@settings(deadline=None, derandomize=True)
@given(st.text())
def test_visible__leaves_no_unseen_character(text: str) -> None:
    assert not {unicodedata.category(character) for character in visible(text)} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
