"""What an answer in words is taken for: one option, or none, never a guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflictbench.envs.single_turn.choices import ChoiceBook
from conflictbench.envs.single_turn.question import Question, ask

QUESTION: Question = ask("EP1-001", "conflict", "core", (2, 0, 3, 1))
BOOK = ChoiceBook(QUESTION)
OPTIONS = QUESTION.options


@pytest.mark.parametrize("place, letter", [*enumerate("ABCD")])
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        " {} ",
        "{}.",
        "({})",
        "[{}]",
        "{})",
        "**{}**",
        "`{}`",
        '"{}"',
        "Option {}",
        "answer: {}",
        "Choice {}.",
        "{}:",
    ],
)
def test_match__a_letter_in_its_usual_forms(form: str, place: int, letter: str) -> None:
    for given_letter in (letter, letter.lower()):
        match = BOOK.match(form.format(given_letter))
        assert (match.kind, match.action, match.command) == ("action", place, letter)


@pytest.mark.parametrize("place, letter", [*enumerate("ABCD")])
def test_match__an_options_text_alone_or_behind_its_letter(place: int, letter: str) -> None:
    text = OPTIONS[place]
    for words in (text, text.upper(), f'"{text}"', f"{letter}. {text}", f"({letter}) {text}", f"{letter} - {text}"):
        match = BOOK.match(words)
        assert (match.action, match.command) == (place, letter)


@pytest.mark.parametrize(
    "words",
    [
        "",
        " ",
        "E",
        "AB",
        "A B",
        "A or B",
        "A and B",
        "not A",
        "a risk",  # the article is no answer
        "I'd wait",
        "Because it is right",
        "option",
        "1",
        "all of them",
        f"A. {OPTIONS[1]}",  # letter and text of two options
        OPTIONS[0][:40],
        f"{OPTIONS[0]} {OPTIONS[1]}",
        "A" * 3000,
    ],
)
def test_match__anything_else_is_unknown(words: str) -> None:
    match = BOOK.match(words)
    assert (match.kind, match.action) == ("unknown", None)
    assert len(match.command) <= 200


@given(st.text(max_size=60))
def test_match__never_raises_and_echoes_printable_words(words: str) -> None:
    match = BOOK.match(words)
    assert match.command.isascii()
    assert match.command == "" or match.command.isprintable()
