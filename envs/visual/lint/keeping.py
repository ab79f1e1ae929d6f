"""Findings of the lint, kept on disk: drawing a scenario's pictures takes seconds, and they change seldom. Own design.

A key covers the scene, the backend and every source file of this package, so an entry is never stale.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from conflictbench.envs.visual.registry import extra_missing
from conflictbench.envs.visual.scene import Scene, make_scene
from conflictbench.errors import Fault
from conflictbench.scenario_specs import LoadedScenario
from conflictbench.scenario_specs.cache import cache_directory
from conflictbench.scenario_specs.kept_file import Kept
from conflictbench.scenario_specs.key_paths import nearest_line

_KEPT = Kept("findings", "the pictures are drawn again")
_PACKAGE = "conflictbench.envs.visual"


def picture_faults(loaded: LoadedScenario) -> list[Fault]:
    """What of a scenario's pictures cannot be seen, in file order; nothing where it has no `visual` block.

    Raises:
        SpecError: the block has faults (`check_block` lists them).
        NotYetAvailable: the extra `visual` is not installed.
    """
    if loaded.spec.visual is None:
        return []
    scene = make_scene(loaded)
    try:
        path = _entry(scene)
        found = _read(path) if path is not None else None
        if found is None:
            from conflictbench.envs.visual.lint.lint import lint_scene

            found = lint_scene(scene)
            if path is not None:
                _write(path, found)
    except ModuleNotFoundError as error:
        if error.name != "skia":
            raise
        raise extra_missing("checking pictures", error) from error
    placed = [replace(each, file=loaded.path, line=nearest_line(loaded.lines, each.key)) for each in found]
    return sorted(placed, key=lambda each: each.line or 0)


def _entry(scene: Scene) -> Path | None:
    from conflictbench.envs.visual.procedural.model import ProceduralWorldModel

    directory = cache_directory()
    if directory is None:
        return None
    facts = [scene.digest, scene.overlay, ProceduralWorldModel().backend, _sources()]
    key = blake2b(json.dumps(facts).encode(), digest_size=16).hexdigest()
    return directory / "pictures" / f"{key}.findings"


@cache
def _sources() -> str:
    """32 hex digits over this package's source files."""
    digest = blake2b(digest_size=16)

    def add(folder: Traversable) -> None:
        for each in sorted(folder.iterdir(), key=lambda each: each.name):
            if each.is_dir():
                add(each)
            elif each.name.endswith(".py"):
                digest.update(each.name.encode() + b"\0" + each.read_bytes())

    add(files(_PACKAGE))
    return digest.hexdigest()


def _read(path: Path) -> list[Fault] | None:
    body = _KEPT.read(path)
    return None if body is None else [Fault(**each) for each in json.loads(body)]


def _write(path: Path, found: list[Fault]) -> None:
    body = json.dumps([{"file": "", "key": f.key, "rule": f.rule, "message": f.message, "fix": f.fix} for f in found])
    _KEPT.write(path, body.encode())
