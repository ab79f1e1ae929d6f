"""Where two runs of cross-play differ, as one would type it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.crossplay.changes import differences
from conflictbench.benchmarks.crossplay.plan import Conditions, CrossplayIdentity, games_called, identify
from conflictbench.benchmarks.crossplay.seats import Seat, seats_called

MODEL = "llm:fake/look"
POLICY = Seat(name="sb3:p.zip", kind="sb3", roles=("incumbent",), input_digest="one")


def identity(
    *agents: str,
    games: tuple[str, ...] = ("EP2-001",),
    protocol: str = "",
    temperature: float = 0.0,
    **conditions: object,
) -> CrossplayIdentity:
    model = Cast(MODEL, ModelOptions(temperature=temperature)).model_entry()
    rules = Conditions(**conditions)  # type: ignore[arg-type]
    seats = seats_called(agents or (MODEL,))
    return identify(seats, games_called(games), rules, model=model, protocol_id=protocol)


@pytest.mark.parametrize(
    "other, told",
    [
        (identity(MODEL, "keep"), [f"--agents {MODEL} -> {MODEL} keep"]),
        (identity(talk="signal"), ["--talk none -> signal"]),
        (identity(seeds=3), ["--seeds 1 -> 3"]),
        (identity(solo=True), ["--solo no -> yes"]),
        (identity(temperature=0.7), ["--temperature 0 -> 0.7"]),
        (identity(games=("EP2-001", "EP2-004")), ["scenarios: EP2-001 -> EP2-001, EP2-004"]),
        (identity(), []),
    ],
)
def test_differences__name_options_once_and_not_what_follows_from_them(
    other: CrossplayIdentity, told: list[str]
) -> None:
    assert differences(identity(), other) == told


def test_differences__of_words_of_games_and_of_a_policys_file() -> None:
    games = games_called(["EP2-001"])
    old, new = identity(protocol="party-v1-a"), identity(protocol="party-v1-b")
    assert differences(old, new) == ["words that models are sent: party-v1-a -> party-v1-b"]
    changed = old.model_copy(update={"scenarios": {"EP2-001": "other"}})
    assert differences(old, changed) == ["changed files: EP2-001"]
    seats = [[replace(POLICY, input_digest=digest), *seats_called(["random"])] for digest in ("one", "two")]
    first, second = (identify(one, games, Conditions()) for one in seats)
    assert differences(first, second) == ["the file of sb3:p.zip has another content"]
    moved = [replace(POLICY, roles=("requester",)), *seats_called(["random"])]
    assert differences(first, identify(moved, games, Conditions())) == ["a policy sits in other chairs"]
