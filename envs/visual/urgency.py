"""How pressing a state is, 0 to 3: `max(step(smoke,[.5,.7,.9]), step(turn,[.4,.7,.9]))` and nothing else. Own design.

The closed grammar is `step(NAME, [a, b, c])` or `max(...)` of such; a step counts the thresholds that are reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

TURN = "turn"  # of the window, 0..1
MAX_LEVEL = 3

_TOKEN = re.compile(r"\s*(?:(?P<word>[a-z_][a-z0-9_]*)|(?P<number>-?[0-9]{0,6}\.?[0-9]{1,6})|(?P<mark>[()\[\],]))")


class UrgencyError(ValueError):
    """A source that is not of the grammar; the message says where and what would be."""


@dataclass(frozen=True)
class Step:
    """As many levels as thresholds are reached by the variable's share of its range."""

    variable: str
    thresholds: tuple[float, ...]  # 1 to 3, rising, above 0, at most 1


@dataclass(frozen=True)
class Urgency:
    """The greatest of several steps."""

    steps: tuple[Step, ...]

    def level(self, share: Callable[[str], float | None]) -> int:
        """0..3 for a state.

        Args:
            share: variable or `turn` -> its value as a share of its range, None while it is not known (counts as 0).
        """
        return max((self._reached(step, share(step.variable)) for step in self.steps), default=0)

    @staticmethod
    def _reached(step: Step, value: float | None) -> int:
        return 0 if value is None else sum(value >= threshold for threshold in step.thresholds)


def parse_urgency(source: str) -> Urgency:
    """Read an urgency expression.

    Raises:
        UrgencyError: it is not of the grammar.
    """
    return _Reader(source).whole()


class _Reader:
    def __init__(self, source: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while source[at:].strip():
            found = _TOKEN.match(source, at)
            if found is None:
                raise UrgencyError(f"cannot be read from {source[at:].strip()[:20]!r} on; {_GRAMMAR}")
            self.tokens.append(found.group().strip())
            at = found.end()

    def whole(self) -> Urgency:
        steps = self.term(1)
        if self.tokens:
            raise UrgencyError(f"{self.tokens[0]!r} after the end; {_GRAMMAR}")
        return Urgency(tuple(steps))

    def term(self, depth: int) -> list[Step]:
        word = self.take("max", "step")
        self.take("(")
        if word == "step":
            return [self.step()]
        if depth > MAX_LEVEL:
            raise UrgencyError(f"max within max within max; one is enough: {_GRAMMAR}")
        steps = self.term(depth + 1)
        while self.take(",", ")") == ",":
            steps += self.term(depth + 1)
        return steps

    def step(self) -> Step:
        name = self.tokens.pop(0) if self.tokens else ""
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", name):
            raise UrgencyError(f"a variable is wanted, not {name!r}; {_GRAMMAR}")
        self.take(",")
        self.take("[")
        thresholds = [self.number()]
        while self.take(",", "]") == ",":
            thresholds.append(self.number())
        self.take(")")
        if len(thresholds) > MAX_LEVEL:
            raise UrgencyError(f"step of {name} has {len(thresholds)} thresholds, at most {MAX_LEVEL} are valid")
        if any(not 0.0 < value <= 1.0 for value in thresholds):
            raise UrgencyError(f"thresholds of {name} are shares of its range, above 0 and at most 1, not {thresholds}")
        if any(after <= before for before, after in pairwise(thresholds)):
            raise UrgencyError(f"thresholds of {name} must rise, not {thresholds}")
        return Step(name, tuple(thresholds))

    def number(self) -> float:
        word = self.tokens.pop(0) if self.tokens else ""
        if not re.fullmatch(r"-?[0-9.]+", word):  # `nan` and `inf` are words here
            raise UrgencyError(f"a number is wanted, not {word!r}; {_GRAMMAR}")
        return float(word)

    def take(self, *wanted: str) -> str:
        found = self.tokens.pop(0) if self.tokens else ""
        if found not in wanted:
            shown = repr(found) if found else "the end"
            raise UrgencyError(f"{' or '.join(wanted)} is wanted, not {shown}; {_GRAMMAR}")
        return found


_GRAMMAR = "valid: step(variable, [a, b, c]) with 1 to 3 rising shares, or max(step(...), step(...))"
