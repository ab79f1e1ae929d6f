"""Reading runs: as records, or as flat rows for a data frame. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conflictbench.benchmarks.call_log import FILE_NAME as CALLS
from conflictbench.benchmarks.call_log import read_calls
from conflictbench.benchmarks.episode_log import FILE_NAME as EPISODES
from conflictbench.benchmarks.episode_log import read_log
from conflictbench.benchmarks.manifest import Manifest
from conflictbench.benchmarks.manifest_file import read_manifest
from conflictbench.benchmarks.metrics import family_of, final_attempts
from conflictbench.types import EpisodeRecord, Label, QuestionRecord, Usage


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run as it was read, finished or not."""

    path: Path
    manifest: Manifest
    records: tuple[EpisodeRecord, ...]  # every attempt, in file order
    notes: tuple[str, ...]  # the manifest's, and what reading found
    dropped: Usage  # by calls to a model for episodes that were dropped, or are not over

    @property
    def planned(self) -> int:
        """Number of episodes the run is made of."""
        return sum(1 for _ in self.manifest.identity.episodes())

    @property
    def finished(self) -> int:
        """Number of episodes with an attempt that counts."""
        return len({record.key for record in self.records if record.status.counts})


def load_run(path: str | Path) -> Run:
    """Read a run, finished or not, without changing or locking it.

    A line that is still being written is left out with a note.

    Raises:
        RunError, RunMismatch, BrokenRecord: as `RunDirectory`, other package versions excepted.
    """
    directory = Path(path)
    manifest = read_manifest(directory, Manifest)
    contents = read_log(directory / EPISODES, frozenset(manifest.identity.episodes()))
    notes = manifest.notes
    if contents.lines.torn_bytes:
        notes += (f"{EPISODES}:{len(contents.records) + 1}: an unfinished last line was left out",)
    records = tuple(contents.records)
    if not (directory / CALLS).exists():  # no language model was asked, or nobody kept it: the records are all there is
        return Run(path=directory, manifest=manifest, records=records, notes=notes, dropped=Usage())
    sums, _ = read_calls(directory / CALLS)  # after the records, which never tell of a call that is not there yet
    if (fault := sums.fault(records)) and fault not in notes:
        notes += (fault,)
    return Run(path=directory, manifest=manifest, records=records, notes=notes, dropped=sums.dropped(records))


def load_records(path: str | Path) -> tuple[EpisodeRecord, ...]:
    """Every attempt of a run with its steps, in file order."""
    return load_run(path).records


_NO_COLUMNS = {
    "key", "steps", "opening", "opening_clips", "schema_version", "usage", "scenario_digest", "question"
}  # fmt: skip


def load_episodes(*paths: str | Path) -> list[dict[str, Any]]:
    """The runs as flat rows, one a final attempt: `pandas.DataFrame(load_episodes("runs/..."))`.

    Columns: run, family, scenario, variant, env_hash, agent, seed, epoch, attempt, status, env_id, outcome, label,
    turns, interactions, rejected, unknown, free, reasks, malformed, total_reward, assigned_value, regret_applicable,
    regret_stage, protocol, course, world_model, models, error, counts, success, question_order, question_aligned,
    question_longest, calls, input_tokens, output_tokens, cost_usd, cached. Ordered by run as given, then by key.

    Of a single-turn question: `question_order` is the file's indices in the order shown ("2013"), the other two are
    places in it, 0 for A; None for other episodes.
    """
    return [row for path in paths for row in _rows(load_run(path))]


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    for record in final_attempts(run.records):
        values = record.model_dump(mode="json", exclude=_NO_COLUMNS)
        yield (
            {"run": run.path.name, "family": family_of(record.env_id)}
            | record.key.model_dump()
            | {name: ", ".join(value) if isinstance(value, list) else value for name, value in values.items()}
            | {"counts": record.status.counts, "success": record.label is Label.HUMAN}
            | _question(record.question)
            | record.usage.model_dump()
        )


def _question(question: QuestionRecord | None) -> dict[str, Any]:
    order = None if question is None else "".join(map(str, question.permutation))
    aligned, longest = (None, None) if question is None else (question.aligned, question.longest)
    return {"question_order": order, "question_aligned": aligned, "question_longest": longest}
