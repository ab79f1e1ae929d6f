"""The solver against listing every strategy, over 200 small random games, and against games with known answers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.scenario_specs.parties import brute_force
from tests.scenario_specs.parties.random_games import random_game

from conflictbench.scenario_specs.parties.correlated import correlated_equilibrium
from conflictbench.scenario_specs.parties.equilibria import moves_on_paths, pure_equilibria
from conflictbench.scenario_specs.parties.mixed import mixed_equilibrium
from conflictbench.scenario_specs.parties.policies import fixed, own_aim, passive, play, recorded, reply, uniform
from conflictbench.scenario_specs.parties.tables import JointTables
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.scenario_specs.parties.zero_sum import contest, guaranteed, out_of_reach, solve_matrix

GAMES = range(200)


def random_policy(tables: JointTables, party: int, seed: int) -> np.ndarray:
    """A legal move for each state, (S,)."""
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(np.flatnonzero(row)) for row in tables.legal[party]])


@pytest.mark.parametrize("seed", GAMES)
def test_guaranteed_values__equal_the_value_of_the_normal_form(seed: int) -> None:
    tables = random_game(seed)

    mine, other = (guaranteed(tables, party).value[0] for party in (0, 1))

    assert mine == pytest.approx(brute_force.value(brute_force.matrix(tables, 0)), abs=1e-4)
    assert other == pytest.approx(brute_force.value(brute_force.matrix(tables, 1).T), abs=1e-4)


@pytest.mark.parametrize("seed", GAMES)
def test_contest__equals_the_value_of_the_normal_form(seed: int) -> None:
    tables = random_game(seed)
    human = brute_force.matrix(tables, 2)

    assert contest(tables).value[0] == pytest.approx(brute_force.value(human.T), abs=1e-8)
    every = np.ones_like(tables.legal[0])
    assert out_of_reach(tables, every)[0] == (human.max(axis=1).min() == 0.0)


@pytest.mark.parametrize("seed", GAMES)
def test_pure_equilibria__are_those_of_every_listed_profile(seed: int) -> None:
    tables = random_game(seed)
    expected = brute_force.subgame_perfect(tables)
    found = pure_equilibria(tables)

    if expected is None:
        assert found.mixed[tables.turn == 1].any()
    elif not expected:
        assert found.mixed[0]
    else:
        assert {(a, b, h // UNIT) for a, b, h in found.of(0).tolist()} == expected
        assert not found.mixed[0]


def test_pure_equilibria__of_the_random_games_are_of_every_sort() -> None:
    kinds = [brute_force.subgame_perfect(random_game(seed)) for seed in GAMES]

    assert sum(kind is None for kind in kinds) > 10
    assert sum(kind is not None and len(kind) > 1 for kind in kinds) > 20


@pytest.mark.parametrize("seed", GAMES)
def test_best_replies__beat_every_listed_strategy(seed: int) -> None:
    tables = random_game(seed)
    for party in (0, 1):
        moves = random_policy(tables, 1 - party, seed)
        other = fixed(tables, 1 - party, moves)
        best, _ = reply(tables, other, own_aim(tables, party), np.zeros(tables.n_states))

        pair = (best, other) if party == 0 else (other, best)
        found = play(tables, *pair)[0, party]

        pairs = brute_force.first_pairs(tables)
        later = {one: int(moves[tables.next_state[0, one[0], one[1]]]) for one in pairs}
        against = (int(moves[0]), later)
        mine = brute_force.strategies(tables, party)
        ends = [brute_force.outcome(tables, *((s, against) if party == 0 else (against, s))) for s in mine]
        assert found == max(end[party] for end in ends)


@pytest.mark.parametrize("seed", range(40))
def test_play__is_the_mean_over_every_way_two_random_parties_can_go(seed: int) -> None:
    tables = random_game(seed, moves=(3, 2))
    expected = np.zeros(3)
    for one in brute_force.first_pairs(tables):
        middle = int(tables.next_state[0, one[0], one[1]])
        ways = list(product(brute_force.moves_of(tables, 0, middle), brute_force.moves_of(tables, 1, middle)))
        for two in ways:
            expected += np.array(brute_force.leaf(tables, one, two)) / len(ways) / len(brute_force.first_pairs(tables))

    found = play(tables, uniform(tables, 0), uniform(tables, 1))[0]

    assert found[:3] == pytest.approx(expected)


def test_recorded__plays_the_same_move_whatever_the_state() -> None:
    tables = random_game(3)

    moves = recorded(tables, 1, [1, 0]).moves

    assert moves[tables.turn == 0].tolist() == [1]
    assert set(moves[tables.turn == 1].tolist()) == {0}


def test_passive__holds() -> None:
    tables = random_game(3)

    assert not passive(tables, 0).moves.any()


def test_solve_matrix__matching_pennies_is_an_even_mixture() -> None:
    # The row chooser wins 1 on a match and loses 1 otherwise: value 0, both rows half the time.
    value, mixture = solve_matrix(np.array([[1.0, -1.0], [-1.0, 1.0]]))

    assert value == pytest.approx(0.0)
    assert mixture == pytest.approx([0.5, 0.5])


def test_solve_matrix__rock_paper_scissors_without_scissors_for_one() -> None:
    # Rows rock and paper against rock, paper, scissors. With paper at p: rock gets p, paper -(1 - p), scissors 1 - 2p.
    # The worst of these is largest at ... -(1 - p) against 1 - 2p cross at p = 2/3: value -1/3.
    value, mixture = solve_matrix(np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0]]))

    assert value == pytest.approx(-1 / 3)
    assert mixture == pytest.approx([1 / 3, 2 / 3])


def test_mixed_equilibrium__battle_without_a_pure_one() -> None:
    # Inspection: the guard (rows: stay, look) and the thief (columns: wait, steal). The thief steals with q so that
    # the guard is indifferent: 0 - 5q = -1 - 0q gives q = 1/5; the guard looks with p: 3(1 - p) - 2p = 0, p = 3/5.
    guard = np.array([[0.0, -5.0], [-1.0, -1.0]])
    thief = np.array([[0.0, 3.0], [0.0, -2.0]])

    x, y = mixed_equilibrium(guard, thief)

    assert x == pytest.approx([2 / 5, 3 / 5])
    assert y == pytest.approx([4 / 5, 1 / 5])


def one_shot(first: list[list[int]], second: list[list[int]]) -> JointTables:
    """A game of one turn from two payoff matrices in units; the second turn of `random_game` is cut off."""
    a, b = np.array(first), np.array(second)
    m, n = a.shape
    tables = random_game(0, moves=(m, n), width=m * n)
    states = 1 + m * n
    keep = slice(0, states)
    after = np.arange(states)[:, None, None] * np.ones((1, m, n), int)
    after[0] = 1 + np.arange(m * n).reshape(m, n)
    worth = np.zeros((states, 2), np.int32)
    worth[1:] = np.column_stack([a.ravel(), b.ravel()])
    legal = tuple(np.ones((states, k), np.bool_) for k in (m, n))
    return JointTables(
        values=tables.values[keep],
        turn=tables.turn[keep],
        first=tables.first[keep],
        latched=np.zeros((states, 2), np.bool_),
        done=np.arange(states) > 0,
        known=tables.known[keep],
        legal=(legal[0], legal[1]),
        next_state=after.astype(np.uint16),
        events=np.zeros((states, m, n), np.uint8),
        worth=worth,
        cost=(np.zeros(m, np.int64), np.zeros(n, np.int64)),
        yields=np.zeros(m, np.bool_),
        holder=np.zeros((states, 0, 2), np.bool_),
        starts=tables.starts,
        moves=(tuple(map(str, range(m))), tuple(map(str, range(n)))),
    )


def test_correlated_equilibrium__of_chicken_beats_every_mixture_of_its_nash_equilibria() -> None:
    # Aumann's chicken: (6, 6), (2, 7), (7, 2), (0, 0). The best correlated equilibrium puts half on (6, 6) and a
    # quarter on each of (2, 7), (7, 2): 5.25 to each, 10.5 together. The worst puts p on (0, 0) and q on each of the
    # two: whoever is told to dare stays with it while 7q >= 6q + 2p, so q = 2p = 2/5, and 4/5 * 9 = 7.2 together.
    tables = one_shot([[6, 2], [7, 0]], [[6, 7], [2, 0]])

    best, worst = (correlated_equilibrium(tables, best=flag).payoffs[0] for flag in (True, False))

    assert best.sum() == pytest.approx(10.5)
    assert worst.sum() == pytest.approx(7.2)


def test_correlated_equilibrium__of_the_dilemma_is_its_one_equilibrium() -> None:
    tables = one_shot([[3, 0], [5, 1]], [[3, 5], [0, 1]])

    best = correlated_equilibrium(tables, best=True)

    assert best.payoffs[0] == pytest.approx([1.0, 1.0])
    assert best.programmes == 1


def test_moves_on_paths__are_those_of_the_two_equilibria() -> None:
    # Coordination with a third, dominated move on either side: it is on no path.
    tables = one_shot([[2, 0, 0], [0, 1, 0], [-5, -5, -5]], [[2, 0, -5], [0, 1, -5], [0, 0, -5]])

    used = moves_on_paths(pure_equilibria(tables), np.array([0]))

    assert used[0].tolist() == [True, True, False]
    assert used[1].tolist() == [True, True, False]
