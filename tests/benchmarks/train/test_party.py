"""One chair trained against a bot, and let meet others by `conflictbench crossplay`."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conflictbench.benchmarks.crossplay.directory import load_plays
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.progress import make_progress
from conflictbench.benchmarks.train.curve import read_curve
from conflictbench.benchmarks.train.party import plan_party, train_party
from conflictbench.cli import app
from conflictbench.errors import InvalidValue, RunError, RunMismatch, UnknownName
from conflictbench.types import Status

TINY = {"n_steps": 16, "batch_size": 64, "n_epochs": 1}
QUICK = {"n_steps": 32, "batch_size": 128, "n_epochs": 6, "learning_rate": 0.003, "gamma": 1.0, "ent_coef": 0.01}


@pytest.mark.parametrize("algo", ["maskable-ppo", "ppo"])
def test_policy__plays_its_chair_in_cross_play_and_no_other(algo: str, tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    training = plan_party("EP2-002", "incumbent", "persist", algo=algo, steps=256)
    policy = train_party(training, tmp_path / "policy", settings=TINY)
    assert policy is not None
    card = json.loads(policy.with_suffix(".json").read_text())
    assert card["env_kwargs"] == {"scenario": "EP2-002", "role": "incumbent", "against": "persist"}
    assert card["steps"] >= 256
    name = f"sb3:{policy}"
    result = run_crossplay([name, "persist", "random"], scenarios=["EP2-002"], out=tmp_path / "out")
    assert result.found.incumbents == (name, "random")
    records = load_plays(tmp_path / "out")
    assert [record.status for record in records] == [Status.COMPLETED] * 4  # two requesters, two first movers
    if algo == "maskable-ppo":  # with masks it never chooses what is not possible
        assert all(phase.incumbent.event in ("held", "done", "bumped") for r in records for phase in r.phases)


def test_policy__learns_what_its_chair_is_paid_for(tmp_path: Path) -> None:
    """Whoever lends the main is left with 0.3 by `grab`, and random play has less; kept whole, the batch is worth 1."""
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    training = plan_party("EP2-002", "incumbent", "grab", steps=2_560)
    policy = train_party(training, tmp_path / "policy", settings=QUICK)
    found = run_crossplay([f"sb3:{policy}", "random", "grab"], scenarios=["EP2-002"], out=tmp_path / "out").found
    learnt, random = found.cell("sacrifice", f"sb3:{policy}", "grab"), found.cell("sacrifice", "random", "grab")
    assert learnt is not None and random is not None
    assert learnt.payoff[0].value is not None and random.payoff[0].value is not None
    assert random.payoff[0].value < 0.3
    assert learnt.payoff[0].value > 0.3


def test_command__then_again_then_the_one_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    monkeypatch.chdir(tmp_path)
    words = ["train", "--two-party", "ep2-001", "--role", "requester", "--against", "keep", "--steps", "300"]
    first = CliRunner().invoke(app, words)
    assert first.exit_code == 0, first.stderr
    assert "Best actions of the requester against keep (2 games, every start):" in first.stdout
    curve = read_curve(next(tmp_path.glob("runs/*/curve.csv")))
    assert curve and sum(row.episodes for row in curve) * 6 <= curve[-1].steps
    assert CliRunner().invoke(app, words).stdout == first.stdout
    [command] = re.findall(r"^  conflictbench (crossplay .+)$", first.stdout, flags=re.MULTILINE)
    evaluated = CliRunner().invoke(app, command.split())
    assert evaluated.exit_code == 0, evaluated.stderr
    assert "sb3-1 = sb3:runs/party-EP2-001-requester-keep-" in evaluated.stdout


def finished(out: Path, **changes: object) -> Path:
    """A training of 300 steps that is over, with a policy nobody reads; `changes` to what it says it is."""
    training = plan_party("EP2-002", "incumbent", "persist", steps=300)
    identity = training.identity(TINY).model_dump(mode="json") | changes
    out.mkdir()
    (out / "training.json").write_text(json.dumps(identity))
    (out / "policy.zip").write_bytes(b"x")
    (out / "policy.json").write_text(json.dumps({"algo": "maskable-ppo"}))
    return out


def test_a_finished_training__of_the_same_command_is_left_as_it_is(tmp_path: Path) -> None:
    out = finished(tmp_path / "out")
    training = plan_party("EP2-002", "incumbent", "persist", steps=300)
    assert train_party(training, out, settings=TINY) == out / "policy.zip"
    assert (out / "policy.zip").read_bytes() == b"x"


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"steps": 200}, "steps 200 -> 300"),
        ({"settings": {**TINY, "n_epochs": 9}}, "settings: n_epochs 9 -> 1"),
        ({"scenarios": {"EP2-002": "other"}}, 'scenarios: EP2-002 "other" -> "'),
        ({"seed": 7}, "seed 7 -> 0"),
        (
            {"env_kwargs": {"scenario": "EP2-002", "role": "requester", "against": "persist"}},
            'env_kwargs: role "requester" -> "incumbent"',
        ),
    ],
)
def test_another_training__in_the_same_directory_is_refused_with_what_differs(
    changes: dict[str, object], told: str, tmp_path: Path
) -> None:
    out = finished(tmp_path / "out", **changes)
    training = plan_party("EP2-002", "incumbent", "persist", steps=300)
    with pytest.raises(RunMismatch, match="holds another training: ") as caught:
        train_party(training, out, settings=TINY)
    assert told in str(caught.value)
    assert (out / "policy.zip").read_bytes() == b"x"


@pytest.mark.parametrize("name", ["letters.txt", "policy.zip"])
def test_another_thing__in_the_directory_is_refused_and_left_as_it_is(name: str, tmp_path: Path) -> None:
    """Also a policy without a word of what it is: it is not ours to write over."""
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    (tmp_path / name).write_text("mine")
    with pytest.raises(RunError, match=f"not a training \\({name} is in it\\); name another --out"):
        train_party(plan_party("EP2-002", "incumbent", "persist", steps=300), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]  # not even a lock
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal__has_its_exit_code_and_leaves_no_policy(
    number: signal.Signals, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")

    def telling(*arguments: Any, **options: Any) -> Any:
        signal.raise_signal(number)  # the training is about to begin
        return make_progress(*arguments, **options)

    monkeypatch.setattr("conflictbench.benchmarks.train.party.make_progress", telling)
    words = ["train", "--two-party", "EP2-001", "--role", "requester", "--against", "keep", "--steps", "300"]
    result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert (result.exit_code, "nothing of it is kept" in result.stderr) == (code, True)
    assert not list(tmp_path.rglob("policy*"))


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        (("EP1-001", "incumbent", "persist"), UnknownName, "unknown scenario with two parties 'EP1-001'"),
        (("EP2-001", "judge", "persist"), UnknownName, "unknown role 'judge'; known: incumbent, requester"),
        (("EP2-001", "incumbent", "keep"), UnknownName, "unknown bot of the requester 'keep'; known: fair, persist"),
    ],
)
def test_plan__names_what_is_wrong(arguments: tuple[str, str, str], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        plan_party(*arguments)


def test_plan__refuses_an_algorithm_and_steps_that_do_not_do() -> None:
    with pytest.raises(UnknownName, match="unknown algo of a party 'dqn'; known: maskable-ppo, ppo"):
        plan_party("EP2-001", "incumbent", "persist", algo="dqn")
    with pytest.raises(InvalidValue, match="steps 0 must be a whole number >= 1"):
        plan_party("EP2-001", "incumbent", "persist", steps=0)


@pytest.mark.parametrize(
    "words, told",
    [
        (["train"], "missing: a world to train on"),
        (["train", "--role", "incumbent"], "is for a two-party game: give --two-party ID"),
        (["train", "--two-party", "EP2-001"], "needs --role and --against too"),
        (
            ["train", "--two-party", "EP2-001", "--role", "incumbent", "--against", "fair", "--env", "x"],
            "goes without --env",
        ),
    ],
)
def test_command__says_which_options_go_together(words: list[str], told: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", " ").split())
