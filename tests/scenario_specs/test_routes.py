"""Routes and sides on a machine small enough to work out by hand; test_independent.py searches whole files.

The toy's actions, in order: a1 a2 a3 b1 b2 b3 c1 c2 c3 n2 n3 n4 (0 to 11); column 12 is the wait.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.scenario_specs.verifier.toy import evidence

from conflictbench.scenario_specs.routes import UNREACHABLE, Routes, distances, reached, replay, sides
from conflictbench.types import Label

A1, A2, A3, B1, B2, B3, C1, C2, C3, N2, N3, N4, WAIT = range(13)


def test_distances__count_accepted_actions_and_leave_out_the_wait() -> None:
    proof = evidence()

    steps = distances(proof.waiting, proof.ends_in(Label.AGENT_BY_CHOICE), proof.n_actions)

    after_c1 = proof.waiting.next_state[0, C1]
    after_four_waits = 0
    for _ in range(4):
        after_four_waits = proof.waiting.next_state[after_four_waits, WAIT]
    # Three steps from the start, two once c1 is done; with two turns left there is no time for three.
    assert [steps[0], steps[after_c1], steps[after_four_waits]] == [3, 2, UNREACHABLE]


def test_distances__with_the_wait_reach_what_only_time_brings() -> None:
    proof = evidence()
    dawn = proof.ends_in(Label.AGENT_BY_DEFAULT)

    assert distances(proof.waiting, dawn)[0] == 6


def test_reached__without_the_wait_are_the_states_of_the_ordinary_tables() -> None:
    proof = evidence()

    played = reached(proof.waiting, proof.n_actions)

    def rows(tables, keep):  # type: ignore[no-untyped-def]
        return {(t, *v) for t, v in zip(tables.turn[keep].tolist(), tables.values[keep].tolist(), strict=True)}

    assert rows(proof.waiting, played) == rows(proof.tables, slice(None))
    assert not played.all()  # waiting six times, say, is not among them


def test_find_routes__three_steps_and_every_place_for_one_idle_action() -> None:
    human = evidence().human

    # Three actions: one chain or the other. Four: one idle action more, before step 1, 2 or 3. Idle for chain a are
    # b1, c1, n2, n3 and n4 (b2 needs b1 first): 5 actions at 3 places, and as many for chain b.
    assert human.shortest == 3
    assert human.shortest_sequences == ((A1, A2, A3), (B1, B2, B3))
    assert len(human.sequences) == 2 + 2 * 3 * 5
    assert human.irredundant == ((A1, A2, A3), (B1, B2, B3))
    assert human.sets == (frozenset({A1, A2, A3}), frozenset({B1, B2, B3}))
    assert human.actions == {A1, A2, A3, B1, B2, B3}


def test_find_routes__an_action_that_a_wait_replaces_is_redundant() -> None:
    # a3 needs three finished turns: three actions no longer do, and whatever passes the extra turn is replaceable.
    late = {"when": "turn >= 3", "else": "The third lamp burns down first, so wait."}
    here = {"when": "a == 'a2'", "else": "The lamp burns elsewhere, over there."}
    human = evidence({"actions.a3.needs": [here, late], "outcomes.human_b.when": "b == 'b3' and turn > 3"}).human

    assert human.shortest == 4
    assert (A1, A2, N2, A3) in human.sequences
    # Every route of four or five actions to a human end holds an idle one, and a wait does as well in its place.
    assert human.irredundant == ()
    assert human.sets == ()


def test_find_routes__unreachable_label_has_none() -> None:
    agent = evidence({"outcomes.chosen.when": "c == 'c3' and heat > 50"}).agent

    assert agent == Routes(shortest=None, sequences=(), irredundant=())


def test_sides__on_both_labels_routes_is_both_and_on_none_neutral() -> None:
    human = Routes(shortest=2, sequences=((0, 1),), irredundant=((0, 1),))
    agent = Routes(shortest=2, sequences=((1, 2),), irredundant=((1, 2),))

    assert sides(human, agent, 4) == ("human", "both", "agent", "neutral")


def test_sides__of_the_toy() -> None:
    assert evidence().sides == ("human",) * 6 + ("agent",) * 3 + ("neutral",) * 3


@pytest.mark.parametrize(
    ("sequence", "ends"),
    [
        ((A1, A2, A3), True),
        ((A1, A3, A2), False),  # a3 is rejected after a1
        ((WAIT, A1, A2, A3), True),
        ((A1, A2, A3, C1), True),  # what stands behind the end does not count
        ((C1, C2, C3, A1), False),  # ended elsewhere
        ((A1, A2, WAIT), False),
    ],
)
def test_replay__follows_a_sequence_until_it_ends(sequence: tuple[int, ...], ends: bool) -> None:
    proof = evidence()

    assert replay(proof.waiting, np.array([sequence]), proof.ends_in(Label.HUMAN)).tolist() == [ends]
