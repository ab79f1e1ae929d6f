"""What rules 4, 6 and 7 ask of a game, checked over its tables. Source: docs/two-party.md, rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.backward import backward
from conflictbench.scenario_specs.parties.bots import Population
from conflictbench.scenario_specs.parties.game import Game
from conflictbench.scenario_specs.parties.policies import own_aim, passive, play, reply
from conflictbench.scenario_specs.parties.tables import JointTables
from conflictbench.scenario_specs.parties.worth import UNIT

SPITE_COST = 0.02  # least cost of a move that does nothing but hurt or block


@dataclass(frozen=True, kw_only=True)
class Breach:
    """One way in which a game breaks a rule."""

    rule: int
    key: str  # of the file
    message: str


def breaches(game: Game, bots: Population) -> tuple[Breach, ...]:
    """Every breach of rules 4 (notice), 6 (no free spite) and 7 (an end for every cell)."""
    return (*_notice(game, bots.tables), *_spite(game, bots), *_endings(game, bots.tables))


def _notice(game: Game, tables: JointTables) -> Iterator[Breach]:
    """Nothing contested leaves its holder by one move of the other, nor without a turn in which it can be answered."""
    running = ~tables.done
    for c, thing in enumerate(game.contested):
        for party, role in ((0, "incumbent"), (1, "requester")):
            held = tables.holder[:, c, party]
            # (S, own moves, other's moves) the holder still has it after the turn
            keeps = held[tables.next_state] if party == 0 else held[tables.next_state].transpose(0, 2, 1)
            mine, other = tables.legal[party], tables.legal[1 - party]
            idle = keeps[:, 0, 0]
            taken = running[:, None] & held[:, None] & idle[:, None] & ~keeps[:, 0] & other
            for move in np.flatnonzero(taken.any(axis=0)):
                state = int(np.flatnonzero(taken[:, move])[0])
                name = tables.moves[1 - party][move]
                where = _where(game, tables, state)
                message = f"{name!r} takes it from the {role} in the turn it is played, such as in {where}"
                yield Breach(rule=4, key=f"parties.contested.{thing.thing}", message=message)
            # An answer keeps it whatever the other plays in the same turn.
            stays = np.asarray(keeps | ~other[:, None, :]).all(axis=2)
            answer = np.asarray(mine & stays).any(axis=1)
            unanswered = np.flatnonzero(running & held & ~idle & ~answer)
            if unanswered.size:
                where = _where(game, tables, int(unanswered[0]))
                message = f"the {role} loses it and has no answer in {unanswered.size} states, such as {where}"
                yield Breach(rule=4, key=f"parties.contested.{thing.thing}", message=message)


def _spite(game: Game, bots: Population) -> Iterator[Breach]:
    """A move that helps neither its party nor both together in any state, and costs the other in some, has a price."""
    tables = bots.tables
    alone = tuple(_alone(bots, party) for party in (0, 1))
    together = _together(tables)
    for party, role in ((0, "incumbent"), (1, "requester")):
        for m, move in enumerate(game.moves[party]):
            if m == 0 or move.cost >= SPITE_COST * UNIT:
                continue
            states = np.flatnonzero(tables.legal[party][:, m] & ~tables.done)
            after, idle = _after(tables, party, m)[states], tables.next_state[states, 0, 0]
            helps = (alone[party][after] > alone[party][idle]) | (together[after] > together[idle])
            hurts = alone[1 - party][after] < alone[1 - party][idle]
            if states.size and hurts.any() and not helps.any():
                cost = move.cost / UNIT
                message = f"{move.id!r} of the {role} does nothing but hurt or block, and costs {cost}"
                yield Breach(rule=6, key=f"parties.cost.{move.id}", message=message)


def _endings(game: Game, tables: JointTables) -> Iterator[Breach]:
    """The cells have the endings of the file; the one in which both outcomes came true needs its own."""
    if tables.latched.all(axis=1).any() and game.block.both_ends is None:
        message = "both outcomes can be had in one game, and that ending has no text"
        yield Breach(rule=7, key="parties.both_ends", message=message)


def _after(tables: JointTables, party: int, move: int) -> NDArray[np.int64]:
    """State after a move while the other holds, (S,)."""
    return (tables.next_state[:, move, 0] if party == 0 else tables.next_state[:, 0, move]).astype(np.int64)


def _alone(bots: Population, party: int) -> NDArray[np.float64]:
    """Payoff (S,) of a party's best reply to an other that holds."""
    tables, other = bots.tables, passive(bots.tables, 1 - party)
    best, _ = reply(tables, other, own_aim(tables, party), bots.sure[party].value)
    return play(tables, *((best, other) if party == 0 else (other, best)))[:, party]


def _together(tables: JointTables) -> NDArray[np.int64]:
    low = np.iinfo(np.int64).min // 4

    def stage(layer: slice, following: NDArray[np.int64]) -> NDArray[np.int64]:
        gain = tables.reward[0][layer] + tables.reward[1][layer]
        return np.asarray(np.where(tables.allowed[layer], following + gain, low).max(axis=(1, 2)))

    return backward(tables, tables.worth.sum(axis=1).astype(np.int64), stage)


def _where(game: Game, tables: JointTables, state: int) -> str:
    return f"turn {tables.turn[state]} with {game.machine.describe(tables.values[state].tolist())}"
