"""Packs of scenarios and the scenarios in them, by name. Own design.

Names come from the file names alone; a file is read when its scenario is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault, SpecError, UnknownName
from conflictbench.scenario_specs.loader import LoadedScenario, load_scenario
from conflictbench.scenario_specs.tables import SCENARIO_BITS
from conflictbench.types import CATEGORIES


@dataclass(frozen=True, kw_only=True)
class Pack:
    """A folder with a folder for each category: ep1/EP1-001.yaml."""

    name: str
    folder: Path
    summary: str


_CORE = Pack(name="core", folder=Path(__file__).parent / "fiction", summary="our own scenarios")
PACKS: Mapping[str, Pack] = MappingProxyType({pack.name: pack for pack in (_CORE,)})


def scenario_ids(pack: str = "core", category: str | None = None) -> tuple[str, ...]:
    """Ids of the scenarios of a pack, sorted.

    Args:
        category: EP1, EP2 or EP3; None for all of them.
    Raises:
        UnknownName: no such pack or category.
        SpecError: a file in the pack is misnamed, or two ids share their scenario bits.
    """
    if category is not None and category not in CATEGORIES:
        raise UnknownName("category", category, CATEGORIES)
    return tuple(name for name in _files(pack) if category is None or name.startswith(category))


def get_scenario(scenario: str, pack: str = "core") -> LoadedScenario:
    """One scenario of a pack by its id; the same object every time.

    Raises:
        UnknownName: no such pack or id.
        SpecError: its file is not valid.
    """
    return _load(scenario, pack)


@lru_cache(maxsize=1024)
def _load(scenario: str, pack: str) -> LoadedScenario:  # not the public one: a default left out is another key
    files = _files(pack)
    if scenario not in files:
        raise UnknownName("scenario", scenario, files, hint=f"pack {pack}")
    loaded = load_scenario(files[scenario])
    if loaded.id != scenario:
        message = f"id {loaded.id} stands in a file named {scenario}.yaml; they must be the same"
        raise SpecError([Fault(file=loaded.path, key="id", rule="reference", message=message, fix=scenario)])
    return loaded


def scenario_bits(scenario: str) -> NDArray[np.uint8]:
    """The 16 bits that tell a scenario apart in features: 0 or 1 each, shape (16,), most significant first."""
    number = int.from_bytes(blake2b(scenario.encode(), digest_size=SCENARIO_BITS // 8).digest(), "big")
    return np.array([number >> i & 1 for i in reversed(range(SCENARIO_BITS))], np.uint8)


@lru_cache(maxsize=16)
def _files(pack: str) -> Mapping[str, Path]:
    """Id -> file, sorted by id."""
    if pack not in PACKS:
        raise UnknownName("pack", pack, PACKS)
    return index_folder(PACKS[pack].folder)


def index_folder(folder: Path) -> Mapping[str, Path]:
    """Scenario files under `folder`: id -> file, sorted by id.

    Raises:
        SpecError: a YAML file that is not named after an id of its folder's category, or ids with the same bits.
    """
    faults, files, bits = [], dict[str, Path](), dict[bytes, str]()
    for path in sorted(folder.rglob("*.yaml"), key=lambda path: path.stem):
        name, category = path.stem, path.parent.name.upper()
        valid = category in CATEGORIES and name[:4] == f"{category}-" and name[4:].isdigit() and len(name) == 7
        if not valid or name in files:
            message = f"{name!r} is not a new id of the folder {path.parent.name}; files are like ep1/EP1-001.yaml"
            faults.append(Fault(file=str(path), key="", rule="reference", message=message))
            continue
        files[name] = path
        other = bits.setdefault(scenario_bits(name).tobytes(), name)
        if other != name:
            message = f"{name} and {other} share their scenario bits, so features could not tell them apart"
            faults.append(Fault(file=str(path), key="id", rule="reference", message=message, fix="take another number"))
    if faults:
        raise SpecError(faults)
    return MappingProxyType(files)
