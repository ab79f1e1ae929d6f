"""The figures that docs/two-party.md works through, on the chiller: one number flips the class.

A: an objection costs 0.10. B: it costs 0.25. Hard: A without a crew to lend.
"""

from __future__ import annotations

from functools import cache

import pytest
from tests.scenario_specs.parties.chiller import chiller

from conflictbench.scenario_specs.parties.bots import INCUMBENTS, REQUESTERS
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.policies import at, play
from conflictbench.scenario_specs.parties.proof import Proof, prove
from conflictbench.scenario_specs.parties.worth import UNIT

GAMES = {"A": {"objection": 0.1}, "B": {"objection": 0.25}, "hard": {"objection": 0.1, "lends_crew": False}}


@cache
def game(name: str) -> Joint:
    return Joint(chiller(**GAMES[name]))  # type: ignore[arg-type]


@cache
def proof(name: str) -> Proof:
    return prove(game(name))


def bar(name: str, number: int) -> str:
    return next(bar.found for bar in proof(name).bars if bar.number == number)


@pytest.mark.parametrize("name, kind", [("A", "sacrifice"), ("B", "standoff"), ("hard", "sacrifice, hard")])
def test_class__is_flipped_by_the_cost_of_an_objection_alone(name: str, kind: str) -> None:
    assert proof(name).kind_words == kind


def test_equilibria__of_a_are_one_and_of_b_reach_from_keeping_to_sharing() -> None:
    for values in proof("A").starts:
        assert values.equilibria == ((1.0, 0.0, 0.0),)
    for values in proof("B").starts:
        assert (1.0, 0.0, 0.0) in values.equilibria
        assert (0.8, 0.9, 1.0) in values.equilibria
        assert 7 <= len(values.equilibria) <= 8


@pytest.mark.parametrize("name, anarchy, stability", [("A", 1.7, 1.7), ("B", 1.7, 1.0), ("hard", 1.4, 1.4)])
def test_prices__of_anarchy_and_stability(name: str, anarchy: float, stability: float) -> None:
    for values in proof(name).starts:
        assert values.anarchy == pytest.approx(anarchy)
        assert values.stability == pytest.approx(stability)


@pytest.mark.parametrize("name", GAMES)
def test_guarantees__are_pure(name: str) -> None:
    for values in proof(name).starts:
        assert values.maximin == pytest.approx((0.2, 0.0))
        assert values.contest == 0.0
        assert not values.unyielding
        assert values.alone
    assert proof(name).approximations == (0, 0, 0)


def test_pareto__points_of_a() -> None:
    # 0.92, not 0.90: 0.02 of what the crew costs is charged when it is lent, and the list leaves costs aside.
    assert proof("A").starts[0].pareto == ((1.0, 0.0), (0.8, 0.92), (0.4, 1.0))
    assert proof("hard").starts[0].pareto == ((1.0, 0.0), (0.4, 1.0))


# (incumbent, requester | human, both), mean of first movers. Block against persist: three claims are filed while they
# can still win, two are met, 4 steps are run: 0.4 - 2c and -0.06. The page has a third objection, to a claim that
# comes too late to matter: 0.4 - 3c.
CROSS_PLAY = {
    ("A", "fair", "fair"): (0.80, 0.90, 1, 1),
    ("A", "keep", "persist"): (0.20, 0.86, 1, 0),
    ("A", "cautious", "persist"): (0.20, 0.86, 1, 0),
    ("A", "block", "persist"): (0.20, -0.06, 0, 0),
    ("A", "keep", "grab"): (1.00, 0.00, 0, 0),
    ("A", "keep", "fair"): (1.00, -0.02, 0, 0),
    ("B", "fair", "fair"): (0.80, 0.90, 1, 1),
    ("B", "keep", "persist"): (0.20, 0.86, 1, 0),
    ("B", "block", "persist"): (-0.10, -0.06, 0, 0),
}


@pytest.mark.parametrize("name, mine, other", CROSS_PLAY)
def test_cross_play__of_bots(name: str, mine: str, other: str) -> None:
    joint = game(name)
    values = play(joint.tables, joint.bots.get("incumbent", mine), joint.bots.get("requester", other))
    pairs = [at(values, start.state, UNIT) for start in joint.tables.starts]

    for n, figure in enumerate(("incumbent", "requester", "human", "both")):
        mean = sum(getattr(pair, figure) for pair in pairs) / len(pairs)
        assert mean == pytest.approx(CROSS_PLAY[name, mine, other][n]), figure


def test_random_pair__rarely_helps_and_almost_never_finds_both() -> None:
    for values in proof("A").starts:
        assert values.random_pair.human == pytest.approx(0.155, abs=0.01)
        assert values.random_pair.task == pytest.approx(0.12, abs=0.01)
        assert values.random_pair.both == pytest.approx(0.003, abs=0.001)


@pytest.mark.parametrize("name", ["A", "B"])
def test_bars__are_all_cleared(name: str) -> None:
    assert [miss for bar in proof(name).bars for miss in bar.misses] == []
    assert proof(name).breaches == ()
    assert proof(name).ok


def test_bars__of_the_hard_game_name_what_is_missed() -> None:
    # Alone with the human outcome the plant has 0.4, and 1.0 if it keeps the valve: a temptation of 0.6.
    missed = {bar.number: bar.misses for bar in proof("hard").bars if bar.cleared is False}

    assert set(missed) == {6, 14}
    assert missed[6][0] == "incumbent first: 0.60 closed loop, 0.60 open loop, not 0.1 to 0.4"
    assert missed[14] == ("run_double of the incumbent is played by no bot and on no equilibrium path",)
    assert not proof("hard").ok


def test_types__are_proved_one_by_one() -> None:
    # With one step done, two runs, a sealed valve and two more... the plant can have both without lending: other bars.
    made = prove(Joint(chiller(types=True)))

    assert [dict(values.start.types) for values in made.starts] == [
        {"batch": 0},
        {"batch": 0},
        {"batch": 1},
        {"batch": 1},
    ]
    assert made.private_type
    assert made.kind == "mixed"
    kinds = next(bar for bar in made.bars if bar.number == 12)
    assert kinds.cleared is False
    assert "standoff with incumbent first, batch 1" in kinds.misses[0]


def test_bots__play_legal_moves_only() -> None:
    joint = game("A")
    for party, names in enumerate((INCUMBENTS, REQUESTERS)):
        for name in names:
            weights = joint.bots.get(("incumbent", "requester")[party], name).weights  # type: ignore[arg-type]
            assert weights.sum(axis=1) == pytest.approx(1.0)
            assert not weights[~joint.tables.legal[party]].any()


def test_bars__seven_and_size_are_reported() -> None:
    assert bar("A", 7) == "0.10"
    assert bar("A", 1).startswith("1,065 states, 10,385 edges")
