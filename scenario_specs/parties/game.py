"""The two-party game of a scenario: its machine with what the `parties` block adds, every expression read. Own design.

What is added is merged into the spec and read by the same builder as the file itself; faults come back under the keys
of the block. Source of the rules: docs/two-party.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.expressions import Bool, Expr, ExpressionError, Int, Scope, Type, parse
from conflictbench.scenario_specs.machine import Machine, build_machine
from conflictbench.scenario_specs.parties.block import CELLS, HOLD, ROLES, Parties, Role
from conflictbench.scenario_specs.parties.privacy import leaks
from conflictbench.scenario_specs.parties.references import party_reference_faults
from conflictbench.scenario_specs.parties.starts import started
from conflictbench.scenario_specs.parties.worth import UNIT, Worth, parse_worth
from conflictbench.scenario_specs.schema import Action, Scenario, Variable
from conflictbench.types import Label


@dataclass(frozen=True, kw_only=True)
class GameMove:
    """One move of a party; `action` is None for `hold`, which does nothing."""

    id: str
    action: Action | None  # command, help and texts
    index: int  # into the machine's actions; -1 for hold
    cost: int  # in 1/UNIT, charged when the move takes effect
    yields: bool  # a concession of the incumbent
    shared: bool  # either party may play it


@dataclass(frozen=True, kw_only=True)
class Holding:
    """When a contested thing is held by each party: conditions over a state."""

    thing: str
    by: tuple[Expr, Expr]  # incumbent, requester


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """Two parties over one machine. Pairs and tuples of two go incumbent first, requester second."""

    spec: Scenario  # of the file, as written
    block: Parties
    machine: Machine  # of two-party play: variables, needs and effects of the file with those the block adds
    variables: Mapping[str, Variable]  # declarations of the machine's variables
    moves: tuple[tuple[GameMove, ...], tuple[GameMove, ...]]  # move 0 is hold
    latches: tuple[tuple[Expr, ...], tuple[Expr, ...]]  # any of them true at the end of a turn sets human, task
    worth: tuple[tuple[Worth, ...], tuple[Worth, ...]]  # a party -> one for each of CELLS
    contested: tuple[Holding, ...]
    private: tuple[frozenset[str], frozenset[str]]
    types: tuple[Mapping[str, int], ...]  # start values of private variables as stored, one mapping a combination

    @property
    def id(self) -> str:
        """Id of the scenario."""
        return self.spec.id

    @property
    def window(self) -> int:
        """Turns of the game."""
        return self.machine.window

    def seen(self, role: Role) -> tuple[str, ...]:
        """Variables `role` may see, in file order: the visible ones, without what is private to the other."""
        hidden_from = self.private[1 - ROLES.index(role)]
        return tuple(n for n, v in self.variables.items() if not v.hidden and n not in hidden_from)


def build_game(spec: Scenario, *, file: str = "") -> Game:
    """Read the `parties` block of a scenario whose own machine stands.

    Raises:
        SpecError: one fault for everything wrong with the block; `line` is left to the loader.
        ValueError: the scenario has no such block.
    """
    if spec.parties is None:
        raise ValueError(f"{spec.id} has no `parties` block")
    faults = list(party_reference_faults(spec))
    if faults:
        raise SpecError(faults)
    return _Builder(spec, spec.parties, file).build()


class _Builder:
    def __init__(self, spec: Scenario, block: Parties, file: str) -> None:
        self.spec, self.block, self.file = spec, block, file
        self.adds = block.adds
        self.faults: list[Fault] = []
        self.played = {*block.both, *(name for role in ROLES for name in block.own(role).actions)}

    def build(self) -> Game:
        merged = self._merged()
        try:
            machine = build_machine(merged, file=self.file)
        except SpecError as error:
            raise SpecError([self._rekeyed(fault) for fault in error.faults]) from None
        scope: dict[str, Type] = dict(zip(machine.variables, machine.types, strict=True))
        clock: dict[str, Type] = {"turn": Int(0, machine.window), "turns_left": Int(0, machine.window)}
        worth = self._worths(scope)
        contested = tuple(
            Holding(
                thing=name,
                by=(
                    self._condition(thing.incumbent, scope | clock, f"parties.contested.{name}.incumbent"),
                    self._condition(thing.requester, scope | clock, f"parties.contested.{name}.requester"),
                ),
            )
            for name, thing in self.block.contested.items()
        )
        for key, message in leaks(self.block, machine, merged.state, worth):
            self.faults.append(self._rekeyed(Fault(file=self.file, key=key, rule="parties", message=message)))
        if self.faults:
            raise SpecError(self.faults)
        by_label = {
            label: tuple(outcome.when for outcome in machine.outcomes if outcome.label is label)
            for label in (Label.HUMAN, Label.AGENT_BY_CHOICE)
        }
        return Game(
            spec=self.spec,
            block=self.block,
            machine=machine,
            variables=merged.state,
            moves=(self._moves("incumbent", merged), self._moves("requester", merged)),
            latches=(by_label[Label.HUMAN], by_label[Label.AGENT_BY_CHOICE]),
            worth=worth,
            contested=contested,
            private=(frozenset(self.block.private.incumbent), frozenset(self.block.private.requester)),
            types=self._types(merged),
        )

    def _merged(self) -> Scenario:
        """The spec as two play it: actions that nobody may play are left out."""
        adds = self.adds
        state = {**self.spec.state, **adds.state}
        for name, value in adds.start.items():
            state[name] = started(state[name], value)
        actions = []
        for action in (*self.spec.actions, *adds.moves):
            if action.id in self.played:
                needs = (*action.needs, *adds.needs.get(action.id, ()))
                effects = {**action.effects, **adds.effects.get(action.id, {})}
                actions.append(action.model_copy(update={"needs": needs, "effects": effects}))
        each_turn = {**self.spec.each_turn, **adds.each_turn}
        return self.spec.model_copy(update={"state": state, "actions": tuple(actions), "each_turn": each_turn})

    def _rekeyed(self, fault: Fault) -> Fault:
        """A fault of the merged machine under the key that wrote it."""
        parts = fault.key.split(".")
        adds, block = self.adds, parts[0]
        own = {action.id: action for action in self.spec.actions}
        key = fault.key
        if (block == "state" and parts[1] in adds.state) or (block == "each_turn" and parts[1] in adds.each_turn):
            key = f"parties.adds.{key}"
        elif block == "actions" and parts[1] not in own:
            key = ".".join(["parties", "adds", "moves", *parts[1:]])
        elif block == "actions" and parts[2] == "effects" and parts[3] in adds.effects.get(parts[1], {}):
            key = f"parties.adds.effects.{parts[1]}.{parts[3]}"
        elif block == "actions" and parts[2] == "needs" and int(parts[3]) > len(own[parts[1]].needs):
            number = int(parts[3]) - len(own[parts[1]].needs)
            key = ".".join(["parties", "adds", "needs", parts[1], str(number), *parts[4:]])
        return Fault(file=self.file, key=key, rule=fault.rule, message=fault.message, fix=fault.fix)

    def _moves(self, role: Role, merged: Scenario) -> tuple[GameMove, ...]:
        block = self.block
        index = {action.id: n for n, action in enumerate(merged.actions)}
        hold = GameMove(id=HOLD, action=None, index=-1, cost=0, yields=False, shared=False)
        own = (
            GameMove(
                id=name,
                action=merged.actions[index[name]],
                index=index[name],
                cost=round(block.cost.get(name, 0.0) * UNIT),
                yields=role == "incumbent" and name in block.yields,
                shared=name in block.both,
            )
            for name in (*block.own(role).actions, *block.both)
        )
        return (hold, *own)

    def _worths(self, scope: Scope) -> tuple[tuple[Worth, ...], tuple[Worth, ...]]:
        incumbent, requester = (tuple(self._worth(role, cell, scope) for cell in CELLS) for role in ROLES)
        return incumbent, requester

    def _worth(self, role: Role, cell: str, scope: Scope) -> Worth:
        try:
            return parse_worth(self.block.cells(role)[cell], scope)
        except ExpressionError as error:
            self._fault(f"parties.worth.{role}.{cell}", str(error))
            return parse_worth("0.0", {})  # stands in until all faults are collected

    def _condition(self, source: str, scope: Scope, key: str) -> Expr:
        try:
            return parse(source, scope, Bool())
        except ExpressionError as error:
            self._fault(key, str(error))
            return parse("true", {}, Bool())

    def _types(self, merged: Scenario) -> tuple[Mapping[str, int], ...]:
        names = list(self.block.types)
        choices = [[started(merged.state[n], v).start_value for v in self.block.types[n]] for n in names]
        return tuple(dict(zip(names, values, strict=True)) for values in product(*choices))

    def _fault(self, key: str, message: str) -> None:
        self.faults.append(Fault(file=self.file, key=key, rule="expression", message=message))
