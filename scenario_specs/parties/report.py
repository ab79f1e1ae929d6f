"""Proofs of two-party games as lines of text and as plain values. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conflictbench.scenario_specs.parties.bars import Bar
from conflictbench.scenario_specs.parties.proof import Proof
from conflictbench.scenario_specs.parties.values import StartValues

_VERDICTS = {True: "ok", False: "MISSED", None: "-"}
KEY = (
    "Figures of different starts (first mover, private type) are parted by / where they differ; pairs go incumbent, "
    "requester."
)


def lines(proof: Proof) -> Iterator[str]:
    """One game: a heading, a line a bar with what it missed, breaches of rules, and what was approximated."""
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
