"""How a model was asked and what is not known of it, in every form of the report; ids that came back do nothing."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from conflictbench.benchmarks.manifest import EnvEntry, Manifest, ModelEntry, RunIdentity
from conflictbench.benchmarks.report import collect, print_table
from conflictbench.benchmarks.report.asking import Asking, asking_of, host_of
from conflictbench.benchmarks.report.markdown import to_markdown
from conflictbench.benchmarks.report.model import Report, RunHead, build_report
from conflictbench.benchmarks.report.page import to_html
from conflictbench.benchmarks.report.tidy import to_csv
from conflictbench.benchmarks.report.write import to_json
from conflictbench.types import EpisodeRecord, Label, Usage

MakeRecord = Callable[..., EpisodeRecord]
PROTOCOL = "paper-v1-0a1b2c3d"
UNKNOWN_PRICE = "the price of openai/m is not known: its cost is recorded as 0"
HOSTILE = "gpt-\u202egnp\x1b[31m<img src=x onerror=alert(1)>|`x`"
SEEN = "gpt-\\u202egnp\\x1b[31m<img src=x onerror=alert(1)>|`x`"


def identity(model: ModelEntry | None, *, protocol_id: str = PROTOCOL) -> RunIdentity:
    env = EnvEntry(
        env_id="ConflictBench/EP1-v0",
        env_hash="0123abcd",
        kwargs={},
        scenarios={"EP1-001": "00" * 16},
        protocol="paper" if protocol_id else "",
        protocol_id=protocol_id,
    )
    return RunIdentity(
        suite="small", agent="llm:openai/m", model=model, envs=(env,), variants=("conflict",), seeds=(0,), epochs=1
    )


def entry(base_url: str | None = None, *, seed: int | None = None) -> ModelEntry:
    return ModelEntry(base_url=base_url, temperature=0.7, max_tokens=2048, seed=seed)


def head(**fields: Any) -> RunHead:
    asking = asking_of(identity(entry("http://127.0.0.1:8000/v1")))
    known: dict[str, Any] = {"name": "r", "suite": "small", "version": "0.1.0", "finished": 1, "planned": 1}
    return RunHead(**known | {"agent": "model", "asking": asking} | fields)


def called(make_record: MakeRecord, *, cost: float = 0.0, seed: int = 0, **fields: Any) -> EpisodeRecord:
    usage = Usage(calls=2, input_tokens=30, output_tokens=4, cost_usd=cost)
    return make_record(agent="model", seed=seed, label=Label.HUMAN, usage=usage, protocol=PROTOCOL, **fields)


def printed(report: Report) -> str:
    file = io.StringIO()
    print_table(report, Console(file=file, width=80, highlight=False, color_system=None))
    return file.getvalue()


def section(page: str, name: str) -> str:
    return page.split(f'id="{name}"')[1].split("</section>")[0]


@pytest.mark.parametrize(
    "base_url, host",
    [
        ("http://127.0.0.1:8000/v1", "127.0.0.1:8000"),
        ("https://user:sk-secret@api.example.org/v1/sk-secret?key=sk-secret#sk-secret", "api.example.org"),
        ("https://[::1]:9/v1", "[::1]:9"),
        ("sk-secret", "unreadable"),
        ("http://x:sk-secret/v1", "unreadable"),
        ("http://[sk-secret/v1", "unreadable"),
    ],
)
def test_host_of__is_the_host_and_never_a_credential(base_url: str, host: str) -> None:
    assert host_of(base_url) == host


def test_asking_of__a_model_a_conversation_and_neither() -> None:
    assert asking_of(identity(entry(seed=7))) == Asking(
        protocols=(PROTOCOL,), endpoint="default", temperature=0.7, max_tokens=2048, seed="7"
    )
    conversation = asking_of(identity(None))
    assert conversation is not None
    assert conversation.words == f"protocol {PROTOCOL}"
    assert asking_of(identity(None, protocol_id="")) is None


def test_asking__stands_in_every_form(make_record: MakeRecord) -> None:
    report = build_report([head()], [called(make_record)])
    cells = (PROTOCOL, "127.0.0.1:8000", "0.7", "2,048", "each episode's")
    assert f"| small | r | 0.1.0 | {' | '.join(cells)} | 1 of 1 |" in to_markdown(report)
    assert "".join(f"<td>{cell.replace(chr(39), '&#39;')}</td>" for cell in cells) in section(to_html(report), "runs")
    words = f"Asked with: protocol {PROTOCOL}, endpoint 127.0.0.1:8000, temperature 0.7, max tokens 2,048, seed each"
    assert words in " ".join(printed(report).split())
    assert json.loads(to_json(report))["runs"][0]["asking"]["endpoint"] == "127.0.0.1:8000"


def test_asking__of_a_run_without_a_model_adds_nothing(make_record: MakeRecord) -> None:
    report = build_report([head(asking=None)], [make_record(label=Label.HUMAN)])
    for text in (to_markdown(report), section(to_html(report), "runs"), printed(report)):
        assert "emperature" not in text
    both = build_report([head(), head(agent="other", asking=None)], [make_record(label=Label.HUMAN)])
    assert "| other | small | r | 0.1.0 | - | - | - | - | - | 1 of 1 |" in to_markdown(both)


@pytest.mark.parametrize(
    "price_known, cost, words, cell, note",
    [
        (True, 0.0, "$0.0000", "0.0", "answered as m-1"),
        (True, 0.25, "$0.5000", "0.5", "answered as m-1"),
        (False, 0.0, "unknown", "", "price not known; answered as m-1"),
        (False, 0.25, "at least $0.5000", "0.5", "at least; answered as m-1"),
    ],
)
def test_cost__is_said_to_be_unknown_where_the_price_is(
    make_record: MakeRecord, price_known: bool, cost: float, words: str, cell: str, note: str
) -> None:
    records = [called(make_record, cost=cost, seed=seed, models=("m-1",)) for seed in range(2)]
    report = build_report([head(price_known=price_known)], records)
    assert f"cost {words}; answered as m-1" in " ".join(printed(report).split())
    assert f"| model | m-1 | 4 | 60 | 8 | {words} |" in to_markdown(report)
    assert f'<td class="num">{words}</td></tr>' in section(to_html(report), "calls")
    (row,) = (row for row in csv.DictReader(io.StringIO(to_csv(report))) if row["metric"] == "cost_usd")
    assert (row["value"], row["note"]) == (cell, note)
    assert json.loads(to_json(report))["summary"]["usages"][0]["price_known"] is price_known


def test_collect__reads_how_a_model_was_asked_and_whether_its_price_is_known(
    tmp_path: Path, make_record: MakeRecord
) -> None:
    for name, notes in (("told", ()), ("untold", (UNKNOWN_PRICE,))):
        run = identity(entry("https://api.example.org/v1/sk-secret"))
        folder = tmp_path / name
        folder.mkdir()
        manifest = Manifest(package_version="0.1.0", identity=run, notes=notes)
        (folder / "manifest.json").write_text(manifest.model_dump_json())
        (key,) = run.episodes()
        record = called(make_record).model_copy(update={"key": key})
        (folder / "episodes.jsonl").write_text(record.model_dump_json() + "\n")
    report = collect([tmp_path / "told", tmp_path / "untold"])
    assert [run.price_known for run in report.runs] == [True, False]
    assert report.unpriced == {"llm:openai/m (untold)"}
    assert [row.price_known for row in report.summary.usages] == [True, False]
    for text in (printed(report), to_markdown(report), to_html(report), to_csv(report), to_json(report)):
        assert "sk-secret" not in text
    assert "api.example.org" in to_markdown(report)


def test_replies__asked_again_and_malformed_are_columns_where_there_are_any(make_record: MakeRecord) -> None:
    report = build_report([], [called(make_record, reasks=1, malformed=2), called(make_record, seed=1)])
    plain = build_report([], [called(make_record)])
    assert "| Unknown | Asked again | Malformed | Excluded |" in to_markdown(report)
    assert "| 0.0 | 0.5 | 1.0 | - | - |" in to_markdown(report)
    assert "| Unknown | Excluded |" in to_markdown(plain)
    figures = section(to_html(report), "figures")
    assert '<th scope="col" class="num">asked again</th><th scope="col" class="num">malformed</th>' in figures
    assert '<td class="num">0.5</td><td class="num">1.0</td>' in figures
    assert "malformed" not in section(to_html(plain), "figures")
    lines = printed(report).splitlines()
    (title,) = (place for place, line in enumerate(lines) if line.endswith("asked again  malformed"))
    line = lines[title + 2]  # under the title and its rule
    assert line.split()[2:] == ["-", "0.0", "0.0", "0.5", "1.0"]
    found = {row["metric"]: row["value"] for row in csv.DictReader(io.StringIO(to_csv(report)))}
    assert (found["reasks_per_episode"], found["malformed_per_episode"]) == ("0.5", "1.0")


def test_a_hostile_model_id__does_nothing_in_any_form(make_record: MakeRecord) -> None:
    asking = Asking(protocols=(HOSTILE,), endpoint=HOSTILE, temperature=0.0, max_tokens=1, seed=HOSTILE)
    report = build_report([head(asking=asking)], [called(make_record, models=(HOSTILE,))])
    terminal, markdown, page, table = printed(report), to_markdown(report), to_html(report), to_csv(report)
    for text in (terminal, markdown, page, table, to_json(report)):
        assert not set(text) & set("\u202e\x1b")
    assert f"answered as {SEEN}" in " ".join(terminal.split())
    assert "<img" not in page
    assert "gpt-\\u202egnp\\x1b[31m&lt;img src=x onerror=alert(1)&gt;" in section(page, "calls")
    assert "\\x1b\\[31m\\<img" in markdown
    assert len([line for line in markdown.splitlines() if "gnp" in line]) == 2  # its cell of each table is one line
    (row,) = (row for row in csv.DictReader(io.StringIO(table)) if row["metric"] == "cost_usd")
    assert row["note"] == f"answered as {SEEN}"
