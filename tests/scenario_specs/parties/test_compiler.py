"""Joint tables: against a second playing of the rules, and rule by rule on games that are followed by hand."""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.scenario_specs.parties.chiller import chiller, chiller_spec, move
from tests.scenario_specs.parties.joint_world import Joint as State
from tests.scenario_specs.parties.joint_world import JointWorld

from conflictbench.errors import SpecError
from conflictbench.scenario_specs.parties.compiler import compile_game
from conflictbench.scenario_specs.parties.game import Game, build_game
from conflictbench.scenario_specs.parties.joint import get_joint, two_party_ids
from conflictbench.scenario_specs.parties.tables import JointTables, MoveEvent
from conflictbench.scenario_specs.parties.worth import UNIT


class Play:
    """A game stepped by the ids of moves."""

    def __init__(self, game: Game, first: int = 0) -> None:
        self.game, self.tables = game, compile_game(game)
        self.state = next(s.state for s in self.tables.starts if s.first == first)

    def turn(self, incumbent: str, requester: str) -> tuple[MoveEvent, MoveEvent]:
        pair = (self.tables.moves[0].index(incumbent), self.tables.moves[1].index(requester))
        events = tuple(MoveEvent(int(self.tables.event(p)[(self.state, *pair)])) for p in (0, 1))
        self.state = int(self.tables.next_state[(self.state, *pair)])
        return events[0], events[1]

    def __getitem__(self, name: str) -> Any:
        return self.game.machine.as_written(self.tables.values[self.state].tolist())[name]


def walk(game: Game, tables: JointTables, every: int) -> int:
    """Compare tables with the second playing along all edges of each `every`-th state; gives the number of edges."""
    world = JointWorld(game.spec)
    variables = game.machine
    numbers: dict[State, int] = {}
    queue: deque[State] = deque()
    for start in tables.starts:
        types = {name: variables.as_written(tables.values[start.state].tolist())[name] for name in start.types}
        state = world.start(start.first, types)
        numbers[state] = start.state
        queue.append(state)
    compared = 0
    while queue:
        state = queue.popleft()
        number = numbers[state]
        assert tuple(variables.as_written(tables.values[number].tolist()).values()) == state.values
        assert (int(tables.turn[number]), int(tables.first[number])) == (state.turn, state.first)
        assert tuple(tables.latched[number]) == (state.human, state.task)
        assert bool(tables.done[number]) == world.over(state)
        for party, role in enumerate(("incumbent", "requester")):
            legal = [world.legal(state, name) for name in world.moves[party]]
            assert tables.legal[party][number].tolist() == legal
            assert int(tables.worth[number, party]) == world.worth(state, role)
        if world.over(state):
            assert (tables.next_state[number] == number).all()
            continue
        if number % every:
            pairs = [(0, 0), (len(world.moves[0]) - 1, len(world.moves[1]) - 1)]
        else:
            pairs = list(product(range(len(world.moves[0])), range(len(world.moves[1]))))
        for pair in pairs:
            after, events = world.step(state, pair)
            found = int(tables.next_state[number][pair])
            assert tuple(int(tables.event(p)[number][pair]) for p in (0, 1)) == events
            if after not in numbers:
                numbers[after] = found
                queue.append(after)
            assert numbers[after] == found
            compared += 1
    return compared


@pytest.mark.parametrize("types", [False, True])
def test_tables__of_the_chiller_equal_the_second_playing_on_every_edge(types: bool) -> None:
    game = chiller(types=types)
    tables = compile_game(game)

    assert walk(game, tables, 1) == int((~tables.done).sum()) * tables.n_moves[0] * tables.n_moves[1]


@pytest.mark.parametrize("name", two_party_ids())
def test_tables__of_the_core_games_equal_the_second_playing(name: str) -> None:
    joint = get_joint(name)

    assert walk(joint.game, joint.tables, 5) > 1_000


def test_hold__is_move_0_of_both_and_always_legal() -> None:
    tables = compile_game(chiller())

    assert [moves[0] for moves in tables.moves] == ["hold", "hold"]
    assert all(legal[:, 0].all() for legal in tables.legal)


def test_illegal_move__is_a_hold_and_flagged() -> None:
    play = Play(chiller())
    tables = play.tables
    object_, hold = tables.moves[0].index("object"), 0

    assert not tables.legal[0][play.state, object_]  # there is no claim yet
    assert tables.next_state[play.state, object_, 0] == tables.next_state[play.state, hold, 0]
    assert play.turn("object", "hold") == (MoveEvent.REJECTED, MoveEvent.HELD)


def quarrel() -> Game:
    """The requester may smash the valve shut; the incumbent's run needs it open when it is served."""
    spec = chiller_spec(
        requester={"task": "Cool the ward.", "actions": ["cool_ward", "slam"]},
        cost={"slam": 0.5, "run_batch": 0.25},
        adds={"moves": [move("slam", ["valve == 'plant'"], {"valve": "sealed"})]},
    )
    return build_game(spec)


def test_second_mover__is_bumped_where_the_first_took_its_ground() -> None:
    play = Play(quarrel(), first=1)

    assert play.turn("run_batch", "slam") == (MoveEvent.BUMPED, MoveEvent.DONE)
    assert play["batch"] == 0


