"""Proofs of two-party games as lines of text and as plain values. Own design."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from conflictbench.scenario_specs.parties.bars import Bar
from conflictbench.scenario_specs.parties.proof import Proof
from conflictbench.scenario_specs.parties.values import StartValues

_VERDICTS = {True: "ok", False: "MISSED", None: "-"}
WIDTH = 80  # columns
KEY = (
    "Figures of different starts (first mover, private type) are parted by / where they differ; pairs go incumbent, "
    "requester. Each bar: docs/two-party.md."
)
WORDS: dict[str, str] = {
    "plan": "`fair` against `fair`: both outcomes if they can be had, else the most for both together",
    "contest": "chance of the human outcome that a requester can force",
    "never yields": "1: a requester gets there though the incumbent concedes nothing",
    "passive": "1: a requester gets there while the incumbent does nothing but hold",
    "block/persist": "payoffs where the incumbent is `block` and the requester `persist`",
    "no spectator": "human outcome against `keep`, of the best reply minus of `fair`",
    "temptation": "payoff of the best reply to the other's `fair` minus that of the plan: answering each turn, and "
    "as one list of moves",
    "Pareto points": "payoffs, costs aside, of which neither party's can be raised without lowering the other's",
    "worth it": "what the plan pays over what a party can make sure of",
    "slack": "turns that both may hold first and still have both outcomes",
    "random": "both parties play every legal move alike",
    "precedence swing": "most that a figure differs between first movers",
    "anarchy, stability": "most for both together, over the worst and the best of their equilibria",
}


def legend() -> Iterator[str]:
    """What the words in the lines of `lines` mean, at most 80 columns wide."""
    yield from textwrap.wrap(KEY, WIDTH)
    longest = max(map(len, WORDS))
    for word, meaning in WORDS.items():
        yield from textwrap.wrap(
            meaning,
            WIDTH,
            initial_indent=f"  {word:<{longest}}  ",
            subsequent_indent=" " * (longest + 4),
            break_on_hyphens=False,
        )


def lines(proof: Proof) -> Iterator[str]:
    """One game: a heading, its bars with what they missed, breaches of rules, and what was approximated.

    Folded at 80 columns; what goes on is indented by 12.
    """
    for line in _lines(proof):
        start = line[: len(line) - len(line.lstrip())]
        yield from textwrap.wrap(
            line.lstrip(),
            WIDTH,
            initial_indent=start,
            subsequent_indent=" " * 12,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _lines(proof: Proof) -> Iterator[str]:
    """The same before they are folded."""
    missed = sum(bar.cleared is False for bar in proof.bars) + len(proof.breaches)
    yield f"{proof.id}: {proof.kind_words}; " + ("all bars cleared" if proof.ok else f"{missed} missed")
    for bar in proof.bars:
        yield f"  {bar.number:2} {_VERDICTS[bar.cleared]:6} {bar.name}: {bar.found}"
        yield from (f"            {miss}" for miss in bar.misses)
    yield from (f"  rule {breach.rule} MISSED {breach.key}: {breach.message}" for breach in proof.breaches)
    for values in proof.starts:
        if values.correlated is not None:
            (a, b), (c, d) = values.correlated
            found = f"best in each state {a:.2f} {b:.2f}, worst in each {c:.2f} {d:.2f}"
            yield f"     correlated equilibria, {_start(values)}: {found}"
    mixed, thinned, programmes = proof.approximations
    yield (
        f"     {mixed} states without a pure equilibrium (one mixed one stands in), {thinned} with their payoffs "
        f"thinned out, {programmes} zero-sum stages by linear programme"
    )


def _start(values: StartValues) -> str:
    types = "".join(f", {name} {value}" for name, value in values.start.types.items())
    return f"{('incumbent', 'requester')[values.start.first]} first{types}"


def plain(proof: Proof) -> dict[str, Any]:
    """The same as plain values, without what differs between two calls."""
    return {
        "id": proof.id,
        "class": proof.kind,
        "hard": proof.hard,
        "ok": proof.ok,
        "bars": [_bar(bar) for bar in proof.bars],
        "breaches": [{"rule": b.rule, "key": b.key, "message": b.message} for b in proof.breaches],
        "starts": [_values(values) for values in proof.starts],
        "mixed_states": proof.approximations[0],
        "thinned_states": proof.approximations[1],
        "programmes": proof.approximations[2],
    }


def _bar(bar: Bar) -> dict[str, Any]:
    found = bar.found if bar.number > 1 else bar.found.rpartition(", ")[0]  # the time of this call
    return {"number": bar.number, "name": bar.name, "cleared": bar.cleared, "found": found, "misses": list(bar.misses)}


def _values(values: StartValues) -> dict[str, Any]:
    return {
        "first": ("incumbent", "requester")[values.start.first],
        "types": dict(values.start.types),
        "states": values.states,
        "maximin": values.maximin,
        "contest": values.contest,
        "plan": (values.plan.incumbent, values.plan.requester),
        "optimum": values.optimum,
        "pareto": values.pareto,
        "equilibria": values.equilibria,
        "anarchy": values.anarchy,
        "stability": values.stability,
        "tempted": values.tempted,
        "correlated": values.correlated,
    }
