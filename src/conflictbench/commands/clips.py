"""`conflictbench clips`: what the folder of clips holds, and how it gets smaller. Own design."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conflictbench.commands.output import columns, print_json
from conflictbench.counting import counted

if TYPE_CHECKING:
    from conflictbench.envs.visual.store import ClipStore
    from conflictbench.envs.visual.store.listing import Held

Folder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of clips; default: CONFLICTBENCH_CLIPS, else a cache.")
]
_DAY = 86_400.0
_SIZES = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}

clips = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, epilog="Example:  conflictbench clips prune --max-bytes 2G"
)


def add_to(app: typer.Typer) -> None:
    """Join the commands to the command line."""
    app.add_typer(clips, name="clips", help="Look after the clips that are kept on disk.")


@clips.command("stats", epilog="Example:  conflictbench clips stats --entries")
def stats(
    folder: Folder = None,
    entries: Annotated[bool, typer.Option("--entries", help="One line a clip: key, size, chain of actions.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Read every byte; move what is damaged to the quarantine.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: one object a clip.")] = False,
) -> None:
    """Show how many clips are kept, of what, and how large they are."""
    from conflictbench.envs.visual.store.folder import explained
    from conflictbench.envs.visual.store.listing import folder_bytes, held

    store = _store(folder)
    moved = _check(store) if check else []
    with explained(store.root):
        found = list(held(store.root))
        shelved = folder_bytes(store.root / "quarantine")
    if as_json:
        print_json([_plain(item) for item in found])
        return
    if entries:
        rows = [_row(item) for item in found]
        typer.echo(columns(["KEY", "KB", "SCENARIO", "WORLD MODEL", "SEED", "SIZE", "ACTIONS"], rows))
    elif found:
        typer.echo(columns(["SCENARIO", "WORLD MODEL", "CLIPS", "KB"], _totals(found)))
    for line in moved:
        typer.echo(line)
    total = f"{counted(len(found), 'clip')}, {_kilobytes(sum(item.bytes for item in found))} kB in {store.root}"
    typer.echo(total + (f"; {_kilobytes(shelved)} kB in its quarantine" if shelved else ""))


@clips.command("prune", epilog="Example:  conflictbench clips prune --older-than 30 --dry-run")
def prune(
    folder: Folder = None,
    older_than: Annotated[
        float | None, typer.Option(metavar="DAYS", min=0, help="Remove clips not used for so many days.")
    ] = None,
    max_bytes: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Then the least recently used, down to 500M, 2G, ... in all.")
    ] = None,
    scenario: Annotated[str | None, typer.Option(metavar="ID", help="Of this scenario only.")] = None,
    backend: Annotated[str | None, typer.Option(metavar="NAME", help="Of world models with this in their id.")] = None,
    quarantine: Annotated[bool, typer.Option("--quarantine", help="Also remove what was found damaged.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Remove nothing, say what would go.")] = False,
) -> None:
    """Remove clips; what killed writers have left goes as well."""
    import time

    from conflictbench.envs.visual.store.prune import empty_quarantine
    from conflictbench.envs.visual.store.prune import prune as take_away

    if older_than is None and max_bytes is None and not quarantine:
        raise typer.BadParameter("say what may go: --older-than DAYS, --max-bytes SIZE or --quarantine")

    def chosen(item: Held) -> bool:
        if item.manifest is None:
            return scenario is None and backend is None
        of_scenario = scenario is None or item.manifest.scenario.casefold() == scenario.casefold()
        return of_scenario and (backend is None or backend in item.manifest.backend)

    if older_than is not None and not math.isfinite(older_than):
        raise typer.BadParameter(f"{older_than} is no number of days", param_hint="--older-than")
    store = _store(folder)
    done = take_away(
        store,
        unused_since=None if older_than is None else time.time() - older_than * _DAY,
        max_bytes=None if max_bytes is None else _bytes(max_bytes),
        chosen=chosen,
        dry_run=dry_run,
    )
    verb = "would remove" if dry_run else "removed"
    typer.echo(f"{verb} {counted(len(done.entries), 'clip')}, {_kilobytes(done.bytes)} kB, from {store.root}")
    if done.leftovers:
        typer.echo(f"removed {counted(done.leftovers, 'folder')} that a killed process had left")
    if done.busy:
        typer.echo(f"left {counted(done.busy, 'clip')} that somebody is using")
    if quarantine and not dry_run:
        typer.echo(f"removed {_kilobytes(empty_quarantine(store))} kB from the quarantine")


@clips.command("export", epilog="Example:  conflictbench clips export 3f2a9c --out clip.mp4")
def export(
    key: Annotated[str, typer.Argument(metavar="KEY", help="First digits of a clip's key (`clips stats --entries`).")],
    out: Annotated[Path, typer.Option(metavar="FILE|DIR", help="A file x.mp4, or a folder for the kept frames.")],
    folder: Folder = None,
) -> None:
    """Write a clip as a video, or its kept frames as pictures.

    The same clip always gives the same bytes. Frames that were not kept are drawn again.
    """
    from conflictbench.envs.visual.export import export_mp4
    from conflictbench.envs.visual.store.rebuild import clip_of, entry_called

    if out.suffix not in ("", ".mp4"):
        raise typer.BadParameter(f"a file ends in .mp4, a folder has no ending, not {out.suffix!r}", param_hint="--out")
    store = _store(folder)
    item = entry_called(store, key)
    if out.suffix == ".mp4":
        clip = clip_of(store, item)
        typer.echo(f"{out}: {counted(export_mp4(clip.frames(), out, clip.geometry.fps), 'frame')}")
    else:
        typer.echo(f"{out}: {counted(_export_stills(store, item, out), 'frame')}")


def _export_stills(store: ClipStore, item: Held, out: Path) -> int:
    from PIL import Image

    from conflictbench.errors import ClipStoreError

    entry = store.find(item.manifest.node) if item.manifest is not None else None
    if entry is None:
        raise ClipStoreError(f"{item.folder} is damaged; `conflictbench clips stats --check` moves it away")
    out.mkdir(parents=True, exist_ok=True)
    for index in entry.files:
        frame = entry.still(index)
        assert frame is not None
        Image.fromarray(frame).save(out / f"f{index:04d}.png")
    return len(entry.files)


def _check(store: ClipStore) -> list[str]:
    """Move every damaged entry away; a line each."""
    from conflictbench.envs.visual.store.folder import explained
    from conflictbench.envs.visual.store.listing import damage, held

    lines = []
    for item in held(store.root):
        if not damage(item):
            continue
        with store.locked(item.key), explained(store.root):
            reason = damage(item)  # it may have been made anew meanwhile
            if reason and item.folder.exists():
                store.quarantine(item.folder, reason)
                lines.append(f"damaged: {item.key}: {reason}; moved to the quarantine")
    return lines


def _store(folder: Path | None) -> ClipStore:
    from conflictbench.envs.visual.store import ENVIRONMENT_VARIABLE, ClipStore, clip_folder
    from conflictbench.envs.visual.store.folder import check_store

    chosen = folder or clip_folder()
    if chosen is None:
        raise typer.BadParameter(f"{ENVIRONMENT_VARIABLE} is off: no clips are kept; name a folder with --folder")
    if folder is not None and not folder.exists():
        raise typer.BadParameter(f"no such folder: {folder}", param_hint="--folder")
    check_store(chosen)
    return ClipStore(chosen)


def _totals(found: list[Held]) -> list[list[str]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for item in found:
        kind = ("?", "?") if item.manifest is None else (item.manifest.scenario, item.manifest.backend)
        groups.setdefault(kind, []).append(item.bytes)
    return [[*kind, str(len(sizes)), _kilobytes(sum(sizes))] for kind, sizes in sorted(groups.items())]


def _row(item: Held) -> list[str]:
    from conflictbench.envs.visual.store.rebuild import KEY_SHOWN

    key, size = item.key[:KEY_SHOWN], _kilobytes(item.bytes)
    if item.manifest is None:
        return [key, size, "?", "?", "?", "?", "damaged"]
    facts = item.manifest
    width, height, frames, fps = facts.geometry
    chain = "; ".join(facts.actions) or "(base)"
    return [key, size, facts.scenario, facts.backend, str(facts.seed), f"{width}x{height}x{frames}@{fps}", chain]


def _plain(item: Held) -> dict[str, Any]:
    facts = None if item.manifest is None else item.manifest.model_dump(mode="json")
    return {"key": item.key, "folder": str(item.folder), "bytes": item.bytes, "manifest": facts}


def _kilobytes(size: int) -> str:
    return f"{-(-size // 1000):,}"


def _bytes(size: str) -> int:
    found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)B?", size.upper())
    if found is None:
        raise typer.BadParameter(f"{size!r} is no size; valid: bytes, or 500M, 2G, ...", param_hint="--max-bytes")
    return int(found[1]) * _SIZES[found[2]]
