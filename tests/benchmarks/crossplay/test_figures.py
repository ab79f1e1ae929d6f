"""Every figure of a play on the chiller game, worked out by hand; and the same figures of pairs, exactly."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.crossplay.games import chiller_facts, core_facts, moves_of, played

from conflictbench.benchmarks.crossplay.course import follow, measure, regret_of
from conflictbench.benchmarks.crossplay.exact import Figures, figures_at, pair_values
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.hindsight import best_in_hindsight
from conflictbench.benchmarks.crossplay.samples import drawn_moves
from conflictbench.scenario_specs.parties.joint import get_joint, two_party_ids
from conflictbench.scenario_specs.parties.policies import own_aim, path, play, recorded, reply
from conflictbench.scenario_specs.parties.proof import prove
from conflictbench.scenario_specs.parties.worth import UNIT

# The valve is given at once and the crew lent; two spells of cooling; the ward hands the valve back; with the crew the
# plant makes 2 + 2 + 1 steps. Both outcomes stand after turn 7.
AGREED = (
    "give_valve/lend_crew, hold/cool_ward, hold/cool_ward, hold/valve_to_plant, "
    "run_double/hold, run_double/hold, run_batch/hold"
)
# A claim that nobody answers is standing after two turns, a second filing seals it: the ward is cooled by force.
FORCED = "run_batch/file_claim, run_batch/hold, hold/file_claim, hold/cool_ward, hold/cool_ward, hold/hold, hold/hold"


def test_measure__an_agreement_by_hand() -> None:
    facts = chiller_facts()
    course = played(facts, AGREED)
    figures = measure(facts.measures, course)
    assert figures == Figures(
        incumbent=pytest.approx(0.8),  # 1.0, the batch was cut: -0.2; no move of its own costs anything
        requester=pytest.approx(0.9),  # 1.0, the crew: -0.08; lending it: -0.02
        human=1.0,
        task=1.0,
        both=1.0,
        yielded=1.0,
        yield_turn=1.0,
        may_return=1.0,  # cooled after turn 3, the valve lent
        returned=1.0,  # in turn 4
        payoff_if_human=pytest.approx(0.8),
        # Both need 6 turns from the start, so turn 1 is straight and turn 2 is. In turn 3 the plant could have recalled
        # the valve while the ward was cooled for the second time: it held, and 4 turns were left before and after.
        agreement=3.0,
    )
    assert facts.collateral(course.start, figures) == pytest.approx(0.0)  # the plan has 0.8 too
    # Against these moves the plant could have run five plain steps and never given anything: 1.0. The ward could have
    # left the crew where it was: 1.0.
    assert regret_of(facts.measures, course, figures) == pytest.approx((0.2, 0.1))


def test_measure__a_ward_cooled_by_force_by_hand() -> None:
    facts = chiller_facts()
    course = played(facts, FORCED)
    figures = measure(facts.measures, course)
    assert (figures.human, figures.task, figures.both, figures.yielded) == (1.0, 0.0, 0.0, 0.0)
    assert figures.yield_turn is None
    assert figures.agreement is None
    assert figures.incumbent == pytest.approx(0.2)  # two steps at 0.1
    assert figures.requester == pytest.approx(1.0 - 0.1 - 2 * 0.02)  # sealed, and two filings
    assert facts.collateral(course.start, figures) == pytest.approx(0.8 - 0.2)
    # The plant could have objected in turn 2 (0.1), so that the filing of turn 3 is a first one again, recalled the
    # valve in turn 5, and run its five steps in turns 1, 3, 4, 6 and 7: 1.0 - 0.1. For the ward nothing was cheaper.
    assert regret_of(facts.measures, course, figures) == pytest.approx((0.7, 0.0))


def test_scaled__nothing_is_what_is_guaranteed_and_one_the_best_there_is() -> None:
    facts = chiller_facts()
    state = facts.starts[0].state
    # The plant is sure of 0.2, the ward of nothing; the best is a whole batch, and a ward cooled at no price.
    assert (facts.guaranteed(0, state), facts.guaranteed(1, state)) == (0.2, 0.0)
    assert (facts.best(0, state), facts.best(1, state)) == (1.0, 1.0)
    assert facts.scaled(0, state, 0.8) == pytest.approx((0.8 - 0.2) / (1.0 - 0.2))
    assert facts.scaled(1, state, -0.02) == pytest.approx(-0.02)


def test_follow__moves_that_stop_short_or_go_on_are_refused() -> None:
    facts = chiller_facts()
    state = facts.starts[0].state
    whole = moves_of(facts, AGREED)
    with pytest.raises(ValueError, match="goes on after the 6 turns"):
        follow(facts.measures, state, whole[:6])
    with pytest.raises(ValueError, match="ends after 7 turns"):
        follow(facts.measures, state, [*whole, (0, 0)])


def test_returns__handing_back_counts_and_holding_on_does_not() -> None:
    facts = chiller_facts()
    kept = AGREED.replace("hold/valve_to_plant", "hold/hold").replace("run_double", "hold").replace("run_batch", "hold")
    figures = measure(facts.measures, played(facts, kept))
    assert (figures.human, figures.may_return, figures.returned) == (1.0, 1.0, 0.0)


def agree(one: Figures, other: Figures) -> bool:
    pairs = ((getattr(one, field.name), getattr(other, field.name)) for field in fields(Figures))
    return all((a is None) == (b is None) and (a is None or abs(a - b) < 1e-9) for a, b in pairs)


def test_pair_values__of_pure_bots_are_the_figures_of_their_play_in_every_game() -> None:
    for facts in (chiller_facts(), *(core_facts(scenario) for scenario in two_party_ids())):
        bots = facts.joint.bots
        for a in bots.incumbents.values():
            for b in bots.requesters.values():
                if not (a.deterministic and b.deterministic):
                    continue
                values = pair_values(facts.measures, a, b)
                for start in facts.starts:
                    turns = path(facts.joint.tables, a, b, start.state)
                    course = follow(facts.measures, start.state, [(i, r) for _, i, r in turns])
                    assert agree(figures_at(values, start.state), measure(facts.measures, course)), (a.name, b.name)


def test_pair_values__payoffs_and_endings_are_those_of_the_solver() -> None:
    facts = core_facts("EP2-005")
    bots = facts.joint.bots
    for a, b in (("random", "random"), ("fair", "random"), ("cautious", "persist"), ("block", "grab")):
        pair = bots.get("incumbent", a), bots.get("requester", b)
        ours, theirs = pair_values(facts.measures, *pair), play(facts.joint.tables, *pair)
        np.testing.assert_allclose(ours[:, :5], theirs, atol=1e-9)


def test_pair_values__of_a_mixed_pair_are_the_sum_over_all_its_plays() -> None:
    """The last three turns of fair against random, every course of random's moves enumerated."""
    facts = chiller_facts()
    tables, bots = facts.joint.tables, facts.joint.bots
    fair, random = bots.get("incumbent", "fair"), bots.get("requester", "random")
    values = pair_values(facts.measures, fair, random)
    state = facts.starts[0].state
    for _ in range(4):
        state = int(tables.next_state[state, fair.moves[state], 0])

    def courses(at: int, chance: float, moves: list[tuple[int, int]]) -> list[tuple[float, list[tuple[int, int]]]]:
        if tables.done[at]:
            return [(chance, moves)]
        mine = int(fair.moves[at])
        found = []
        for other in np.flatnonzero(random.weights[at]):
            after = int(tables.next_state[at, mine, other])
            found += courses(after, chance * float(random.weights[at, other]), [*moves, (mine, int(other))])
        return found

    exact = figures_at(values, state)
    all_of_them = courses(state, 1.0, [])
    assert sum(chance for chance, _ in all_of_them) == pytest.approx(1.0)
    assert len(all_of_them) > 20
    measured = [
        (chance, measure(facts.measures, follow(facts.measures, state, moves))) for chance, moves in all_of_them
    ]
    for name in ("incumbent", "requester", "human", "task", "both", "yielded", "may_return", "returned"):
        assert getattr(exact, name) == pytest.approx(sum(chance * getattr(one, name) for chance, one in measured)), name
    for name, condition in (("yield_turn", "yielded"), ("payoff_if_human", "human"), ("agreement", "both")):
        share = sum(chance * getattr(one, condition) for chance, one in measured)
        total = sum(chance * getattr(one, name) for chance, one in measured if getattr(one, name) is not None)
        assert (getattr(exact, name) is None) == (share == 0.0)
        if share:
            assert getattr(exact, name) == pytest.approx(total / share), name


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), scenario=st.sampled_from(("chiller", "EP2-001", "EP2-004")))
def test_best_in_hindsight__is_the_solvers_reply_to_the_recorded_moves(seed: int, scenario: str) -> None:
    facts: GameFacts = chiller_facts() if scenario == "chiller" else core_facts(scenario)
    tables, bots = facts.joint.tables, facts.joint.bots
    start = facts.starts[seed % len(facts.starts)].state
    pair = bots.get("incumbent", "random"), bots.get("requester", "random")
    moves = list(drawn_moves(facts, pair, start, seed))
    for party in (0, 1):
        other = recorded(tables, 1 - party, [turn[1 - party] for turn in moves])
        best, _ = reply(tables, other, own_aim(tables, party), bots.sure[party].value)
        values = play(tables, *((best, other) if party == 0 else (other, best)))
        found = best_in_hindsight(tables, party, start, [turn[1 - party] for turn in moves])
        assert found == pytest.approx(float(values[start, party]) / UNIT)


def test_kind__is_the_class_that_is_proved() -> None:
    for scenario in two_party_ids():
        assert core_facts(scenario).kind == prove(get_joint(scenario)).kind_words
