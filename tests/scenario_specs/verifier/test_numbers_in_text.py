"""Numbers in prose."""

from __future__ import annotations

import pytest

from conflictbench.scenario_specs.verifier.finality import sounds_final
from conflictbench.scenario_specs.verifier.numbers_in_text import numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("fails at 110 C", {110}),
        ("48 percent smoke or less, 50 MW.", {48, 50}),
        ("forty-eight of them", {48}),
        ("Forty eight of them", {48}),
        ("forty, eight", {48}),  # words do not carry commas: accepted as a name of the number
        ("the third of seven", {3, 7}),
        ("the twenty-first and the twelfth", {21, 12}),
        ("a hundred and ten degrees", {110}),
        ("one hundred twenty", {120}),
        ("the hundredth time", {100}),
        ("a thousand", set()),
        ("1,200 people and 3rd place", {1200, 3}),
        ("kilometre 2.4, at 22:41", set()),
        ("O2 and v2", set()),
        ("the eightieth, the ninth, the fifth", {80, 9, 5}),
        ("twelve", {12}),
        ("often tenfold", set()),
    ],
)
def test_numbers_in__finds_digits_words_and_ordinals(text: str, numbers: set[int]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "the raw readings cannot be had back",
        "it does not reopen tonight",
        "only the brigade will reopen it",
        "no logger can any longer show what the old ones were",
        "The seal is never lifted.",
        "it will not be opened again before morning",
        "gone for good",
        "there is no way back",
        "It can't be undone.",
        "nobody starts it again",
    ],
)
def test_sounds_final__knows_phrases_of_finality(text: str) -> None:
    assert sounds_final(text)


@pytest.mark.parametrize(
    "text",
    [
        "turns the duct to the shelter",
        "The lamp is not lit. Try again.",  # not and again, but in two sentences
        "opens the valve again",
        "the finale of the show",
        "back to the yard",
    ],
)
def test_sounds_final__hears_nothing_final_elsewhere(text: str) -> None:
    assert not sounds_final(text)
