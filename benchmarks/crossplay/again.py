"""`conflictbench report` on a run of cross-play: its figures and pages made anew from what is kept. Own design."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from conflictbench.benchmarks.command_line import shown_path
from conflictbench.benchmarks.crossplay.directory import PLAYS, load_plays
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.matrix import Crossplay
from conflictbench.benchmarks.crossplay.page import write_page
from conflictbench.benchmarks.crossplay.plain import as_plain
from conflictbench.benchmarks.crossplay.plan import CrossplayIdentity, CrossplayManifest
from conflictbench.benchmarks.crossplay.runner import figures_of
from conflictbench.benchmarks.crossplay.seats import Seat, seats_called
from conflictbench.benchmarks.crossplay.terminal import as_lines
from conflictbench.benchmarks.crossplay.transcript import write_transcripts
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.manifest_file import read_manifest
from conflictbench.errors import ConflictBenchError, RunError
from conflictbench.saying import say
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.joint import get_joint


def is_crossplay(folder: Path) -> bool:
    """Whether a folder holds a run of cross-play; False where that cannot be told."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    identity = found.get("identity") if isinstance(found, dict) else None
    return isinstance(identity, dict) and "pairs" in identity and "agents" in identity


def figures_again(folder: Path) -> Crossplay:
    """The figures of a run, finished or not, from its own files; no policy and no model is needed.

    Raises:
        RunError: a game of it is not there any more, or another one now.  BrokenRecord: a file cannot be read.
    """
    identity = read_manifest(folder, CrossplayManifest).identity
    facts = {scenario: _facts(folder, scenario, digest) for scenario, digest in identity.scenarios.items()}
    tables = {scenario: one.joint.tables for scenario, one in facts.items()}
    records = load_plays(folder, tables) if (folder / PLAYS).is_file() else ()
    last = {record.key: record for record in records}
    return figures_of(identity, seats_of(identity), facts, list(last.values()))


def report_crossplay(folders: Sequence[Path], *, output_format: str | None = None) -> None:
    """Print the tables of each run and write its pages, both anew; with a format print that alone.

    Args:
        output_format: "table" or "json"; None prints the tables and writes the pages.
    Raises:
        RunError: a format that there is not for cross-play, or as `figures_again`.
    """
    if output_format not in (None, "table", "json"):
        raise RunError(f"--format {output_format} is not for a run of cross-play; known: table, json")
    found = {folder: figures_again(folder) for folder in folders}
    if output_format == "json":
        plain = [as_plain(one) for one in found.values()]
        print(json.dumps(plain[0] if len(plain) == 1 else plain, indent=2, allow_nan=False))
        return
    for folder, one in found.items():
        print("\n".join(as_lines(one)))
        if output_format is None:
            plays = write_transcripts(folder)  # first: the other page has a link to it
            say(f"page: {shown_path(write_page(one, folder))}")
            if plays is not None:
                say(f"plays: {shown_path(plays)}")


def seats_of(identity: CrossplayIdentity) -> tuple[Seat, ...]:
    """Who played, from the run's own record: a policy took the chairs in which it was to be played."""
    return tuple(_seat(name, identity) for name in identity.agents)


def _seat(name: str, identity: CrossplayIdentity) -> Seat:
    head = name.partition(":")[0]
    if head == "sb3":
        played = [{pair[0] for pair in identity.pairs}, {pair[1] for pair in identity.pairs}]
        roles = tuple(role for role, names in zip(ROLES, played, strict=True) if name in names)
        return Seat(name=name, kind="sb3", roles=roles, input_digest=identity.inputs.get(name))
    if head == "llm":
        return Seat(name=name, kind="llm", roles=ROLES, draws=True)
    return seats_called([name, "random"])[0]  # who takes any chair: one bot alone is no table


def _facts(folder: Path, scenario: str, digest: str) -> GameFacts:
    try:
        joint = get_joint(scenario)
    except ConflictBenchError as error:
        raise RunError(
            f"{folder}: {scenario} is no game of the core pack, so its figures cannot be made anew"
        ) from error
    if joint.tables.digest != digest:
        raise RunError(
            f"{folder}: {scenario} is another game now than the one that was played; its pages are left alone"
        )
    return GameFacts(joint)
