"""One two-party game with everything that an environment looks up in it. Own design."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs import CommandBook
from conflictbench.scenario_specs.commands import normalise
from conflictbench.scenario_specs.expressions import Bool, evaluate, names
from conflictbench.scenario_specs.parties.block import HOLD, ROLES
from conflictbench.scenario_specs.parties.game import Game, GameMove
from conflictbench.scenario_specs.parties.joint import Joint, get_joint
from conflictbench.scenario_specs.parties.policies import Aim, joint_plan
from conflictbench.scenario_specs.parties.tables import JointTables, read_only
from conflictbench.scenario_specs.parties.worth import UNIT

OWN_LATCH = (1, 0)  # column of `latched` that is a party's own outcome: task of the incumbent, human of the requester


class Playing:
    """A game as it is played; pairs go incumbent first, requester second. Nothing in it changes."""

    def __init__(self, joint: Joint, *, packed: bool = False) -> None:
        """Take a game; `packed` says that `playing_of` finds it again by its id."""
        self.joint = joint
        self._packed = packed

    @property
    def id(self) -> str:
        """Id of the scenario."""
        return self.joint.id

    @property
    def game(self) -> Game:
        """Texts and rules."""
        return self.joint.game

    @property
    def tables(self) -> JointTables:
        """Joint tables."""
        return self.joint.tables

    @cached_property
    def seen(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Columns of `tables.values` that each party may see, in file order."""
        variables = self.game.machine.variables
        incumbent, requester = (tuple(variables.index(name) for name in self.game.seen(role)) for role in ROLES)
        return incumbent, requester

    @cached_property
    def tells_other(self) -> tuple[bool, bool]:
        """Whether each party is told that the other's outcome has come true: if it sees all that this depends on."""
        told = []
        for party, role in enumerate(ROLES):
            may_see = {*self.game.seen(role), "turn", "turns_left"} - set(self.game.machine.known)
            told.append(all(names(when) <= may_see for when in self.game.latches[1 - OWN_LATCH[party]]))
        return told[0], told[1]

    @cached_property
    def optimum(self) -> NDArray[np.float64]:
        """(S,) the most that both together can have from a state on, costs paid."""
        tables = self.tables
        gain = (tables.reward[0] + tables.reward[1]).astype(np.float64)
        aim = Aim(final=tables.worth.sum(axis=1).astype(np.float64), gain=gain)
        return read_only(np.asarray(joint_plan(tables, aim, np.zeros(tables.n_states))[2] / UNIT))

    def types(self, start: int) -> dict[str, int | bool | str]:
        """Start values of the private variables, as an author writes them."""
        row = self.tables.values[self.tables.starts[start].state]
        written = self.game.machine.as_written([int(value) for value in row])
        return {name: written[name] for name in self.tables.starts[start].types}

    def counted(self, party: int, move: int) -> int:
        """The move that an index counts as where it is none of this game: hold."""
        return move if move < self.tables.n_moves[party] else 0

    def commands(self, party: int) -> tuple[str, ...]:
        """Moves in words, by index."""
        return tuple(self.command(party, move) for move in range(self.tables.n_moves[party]))

    def command(self, party: int, move: int) -> str:
        """A move in words."""
        action = self.game.moves[party][move].action
        return HOLD if action is None else action.command

    def move_called(self, party: int, words: str) -> int | None:
        """The move that `words` are the command of; None for any other words."""
        if normalise(words) == HOLD:
            return 0
        match = self._books[party].match(words)
        return None if match.action is None else match.action + 1

    def obstacle(self, party: int, move: int, state: int) -> str | None:
        """Why a move is not possible in a state: the text of the first need that fails."""
        own: GameMove = self.game.moves[party][move]
        if own.action is None:
            return None
        columns = self.columns(state)
        needs = zip(self.game.machine.actions[own.index].needs, own.action.needs, strict=True)
        return next((text.else_ for need, text in needs if not bool(np.all(evaluate(need, columns)))), None)

    def columns(self, state: int) -> dict[str, NDArray[Any]]:
        """The values of one state, as expressions read them."""
        machine, turn = self.game.machine, int(self.tables.turn[state])
        columns: dict[str, NDArray[Any]] = {}
        for v, (name, kind) in enumerate(zip(machine.variables, machine.types, strict=True)):
            value = self.tables.values[state, v : v + 1]
            columns[name] = value != 0 if isinstance(kind, Bool) else value.astype(np.int64)
        columns["turn"] = np.array([turn])
        columns["turns_left"] = np.array([machine.window - turn])
        return columns

    @cached_property
    def _books(self) -> tuple[CommandBook, CommandBook]:
        """Commands of each party without `hold`: entry i is move i + 1."""
        incumbent, requester = (
            CommandBook(self.game.spec.model_copy(update={"actions": tuple(m.action for m in moves if m.action)}))
            for moves in self.game.moves
        )
        return incumbent, requester

    def __deepcopy__(self, memo: dict[int, Any]) -> Playing:
        """Return the game itself: nothing in it changes, so copies of an environment share it."""
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle as a name where a pack has the game, and as what its tables are made of elsewhere."""
        return (playing_of, (self.id,)) if self._packed else (_again, (self.game,))


@cache  # as many as there are scenarios
def playing_of(scenario: str) -> Playing:
    """The game of a scenario of the core pack.

    Raises:
        UnknownName: no such scenario, or it has no two parties.
    """
    return Playing(get_joint(scenario), packed=True)


def _again(game: Game) -> Playing:
    return Playing(Joint(game))
