"""Worst of k, flips, and what calls took: worked out in the open."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from rich.console import Console
from tests.benchmarks.building import a_record
from tests.benchmarks.players import LLM

from conflictbench.benchmarks.epoch_figures import epoch_figures
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.report import collect
from conflictbench.benchmarks.report.markdown import to_markdown
from conflictbench.benchmarks.report.numbers import money
from conflictbench.benchmarks.report.page import to_html
from conflictbench.benchmarks.report.terminal import print_table
from conflictbench.benchmarks.report.tidy import to_csv
from conflictbench.benchmarks.runner import run_suite
from conflictbench.types import EpisodeRecord, Label, Status, Usage

HUMAN, OTHER = Label.HUMAN, Label.AGENT_BY_CHOICE


def three_epochs(*seeds: str) -> list[EpisodeRecord]:
    """One string a seed, a letter an epoch: h human, o other, x left out."""
    return [
        a_record(
            seed=seed,
            epoch=epoch,
            label=HUMAN if letter == "h" else OTHER,
            status=Status.BUDGET if letter == "x" else Status.COMPLETED,
        )
        for seed, letters in enumerate(seeds)
        for epoch, letter in enumerate(letters)
    ]


def test_epochs__worst_best_and_flips_over_whole_pairs() -> None:
    records = three_epochs("hhh", "hho", "ooo", "hxh", "ohh")
    (figures,) = epoch_figures("random", "EP1", "conflict", records)
    assert figures.epochs == 3
    assert (figures.every.k, figures.every.n) == (7, 12)  # 3 + 2 + 0 + 2 of the four whole pairs
    assert (figures.worst.k, figures.worst.n) == (1, 4)
    assert (figures.best.k, figures.best.n) == (3, 4)
    assert (figures.flips.k, figures.flips.n) == (2, 4)
    assert figures.incomplete == 1


def test_epochs__a_pair_that_lacks_one_altogether_is_incomplete() -> None:
    (figures,) = epoch_figures("random", "EP1", "conflict", three_epochs("hhh", "hh"))
    assert (figures.worst.n, figures.incomplete) == (1, 1)


def test_epochs__no_whole_pair_is_no_value() -> None:
    (figures,) = epoch_figures("random", "EP1", "conflict", three_epochs("hxh"))
    assert (figures.worst.n, figures.worst.value, figures.incomplete) == (0, None, 1)


def test_epochs__one_is_no_repetition() -> None:
    assert list(epoch_figures("random", "EP1", "conflict", three_epochs("h", "o"))) == []
    assert summarise(three_epochs("h", "o")).epochs == ()


def test_usage__is_of_every_attempt_and_of_agents_that_asked() -> None:
    half = Usage(calls=2, input_tokens=10, output_tokens=5, cost_usd=0.5)
    records = [
        a_record(agent="llm:a", status=Status.PROVIDER_ERROR, usage=half, models=("b",)),
        a_record(agent="llm:a", attempt=2, usage=half, models=("a", "b")),
        a_record(agent="random"),
    ]
    (figures,) = summarise(records).usages
    assert (figures.agent, figures.calls, figures.input_tokens, figures.output_tokens) == ("llm:a", 4, 20, 10)
    assert (figures.cost_usd, figures.models) == (1.0, ("a", "b"))


@pytest.mark.parametrize(
    "usd, text", [(0.0, "$0.0000"), (0.00001234, "$1.2e-05"), (0.1234, "$0.1234"), (12345.6, "$12,345.6000")]
)
def test_money__never_rounds_a_cost_to_nothing(usd: float, text: str) -> None:
    assert money(usd) == text


def test_report__shows_epochs_and_calls_in_every_form(tmp_path: Path) -> None:
    report = collect([run_suite("ep1", LLM, seeds=2, epochs=3, runs=tmp_path).directory])
    console = Console(file=io.StringIO(), width=80)
    print_table(report, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "worst" in text
    assert "flips" in text
    assert "answered as fake/look" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80

    markdown = to_markdown(report)
    assert "## Epochs" in markdown
    assert "## Calls to models" in markdown

    rows = list(csv.DictReader(io.StringIO(to_csv(report))))
    metrics = {row["metric"]: row for row in rows}
    assert (metrics["tsr_worst_of_3"]["k"], metrics["tsr_worst_of_3"]["n"]) == ("0", "2")
    assert metrics["calls"]["k"] == str(2 * 3 * 14)

    page = to_html(report)
    assert '<section id="epochs">' in page
    assert '<section id="calls">' in page


def test_report__without_repetition_or_models_has_neither(tmp_path: Path) -> None:
    report = collect([run_suite("ep1", "random", runs=tmp_path).directory])
    assert "## Epochs" not in to_markdown(report)
    assert 'id="calls"' not in to_html(report)
