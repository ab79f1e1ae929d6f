"""Hand-made episodes and runs for the tests of the reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.benchmarks.report.browsing import Open, Seen

from conflictbench.benchmarks.manifest import EnvEntry, Manifest, RunIdentity
from conflictbench.benchmarks.report.model import Report, RunHead, build_report
from conflictbench.benchmarks.report.page import to_html
from conflictbench.types import VARIANTS, EpisodeKey, EpisodeRecord, Event, Label, Status, StepRecord, Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

MakeRecord = Callable[..., EpisodeRecord]
MakeRun = Callable[..., Path]
ENV_HASH = "0123abcd"


def _record(
    *,
    agent: str = "random",
    scenario: str = "EP1-001",
    variant: str = "conflict",
    seed: int = 0,
    attempt: int = 1,
    status: Status = Status.COMPLETED,
    label: Label | None = None,
    **fields: Any,
) -> EpisodeRecord:
    """One attempt; its env follows from the scenario, its outcome from the label."""
    return EpisodeRecord(
        key=EpisodeKey(scenario=scenario, variant=variant, env_hash=ENV_HASH, agent=agent, seed=seed),
        attempt=attempt,
        status=status,
        env_id=f"ConflictBench/{scenario[:3]}-v0",
        label=label,
        outcome=None if label is None else f"the_{label}",
        **fields,
    )


def _step(index: int, command: str, text: str, event: Event = Event.ACCEPTED, **fields: Any) -> StepRecord:
    return StepRecord(index=index, action=command.replace(" ", "_"), command=command, event=event, text=text, **fields)


@pytest.fixture
def make_record() -> MakeRecord:
    return _record


@pytest.fixture
def small_report() -> Report:
    """Two agents, two families, all variants: `steady` always ends human, `mixed` ends in every way there is."""
    records = []
    for scenario in ("EP1-001", "EP2-001"):
        for variant in VARIANTS:
            steps = (_step(0, "open valve", "The valve turns. Pressure: 3 bar.", turn=1),)
            opening = f"You keep the pumps of {scenario}."
            common: dict[str, Any] = {"scenario": scenario, "variant": variant, "opening": opening}
            records.append(_record(agent="steady", label=Label.HUMAN, turns=1, interactions=1, steps=steps, **common))
            for seed, label in enumerate([*Label, *Label]):
                if variant != "conflict" and label is Label.AGENT_BY_CHOICE:
                    label = Label.HUMAN
                records.append(_record(agent="mixed", label=label, seed=seed, turns=4, rejected=1, unknown=1, **common))
    records.append(_record(agent="mixed", seed=8, status=Status.TRUNCATED, turns=2))
    records.append(_record(agent="mixed", seed=9, status=Status.REFUSED, turns=1))
    records.append(_record(agent="mixed", seed=10, status=Status.PROVIDER_ERROR, error="http 529"))
    records.append(_record(agent="mixed", seed=11, status=Status.PROVIDER_ERROR, error="http 529"))
    records.append(_record(agent="mixed", seed=11, attempt=2, label=Label.HUMAN, turns=3))
    runs = [
        RunHead(name="small-steady-11111111", agent="steady", suite="small", version="0.1.0", finished=8, planned=8),
        RunHead(
            name="small-mixed-22222222",
            agent="mixed",
            suite="small",
            version="0.1.0",
            finished=67,
            planned=68,
            notes=("a line was cut off",),
        ),
    ]
    return build_report(runs, records, ["small-mixed-22222222: unfinished, 67 of 68 episodes."])


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Write a run directory: `make_run("name", agent=..., seeds=2, label=...)` over EP1-001 in `conflict`."""

    def make(
        name: str,
        *,
        agent: str = "random",
        seeds: int = 2,
        finished: int | None = None,
        label: Label = Label.HUMAN,
        version: str = "0.1.0",
        digest: str = "00" * 16,
        notes: tuple[str, ...] = (),
        text: str = "The valve turns.",
    ) -> Path:
        identity = RunIdentity(
            suite="small",
            agent=agent,
            envs=(
                EnvEntry(env_id="ConflictBench/EP1-v0", env_hash=ENV_HASH, kwargs={}, scenarios={"EP1-001": digest}),
            ),
            variants=("conflict",),
            seeds=tuple(range(seeds)),
            epochs=1,
        )
        folder = tmp_path / name
        folder.mkdir()
        manifest = Manifest(package_version=version, identity=identity, notes=notes)
        (folder / "manifest.json").write_text(manifest.model_dump_json(), "utf-8")
        steps = (_step(0, "open valve", text, turn=1, reply=f"I choose: open valve. {text}", verdict=Verdict.ACTION),)
        lines = [
            _record(agent=agent, seed=seed, label=label, turns=1, steps=steps).model_dump_json() + "\n"
            for seed in range(seeds if finished is None else finished)
        ]
        (folder / "episodes.jsonl").write_text("".join(lines), "utf-8")
        return folder

    return make


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    context = browser.new_context()

    def opened(report: Report, *, width: int = 1400, anchor: str = "") -> tuple[Page, Seen, str]:
        path = tmp_path / "report.html"
        path.write_text(to_html(report), "utf-8", newline="\n")
        page, seen = context.new_page(), Seen()

        def refuse(dialog: Dialog) -> None:
            seen.dialogs.append(dialog.message)
            dialog.dismiss()

        page.set_viewport_size({"width": width, "height": 900})
        page.on("dialog", refuse)
        page.on("console", lambda message: seen.messages.append(message.text))
        page.on("pageerror", lambda error: seen.messages.append(str(error)))
        page.on("request", lambda request: seen.requests.append(request.url))
        page.goto(path.as_uri() + anchor)
        return page, seen, path.as_uri() + anchor

    yield opened
    context.close()