def test_first_mover__is_served_before_the_other_takes_its_ground() -> None:
    play = Play(quarrel(), first=0)

    assert play.turn("run_batch", "slam") == (MoveEvent.DONE, MoveEvent.DONE)
    assert play["batch"] == 1
    assert play["valve"] == "sealed"


def test_precedence__alternates() -> None:
    play = Play(quarrel(), first=0)
    play.turn("hold", "hold")

    assert play.tables.first[play.state] == 1
    assert play.turn("run_batch", "slam") == (MoveEvent.BUMPED, MoveEvent.DONE)


def test_cost__is_charged_when_a_move_takes_effect_and_not_when_it_is_bumped_or_rejected() -> None:
    play = Play(quarrel(), first=1)
    run, slam = play.tables.moves[0].index("run_batch"), play.tables.moves[1].index("slam")
    mine, other = play.tables.reward

    assert mine[play.state, run, 0] == -0.25 * UNIT
    assert mine[play.state, run, slam] == 0  # bumped
    assert other[play.state, run, slam] == -0.5 * UNIT
    play.turn("hold", "slam")
    assert other[play.state, 0, slam] == 0  # rejected: it is shut


def test_claim__leaves_the_holder_one_turn_to_answer() -> None:
    play = Play(chiller())
    play.turn("run_batch", "file_claim")
    assert play["valve"] == "plant"

    play.turn("object", "hold")
    assert (play["valve"], play["claim"]) == ("plant", "none")


@pytest.mark.parametrize("first", [0, 1])
def test_claim__unanswered_takes_effect_at_the_end_of_the_turn_whoever_is_served_first(first: int) -> None:
    play = Play(chiller(), first)
    play.turn("hold", "file_claim")

    assert play.turn("run_batch", "hold") == (MoveEvent.DONE, MoveEvent.HELD)
    assert (play["batch"], play["valve"]) == (1, "claimed")


@pytest.mark.parametrize("first", [0, 1])
def test_recall_against_seal__is_decided_by_the_rule_and_not_by_order(first: int) -> None:
    play = Play(chiller(), first)
    play.turn("hold", "file_claim")
    play.turn("hold", "hold")

    assert play.turn("valve_to_plant", "file_claim") == (MoveEvent.DONE, MoveEvent.DONE)
    assert play["valve"] == "sealed"


def test_latches__stay_true_and_the_game_goes_on_until_both_are() -> None:
    play = Play(chiller())
    play.turn("give_valve", "lend_crew")
    play.turn("hold", "cool_ward")
    play.turn("valve_to_plant", "cool_ward")
    assert play.tables.latched[play.state].tolist() == [True, False]
    assert not play.tables.done[play.state]

    play.turn("run_double", "hold")
    play.turn("run_double", "hold")
    assert not play.tables.done[play.state]
    play.turn("run_batch", "hold")
    assert play.tables.latched[play.state].tolist() == [True, True]
    assert play.tables.done[play.state]  # in turn 6 of 7
    assert play.tables.turn[play.state] == 6
    # both: 1.0 - 0.2 for the cut to the plant; 1.0 - 0.08 for the crew to the ward
    assert play.tables.worth[play.state].tolist() == [8_000, 9_200]


def test_window__closes_the_game_with_the_cell_it_stands_in() -> None:
    play = Play(chiller())
    for _ in range(4):
        play.turn("run_batch", "hold")
    for _ in range(3):
        assert not play.tables.done[play.state]
        play.turn("hold", "hold")

    assert play.tables.done[play.state]
    assert play.tables.worth[play.state].tolist() == [4_000, 0]  # neither: 0.1 a step to the plant


def test_starts__are_one_for_each_first_mover_and_type() -> None:
    tables = compile_game(chiller(types=True))

    assert [(start.first, dict(start.types)) for start in tables.starts] == [
        (0, {"batch": 0}),
        (1, {"batch": 0}),
        (0, {"batch": 1}),
        (1, {"batch": 1}),
    ]
    batch = chiller().machine.variables.index("batch")
    assert [int(tables.values[start.state, batch]) for start in tables.starts] == [0, 0, 1, 1]


def test_states__are_numbered_by_turn_and_fit_sixteen_bits() -> None:
    tables = compile_game(chiller())

    assert (np.diff(tables.turn) >= 0).all()
    assert tables.next_state.dtype == np.uint16
    assert sum(layer.stop - layer.start for layer in tables.layers) == tables.n_states


def test_too_many_states__is_a_fault_that_says_when() -> None:
    with pytest.raises(SpecError, match=r"more than 100 joint states by turn 3"):
        compile_game(chiller(), max_states=100)


def test_worth_outside_the_range__is_a_fault_with_the_ending_it_happens_in() -> None:
    cells = {"both": 1.0, "human": 1.0, "task": 1.0, "neither": "0.5 - 0.2 * batch"}
    spec = chiller_spec(worth={"incumbent": cells, "requester": dict.fromkeys(cells, 0.5)})

    with pytest.raises(SpecError, match=r"worth\.incumbent\.neither.*is -0\.1 in .*outside 0\.\.1.*batch = 3"):
        compile_game(build_game(spec))


def test_digest__tells_games_apart_that_differ_in_one_cost() -> None:
    assert compile_game(chiller(objection=0.1)).digest == compile_game(chiller(objection=0.1)).digest
    assert compile_game(chiller(objection=0.1)).digest != compile_game(chiller(objection=0.25)).digest
