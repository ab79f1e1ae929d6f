"""A run directory: `manifest.json` and an append-only file of attempts, one a line. Own design.

Killed at any byte, a rerun loses no finished attempt and repeats none: a line is written whole, synced, and only then
counted; the manifest is replaced atomically; whoever opens the directory holds its lock. What kind of run it is, one
agent's episodes or two parties' plays, is a subclass's to say.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from conflictbench.agents.models.keys import Redactor
from conflictbench.benchmarks.closing import Closing
from conflictbench.benchmarks.episode_log import Attempted, read_attempts, to_line
from conflictbench.benchmarks.json_lines import AppendFile
from conflictbench.benchmarks.manifest import ManifestOf
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.manifest_file import NEW_NAME, read_manifest, write_manifest
from conflictbench.benchmarks.redaction import Keyed, without_secrets
from conflictbench.benchmarks.run_lock import FILE_NAME as LOCK
from conflictbench.benchmarks.run_lock import RunLock
from conflictbench.counting import counted
from conflictbench.errors import RunError, RunMismatch

# What a process killed while starting a run may have left: no reason to refuse the directory.
_LEFTOVERS = frozenset({LOCK, NEW_NAME})


class _Kept(Attempted, Keyed, Protocol):
    """What a line holds."""


IdentityT = TypeVar("IdentityT", bound=BaseModel)
RecordT = TypeVar("RecordT", bound=_Kept)


def refuse_another_thing(path: Path) -> None:
    """Raise RunError for a directory that is neither a run nor empty; nothing is written."""
    try:
        names = {entry.name for entry in path.iterdir()}
    except OSError as error:
        raise RunError(f"{path}: cannot be read or is not a directory ({error.strerror})") from error
    if MANIFEST not in names and (others := sorted(names - _LEFTOVERS)):
        raise RunError(
            f"{path}: not a run directory: it has no {MANIFEST} but holds {', '.join(others[:5])}"
            f"{', ...' if len(others) > 5 else ''}; give an empty or new directory as --out"
        )


def refuse_another_run(
    path: Path,
    there: ManifestOf[IdentityT],
    fresh: ManifestOf[IdentityT],
    differences: Callable[[IdentityT, IdentityT], list[str]],
) -> None:
    """Raise RunMismatch where the run in `path` is another one than `fresh`, or was written by another version."""
    if there.package_version != fresh.package_version:
        raise RunMismatch(
            f"{path}: written by conflictbench {there.package_version}, this is {fresh.package_version}; "
            "use that version to go on with it, or start another run with --fresh or another --out"
        )
    if there.identity != fresh.identity:
        different = "; ".join(differences(there.identity, fresh.identity))
        raise RunMismatch(
            f"{path}: another run ({different or 'its worlds are made otherwise'}); give the options it was "
            "started with, or start another run with --fresh or another --out"
        )


class AttemptDirectory(Closing, Generic[IdentityT, RecordT]):
    """The writing side of a run. Use it as a context manager, or call `close`.

    `records` holds every attempt as `slim` keeps it, in file order; `notes` what was said about the run.
    """

    def __init__(
        self,
        path: Path,
        fresh: ManifestOf[IdentityT],
        keys: Collection[Any],
        *,
        log_name: str,
        kind: type[RecordT],
    ) -> None:
        """Open `path` for a run, making it if it does not exist, mending it if it was killed.

        Args:
            fresh: the manifest of the run, if it is a new one.
            keys: of all its attempts.
            log_name, kind: the file of attempts, and what a line of it is.
        Raises:
            RunMismatch: it holds another run, or was written by another version.
            RunLocked: another process is writing it.
            BrokenRecord: a line or the manifest cannot be read; nothing was changed.
            RunError: not a directory, not a run, or not writable.
        """
        self.path, self._log_name, self._kind = path, log_name, kind
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{path}: cannot be made or is not a directory ({error.strerror})") from error
        refuse_another_thing(path)  # before the lock: what is refused is left as it was
        self._log: AppendFile | None = None
        self._lock = RunLock(path)
        try:
            self.manifest = self._open_manifest(fresh)
            self._log = self._open_log(keys)
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def differences(self, there: IdentityT, here: IdentityT) -> list[str]:
        """Where the run in the directory and the one asked for differ, one string each."""

    @abstractmethod
    def slim(self, record: RecordT) -> RecordT:
        """What of a record is held in memory."""

    def fault(self, record: RecordT) -> str:
        """What is wrong with a record that was read, beyond its form; "" for nothing."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was said about the run so far."""
        return self.manifest.notes

    def attempts(self) -> dict[Any, RecordT]:
        """The last attempt of every key that has one."""
        return {record.key: record for record in self.records}

    def append(self, *records: RecordT) -> None:
        """Keep attempts, all or none: on disk when this returns.

        Raises:
            RunError: they could not be written (no room left, say); everything before them is kept.
            ValueError: one could not be read back.
        """
        assert self._log is not None, "the directory is closed"
        redactor = Redactor()
        records = tuple(without_secrets(record, redactor) for record in records) if redactor else records
        lines = b"".join(to_line(record) for record in records)
        try:
            self._log.append(lines, sync=True)
        except OSError as error:
            raise RunError(
                f"{self.path / self._log_name}: cannot be written ({error.strerror}); kept so far: "
                f"{counted(len(self.records), 'attempt')}. Make room and give the same command again to go on"
            ) from error
        self.records.extend(self.slim(record) for record in records)

    def add_note(self, *notes: str) -> None:
        """Keep what was said about the run, each once, in one writing. Raises RunError if it cannot be written."""
        fresh = tuple(note for note in dict.fromkeys(map(Redactor().clean, notes)) if note not in self.manifest.notes)
        if fresh:
            self._write_manifest(self.manifest.model_copy(update={"notes": (*self.manifest.notes, *fresh)}))

    def close(self) -> None:
        """Let go of the directory; a second call does nothing."""
        if self._log is not None:
            self._log.close()
        self._lock.release()

    def _open_manifest(self, fresh: ManifestOf[IdentityT]) -> ManifestOf[IdentityT]:
        refuse_another_thing(self.path)  # what has come since
        if not (self.path / MANIFEST).exists():
            self._write_manifest(fresh)
            return fresh
        manifest = read_manifest(self.path, type(fresh))
        refuse_another_run(self.path, manifest, fresh, self.differences)
        return manifest

    def _open_log(self, keys: Collection[Any]) -> AppendFile:
        log = AppendFile(self.path / self._log_name)
        try:
            contents = read_attempts(log.path, keys, self._kind, keep=self.slim, fault=self.fault)
            self.records: list[RecordT] = contents.records
            if contents.note:
                # Said before it is done: killed in between, it is said twice rather than never.
                self._write_manifest(self.manifest.model_copy(update={"notes": (*self.manifest.notes, contents.note)}))
            log.mend(contents.lines)
        except BaseException:
            log.close()
            raise
        return log

    def _write_manifest(self, manifest: ManifestOf[IdentityT]) -> None:
        write_manifest(self.path, manifest)
        self.manifest = manifest
