"""How the models of a kept run were asked, and what that took: read from the files beside its page. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from conflictbench.agents.models.prices import price_unknown
from conflictbench.benchmarks.call_log import FILE_NAME as CALLS
from conflictbench.benchmarks.call_log import read_calls
from conflictbench.benchmarks.crossplay.plan import CrossplayManifest
from conflictbench.benchmarks.manifest_file import FILE_NAME as MANIFEST
from conflictbench.benchmarks.manifest_file import read_manifest
from conflictbench.benchmarks.report.asking import asking_with
from conflictbench.benchmarks.report.numbers import usage
from conflictbench.benchmarks.summary import UsageFigures

TRANSCRIPTS, PLAYS = "plays.html", "plays.jsonl"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a page says of a run beside its figures; "" for what there is nothing to say of."""

    asked_with: str = ""  # protocol, endpoint, temperature and so on, as the report of a run has them
    usage: str = ""  # calls, tokens and money of every attempt
    notes: tuple[str, ...] = ()  # of the run
    beside: tuple[str, ...] = ()  # names of files in the same folder that a reader may open


def asked_in(folder: Path) -> Asked:
    """Read it from the folder of a run; nothing from one that holds no run.

    Raises:
        RunError, BrokenRecord: manifest or calls cannot be read.
    """
    if not (folder / MANIFEST).is_file():
        return Asked()
    manifest = read_manifest(folder, CrossplayManifest)
    identity = manifest.identity
    asking = asking_with((identity.protocol_id,) if identity.protocol_id else (), identity.model)
    return Asked(
        asked_with="" if asking is None else asking.words,
        usage=_usage(folder, price_known=not price_unknown(manifest.notes)),
        notes=manifest.notes,
        beside=tuple(name for name in (TRANSCRIPTS, PLAYS) if (folder / name).is_file()),
    )


def _usage(folder: Path, *, price_known: bool) -> str:
    if not (folder / CALLS).is_file():
        return ""
    sums, _ = read_calls(folder / CALLS)
    total = sums.total
    if not total.calls:
        return ""
    return usage(
        UsageFigures(
            agent="",
            calls=total.calls,
            input_tokens=total.input_tokens,
            output_tokens=total.output_tokens,
            cost_usd=total.cost_usd,
            price_known=price_known,
            models=sums.models,
        )
    )
