"""A run directory: `manifest.json` and the append-only `episodes.jsonl`. Own design.

Killed at any byte, a rerun loses no finished episode and repeats none: a line is written whole, synced, and only then
counted; the manifest is replaced atomically; whoever opens the directory holds its lock.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from conflictbench.benchmarks.episode_log import FILE_NAME as EPISODES
from conflictbench.benchmarks.episode_log import read_log, to_line, without_steps
from conflictbench.benchmarks.manifest import Manifest, RunIdentity, package_version
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.manifest_file import NEW_NAME, read_manifest, write_manifest
from conflictbench.benchmarks.run_lock import FILE_NAME as LOCK
from conflictbench.benchmarks.run_lock import RunLock
from conflictbench.errors import RunError, RunMismatch
from conflictbench.types import EpisodeKey, EpisodeRecord

# What a process killed while starting a run may have left: no reason to refuse the directory.
_LEFTOVERS = frozenset({LOCK, NEW_NAME})


class RunDirectory:
    """The writing side of a run. Use it as a context manager, or call `close`.

    `records` holds every attempt without its steps, in file order; `notes` what was said about the run.
    """

    def __init__(self, path: Path, identity: RunIdentity, *, notes: tuple[str, ...] = ()) -> None:
        """Open `path` for the run `identity`, making it if it does not exist, mending it if it was killed.

        Args:
            notes: facts about the run kept in a new manifest.
        Raises:
            RunMismatch: it holds another run, or was written by another version.
            RunLocked: another process is writing it.
            BrokenRecord: a line or the manifest cannot be read; nothing was changed.
            RunError: not a directory, not a run, or not writable.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{path}: cannot be made or is not a directory ({error.strerror})") from error
        self._fd = -1
        self._lock = RunLock(path)
        try:
            self.manifest = self._open_manifest(identity, notes)
            self._open_log(frozenset(identity.episodes()))
        except BaseException:
            self.close()
            raise

    @property
    def notes(self) -> tuple[str, ...]:
        """What was said about the run so far."""
        return self.manifest.notes

    def attempts(self) -> dict[EpisodeKey, EpisodeRecord]:
        """The last attempt of every episode that has one."""
        return {record.key: record for record in self.records}

    def append(self, *records: EpisodeRecord) -> None:
        """Keep attempts, all or none: on disk when this returns.

        Raises:
            RunError: they could not be written (no room left, say); everything before them is kept.
            ValueError: one could not be read back.
        """
        rest = b"".join(to_line(record) for record in records)
        before = os.fstat(self._fd).st_size
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
            os.fsync(self._fd)
        except OSError as error:
            self._cut(before)
            raise RunError(
                f"{self.path / EPISODES}: cannot be written ({error.strerror}); the {len(self.records)} attempts "
                "before are kept. Make room and give the same command again to go on"
            ) from error
        self.records.extend(without_steps(record) for record in records)

    def add_note(self, note: str) -> None:
        """Keep something said about the run, once. Raises RunError if it cannot be written."""
        if note not in self.manifest.notes:
            self._write_manifest(self.manifest.model_copy(update={"notes": (*self.manifest.notes, note)}))

    def close(self) -> None:
        """Let go of the directory; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open_manifest(self, identity: RunIdentity, notes: tuple[str, ...]) -> Manifest:
        if not (self.path / MANIFEST).exists():
            others = sorted({entry.name for entry in self.path.iterdir()} - _LEFTOVERS)
            if others:
                raise RunError(
                    f"{self.path}: not a run directory: it has no {MANIFEST} but holds {', '.join(others[:5])}"
                    f"{', ...' if len(others) > 5 else ''}; give an empty or new directory as --out"
                )
            manifest = Manifest.new(identity, notes)
            self._write_manifest(manifest)
            return manifest
        manifest = read_manifest(self.path)
        if manifest.package_version != package_version():
            raise RunMismatch(
                f"{self.path}: written by conflictbench {manifest.package_version}, this is {package_version()}; "
                "use that version to go on with it, or start another run with --fresh or another --out"
            )
        if manifest.identity != identity:
            different = "; ".join(manifest.identity.differences(identity))
            raise RunMismatch(
                f"{self.path}: another run ({different}); give the options it was started with, or start another "
                "run with --fresh or another --out"
            )
        return manifest

    def _open_log(self, keys: frozenset[EpisodeKey]) -> None:
        path = self.path / EPISODES
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            self._fd = os.open(path, flags, 0o644)
        except OSError as error:
            raise RunError(f"{path}: cannot be written ({error.strerror})") from error
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            raise RunError(f"{path}: not an ordinary file")
        contents = read_log(path, keys, keep=without_steps)
        self.records: list[EpisodeRecord] = contents.records
        if contents.note:
            # Said before it is done: killed in between, it is said twice rather than never.
            self._write_manifest(self.manifest.model_copy(update={"notes": (*self.manifest.notes, contents.note)}))
        try:
            if contents.newline_missing:
                os.write(self._fd, b"\n")
            elif contents.torn_bytes:
                os.ftruncate(self._fd, contents.whole_bytes)
            os.fsync(self._fd)
        except OSError as error:
            raise RunError(f"{path}: cannot be mended ({error.strerror})") from error

    def _write_manifest(self, manifest: Manifest) -> None:
        write_manifest(self.path, manifest)
        self.manifest = manifest

    def _cut(self, length: int) -> None:
        # Where even this fails, the torn line is cut off at the next opening: the error to report is the first one.
        with suppress(OSError):
            os.ftruncate(self._fd, length)
