"""The directory of a run of cross-play: `manifest.json` and the append-only `plays.jsonl`. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conflictbench.benchmarks.attempt_directory import AttemptDirectory, refuse_another_run, refuse_another_thing
from conflictbench.benchmarks.crossplay.changes import differences
from conflictbench.benchmarks.crossplay.plan import CrossplayIdentity, CrossplayManifest, PlayKey
from conflictbench.benchmarks.crossplay.plausible import fault_of
from conflictbench.benchmarks.crossplay.play_record import PlayRecord, without_phases
from conflictbench.benchmarks.episode_log import read_attempts
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.manifest_file import read_manifest
from conflictbench.scenario_specs.parties.tables import JointTables

PLAYS = "plays.jsonl"


class CrossplayDirectory(AttemptDirectory[CrossplayIdentity, PlayRecord]):
    """The writing side; `records` holds every attempt without what was said in it."""

    def __init__(
        self,
        path: Path,
        identity: CrossplayIdentity,
        *,
        command: str = "",
        tables: Mapping[str, JointTables] | None = None,
    ) -> None:
        """Open `path` for the run `identity`.

        Args:
            command: what was typed.
            tables: of its scenarios, to check what is kept; None checks its form alone.
        Raises:
            As `AttemptDirectory`.
        """
        self._tables = tables or {}
        fresh = CrossplayManifest.new(identity, command=command)
        super().__init__(path, fresh, frozenset(identity.plays()), log_name=PLAYS, kind=PlayRecord)

    def differences(self, there: CrossplayIdentity, here: CrossplayIdentity) -> list[str]:
        """In the words of the command line."""
        return differences(there, here)

    def fault(self, record: PlayRecord) -> str:
        """Moves that are none of its game's."""
        return _fault(record, self._tables)

    def slim(self, record: PlayRecord) -> PlayRecord:
        """Its figures alone."""
        return without_phases(record)

    def pending(self) -> list[tuple[PlayKey, int]]:
        """Plays without an attempt that counts, with the number of the next attempt, in the run's order."""
        last = self.attempts()
        return [
            (key, last[key].attempt + 1 if key in last else 1)
            for key in self.manifest.identity.plays()
            if key not in last or not last[key].status.counts
        ]


def refuse_another(path: Path, identity: CrossplayIdentity) -> None:
    """Raise what opening `path` for the run would, if something else is there; nothing is written."""
    if path.exists():
        refuse_another_thing(path)
    if (path / MANIFEST).exists():
        refuse_another_run(path, read_manifest(path, CrossplayManifest), CrossplayManifest.new(identity), differences)


def _fault(record: PlayRecord, tables: Mapping[str, JointTables]) -> str:
    own = tables.get(record.key.scenario)
    return "" if own is None else fault_of(record, own)


def load_plays(path: str | Path, tables: Mapping[str, JointTables] | None = None) -> tuple[PlayRecord, ...]:
    """Every attempt of a run with all that was said, in file order; a line being written is left out.

    Args:
        tables: as of `CrossplayDirectory`.
    Raises:
        RunError, RunMismatch, BrokenRecord: as `CrossplayDirectory`, other package versions excepted.
    """
    directory = Path(path)
    manifest = read_manifest(directory, CrossplayManifest)
    contents = read_attempts(
        directory / PLAYS, frozenset(manifest.identity.plays()), PlayRecord, fault=lambda one: _fault(one, tables or {})
    )
    return tuple(contents.records)
