"""The closed grammar of urgency."""

from __future__ import annotations

import re

import pytest

from conflictbench.envs.visual.urgency import Step, UrgencyError, parse_urgency


@pytest.mark.parametrize(
    "source, steps",
    [
        ("step(smoke,[.5,.7,.9])", [Step("smoke", (0.5, 0.7, 0.9))]),
        (" max( step( a , [ 0.1 ] ) , step(turn,[1]) ) ", [Step("a", (0.1,)), Step("turn", (1.0,))]),
        ("max(step(a,[.1]), max(step(b,[.2])))", [Step("a", (0.1,)), Step("b", (0.2,))]),
    ],
)  # fmt: skip
def test_urgency__is_steps_and_their_greatest(source: str, steps: list[Step]) -> None:
    assert list(parse_urgency(source).steps) == steps


@pytest.mark.parametrize(
    "source, message",
    [
        ("", "max or step is wanted, not the end"),
        ("smoke", "max or step is wanted, not 'smoke'"),
        ("step(smoke)", ", is wanted, not ')'"),
        ("step(smoke, .5)", "[ is wanted, not '.5'"),
        ("step([.5], smoke)", "a variable is wanted, not '['"),
        ("step(smoke,[])", "a number is wanted, not ']'"),
        ("step(smoke,[.1,.2,.3,.4])", "4 thresholds, at most 3"),
        ("step(smoke,[.5,.5])", "must rise"),
        ("step(smoke,[.7,.5])", "must rise"),
        ("step(smoke,[0])", "above 0 and at most 1"),
        ("step(smoke,[1.1])", "above 0 and at most 1"),
        ("step(smoke,[-.5])", "above 0 and at most 1"),
        ("step(smoke,[.5]) + 1", "cannot be read from '+ 1' on"),
        ("step(smoke,[.5]) step(a,[.5])", "'step' after the end"),
        ("max(step(smoke,[.5])", ", or ) is wanted, not the end"),
        ("min(step(smoke,[.5]))", "max or step is wanted, not 'min'"),
        ("max(max(max(max(step(a,[.5])))))", "max within max within max"),
        ("__import__('os')", "cannot be read"),
        ("step(smoke,[nan])", "a number is wanted, not 'nan'"),
        ("step(smoke,[1e9])", ", or ] is wanted, not 'e9'"),
    ],
)
def test_urgency__anything_else_is_refused_with_the_grammar(source: str, message: str) -> None:
    with pytest.raises(UrgencyError, match=re.escape(message)):
        parse_urgency(source)


def test_level__counts_the_thresholds_reached_and_takes_the_greatest() -> None:
    urgency = parse_urgency("max(step(a,[.2,.5,.9]), step(turn,[.5]))")
    cases = [((0.1, 0.0), 0), ((0.2, 0.0), 1), ((0.6, 0.5), 2), ((0.0, 1.0), 1), ((1.0, 1.0), 3)]
    for (a, turn), level in cases:
        assert urgency.level({"a": a, "turn": turn}.__getitem__) == level


def test_level__of_an_unknown_variable_is_0() -> None:
    assert parse_urgency("step(a,[.2])").level(lambda name: None) == 0


def test_level__long_nonsense_is_refused_quickly() -> None:
    with pytest.raises(UrgencyError):
        parse_urgency("max(" * 100)
