"""The directory of a run of one agent on a suite: `manifest.json` and the append-only `episodes.jsonl`. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conflictbench.benchmarks.attempt_directory import AttemptDirectory
from conflictbench.benchmarks.differences import differences
from conflictbench.benchmarks.episode_log import FILE_NAME as EPISODES
from conflictbench.benchmarks.episode_log import without_steps
from conflictbench.benchmarks.manifest import Manifest, RunIdentity
from conflictbench.types import EpisodeRecord


class RunDirectory(AttemptDirectory[RunIdentity, EpisodeRecord]):
    """The writing side; `records` holds every attempt without its steps."""

    def __init__(
        self,
        path: Path,
        identity: RunIdentity,
        *,
        notes: tuple[str, ...] = (),
        command: str = "",
        sources: Mapping[str, str] | None = None,
    ) -> None:
        """Open `path` for the run `identity`.

        Args:
            notes, command, sources: facts about the run kept in a new manifest.
        Raises:
            As `AttemptDirectory`.
        """
        fresh = Manifest.new(identity, notes, command=command, sources=sources)
        super().__init__(path, fresh, frozenset(identity.episodes()), log_name=EPISODES, kind=EpisodeRecord)

    def differences(self, there: RunIdentity, here: RunIdentity) -> list[str]:
        """In the words of the command line."""
        return differences(there, here)

    def slim(self, record: EpisodeRecord) -> EpisodeRecord:
        """Its figures alone."""
        return without_steps(record)
