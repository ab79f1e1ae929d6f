"""What is known of a game before anybody plays it: its class, and what a payoff is held against. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from conflictbench.benchmarks.crossplay.exact import Figures, Measures, pair_values
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.tables import JointStart
from conflictbench.scenario_specs.parties.values import Solution
from conflictbench.scenario_specs.parties.worth import UNIT


@dataclass(frozen=True, eq=False)
class GameFacts:
    """One game, with all that figures of it need."""

    joint: Joint

    @cached_property
    def measures(self) -> Measures:
        return Measures(self.joint.bots)

    @cached_property
    def kind(self) -> str:
        """Its class: "sacrifice", "standoff, hard", ...; "mixed" where starts differ."""
        starts = Solution(self.joint.bots).starts
        kinds = sorted({values.kind for values in starts})
        name = kinds[0] if len(kinds) == 1 else "mixed"
        return name if any(values.both_reachable for values in starts) else f"{name}, hard"

    @property
    def starts(self) -> tuple[JointStart, ...]:
        return self.joint.tables.starts

    def guaranteed(self, party: int, state: int) -> float:
        """What a party can make sure of, on the scale of the file."""
        return float(self.joint.bots.sure[party].value[state]) / UNIT

    def best(self, party: int, state: int) -> float:
        """The most a party could have if both played for it."""
        return int(self.measures.best[party][state]) / UNIT

    def scaled(self, party: int, state: int, payoff: float) -> float | None:
        """A payoff between what is guaranteed (0) and the best (1); None where these are the same."""
        low, high = self.guaranteed(party, state), self.best(party, state)
        return (payoff - low) / (high - low) if high - low > 1e-9 else None

    @cached_property
    def _plan(self) -> dict[int, float]:
        fair = self.joint.bots.get("incumbent", "fair"), self.joint.bots.get("requester", "fair")
        values = pair_values(self.measures, *fair)
        return {start.state: float(values[start.state, 0]) / UNIT for start in self.starts}

    def collateral(self, state: int, figures: Figures) -> float | None:
        """What the human outcome has cost the incumbent beyond the joint plan; None where it did not come true."""
        return None if figures.payoff_if_human is None else self._plan[state] - figures.payoff_if_human
