"""The machine of a scenario: its variables, actions and outcomes with every expression parsed and typed. Own design.

Texts, labels and twins are not part of it: the four readings of a scenario share one machine.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.expressions import Bool, Enum, Expr, ExpressionError, Int, Scope, Type, parse
from conflictbench.scenario_specs.schema import Conditional, Scenario, Variable
from conflictbench.types import Label

CLOCK_NAMES = ("turn", "turns_left")
RESERVED = frozenset({*CLOCK_NAMES, "min", "max", "true", "false", *keyword.kwlist})
_WORD = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, kw_only=True)
class MachineAction:
    """One action: conditions in the order they are checked, effects that all read the state before."""

    id: str
    needs: tuple[Expr, ...]
    effects: Mapping[str, Expr]
    says: tuple[Expr | None, ...]  # condition of each alternative, None for the last


@dataclass(frozen=True, kw_only=True)
class MachineOutcome:
    """One labelled end; the first in file order whose `when` holds ends the episode."""

    id: str
    label: Label
    when: Expr
    ends: tuple[Expr | None, ...]


@dataclass(frozen=True, kw_only=True)
class Machine:
    """V variables in file order, hidden ones too; stored values are integers in [low, high]."""

    file: str
    variables: tuple[str, ...]
    types: tuple[Type, ...]  # (V,)
    low: tuple[int, ...]  # (V,)
    high: tuple[int, ...]  # (V,)
    start: tuple[int, ...]  # (V,)
    hidden: tuple[bool, ...]  # (V,)
    known: Mapping[str, Expr]  # of the variables that are shown only while it holds
    actions: tuple[MachineAction, ...]
    each_turn: Mapping[str, Expr]
    outcomes: tuple[MachineOutcome, ...]
    window: int
    honest: Expr | None = None  # EP3: the overseers know

    def as_written(self, stored: Sequence[int]) -> dict[str, int | bool | str]:
        """A row of stored values (V,) as an author writes them: numbers, booleans, enum names."""
        values: dict[str, int | bool | str] = {}
        for name, kind, value in zip(self.variables, self.types, stored, strict=True):
            if isinstance(kind, Enum):
                values[name] = kind.names[value]
            else:
                values[name] = bool(value) if isinstance(kind, Bool) else int(value)
        return values

    def describe(self, stored: Sequence[int]) -> str:
        """The same on one line, for messages: `air = still, mist = false, smoke = 40`."""
        values = self.as_written(stored)
        return ", ".join(
            f"{name} = {str(value).lower() if isinstance(value, bool) else value}" for name, value in values.items()
        )


def variable_type(variable: Variable) -> Type:
    """Type of one declared variable."""
    if variable.kind == "int":
        return Int(variable.low, variable.high)
    return Enum(variable.enum) if variable.enum is not None else Bool()


def build_machine(spec: Scenario, *, file: str = "") -> Machine:
    """Parse and type everything that moves.

    Raises:
        SpecError: one fault for every expression or name that is wrong; `line` is left to the loader.
    """
    return _Builder(spec, file).build()


@dataclass
class _Builder:
    spec: Scenario
    file: str
    faults: list[Fault] = field(default_factory=list)
    taken: frozenset[str] = frozenset()  # names of variables that no expression can read

    def build(self) -> Machine:
        spec = self.spec
        types = {name: variable_type(variable) for name, variable in spec.state.items()}
        self.taken = frozenset(name for name in spec.state if name in RESERVED)
        for name in spec.state:
            if name in self.taken:
                message = (
                    f"{name!r} cannot name a variable: it is a word of expressions, or of Python, which reads them"
                )
                self._fault(f"state.{name}", "reference", message, fix=f"{name}_now")
        scope: Scope = {**types, "turn": Int(0, spec.window), "turns_left": Int(0, spec.window)}
        known = {
            name: self._read(variable.known, scope, Bool(), f"state.{name}.known")
            for name, variable in spec.state.items()
            if variable.known is not None
        }
        actions = []
        for action in spec.actions:
            key = f"actions.{action.id}"
            actions.append(
                MachineAction(
                    id=action.id,
                    needs=tuple(
                        self._read(need.when, scope, Bool(), f"{key}.needs.{i}.when")
                        for i, need in enumerate(action.needs, 1)
                    ),
                    effects=self._assignments(action.effects, types, scope, f"{key}.effects"),
                    says=self._conditions(action.says, scope, f"{key}.says"),
                )
            )
        outcomes = tuple(
            MachineOutcome(
                id=outcome.id,
                label=outcome.label,
                when=self._read(outcome.when, scope, Bool(), f"outcomes.{outcome.id}.when"),
                ends=self._conditions(outcome.ends, scope, f"outcomes.{outcome.id}.ends"),
            )
            for outcome in spec.outcomes
        )
        each_turn = self._assignments(spec.each_turn, types, scope, "each_turn")
        honest = None
        if spec.oversight is not None:
            honest = self._read(spec.oversight.honest, scope, Bool(), "oversight.honest")
        if self.faults:
            raise SpecError(self.faults)
        variables = tuple(spec.state)
        declared = tuple(spec.state.values())
        return Machine(
            file=self.file,
            variables=variables,
            types=tuple(types.values()),
            low=tuple(variable.low for variable in declared),
            high=tuple(variable.high for variable in declared),
            start=tuple(variable.start_value for variable in declared),
            hidden=tuple(variable.hidden for variable in declared),
            known=known,
            actions=tuple(actions),
            each_turn=each_turn,
            outcomes=outcomes,
            window=spec.window,
            honest=honest,
        )

    def _read(self, source: str, scope: Scope, expect: Type, key: str) -> Expr:
        try:
            return parse(source, scope, expect)
        except ExpressionError as error:
            # Of an expression with a variable that has to be renamed nothing can be said yet.
            if self.taken.isdisjoint(_WORD.findall(source)):
                self._fault(key, "expression", str(error))
            return parse("true", {}, Bool())  # stands in until all faults are collected; never leaves this builder

    def _assignments(
        self, sources: Mapping[str, str], types: Mapping[str, Type], scope: Scope, key: str
    ) -> dict[str, Expr]:
        result = {}
        for name, source in sources.items():
            if name not in types:
                self._fault(f"{key}.{name}", "reference", f"unknown variable {name!r}; known: {', '.join(types)}")
                continue
            result[name] = self._read(source, scope, types[name], f"{key}.{name}")
        return result

    def _conditions(self, texts: Sequence[Conditional], scope: Scope, key: str) -> tuple[Expr | None, ...]:
        conditions: list[Expr | None] = []
        for i, text in enumerate(texts, 1):
            last = i == len(texts)
            if (text.when is None) != last:
                wanted = (
                    "the last alternative has no `when`" if last else "only the last alternative goes without `when`"
                )
                self._fault(f"{key}.{i}", "schema", wanted)
            conditions.append(None if text.when is None else self._read(text.when, scope, Bool(), f"{key}.{i}.when"))
        return tuple(conditions)

    def _fault(self, key: str, rule: str, message: str, fix: str = "") -> None:
        self.faults.append(Fault(file=self.file, key=key, rule=rule, message=message, fix=fix))
