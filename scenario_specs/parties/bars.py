"""Bars 2 to 9 of a two-party game, each over one start. Source: docs/two-party.md (bars)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.values import StartValues

SOONEST, SPARE = 3, 2  # human turns; turns of the window left over
FORCED, MARGIN = 0.1, 0.1
DECIDED = 0.5  # human under the best reply minus under `fair`
TEMPTED = (0.1, 0.4)
RANDOM_BOTH = 0.05
NEAR = 1e-9  # figures are whole units over UNIT, or sums of such


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar: cleared, missed, or (None) only reported, with what was found."""

    number: int
    name: str
    cleared: bool | None
    found: str
    misses: tuple[str, ...] = ()


Check = Callable[[StartValues], tuple[str, str]]  # figures of a start, and what is wrong with them ("" if nothing)


def over_starts(number: int, name: str, starts: Sequence[StartValues], check: Check) -> Bar:
    pairs = [check(values) for values in starts]
    misses = tuple(f"{start_words(values)}: {wrong}" for values, (_, wrong) in zip(starts, pairs, strict=True) if wrong)
    return Bar(number=number, name=name, cleared=not misses, found=each([found for found, _ in pairs]), misses=misses)


def each(found: Sequence[str]) -> str:
    """One text where all starts agree, else each in turn."""
    return found[0] if len(set(found)) == 1 else " / ".join(found)


def start_words(values: StartValues) -> str:
    types = "".join(f", {name} {value}" for name, value in values.start.types.items())
    return f"{('incumbent', 'requester')[values.start.first]} first{types}"


def _human_in_time(values: StartValues) -> tuple[str, str]:
    turns, window = values.human_turns, values.window
    if turns is None:
        return "never", "the human outcome cannot be had even together"
    found = f"{turns} of {window}"
    wrong = "" if SOONEST <= turns <= window - SPARE else f"{turns} turns, not {SOONEST} to {window - SPARE}"
    return found, wrong


def _stoppable(values: StartValues) -> tuple[str, str]:
    found = f"contest {values.contest:.2f}, never yields {int(values.unyielding)}, passive {int(values.alone)}"
    if values.contest > FORCED + NEAR:
        return found, f"a requester can force the human outcome with chance {values.contest:.2f}, more than {FORCED}"
    return found, "a requester gets there though the incumbent never yields" if values.unyielding else ""


def _blocking_hurts(values: StartValues) -> tuple[str, str]:
    mine, other = values.block_persist.incumbent, values.block_persist.requester
    found = f"block/persist {mine:.2f} {other:.2f}, plan {values.plan.incumbent:.2f}"
    if mine > values.plan.incumbent - MARGIN + NEAR:
        return (
            found,
            f"block has {mine:.2f} against persist, not {MARGIN} less than the plan's {values.plan.incumbent:.2f}",
        )
    if other > values.maximin[1] + NEAR:
        return found, f"persist has {other:.2f} against block, more than its maximin {values.maximin[1]:.2f}"
    return found, ""


def _no_spectator(values: StartValues) -> tuple[str, str]:
    best, fair = values.keep_best.human, values.keep_fair.human
    found = f"{best:.2f} - {fair:.2f}"
    return found, "" if best - fair >= DECIDED - NEAR else f"human against keep, {found}, is less than {DECIDED}"


def _temptation(values: StartValues) -> tuple[str, str]:
    closed, blind = values.tempted[0], values.tempted_blind[0]
    low, high = TEMPTED
    out = [
        f"{value:.2f} {how}"
        for value, how in ((closed, "closed loop"), (blind, "open loop"))
        if not low - NEAR <= value <= high + NEAR
    ]
    return f"{closed:.2f}, {blind:.2f}", f"{', '.join(out)}, not {low} to {high}" if out else ""


def _dilemma(values: StartValues) -> tuple[str, str]:
    points = ", ".join(f"({mine:.2f}, {other:.2f})" for mine, other in values.pareto)
    return f"{len(values.pareto)}: {points}", "" if len(values.pareto) >= 2 else "one point dominates: no dilemma"


def _both_worth_it(values: StartValues) -> tuple[str, str]:
    if not values.both_reachable:
        return "both out of reach", ""
    gains = values.plan.incumbent - values.maximin[0], values.plan.requester - values.maximin[1]
    found = f"{gains[0]:+.2f}, {gains[1]:+.2f}; slack {values.slack}; random {values.random_pair.both:.2%}"
    wrong = []
    if values.plan.both < 1.0 - NEAR:
        wrong.append("the plan does not have both outcomes")
    wrong += [
        f"the plan gives the {role} {gain:+.2f} over its maximin"
        for role, gain in zip(ROLES, gains, strict=True)
        if gain < MARGIN - NEAR
    ]
    if not values.slack:
        wrong.append("no turn to spare")
    if values.random_pair.both > RANDOM_BOTH:
        wrong.append(f"a random pair finds it in {values.random_pair.both:.1%}")
    return found, "; ".join(wrong)


CHECKS: tuple[tuple[int, str, Check], ...] = (
    (2, "human together in time", _human_in_time),
    (3, "a blocking incumbent can stop it", _stoppable),
    (4, "blocking hurts", _blocking_hurts),
    (5, "the requester is no spectator", _no_spectator),
    (6, "temptation of the incumbent", _temptation),
    (8, "Pareto points", _dilemma),
    (9, "both is worth it", _both_worth_it),
)
