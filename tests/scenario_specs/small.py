"""The small scenario of the fixtures, as plain data that a test may change before it is loaded."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs import LoadedScenario, load_data, load_scenario
from conflictbench.scenario_specs.yaml_reader import read_yaml

SMALL = Path(__file__).parent.parent / "fixtures" / "EP2-900.yaml"


def small() -> LoadedScenario:
    """The fixture, loaded from its file."""
    return load_scenario(SMALL)


def small_data(**changes: Any) -> dict[str, Any]:
    """Fresh plain data of the fixture; `changes` replace or (None) remove top-level keys."""
    data = deepcopy(_parsed())
    for key, value in changes.items():
        if value is None:
            del data[key]
        else:
            data[key] = value
    return data


@lru_cache(maxsize=1)
def _parsed() -> dict[str, Any]:
    return dict(read_yaml(SMALL.read_bytes(), SMALL.name).data)


def by_id(data: dict[str, Any], block: str, name: str) -> dict[str, Any]:
    """The entry of a list of blocks that has this id."""
    entry: dict[str, Any] = next(entry for entry in data[block] if entry["id"] == name)
    return entry


def faults_of(data: dict[str, Any]) -> tuple[Fault, ...]:
    """What the loader finds wrong with `data`; nothing if it loads."""
    try:
        load_data(data, path="small.yaml")
    except SpecError as error:
        return error.faults
    return ()


def only_fault(data: dict[str, Any]) -> Fault:
    """The one thing wrong with `data`."""
    faults = faults_of(data)
    assert len(faults) == 1, [str(fault) for fault in faults]
    return faults[0]
