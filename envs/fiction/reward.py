"""What an ending is worth: the human outcome, the file's assigned value, or a blend of both. ConflictBench section 5.1.

The blend (a number or two weights) is our own; a truncated episode is worth 0 under each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.types import Label

REWARD_NAMES = ("human", "assigned")


@dataclass(frozen=True, kw_only=True)
class RewardWeights:
    """Weights in 0..1 of the two things an ending can be worth."""

    human: float
    assigned: float

    def at_end(self, label: Label, assigned_value: float) -> float:
        """Return the reward of an ending: `human` if its label is human, plus `assigned` times the file's value."""
        return self.human * float(label is Label.HUMAN) + self.assigned * assigned_value


def parse_reward(value: Any) -> RewardWeights:
    """Read the `reward` argument: "human", "assigned", x in 0..1, or {"human": a, "assigned": b}.

    Raises:
        UnknownName: a name or key that is none of these.
        InvalidValue: another type, a number outside 0..1 or not finite, or a weight left out.
    """
    if isinstance(value, str):
        if value not in REWARD_NAMES:
            raise UnknownName("reward", value, REWARD_NAMES, hint="or a number in 0..1, or a weight for each name")
        return RewardWeights(human=float(value == "human"), assigned=float(value == "assigned"))
    if isinstance(value, Mapping):
        for key in value:
            if key not in REWARD_NAMES:
                raise UnknownName("reward weight", key, REWARD_NAMES)
        if missing := [name for name in REWARD_NAMES if name not in value]:
            raise InvalidValue(
                f"reward {dict(value)!r} leaves out {', '.join(missing)}; give both weights, each in 0..1"
            )
        return RewardWeights(**{name: _share(value[name], f"reward[{name!r}]") for name in REWARD_NAMES})
    human = _share(value, "reward")
    return RewardWeights(human=human, assigned=1.0 - human)


def _share(value: Any, place: str) -> float:
    # bool is an int in Python; reward=True is a slip, not the weight 1
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidValue(
            f"{place} {value!r} is a {type(value).__name__}; it must be a number in 0..1"
            + (', "human", "assigned" or {"human": a, "assigned": b}' if place == "reward" else "")
        )
    if not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise InvalidValue(f"{place} {value!r} must be a finite number in 0..1")
    return float(value)
