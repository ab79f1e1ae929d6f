"""Read run directories into one report, and say what stands in the way of comparing them. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from conflictbench.agents.models.prices import price_unknown
from conflictbench.benchmarks.command_line import to_be_shown
from conflictbench.benchmarks.loading import Run, load_run
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.question_places import places_note
from conflictbench.benchmarks.report.asking import asking_of
from conflictbench.benchmarks.report.copies import draws_of
from conflictbench.benchmarks.report.labels import shown_agents
from conflictbench.benchmarks.report.model import Report, RunHead, build_report
from conflictbench.benchmarks.report.told import told_in
from conflictbench.counting import counted
from conflictbench.errors import RunError
from conflictbench.types import EpisodeRecord


def collect(run_dirs: Sequence[Path]) -> Report:
    """Read runs, finished or not, to be shown side by side.

    Args:
        run_dirs: run directories; the same one given twice is read once.
    Raises:
        RunError: no directory given, or one that is not a run.
        RunMismatch: one was written under another record schema.
        BrokenRecord: a line of one cannot be read.
    """
    runs = [load_run(path) for path in distinct(run_dirs)]
    names = shown_agents(runs)
    heads = [
        RunHead(
            name=run.path.resolve().name,
            agent=name,
            suite=run.manifest.identity.suite,
            version=run.manifest.package_version,
            finished=run.finished,
            planned=run.planned,
            notes=run.notes,
            asking=asking_of(run.manifest.identity),
            price_known=not price_unknown(run.notes),
            draws=draws_of(run.manifest.identity),
        )
        for run, name in zip(runs, names, strict=True)
    ]
    records = [_renamed(record, name) for run, name in zip(runs, names, strict=True) for record in run.records]
    dropped = {name: run.dropped for run, name in zip(runs, names, strict=True) if run.dropped.calls}
    return build_report(heads, records, list(_notes(runs, heads)), dropped=dropped, told=told_in(runs))


def distinct(run_dirs: Sequence[Path]) -> list[Path]:
    """The directories in the order given, each once; folders of earlier reports (of `runs/*`, say) are left out.

    Raises:
        RunError: there is none.
    """
    runs = {path.resolve(): path for path in run_dirs if not is_report(path)}
    if not runs:
        raise RunError("no run directory given; `conflictbench run` prints the directory that it writes")
    return list(runs.values())


def is_report(path: Path) -> bool:
    """True for a folder that holds a written report and no run."""
    return (path / "report.html").exists() and not (path / MANIFEST).exists()


def _renamed(record: EpisodeRecord, agent: str) -> EpisodeRecord:
    if record.key.agent == agent:
        return record
    return record.model_copy(update={"key": record.key.model_copy(update={"agent": agent})})


def _notes(runs: Sequence[Run], heads: Sequence[RunHead]) -> Iterator[str]:
    for run, head in zip(runs, heads, strict=True):
        if head.unfinished:
            missing = f"{head.name}: unfinished, {head.finished} of {counted(head.planned, 'episode')}"
            yield f"{missing}; {_how_to_go_on(run)} goes on with it."
    versions = sorted({head.version for head in heads})
    if len(versions) > 1:
        each = "; ".join(f"{head.name} by {head.version}" for head in heads)
        yield f"Written by different versions of conflictbench, which may not be comparable: {each}."
    yield from _scenario_notes(runs, heads)
    for note in sorted({places_note(run.manifest.identity) for run in runs} - {""}):
        yield f"Single-turn questions: {note}."


def _how_to_go_on(run: Run) -> str:
    command = to_be_shown(run.manifest.command)
    return f"`{command}`, where it was begun," if command else "the same `conflictbench run` command"


def _scenario_notes(runs: Sequence[Run], heads: Sequence[RunHead]) -> Iterator[str]:
    """Scenarios whose file changed between runs, and runs that cover different scenarios."""
    digests: dict[str, dict[str, str]] = {}  # scenario -> digest -> a run that has it
    covered = []
    for run, head in zip(runs, heads, strict=True):
        scenarios = {name: digest for env in run.manifest.identity.envs for name, digest in env.scenarios.items()}
        covered.append((frozenset(scenarios), run.manifest.identity.variants))
        for scenario, digest in scenarios.items():
            digests.setdefault(scenario, {}).setdefault(digest, head.name)
    for scenario in sorted(digests):
        if len(digests[scenario]) > 1:
            names = " and ".join(sorted(digests[scenario].values()))
            yield f"{scenario} was another text or machine in {names}: do not compare the two on it."
    if len(set(covered)) > 1:
        yield "The runs cover different scenarios or variants, so rates over families compare different episodes."
