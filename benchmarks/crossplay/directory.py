"""The directory of a run of cross-play: `manifest.json` and the append-only `plays.jsonl`. Own design."""

from __future__ import annotations

from pathlib import Path

from conflictbench.benchmarks.attempt_directory import AttemptDirectory
from conflictbench.benchmarks.crossplay.plan import CrossplayIdentity, CrossplayManifest, PlayKey, differences
from conflictbench.benchmarks.crossplay.play_record import PlayRecord, without_phases
from conflictbench.benchmarks.episode_log import read_attempts
from conflictbench.benchmarks.manifest_file import read_manifest

PLAYS = "plays.jsonl"


class CrossplayDirectory(AttemptDirectory[CrossplayIdentity, PlayRecord]):
    """The writing side; `records` holds every attempt without what was said in it."""

    def __init__(self, path: Path, identity: CrossplayIdentity, *, command: str = "") -> None:
        """Open `path` for the run `identity`. Raises as `AttemptDirectory`."""
        fresh = CrossplayManifest.new(identity, command=command)
        super().__init__(path, fresh, frozenset(identity.plays()), log_name=PLAYS, kind=PlayRecord)

    def differences(self, there: CrossplayIdentity, here: CrossplayIdentity) -> list[str]:
        """Field by field."""
        return differences(there, here)

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


def load_plays(path: str | Path) -> tuple[PlayRecord, ...]:
    """Every attempt of a run with all that was said, in file order; a line being written is left out.

    Raises:
        RunError, RunMismatch, BrokenRecord: as `CrossplayDirectory`, other package versions excepted.
    """
    directory = Path(path)
    manifest = read_manifest(directory, CrossplayManifest)
    contents = read_attempts(directory / PLAYS, frozenset(manifest.identity.plays()), PlayRecord)
    return tuple(contents.records)
