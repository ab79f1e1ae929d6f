"""The figures as plain values, for `--json` and for `crossplay.json` of a run. Own design."""

from __future__ import annotations

from typing import Any

from conflictbench.benchmarks.crossplay.matrix import Cell, Crossplay, Figure
from conflictbench.scenario_specs.parties.block import ROLES


def as_plain(found: Crossplay) -> dict[str, Any]:
    """Everything, classes apart."""
    return {
        "talk": found.talk,
        "solo": found.solo,
        "seeds": found.seeds,
        "agents": list(found.agents),
        "models": {agent: list(ids) for agent, ids in found.models.items()},
        "classes": [
            {
                "class": kind,
                "scenarios": list(scenarios),
                "starts": found.starts[kind],
                "cells": [_cell(cell) for cell in found.cells if cell.kind == kind],
                "standings": [
                    {
                        "agent": row.agent,
                        "role": row.role,
                        "partners": row.partners,
                        "cross_play": row.cross.value,
                        "human": row.human.value,
                        "self_play": row.itself,
                        "gap": row.gap,
                    }
                    for row in found.standings(kind)
                ],
            }
            for kind, scenarios in found.games.items()
        ],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "incumbent": cell.incumbent,
        "requester": cell.requester,
        "exact": cell.exact,
        "samples": cell.samples,
        "human": _figure(cell.human),
        "task": _figure(cell.task),
        "both": _figure(cell.both),
        "scaled": _by_role(cell.scaled),
        "payoff": _by_role(cell.payoff),
        "yields": _figure(cell.yields),
        "first_yield_turn": _figure(cell.yield_turn),
        "returns": _figure(cell.returns),
        "collateral": _figure(cell.collateral),
        "regret": _by_role(cell.regret) | {"drawn": cell.regret_drawn},
        "turns_to_agreement": _figure(cell.agreement),
        "by_first_mover": {role: {"human": h, "both": b} for role, (h, b) in cell.by_first.items()},
        "left_out": dict(cell.left_out),
        "flagged": {role: dict(flags) for role, flags in zip(ROLES, cell.flagged, strict=True)},
    }


def _by_role(pair: tuple[Figure, Figure]) -> dict[str, Any]:
    return {role: _figure(figure) for role, figure in zip(ROLES, pair, strict=True)}


def _figure(figure: Figure) -> dict[str, float | None]:
    return {"value": figure.value, "total": figure.total, "n": figure.n, "low": figure.low, "high": figure.high}
