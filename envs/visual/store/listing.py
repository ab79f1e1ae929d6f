"""What a clip store holds, found by looking at its folders; nothing keeps a list. Own design."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conflictbench.envs.visual.store.entry import MANIFEST_NAME, Damaged, read_entry
from conflictbench.envs.visual.store.manifest import Manifest, read_manifest

_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class Held:
    """One entry as far as its manifest says; its frames are not read."""

    key: str
    folder: Path
    bytes: int
    used: float  # POSIX seconds of the last use
    manifest: Manifest | None  # None: it cannot be read


def held(root: Path) -> Iterator[Held]:
    """Every entry of a store, by key; one that vanishes meanwhile is left out, and so is what no store has made."""
    for folder in sorted((root / "nodes").glob("??/*")):
        if _KEY.fullmatch(folder.name) is None or not folder.name.startswith(folder.parent.name):
            continue
        try:
            used, size = (folder / MANIFEST_NAME).stat().st_mtime, folder_bytes(folder)
            manifest = read_manifest((folder / MANIFEST_NAME).read_bytes())
        except FileNotFoundError:
            if not folder.exists():
                continue
            used, size, manifest = folder.stat().st_mtime, folder_bytes(folder), None
        except ValueError:
            manifest = None
        yield Held(key=folder.name, folder=folder, bytes=size, used=used, manifest=manifest)


def damage(item: Held) -> str:
    """What is wrong with an entry, every byte of it read; "" if nothing is."""
    if item.manifest is None:
        return "its manifest is missing or altered"
    if item.manifest.node.key != item.key:
        return f"the manifest is that of {item.manifest.node.key}"
    try:
        read_entry(item.folder, item.manifest.node)
    except Damaged as error:
        return str(error)
    return ""


def folder_bytes(folder: Path) -> int:
    """Bytes of all files below a folder; 0 if there is none."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:  # removed meanwhile
            continue
    return total
