"""Who may sit where, and what makes a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conflictbench.benchmarks.crossplay.plan import Conditions, games_called, identify, pairs_of
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.crossplay.seats import seats_called
from conflictbench.errors import AgentError, InvalidValue, RunError, UnknownName


def card(folder: Path, **env_kwargs: object) -> str:
    """A policy by its card alone."""
    (folder / "policy.zip").write_bytes(b"not looked into")
    (folder / "policy.json").write_text(json.dumps({"algo": "ppo", "env_kwargs": env_kwargs}))
    return f"sb3:{folder / 'policy.zip'}"


def test_seats__a_bot_takes_the_chairs_it_exists_in_and_others_both() -> None:
    roles = {seat.name: seat.roles for seat in seats_called(["block", "grab", "fair", "random", "llm:fake/look"])}
    both = ("incumbent", "requester")
    assert roles == {
        "block": ("incumbent",),
        "grab": ("requester",),
        "fair": both,
        "random": both,
        "llm:fake/look": both,
    }


def test_seats__a_policy_takes_the_chair_it_was_trained_in(tmp_path: Path) -> None:
    (seat, _) = seats_called([card(tmp_path, role="incumbent", scenario="EP2-002", against="persist"), "persist"])
    assert (seat.roles, seat.scenarios) == (("incumbent",), ("EP2-002",))
    assert seat.input_digest is not None


@pytest.mark.parametrize(
    "names, words",
    [
        ([], "no agent given; bots: keep, fair"),
        (["keep", "block"], r"nobody here plays the requester \(keep, block\): add one of fair, persist"),
        (["grab"], r"nobody here plays the incumbent \(grab\): add one of keep, fair"),
        (["fair", "llm:"], "a model is given as llm:PROVIDER/MODEL"),
    ],
)
def test_seats__what_cannot_be_a_table_is_told_with_who_could_sit_there(names: list[str], words: str) -> None:
    with pytest.raises(RunError, match=words):
        seats_called(names)


def test_seats__an_unknown_name_is_told_with_the_valid_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown party 'blok'; known: keep, fair, .*did you mean 'block'"):
        seats_called(["blok"])
    with pytest.raises(AgentError, match=r"no policy at nowhere\.zip"):
        seats_called(["sb3:nowhere.zip"])


def test_seats__one_policy_under_two_paths_is_one_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = card(tmp_path, role="incumbent", scenario="EP2-002")
    monkeypatch.chdir(tmp_path)
    assert [seat.name for seat in seats_called([first, "persist", "sb3:policy.zip", first])] == [first, "persist"]


@pytest.mark.parametrize(
    "options, words",
    [
        ({"conditions": Conditions(talk="text", seeds=3)}, "leave --talk text, --seeds 3 out"),
        ({"concurrency": 4}, "leave --concurrency 4 out"),
        ({"fresh": True}, "leave --fresh out"),
    ],
)
def test_bots_alone__take_no_options_of_plays(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RunError, match=f"bots alone are worked out, and nothing of theirs is played: {words}"):
        run_crossplay(["keep", "persist"], scenarios=["EP2-002"], **options)


def test_pairs__every_incumbent_meets_every_requester_itself_among_them() -> None:
    pairs = [(a.name, b.name) for a, b in pairs_of(seats_called(["keep", "fair", "grab"]), solo=False)]
    assert pairs == [("keep", "fair"), ("keep", "grab"), ("fair", "fair"), ("fair", "grab")]


def test_solo__a_model_meets_itself_alone_and_bots_are_worked_out_beside_it() -> None:
    seats = seats_called(["fair", "llm:fake/look", "llm:fake/silent"])
    pairs = [(a.name, b.name) for a, b in pairs_of(seats, solo=True)]
    assert pairs == [("fair", "fair"), ("llm:fake/look", "llm:fake/look"), ("llm:fake/silent", "llm:fake/silent")]
    with pytest.raises(RunError, match="--solo is for language models"):
        pairs_of(seats_called(["fair"]), solo=True)
    with pytest.raises(RunError, match="--solo goes without --talk text"):
        Conditions(talk="text", solo=True)


def test_conditions__bad_values_are_told_with_the_valid_ones() -> None:
    with pytest.raises(UnknownName, match="unknown talk 'loud'; known: none, signal, text"):
        Conditions(talk="loud")  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="seeds 0 must be a whole number >= 1"):
        Conditions(seeds=0)


def test_games__are_called_in_any_case_and_unknown_ones_are_told() -> None:
    assert [game.id for game in games_called(["ep2-004", "EP2-001", "EP2-004"])] == ["EP2-001", "EP2-004"]
    with pytest.raises(UnknownName, match="unknown scenario with two parties 'EP1-001'; known: EP2-001"):
        games_called(["EP1-001"])


def test_plays__are_every_start_of_every_game_and_copies_of_nothing(tmp_path: Path) -> None:
    """A model draws, so it plays every seed; a policy against a pure bot plays one, for the others would be copies."""
    policy = card(tmp_path, role="incumbent", scenario="EP2-005", against="persist")
    seats = seats_called([policy, "persist", "random", "llm:fake/look"])
    identity = identify(seats, games_called(["EP2-005"]), Conditions(seeds=3))
    count = {pair[:2]: pair[2] for pair in identity.pairs}
    assert count[policy, "persist"] == 1
    assert count[policy, "random"] == 3
    assert count["llm:fake/look", "persist"] == 3
    plays = list(identity.plays())
    assert len(plays) == len(set(plays)) == 4 * sum(count.values())  # 2 first movers, 2 types
    assert ("random", "random") not in count and ("random", "persist") not in count  # worked out


def test_policies__meet_only_in_the_games_they_were_trained_on(tmp_path: Path) -> None:
    policy = card(tmp_path, role="incumbent", scenario="EP2-002", against="persist")
    with pytest.raises(RunError, match=r"was trained on EP2-002 and not on EP2-001; give --scenario EP2-002"):
        identify(seats_called([policy, "persist"]), games_called(["EP2-001"]), Conditions())
    with pytest.raises(RunError, match="a policy hears nothing: leave --talk signal out"):
        identify(seats_called([policy, "persist"]), games_called(["EP2-002"]), Conditions(talk="signal"))
