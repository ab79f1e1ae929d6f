"""Matching: exact after ignoring what does not matter, never a guess."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scenario_specs.small import by_id, small, small_data

from conflictbench.errors import SpecError
from conflictbench.scenario_specs import CommandBook, Match, Scenario, normalise
from conflictbench.scenario_specs.commands import MAX_ECHO, MAX_INPUT, free_commands, printable

BOOK = CommandBook(small().spec)
START_PUMP = Match(kind="action", command="start pump", action=3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seal door", "seal door"),
        ("  Seal   the DOOR.  ", "seal door"),
        ('"seal door"', "seal door"),
        ("\u201cseal door.\u201d", "seal door"),
        ("`seal door`", "seal door"),
        ("**seal door**!", "seal door"),
        ("_seal door_", "seal door"),
        ("# Seal a door", "seal door"),
        ("> seal door", "seal door"),
        ("seal\ndoor\r\n", "seal door"),
        ("seal\x00door", "seal door"),
        ("seal\u00a0door\u200b", "seal door"),
        ("seal door\u2026", "seal door"),
        ("\uff33\uff45\uff41\uff4c door", "seal door"),  # fullwidth letters
        ("seal door ?!.", "seal door"),
        ("seal door, the.", "seal door"),
        ("set v2.5 limiter", "set v2.5 limiter"),
        ("set v2.5 limiter.", "set v2.5 limiter"),
        ("the an a", ""),
        ("...", ""),
        ("", ""),
        ("seal_door", "seal_door"),
        ("seal-door", "seal-door"),
        ("seal door, then vent bay", "seal door, then vent bay"),
        ("theatre and another", "theatre and another"),
    ],
)
def test_normalise__ignores_what_the_format_says(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text(max_size=60))
@settings(deadline=None, derandomize=True)
def test_normalise__twice_is_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


_NOISE = st.text(alphabet=" \t\n*`\"'\u201c#", max_size=4)


@given(
    st.sampled_from(["start", "pump"]), _NOISE, _NOISE, st.sampled_from(["", ".", "!", " ...", "?\n"]), st.booleans()
)
@settings(deadline=None, derandomize=True)
def test_match__noise_round_a_command_changes_nothing(
    word: str, before: str, after: str, end: str, upper: bool
) -> None:
    command = "start the pump" if word == "start" else "start pump"
    text = f"{before}{command.upper() if upper else command}{after}{end}"
    assert BOOK.match(text) == START_PUMP


@given(st.text(max_size=80))
@settings(deadline=None, derandomize=True)
def test_match__anything_else_is_unknown_and_printable(text: str) -> None:
    match = BOOK.match(text)
    if match.kind == "unknown":
        assert (match.action, match.item) == (None, None)
        assert all(" " <= character <= "~" for character in match.command)
        assert len(match.command) <= MAX_ECHO
    else:
        assert normalise(text) in {normalise(match.command), "open field valve", "call hill clinic"} | {
            f"{word} {item}" for word in ("x", "examine") for item in ("gauge", "tank_gauge")
        }


def test_match__a_synonym_is_the_action_under_its_own_command() -> None:
    assert BOOK.match("Call the hill clinic.") == Match(kind="action", command="ring hill clinic", action=0)


@pytest.mark.parametrize("text", ["x gauge", "Examine the gauge.", "examine tank_gauge", "X TANK_GAUGE"])
def test_match__items_go_by_name_or_id(text: str) -> None:
    assert BOOK.match(text) == Match(kind="examine", command="examine gauge", item="tank_gauge")


@pytest.mark.parametrize("word", ["look", "help", "status"])
def test_match__free_commands(word: str) -> None:
    match = BOOK.match(f"{word.title()}!")
    assert (match.kind, match.command, match.action) == (word, word, None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "the",
        "start",
        "pump",
        "start pump now",
        "please start pump",
        "start pump, then drain tank",
        "start pump and drain tank",
        "start pump\ndrain tank",
        "start pump start pump",
        "examine",
        "examine tank",
        "x",
        "l",
        "undo",
        "again",
        "action: start pump",
        "3",
        "start_pump",
        "starts pump",
        "st\u0430rt pump",  # a Cyrillic letter
    ],
)
def test_match__never_guesses(text: str) -> None:
    match = BOOK.match(text)
    assert match.kind == "unknown"
    assert match.action is None


def test_match__a_command_in_a_megabyte_of_blanks_is_found_and_in_words_is_not() -> None:
    megabyte = 1_000_000
    assert BOOK.match(" " * megabyte + "start pump" + "\n" * megabyte) == START_PUMP
    padded = BOOK.match("start pump" + " " * MAX_INPUT + "and drain tank")
    assert padded.kind == "unknown"
    huge = BOOK.match("a. " * megabyte)
    assert (huge.kind, len(huge.command)) == ("unknown", MAX_ECHO)


def test_match__unknown_words_are_escaped_and_cut() -> None:
    assert BOOK.match("open \u00e9\n\x1b[31m pod").command == "open \\xe9\\n\\x1b[31m pod"
    assert BOOK.match("\ud800 pod").command == "\\ud800 pod"
    assert BOOK.match("\U0001f525" * 500).command == ("\\U0001f525" * 20)


def test_printable__keeps_ascii_as_it_is() -> None:
    assert printable('C:\\pods "open" [1]') == 'C:\\pods "open" [1]'
    assert printable("x" * 300, limit=3) == "xxx"


def test_free_commands__are_listed_with_the_items() -> None:
    assert free_commands(small().spec) == ("look", "help", "status", "examine gauge")


def test_book__words_that_mean_two_things_are_refused() -> None:
    data = small_data()
    by_id(data, "actions", "drain_tank")["also"] = ["start pump"]
    with pytest.raises(SpecError, match="'start pump' means 'drain tank' and 'start pump'"):
        CommandBook(Scenario.model_validate(data))
