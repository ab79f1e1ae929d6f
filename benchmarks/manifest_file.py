"""`manifest.json` on disk: replaced whole or not at all, and read with every fault named. Own design."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from conflictbench.benchmarks.manifest import ManifestOf
from conflictbench.benchmarks.read_errors import check_schema, first_fault
from conflictbench.errors import BrokenRecord, RunError
from conflictbench.scenario_specs.synced_files import sync_folder

FILE_NAME = "manifest.json"
NEW_NAME = "manifest.json.new"  # one fixed name: whoever writes holds the directory's lock


ManifestT = TypeVar("ManifestT", bound=ManifestOf[Any])


def write_manifest(path: Path, manifest: ManifestOf[Any]) -> None:
    """Put `manifest` in the run directory `path`, synced, replacing the one there.

    Raises:
        RunError: it cannot be written; the one there is as it was.
    """
    fresh = path / NEW_NAME
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.write(manifest.model_dump_json(indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path / FILE_NAME)
        sync_folder(path)
    except OSError as error:
        raise RunError(f"{path / FILE_NAME}: cannot be written ({error.strerror})") from error


def read_manifest(path: Path, kind: type[ManifestT]) -> ManifestT:
    """The manifest of a run directory.

    Args:
        kind: of run.

    Raises:
        RunError: not a run directory.  RunMismatch: written under another schema.  BrokenRecord: not readable.
    """
    file = path / FILE_NAME
    try:
        data = file.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: not a run directory ({error.strerror}: {FILE_NAME})") from error
    check_schema(data, str(path))
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        raise BrokenRecord(f"{file}: not a manifest: {first_fault(error)}; nothing was changed") from error
