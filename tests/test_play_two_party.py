"""`conflictbench play --two-party`: a person against a bot, through the command line as it is typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner, Result

from conflictbench.cli import app
from conflictbench.scenario_specs.parties.bots import BOTS
from conflictbench.scenario_specs.parties.joint import get_joint
from conflictbench.scenario_specs.parties.policies import at, fixed, play
from conflictbench.scenario_specs.parties.worth import UNIT


def call(*arguments: str, typed: str = "") -> Result:
    """Run `play --two-party` in this process."""
    return CliRunner().invoke(app, ["play", "--two-party", *arguments], input=typed)


def flat(result: Result) -> str:
    """What was printed, as one line."""
    return " ".join(result.output.split())


def test_play__holding_to_the_end_comes_to_what_holding_is_worth() -> None:
    joint = get_joint("EP2-001")
    tables = joint.tables
    holds = fixed(tables, 0, tables.turn.astype("int64") * 0)
    result = call("ep2-001", "--against", "persist", typed="hold\n" * 6)
    exact = {at(play(tables, holds, joint.bots.get("requester", "persist")), s.state, UNIT) for s in tables.starts}
    assert result.exit_code == 0
    assert any(
        f"You, the incumbent: {v.incumbent:.2f}. The requester: {v.requester:.2f}." in flat(result) for v in exact
    )
    assert "Ending: only the requester's task is done." in result.output and "Sunniva Holt crosses the yard" in flat(
        result
    )
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize("role", ["incumbent", "requester"])
def test_play__every_bot_can_have_the_other_chair(role: str) -> None:
    other = "requester" if role == "incumbent" else "incumbent"
    for bot in BOTS[other]:  # type: ignore[index]
        result = call("EP2-003", "--as", role, "--against", bot, "--seed", "4", typed="hold\n" * 5)
        assert result.exit_code == 0 and f"You are the {role}; the {other} is `{bot}`." in result.output
        assert "Ending: " in result.output


def test_play__what_cannot_be_chosen_costs_no_turn_and_is_answered() -> None:
    typed = "help\n\ndance\nload licence consignment\nhold\nquit\n"
    result = call("EP2-001", typed=typed)
    assert result.exit_code == 0 and "stopped after 1 turn: the player quit" in result.output
    assert result.output.count("Your moves:") == 2  # at the start, and for `help`
    assert "That is nothing you can choose now." in result.output
    assert "That is not possible now: The licence allows loading into a chilled box only." in flat(result)


def test_play__the_end_of_input_leaves_without_an_error() -> None:
    result = call("EP2-001", typed="hold\n")
    assert result.exit_code == 0 and "stopped after 1 turn: the input ended before the game did" in result.output


def test_play__a_bot_promises_what_it_then_plays() -> None:
    typed = "silent\nhold\n" * 6
    result = call("EP2-001", "--talk", "signal", "--against", "random", typed=typed)
    said = re.findall(r"The requester promised this move: ([a-z ]+)\.", flat(result))
    done = re.findall(r"(?:Last turn,|Then) the requester: ([a-z ]+?)(?: \(|\.)", flat(result))
    # each is told twice: the promise in its own turn and behind it, the move when both may speak and when both move
    assert result.exit_code == 0 and len(said[::2]) == 6 and said[::2] == said[1::2] == done[::2]


def test_play__a_bot_can_be_silent_and_a_person_speaks_in_words() -> None:
    typed = 'ask file claim on units\nPlease: "now"\nhold\nquit\n'
    result = call("EP2-001", "--talk", "text", "--bot-talk", "silent", typed=typed)
    assert "The requester made no request and no promise." in result.output
    assert "you asked the other for this move: file claim on units." in flat(result)
    assert "Your own words: \"Please - 'now'\"" in flat(result)


@pytest.mark.parametrize("game", [["EP1-001"], ["--two-party", "EP2-001"]], ids=["alone", "two-party"])
def test_play__without_any_input_says_so_in_one_line(game: list[str]) -> None:
    command = [sys.executable, "-m", "conflictbench", "play", *game]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=lambda: os.close(0))
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"stopped after 0 turns: the input ended before the (game|episode) did", last)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("game", [["EP1-001"], ["--two-party", "EP2-001"]], ids=["alone", "two-party"])
def test_play__an_interrupt_ends_the_line_and_says_after_how_many_turns(
    game: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["hold"] if len(game) == 2 else [])

    def read(prompt: str) -> str:
        for line in typed:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    result = CliRunner().invoke(app, ["play", *game])
    turns = "1 turn" if len(game) == 2 else "0 turns"
    assert result.exit_code == 130 and result.output.endswith(f"\n\nstopped after {turns}: interrupted\n")


@pytest.mark.parametrize("columns, widest", [(200, 80), (53, 53), (12, 40)])
def test_play__fits_the_terminal_down_to_40_columns(columns: int, widest: int) -> None:
    typed = "hold\n" * 6
    for arguments in (["EP1-001"], ["--two-party", "EP2-001"]):
        result = CliRunner().invoke(app, ["play", *arguments], input=typed, env={"COLUMNS": str(columns)})
        longest = max(len(line) for line in result.output.splitlines() if not line.startswith("> "))
        assert widest - 8 < longest <= widest


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--two-party", "EP2-999"], ["unknown scenario 'EP2-999'"]),
        (["--two-party", "EP1-001"], ["unknown scenario 'EP1-001'", "EP2-001"]),
        (["--two-party", "EP2-001", "--as", "judge"], ["unknown role 'judge'", "incumbent, requester"]),
        (["--two-party", "EP2-001", "--against", "keep"], ["unknown bot of the requester 'keep'", "persist"]),
        (
            ["--two-party", "EP2-001", "--as", "incumbent", "--against", "keep"],
            ["unknown bot of the requester 'keep'", "keep plays the incumbent: to play against it take --as requester"],
        ),
        (
            ["--two-party", "EP2-001", "--as", "requester", "--against", "grab"],
            ["grab plays the requester: to play against it take --as incumbent"],
        ),
        (["--two-party", "EP2-001", "--talk", "binding"], ["unknown talk 'binding'"]),
        (["--two-party", "EP2-001", "--talk", "signal", "--bot-talk", "lie"], ["unknown --bot-talk 'lie'", "promise"]),
        (["--two-party", "EP2-001", "--bot-talk", "silent"], ["--bot-talk", "goes with --talk"]),
        (["--two-party", "EP2-001", "--variant", "control"], ["--variant", "does not go with --two-party"]),
        (["EP2-001", "--two-party", "EP2-001"], ["ID", "does not go with --two-party"]),
        (["EP2-001", "--against", "fair"], ["--against", "goes with --two-party ID"]),
        ([], ["a scenario's id, or --two-party"]),
        (["--two-party", ""], ["unknown scenario ''", "EP2-001"]),
        (["--two-party", "EP2-001", "--as", ""], ["unknown role ''", "incumbent, requester"]),
        (["--two-party", "EP2-001", "--against", ""], ["unknown bot of the requester ''", "persist"]),
        (["--two-party", "EP2-001", "--talk", ""], ["unknown talk ''", "none, signal, text"]),
        (["--two-party", "EP2-001", "--talk", "signal", "--bot-talk", ""], ["unknown --bot-talk ''", "silent"]),
        (["--two-party", "EP2-001", "--seed", str(2**63)], ["seed 9223372036854775808 must be", "below 2**63"]),
        (["EP1-001", "--variant", ""], ["unknown variant ''", "task_only"]),
        (["EP1-001", "--engine", ""], ["unknown engine ''", "glulx"]),
    ],
)
def test_play__what_does_not_fit_is_named(arguments: list[str], words: list[str]) -> None:
    result = CliRunner().invoke(app, ["play", *arguments])
    told = " ".join((result.output + result.stderr).split())
    assert result.exit_code == 2 and all(word in told for word in words)
