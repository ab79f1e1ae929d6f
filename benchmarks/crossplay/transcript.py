"""`plays.html`: every play of a run to be read, what either party was told, thought, said and did. Own design.

A page without a script. Whatever a model wrote, and whatever it was told, is escaped, and what cannot be seen in it
(direction marks, control characters) is shown as an escape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from conflictbench.benchmarks.crossplay.directory import PLAYS, load_plays
from conflictbench.benchmarks.crossplay.play_record import ChoiceRecord, PlayRecord
from conflictbench.benchmarks.html_templates import hash_of, page_templates
from conflictbench.benchmarks.manifest import package_version
from conflictbench.benchmarks.report.visible import visible
from conflictbench.counting import counted
from conflictbench.errors import RunError
from conflictbench.scenario_specs.parties.block import ROLES

PAGE = "plays.html"

_EVENTS = {
    "held": "nothing was done",
    "done": "done",
    "rejected": "not possible: it counted as hold",
    "bumped": "too late: the other's move had taken its ground",
}
_NOT_CHOSEN = {
    "unparsed": "no choice could be read in the reply",
    "refused": "the model refused",
    "cut_off": "the reply was cut off",
    "context_overflow": "the conversation was too long for the model",
    "provider_error": "the model did not answer",
    "budget": "a limit of the run was reached",
}
_CELLS = {"both": "both outcomes", "human": "the human outcome", "task": "the task", "neither": "neither outcome"}


def write_transcripts(folder: Path) -> Path | None:
    """Write the page whole or not at all, and return it; None where no play is kept.

    Raises:
        RunError: it cannot be written.  RunMismatch, BrokenRecord: the plays cannot be read.
    """
    if not (folder / PLAYS).is_file():
        return None
    records = load_plays(folder)
    if not records:
        return None
    page, fresh = folder / PAGE, folder / f"{PAGE}.new"
    try:
        fresh.write_text(to_transcripts(records), encoding="utf-8", newline="\n")
        fresh.replace(page)
    except OSError as error:
        raise RunError(f"the plays cannot be written to {folder}: {error.strerror or error}") from error
    return page


def to_transcripts(records: Sequence[PlayRecord]) -> str:
    """The whole page over attempts in the order in which they were kept; the same ones give the same bytes."""
    css = (files("conflictbench.benchmarks.crossplay") / "templates" / "plays.css").read_text("utf-8")
    environment = page_templates("conflictbench.benchmarks.crossplay")
    environment.filters |= {"visible": visible, "lines": _lines, "did": did, "came": came, "heading": heading}
    statuses = Counter(record.status.value for record in records)
    return environment.get_template("plays.html.j2").render(
        css=Markup(css),  # a file of ours
        policy=f"default-src 'none'; style-src 'sha256-{hash_of(css)}'; base-uri 'none'; form-action 'none'",
        records=records,
        roles=ROLES,
        statuses=", ".join(f"{count} {status.replace('_', ' ')}" for status, count in statuses.items()),
        attempts=counted(len(records), "attempt"),
        version=package_version(),
    )


def heading(record: PlayRecord) -> str:
    """Who met whom in what, and what came of it, in one line."""
    key = record.key
    again = f", attempt {record.attempt}" if record.attempt > 1 else ""
    where = f"{key.scenario}, start {key.start}, seed {key.seed}{again}"
    if record.outcome is None:
        return f"{where}: {key.incumbent} and {key.requester}: no result ({record.status.value.replace('_', ' ')})"
    return f"{where}: {key.incumbent} and {key.requester}: {_CELLS[record.outcome.cell]}"


def did(choice: ChoiceRecord) -> str:
    """What a party chose in a phase."""
    if choice.signal is not None or choice.move is None:
        return choice.signal or "silent"
    return choice.move


def came(choice: ChoiceRecord) -> str:
    """What came of it; "" where there is nothing to say."""
    parts = []
    if choice.status != "chosen":
        parts.append(_NOT_CHOSEN[choice.status])
    if choice.error is not None:
        parts.append(choice.error)
    if choice.event is not None and (choice.status == "chosen" or choice.event != "held"):
        parts.append(_EVENTS.get(choice.event, choice.event))
    return "; ".join(parts)


def _lines(text: str) -> str:
    """`visible`, with its lines and indents."""
    return visible(text, keep="\n\t")
