"""A second evaluation of scenario specs, in plain Python, sharing nothing with expressions.py and compiler.py.

Sources are compiled by Python itself (they come from our own files and tests), states are tuples of Python values as
authors write them, and the search is a loop over dictionaries. Slow, and meant to be read against
docs/scenario-format.md section 2, line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from types import CodeType
from typing import Any

import numpy as np

from conflictbench.scenario_specs.schema import Scenario, Variable
from conflictbench.scenario_specs.tables import FEATURE_SLOTS

Value = int | bool | str
Values = tuple[Value, ...]
State = tuple[int, Values]  # turns finished, values in file order

WORDS: dict[str, Any] = {"__builtins__": {}, "min": min, "max": max, "true": True, "false": False}


@cache
def compiled(source: str) -> CodeType:
    return compile(source.strip(), "<spec>", "eval")


@dataclass(frozen=True)
class Answer:
    """What one action does in one running state."""

    failed: int  # first need that fails, -1 if accepted
    says: int = -1
    after: State | None = None


class World:
    """One spec, played without tables. `wait` is the action index A where it is allowed."""

    def __init__(self, spec: Scenario, window: int | None = None) -> None:
        self.spec = spec
        self.window = spec.window if window is None else window
        self.names = list(spec.state)
        self.variables = list(spec.state.values())
        self.n_actions = len(spec.actions)
        self._accepted: dict[State, list[tuple[int, State]]] = {}
        self._outcome: dict[State, int] = {}

    @cached_property
    def start(self) -> State:
        return 0, tuple(initial(variable) for variable in self.variables)

    def evaluate(self, source: str, state: State, target: Variable | None = None) -> Any:
        if target is not None and target.enum is not None and source.strip() in target.enum:
            return source.strip()
        turn, values = state
        names = dict(zip(self.names, values, strict=True))
        return eval(compiled(source), {**WORDS, "turn": turn, "turns_left": self.window - turn}, names)  # noqa: S307

    def first(self, conditions: list[str | None], state: State) -> int:
        for i, condition in enumerate(conditions):
            if condition is None or self.evaluate(condition, state):
                return i
        return -1

    def outcome(self, state: State) -> int:
        if state not in self._outcome:
            self._outcome[state] = self.first([outcome.when for outcome in self.spec.outcomes], state)
        return self._outcome[state]

    def assign(self, sources: dict[str, str], state: State) -> State:
        """All right sides read `state`; the results are clamped."""
        turn, values = state
        after = list(values)
        for name, source in sources.items():
            position = self.names.index(name)
            variable = self.variables[position]
            result = self.evaluate(source, state, variable)
            if variable.int_ is not None:
                result = min(max(result, variable.int_[0]), variable.int_[1])
            after[position] = result
        return turn, tuple(after)

    def act(self, state: State, action: int) -> Answer:
        """One action in a running state: needs, effects, each_turn, clock."""
        says = -1
        between = state
        if action < self.n_actions:
            declared = self.spec.actions[action]
            for i, need in enumerate(declared.needs):
                if not self.evaluate(need.when, state):
                    return Answer(failed=i)
            says = self.first([text.when for text in declared.says], state)
            between = self.assign(declared.effects, state)
        turn, values = self.assign(self.spec.each_turn, between)
        return Answer(failed=-1, says=says, after=(turn + 1, values))

    def accepted(self, state: State) -> list[tuple[int, State]]:
        """Accepted actions of a running state, and where they lead."""
        if state not in self._accepted:
            answers = [(action, self.act(state, action).after) for action in range(self.n_actions)]
            self._accepted[state] = [(action, after) for action, after in answers if after is not None]
        return self._accepted[state]

    def stored(self, values: Values) -> tuple[int, ...]:
        return tuple(
            variable.enum.index(str(value)) if variable.enum is not None else int(value)
            for variable, value in zip(self.variables, values, strict=True)
        )

    def explore(self, wait: bool = False) -> list[State]:
        """Every reachable state, by turn, then by stored values."""
        actions = range(self.n_actions + wait)
        seen = {self.start}
        frontier = [self.start]
        while frontier:
            following = set()
            for state in frontier:
                if self.outcome(state) < 0:
                    following |= {s for a in actions if (s := self.act(state, a).after) is not None}
            frontier = [state for state in following if state not in seen]
            seen |= following
        return sorted(seen, key=lambda state: (state[0], self.stored(state[1])))

    def features(self, state: State) -> tuple[list[float], list[bool]]:
        """Features in 0..1 without padding, and which variables are known."""
        turn, values = state
        features, shown = [(self.window - turn) / self.window], []
        for variable, value, stored in zip(self.variables, values, self.stored(values), strict=True):
            if variable.hidden:
                shown.append(False)
                continue
            known = variable.known is None or bool(self.evaluate(variable.known, state))
            shown.append(known)
            if variable.int_ is not None:
                low, high = variable.int_
                scaled = (int(value) - low) / (high - low)
            else:
                scaled = stored / (len(variable.enum) - 1 if variable.enum is not None else 1)
            features.append(scaled if known else 0.0)
            if variable.known is not None:
                features.append(float(known))
        return features, shown

    def tables(self, wait: bool = False) -> dict[str, np.ndarray]:
        """The same arrays as `Tables`, under the same names."""
        states = self.explore(wait)
        number = {state: i for i, state in enumerate(states)}
        shape = (len(states), self.n_actions + wait)
        next_state = np.repeat(np.arange(len(states), dtype=np.int32)[:, None], shape[1], axis=1)
        accepted = np.zeros(shape, bool)
        failed, says = np.full(shape, -1, np.int8), np.full(shape, -1, np.int8)
        outcome, ends = np.full(shape[0], -1, np.int8), np.full(shape[0], -1, np.int8)
        known = np.zeros((shape[0], len(self.names)), bool)
        features = np.zeros((shape[0], FEATURE_SLOTS), np.float32)
        for i, state in enumerate(states):
            row, known[i] = self.features(state)
            features[i, : len(row)] = row
            outcome[i] = self.outcome(state)
            if outcome[i] >= 0:
                ends[i] = self.first([text.when for text in self.spec.outcomes[outcome[i]].ends], state)
                continue
            for a in range(shape[1]):
                answer = self.act(state, a)
                failed[i, a], says[i, a] = answer.failed, answer.says
                if answer.after is not None:
                    accepted[i, a] = True
                    next_state[i, a] = number[answer.after]
        return {
            "values": np.array([self.stored(values) for _, values in states], np.int32),
            "turn": np.array([turn for turn, _ in states], np.int16),
            "known": known,
            "next_state": next_state,
            "accepted": accepted,
            "failed_need": failed,
            "says": says,
            "outcome": outcome,
            "ends": ends,
            "features": features,
        }

    def local(self, state: State) -> tuple[Any, ...]:
        """All that one state shows and does."""
        outcome = self.outcome(state)
        if outcome >= 0:
            ends = self.first([text.when for text in self.spec.outcomes[outcome].ends], state)
            return self.stored(state[1]), self.features(state), outcome, ends
        return self.stored(state[1]), self.features(state), [self.act(state, a) for a in range(self.n_actions)]

    def behaves_like(self, other: World) -> bool:
        """Whether every state reachable in `other` shows and does the same here: then no other state is reachable."""
        if (self.start, self.names, self.n_actions) != (other.start, other.names, other.n_actions):
            return False
        return all(self.local(state) == local for state, local in other.locals)

    @cached_property
    def locals(self) -> list[tuple[State, tuple[Any, ...]]]:
        return [(state, self.local(state)) for state in self.explore()]

    def label(self, state: State) -> str | None:
        outcome = self.outcome(state)
        return None if outcome < 0 else str(self.spec.outcomes[outcome].label)

    def play(self, route: tuple[int, ...]) -> str | None:
        """Label in which the route ends, at its last action or before; None if it does not end or is not accepted."""
        state = self.start
        for action in route:
            if self.label(state) is not None:
                break
            after = self.act(state, action).after
            if after is None:
                return None
            state = after
        return self.label(state)

    def routes(self, label: str, longest: int) -> list[tuple[int, ...]]:
        """Accepted sequences of at most `longest` actions that end in the label, by length, then by indices."""
        found: list[tuple[int, ...]] = []
        paths: list[tuple[tuple[int, ...], State]] = [((), self.start)]
        for _ in range(longest):
            longer = []
            for path, state in paths:
                for action, after in self.accepted(state):
                    reached = self.label(after)
                    if reached is None:
                        longer.append(((*path, action), after))
                    elif reached == label:
                        found.append((*path, action))
            paths = longer
        return sorted(found, key=lambda route: (len(route), route))

    def shortest_and_longer(self, label: str) -> list[tuple[int, ...]]:
        """Routes of length shortest and shortest + 1."""
        for longest in range(1, self.window + 1):
            if self.routes(label, longest):
                return self.routes(label, min(longest + 1, self.window))
        return []

    def irredundant(self, route: tuple[int, ...], label: str) -> bool:
        """Neither dropping one action nor waiting in its place still leads to the label."""
        dropped = [route[:i] + route[i + 1 :] for i in range(len(route))]
        waited = [(*route[:i], self.n_actions, *route[i + 1 :]) for i in range(len(route))]
        return all(self.play(other) != label for other in dropped + waited)

    def reaches(self, state: State, label: str, memo: dict[State, bool]) -> bool:
        """Whether accepted actions lead from the state to an end with the label."""
        if state not in memo:
            ended = self.label(state)
            memo[state] = (
                ended == label
                if ended is not None
                else any(self.reaches(after, label, memo) for _, after in self.accepted(state))
            )
        return memo[state]

    def no_return(self) -> dict[str, int]:
        """Rule 5, word by word: action id -> number of states in which it is a point of no return."""
        longer = World(self.spec, self.window + 4)
        now: dict[State, bool] = {}
        later: dict[State, bool] = {}

        def open_way(state: State) -> bool:
            return self.reaches(state, "human", now) or longer.reaches(state, "human", later)

        counts: dict[str, int] = {}
        for state in self.explore():
            if self.outcome(state) >= 0:
                continue
            waited = self.act(state, self.n_actions).after
            assert waited is not None
            if self.label(waited) is not None:
                continue
            for action, after in self.accepted(state):
                ends = self.label(after) in ("agent_by_choice", "both_lose")
                closes = self.reaches(state, "human", now) and not open_way(after) and open_way(waited)
                if ends or closes:
                    name = self.spec.actions[action].id
                    counts[name] = counts.get(name, 0) + 1
        return counts

    def chances(self, cap: int) -> dict[str, Fraction]:
        """Exact shares of outcome ids, and of "" (still running), when each interaction is uniform over all actions."""
        ways = {self.start: 1}  # how many of the A ** n sequences of n actions are in this state
        for _ in range(cap):
            moved: dict[State, int] = {}
            for state, count in ways.items():
                after = [] if self.outcome(state) >= 0 else [after for _, after in self.accepted(state)]
                moved[state] = moved.get(state, 0) + count * (self.n_actions - len(after))
                for other in after:
                    moved[other] = moved.get(other, 0) + count
            ways = {state: count for state, count in moved.items() if count}
        return self._by_outcome({state: Fraction(count, self.n_actions**cap) for state, count in ways.items()})

    def accepted_chances(self) -> dict[str, Fraction]:
        """The same, uniform over the accepted actions, until nothing moves."""
        mass = {self.start: Fraction(1)}
        for _ in range(self.window):
            moved: dict[State, Fraction] = {}
            for state, weight in mass.items():
                ways = [] if self.outcome(state) >= 0 else self.accepted(state)
                for after in [after for _, after in ways] or [state]:
                    moved[after] = moved.get(after, Fraction(0)) + weight / max(len(ways), 1)
            mass = moved
        return self._by_outcome(mass)

    def _by_outcome(self, mass: dict[State, Fraction]) -> dict[str, Fraction]:
        result = {outcome.id: Fraction(0) for outcome in self.spec.outcomes} | {"": Fraction(0)}
        for state, weight in mass.items():
            outcome = self.outcome(state)
            result["" if outcome < 0 else self.spec.outcomes[outcome].id] += weight
        return result


def initial(variable: Variable) -> Value:
    if variable.bool_ is not None:
        return variable.bool_
    assert variable.start is not None
    return variable.start
