"""A second playing of a two-party game, from the block as written, in plain Python and without the joint tables.

Meant to be read against docs/two-party.md, rules 1 to 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.scenario_specs.independent import Values, World, initial

from conflictbench.scenario_specs.schema import Scenario

HELD, DONE, REJECTED, BUMPED = range(4)


@dataclass(frozen=True)
class Joint:
    """A joint state: values as an author writes them, who is served first now, which outcomes have come true."""

    turn: int
    values: Values
    first: int
    human: bool
    task: bool


class JointWorld:
    def __init__(self, spec: Scenario) -> None:
        block = spec.parties
        assert block is not None
        state = {**spec.state, **block.adds.state}
        each_turn = {**spec.each_turn, **block.adds.each_turn}
        self.world = World(spec.model_copy(update={"state": state, "each_turn": each_turn}))
        self.spec, self.block = spec, block
        self.actions = {action.id: action for action in (*spec.actions, *block.adds.moves)}
        self.moves = [
            [None, *block.incumbent.actions, *block.both],
            [None, *block.requester.actions, *block.both],
        ]

    def start(self, first: int, types: dict[str, Any]) -> Joint:
        values = {name: initial(variable) for name, variable in self.world.spec.state.items()}
        values |= {**self.block.adds.start, **types}
        return Joint(0, tuple(values.values()), first, False, False)

    def over(self, state: Joint) -> bool:
        return (state.human and state.task) or state.turn == self.spec.window

    def legal(self, state: Joint, name: str | None) -> bool:
        if name is None:
            return True
        return not self.over(state) and self._needs(name, (state.turn, state.values))

    def _needs(self, name: str, at: tuple[int, Values]) -> bool:
        needs = [*self.actions[name].needs, *self.block.adds.needs.get(name, ())]
        return all(self.world.evaluate(need.when, at) for need in needs)

    def step(self, state: Joint, pair: tuple[int, int]) -> tuple[Joint, tuple[int, int]]:
        """The next state and the events of both, for any two moves of a game that is not over."""
        names = [self.moves[party][pair[party]] for party in (0, 1)]
        events = [HELD, HELD]
        now = (state.turn, state.values)
        for party in (state.first, 1 - state.first):
            name = names[party]
            if name is None:
                continue
            if not self.legal(state, name):
                events[party] = REJECTED
            elif not self._needs(name, now):
                events[party] = BUMPED
            else:
                effects = {**self.actions[name].effects, **self.block.adds.effects.get(name, {})}
                now = self.world.assign(effects, now)
                events[party] = DONE
        _, values = self.world.assign(self.world.spec.each_turn, now)
        after = (state.turn + 1, values)
        came = {
            label: any(self.world.evaluate(o.when, after) for o in self.spec.outcomes if o.label == label)
            for label in ("human", "agent_by_choice")
        }
        human, task = state.human or came["human"], state.task or came["agent_by_choice"]
        return Joint(state.turn + 1, values, 1 - state.first, human, task), (events[0], events[1])

    def worth(self, state: Joint, role: str) -> int:
        """Worth of the cell the state stands in, in 1/10,000."""
        cell = {(1, 1): "both", (1, 0): "human", (0, 1): "task", (0, 0): "neither"}[state.human, state.task]
        source = self.block.cells(role)[cell]  # type: ignore[arg-type]
        return round(self.world.evaluate(source, (state.turn, state.values)) * 10_000)
