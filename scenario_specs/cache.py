"""Compiled tables on disk, found by what they were compiled from. Own design.

The key covers every expression and bound of the machine and the version of the compiler, so an entry is never stale.
"""

from __future__ import annotations

import io
import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
import platformdirs

from conflictbench.scenario_specs.compiler import COMPILER_VERSION, compile_machine
from conflictbench.scenario_specs.expressions import Expr, to_source
from conflictbench.scenario_specs.kept_file import Kept
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.tables import TABLE_NAMES, Tables

FORMAT_VERSION = 1  # of the files
ENVIRONMENT_VARIABLE = "CONFLICTBENCH_CACHE"  # a directory, or "off"

_KEPT = Kept("tables", "they are made again")


class HasMachine(Protocol):
    """Anything with a machine: a loaded scenario."""

    @property
    def machine(self) -> Machine: ...


def tables_for(loaded: HasMachine) -> Tables:
    """Tables of a machine: read from the cache, or compiled and put there. The arrays are read-only.

    Raises:
        SpecError: the machine cannot be compiled.
    """
    path = entry_path(loaded.machine)
    tables = _read(path) if path is not None else None
    if tables is None:
        tables = compile_machine(loaded.machine)
        if path is not None:
            _write(path, tables)
    for name in TABLE_NAMES:
        getattr(tables, name).setflags(write=False)
    return tables


def cache_directory() -> Path | None:
    """Where tables are kept: $CONFLICTBENCH_CACHE, else the user's cache directory; None if it is "off"."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE, "")
    if chosen == "off":
        return None
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("conflictbench"))


def entry_path(machine: Machine) -> Path | None:
    """File of the tables of `machine`; None if the cache is off."""
    directory = cache_directory()
    return None if directory is None else directory / "tables" / f"{machine_key(machine)}.tables"


def machine_key(machine: Machine) -> str:
    """32 hex digits over all that tables depend on; names of actions and outcomes, labels and texts do not count."""
    sources = {
        "format": FORMAT_VERSION,
        "compiler": COMPILER_VERSION,
        "variables": list(zip(machine.variables, map(repr, machine.types), machine.start, machine.hidden, strict=True)),
        "bounds": [machine.low, machine.high],
        "known": {name: to_source(expr) for name, expr in machine.known.items()},
        "actions": [
            [_sources(action.needs), {name: to_source(e) for name, e in action.effects.items()}, _sources(action.says)]
            for action in machine.actions
        ],
        "each_turn": {name: to_source(expr) for name, expr in machine.each_turn.items()},
        "outcomes": [[to_source(outcome.when), _sources(outcome.ends)] for outcome in machine.outcomes],
        "window": machine.window,
    }
    canonical = json.dumps(sources, sort_keys=True, separators=(",", ":"))
    return blake2b(canonical.encode(), digest_size=16).hexdigest()


def _sources(expressions: tuple[Expr | None, ...]) -> list[str | None]:
    return [None if expr is None else to_source(expr) for expr in expressions]


def _read(path: Path) -> Tables | None:
    archive = _KEPT.read(path)
    if archive is None:
        return None
    with np.load(io.BytesIO(archive), allow_pickle=False) as stored:
        return Tables(**{name: stored[name] for name in TABLE_NAMES})


def _write(path: Path, tables: Tables) -> None:
    archive = io.BytesIO()
    np.savez_compressed(archive, **{name: getattr(tables, name) for name in TABLE_NAMES})
    _KEPT.write(path, archive.getvalue())
