"""A run directory: `manifest.json` and the append-only `episodes.jsonl`. Own design.

Killed at any byte, a rerun loses no finished episode and repeats none: a line is written whole, synced, and only then
counted; the manifest is replaced atomically; whoever opens the directory holds its lock.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conflictbench.agents.models.keys import Redactor
from conflictbench.benchmarks.closing import Closing
from conflictbench.benchmarks.differences import differences
from conflictbench.benchmarks.episode_log import FILE_NAME as EPISODES
from conflictbench.benchmarks.episode_log import read_log, to_line, without_steps
from conflictbench.benchmarks.json_lines import AppendFile
from conflictbench.benchmarks.manifest import Manifest, RunIdentity
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.manifest_file import NEW_NAME, read_manifest, write_manifest
from conflictbench.benchmarks.redaction import without_secrets
from conflictbench.benchmarks.run_lock import FILE_NAME as LOCK
from conflictbench.benchmarks.run_lock import RunLock
from conflictbench.counting import counted
from conflictbench.errors import RunError, RunMismatch
from conflictbench.types import EpisodeKey, EpisodeRecord

# What a process killed while starting a run may have left: no reason to refuse the directory.
_LEFTOVERS = frozenset({LOCK, NEW_NAME})


class RunDirectory(Closing):
    """The writing side of a run. Use it as a context manager, or call `close`.

    `records` holds every attempt without its steps, in file order; `notes` what was said about the run.
    """

    def __init__(
        self,
        path: Path,
        identity: RunIdentity,
        *,
        notes: tuple[str, ...] = (),
        command: str = "",
        sources: Mapping[str, str] | None = None,
    ) -> None:
        """Open `path` for the run `identity`, making it if it does not exist, mending it if it was killed.

        Args:
            notes, command, sources: facts about the run kept in a new manifest.
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
        self._log: AppendFile | None = None
        self._lock = RunLock(path)
        try:
            self.manifest = self._open_manifest(Manifest.new(identity, notes, command=command, sources=sources))
            self._log = self._open_log(frozenset(identity.episodes()))
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
        assert self._log is not None, "the directory is closed"
        redactor = Redactor()
        records = tuple(without_secrets(record, redactor) for record in records) if redactor else records
        lines = b"".join(to_line(record) for record in records)
        try:
            self._log.append(lines, sync=True)
        except OSError as error:
            raise RunError(
                f"{self.path / EPISODES}: cannot be written ({error.strerror}); kept so far: "
                f"{counted(len(self.records), 'attempt')}. Make room and give the same command again to go on"
            ) from error
        self.records.extend(without_steps(record) for record in records)

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

    def _open_manifest(self, fresh: Manifest) -> Manifest:
        if not (self.path / MANIFEST).exists():
            others = sorted({entry.name for entry in self.path.iterdir()} - _LEFTOVERS)
            if others:
                raise RunError(
                    f"{self.path}: not a run directory: it has no {MANIFEST} but holds {', '.join(others[:5])}"
                    f"{', ...' if len(others) > 5 else ''}; give an empty or new directory as --out"
                )
            self._write_manifest(fresh)
            return fresh
        manifest = read_manifest(self.path)
        if manifest.package_version != fresh.package_version:
            raise RunMismatch(
                f"{self.path}: written by conflictbench {manifest.package_version}, this is {fresh.package_version}; "
                "use that version to go on with it, or start another run with --fresh or another --out"
            )
        if manifest.identity != fresh.identity:
            different = "; ".join(differences(manifest.identity, fresh.identity)) or "its worlds are made otherwise"
            raise RunMismatch(
                f"{self.path}: another run ({different}); give the options it was started with, or start another "
                "run with --fresh or another --out"
            )
        return manifest

    def _open_log(self, keys: frozenset[EpisodeKey]) -> AppendFile:
        log = AppendFile(self.path / EPISODES)
        try:
            contents = read_log(log.path, keys, keep=without_steps)
            self.records: list[EpisodeRecord] = contents.records
            if contents.note:
                # Said before it is done: killed in between, it is said twice rather than never.
                self._write_manifest(self.manifest.model_copy(update={"notes": (*self.manifest.notes, contents.note)}))
            log.mend(contents.lines)
        except BaseException:
            log.close()
            raise
        return log

    def _write_manifest(self, manifest: Manifest) -> None:
        write_manifest(self.path, manifest)
        self.manifest = manifest
