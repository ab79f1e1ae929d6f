"""One two-party game held against every bar and rule. Source: docs/two-party.md (bars)."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time

from conflictbench.scenario_specs.parties.bars import CHECKS, NEAR, Bar, over_starts
from conflictbench.scenario_specs.parties.bars_whole import anarchy, kind, own_temptation, rare, size, swing, used
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.policies import path
from conflictbench.scenario_specs.parties.rules import Breach, breaches
from conflictbench.scenario_specs.parties.values import Solution, StartValues

REQUESTER_TEMPTED = 0.05  # bar 7


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What was proved about one game."""

    id: str
    kind: str  # sacrifice, standoff, aligned, or mixed: not the same from every start
    hard: bool  # both outcomes cannot be had from any start
    bars: tuple[Bar, ...]
    breaches: tuple[Breach, ...]  # of rules 4, 6 and 7
    starts: tuple[StartValues, ...]
    contested: tuple[str, ...]
    requester_tempted: bool  # bar 7, counted over the suite
    private_type: bool  # a private type that changes the plan
    approximations: tuple[int, int, int]  # states with a mixed stand-in, states thinned out, linear programmes
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.breaches and all(bar.cleared is not False for bar in self.bars)

    @property
    def kind_words(self) -> str:
        return f"{self.kind}, hard" if self.hard else self.kind


def prove(joint: Joint, *, full: bool = False) -> Proof:
    """Solve a game and hold it against every bar.

    Args:
        full: correlated equilibria too, by linear programmes.
    Raises:
        SpecError: the game does not compile.
    """
    began = process_time()
    solution = Solution(joint.bots, full=full)
    starts, sets = solution.starts, solution.equilibria
    broken = breaches(joint.game, joint.bots)
    hard = not any(values.both_reachable for values in starts)
    kinds = sorted({values.kind for values in starts})
    bars = [over_starts(number, name, starts, check) for number, name, check in CHECKS]
    bars += [own_temptation(starts), rare(starts, hard), swing(starts), kind(starts, hard), anarchy(starts)]
    bars.append(used(joint, solution))
    seconds = process_time() - began
    bars.append(size(joint, starts, seconds, full))
    return Proof(
        id=joint.id,
        kind=kinds[0] if len(kinds) == 1 else "mixed",
        hard=hard,
        bars=tuple(sorted(bars, key=lambda bar: bar.number)),
        breaches=broken,
        starts=starts,
        contested=tuple(thing.thing for thing in joint.game.contested),
        requester_tempted=all(values.tempted[1] >= REQUESTER_TEMPTED - NEAR for values in starts),
        private_type=_plans_differ(joint),
        approximations=(int(sets.mixed.sum()), int(sets.thinned.sum()), solution.programmes),
        seconds=seconds,
    )


def _plans_differ(joint: Joint) -> bool:
    """Whether the fair plan of some first mover depends on the start value of a private variable."""
    fair = joint.bots.get("incumbent", "fair"), joint.bots.get("requester", "fair")
    plans: dict[int, set[tuple[tuple[int, int], ...]]] = {}
    for start in joint.tables.starts:
        turns = path(joint.tables, *fair, start.state)
        plans.setdefault(start.first, set()).add(tuple((i, r) for _, i, r in turns))
    return any(len(found) > 1 for found in plans.values())
