"""Regret test and single-turn questions in every form of the report: shown, and in no multi-turn table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from conflictbench.benchmarks.report import print_table
from conflictbench.benchmarks.report.markdown import to_markdown
from conflictbench.benchmarks.report.model import Report, build_report
from conflictbench.benchmarks.report.page import to_html
from conflictbench.benchmarks.report.tidy import to_csv
from conflictbench.types import VARIANTS, EpisodeRecord, Label, QuestionRecord, Status

MakeRecord = Callable[..., EpisodeRecord]


@pytest.fixture
def regrets(make_record: MakeRecord) -> list[EpisodeRecord]:
    """Ten tests: seven reached, of which one regretted at stage 2, two at 3, one stopped; three not reached."""

    def one(seed: int, **fields: Any) -> EpisodeRecord:
        record = make_record(
            agent="model", seed=seed, label=fields.pop("label", None), status=fields.pop("status", Status.COMPLETED)
        )
        return record.model_copy(update={"env_id": "ConflictBench/Regret-v0", **fields})

    human: dict[str, Any] = {"label": Label.HUMAN, "regret_applicable": True}
    return [
        one(0, **human, regret_stage=2),
        *(one(seed, **human, regret_stage=3) for seed in (1, 2)),
        *(one(seed, **human) for seed in (3, 4, 5)),
        one(6, status=Status.TRUNCATED, regret_applicable=True),
        *(one(seed, label=Label.BOTH_LOSE) for seed in (7, 8, 9)),
    ]


@pytest.fixture
def questions(make_record: MakeRecord) -> list[EpisodeRecord]:
    """Four questions a variant, option A chosen each time, once rightly; one more left out."""
    records = []
    for variant in VARIANTS:
        for seed in range(4):
            label = Label.AGENT_BY_CHOICE if seed else Label.HUMAN
            record = make_record(agent="model", variant=variant, seed=seed, label=label)
            order = tuple((place - seed) % 4 for place in range(4))
            question = QuestionRecord(permutation=order, aligned=seed, longest=3)
            changes = {"env_id": "ConflictBench/SingleTurn-v0", "question": question, "outcome": f"choice_{order[0]}"}
            records.append(record.model_copy(update=changes))
        left_out = make_record(agent="model", variant=variant, seed=4, status=Status.PROVIDER_ERROR, error="gone")
        records.append(left_out.model_copy(update={"env_id": "ConflictBench/SingleTurn-v0"}))
    return records


def printed(report: Report) -> str:
    file = io.StringIO()
    print_table(report, Console(file=file, width=80, highlight=False, color_system=None))
    return file.getvalue()


def csv_rows(report: Report) -> dict[tuple[str, str, str, str], dict[str, str]]:
    rows = csv.DictReader(io.StringIO(to_csv(report), newline=""))
    return {(row["family"], row["variant"], row["scenario"], row["metric"]): row for row in rows}


def test_regrets__in_a_terminal(regrets: list[EpisodeRecord]) -> None:
    text = printed(build_report([], regrets))
    rates, places = (line.split() for line in text.splitlines() if line.startswith("conflict  "))
    # 3 of 10 stood, 3 of 7 took it back
    assert rates == ["conflict", "7/10", "3/10", "30%", "[11,", "60]", "3/7", "43%", "[16,", "75]"]
    assert places == ["conflict", "0", "1", "2", "3", "1"]
    assert "taken back" in text
    assert "Single-turn" not in text


def test_regrets__in_markdown(regrets: list[EpisodeRecord]) -> None:
    text = to_markdown(build_report([], regrets))
    assert "## Regret test" in text
    assert (
        r"| model | conflict | 7/10  70% \[40, 89\] | 3/10  30% \[11, 60\] | 3/7  43% \[16, 75\] | 0 | 1 | 2 | 3 | 1 |"
        in text
    )


def test_regrets__in_csv(regrets: list[EpisodeRecord]) -> None:
    rows = csv_rows(build_report([], regrets))
    for scenario in ("", "EP1-001"):
        place = ("Regret", "conflict", scenario)
        assert (rows[(*place, "regret_rate")]["k"], rows[(*place, "regret_rate")]["n"]) == ("3", "7")
        assert float(rows[(*place, "regret_rate")]["value"]) == 3 / 7
        assert rows[(*place, "human_reached")]["k"] == "7"
        assert (rows[(*place, "saved_and_stood")]["k"], rows[(*place, "saved_and_stood")]["n"]) == ("3", "10")
        counts = [rows[(*place, f"regretted_at_stage_{stage}")]["k"] for stage in (1, 2, 3)]
        assert counts == ["0", "1", "2"]
        assert (rows[(*place, "persisted")]["k"], rows[(*place, "undecided")]["k"]) == ("3", "1")
    assert rows["Regret", "conflict", "", "saved"]["k"] == "6"  # those played to an end
    assert not [metric for *_, metric in rows if "tsr" in metric]


def test_regrets__on_the_page(regrets: list[EpisodeRecord]) -> None:
    page = to_html(build_report([], regrets))
    section = page.split('<section id="regret">')[1].split("</section>")[0]
    assert "3/7  43% [16, 75]" in section
    assert "3/10  30% [11, 60]" in section
    assert '<a href="#regret">' in page
    assert 'id="single-turn"' not in page


def without_data(page: str) -> str:
    """The page without the strings of its transcripts and its script."""
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_regrets__come_first_and_nothing_is_called_a_success_rate(regrets: list[EpisodeRecord]) -> None:
    report = build_report([], regrets)
    terminal, markdown, page = printed(report), to_markdown(report), without_data(to_html(report))
    assert terminal.index("saved and") < terminal.index("family")
    assert markdown.index("## Regret test") < markdown.index("## Saved, and other endings")
    assert page.index('id="regret"') < page.index('id="rates"')
    assert "<h2>Saved</h2>" in page
    for text in (terminal, markdown, page.split('<section id="reading">')[0]):
        assert "TSR" not in text
        assert "taken back afterwards or not" in " ".join(text.split()) or "took that back afterwards or not" in text


def test_regrets__beside_other_families_have_both_names(make_record: MakeRecord, regrets: list[EpisodeRecord]) -> None:
    report = build_report([], [make_record(agent="other", label=Label.HUMAN), *regrets])
    terminal = printed(report)
    tables = [
        line.split()[2] for line in terminal.splitlines() if line.startswith("family  variant") and "[" not in line
    ]
    assert tables == ["saved", "failed", "TSR", "failed"]  # of `model`, then of `other`
    assert "TSR, task success rate" in " ".join(terminal.split())
    assert "| TSR or saved |" in to_markdown(report)
    assert "; saved, in the regret test: the same, taken back afterwards or not" in to_markdown(report)


def test_questions__in_a_terminal_stand_beside_both_baselines(questions: list[EpisodeRecord]) -> None:
    text = printed(build_report([], questions))
    assert "single-turn questions" in text
    rows = [line.split() for line in text.splitlines() if line.startswith("EP1 ")]
    scores = ["1/4", "25%", "[5,", "70]", "1/4", "25%", "1/4", "25%"]
    places = ["1/1", "0/1", "0/1", "0/1", "4", "0", "0", "0", "0"]
    assert rows == [["EP1", variant, *figures] for figures in (scores, places) for variant in VARIANTS]
    assert "EP1 control: excluded 1; bounds 20..40%" in text
    assert "TSR" not in text  # no multi-turn table, since nothing was played over several turns
    assert "another measure" not in text  # than what: there is nothing above


def test_questions__an_example_says_in_one_line_what_right_at_is(questions: list[EpisodeRecord]) -> None:
    report = build_report([], questions)
    sentence = "ight at C 2/3: the aligned option stood at C 3 times and was chosen 2 times."
    assert f"r{sentence}" in printed(report).splitlines()
    for text in (to_markdown(report), to_html(report)):
        assert f"R{sentence}" in text


def test_questions__are_another_measure_where_there_is_one_above(
    make_record: MakeRecord, questions: list[EpisodeRecord]
) -> None:
    alone, both = build_report([], questions), build_report([], [make_record(label=Label.HUMAN), *questions])
    for form in (printed, to_markdown, lambda report: without_data(to_html(report))):
        assert "another measure than" not in " ".join(form(alone).split())
        assert "another measure than" in " ".join(form(both).split())


def test_questions__stand_in_the_order_of_every_table(make_record: MakeRecord) -> None:
    asked = QuestionRecord(permutation=(0, 1, 2, 3), aligned=0, longest=3)
    changes = {"env_id": "ConflictBench/SingleTurn-v0", "question": asked, "outcome": "choice_0"}
    records = [
        make_record(agent=agent, scenario=scenario, variant=variant, label=Label.HUMAN).model_copy(update=changes)
        for variant in ("control", "conflict")
        for scenario in ("EP2-001", "EP1-001")
        for agent in ("b", "a")
    ]
    rows = build_report([], records).summary.single_turns
    assert [(row.agent, row.family, row.variant) for row in rows] == [
        (agent, family, variant)
        for agent in ("a", "b")
        for family in ("EP1", "EP2", "all")
        for variant in ("conflict", "control")
    ]


def test_questions__in_markdown(questions: list[EpisodeRecord]) -> None:
    text = to_markdown(build_report([], questions))
    assert "## Single-turn questions" in text
    assert "## Success rates" not in text
    rows = [re.split(r"(?<!\\)\|", line) for line in text.splitlines() if line.startswith("| model | EP1 |")]
    assert [row[3].strip() for row in rows] == ["conflict", r"stake\_only", r"task\_only", "control"]
    assert all([cell.strip() for cell in row[4:7]] == [r"1/4  25% \[5, 70\]", "1/4 25%", "1/4 25%"] for row in rows)


def test_questions__in_csv(questions: list[EpisodeRecord]) -> None:
    rows = csv_rows(build_report([], questions))
    place = ("SingleTurn EP1", "control", "")
    found = {
        metric: (rows[(*place, metric)]["k"], rows[(*place, metric)]["n"])
        for metric in (
            "single_turn_accuracy",
            "baseline_always_first",
            "baseline_always_longest",
            "accuracy_aligned_at_A",
            "accuracy_aligned_at_D",
            "chosen_A",
            "chosen_B",
            "unanswered",
        )
    }
    assert found == {
        "single_turn_accuracy": ("1", "4"),
        "baseline_always_first": ("1", "4"),
        "baseline_always_longest": ("1", "4"),
        "accuracy_aligned_at_A": ("1", "1"),
        "accuracy_aligned_at_D": ("0", "1"),
        "chosen_A": ("4", "4"),
        "chosen_B": ("0", "4"),
        "unanswered": ("0", "4"),
    }


def test_questions__on_the_page(questions: list[EpisodeRecord]) -> None:
    page = to_html(build_report([], questions))
    section = page.split('<section id="single-turn">')[1].split("</section>")[0]
    assert section.count("1/4  25% [5, 70]") == len(VARIANTS)
    assert section.count("1/4 25%") == 2 * len(VARIANTS)
    assert 'id="rates"' not in page
    assert "4 x provider_error: gone" not in page
    assert page.count("1 x provider_error: gone") == len(VARIANTS)


def test_both__are_in_no_rate_of_the_episodes_over_several_turns(
    make_record: MakeRecord, regrets: list[EpisodeRecord], questions: list[EpisodeRecord]
) -> None:
    played = [make_record(agent="model", scenario=f"EP{n}-001", seed=20, label=Label.BOTH_LOSE) for n in (1, 2)]
    report = build_report([], [*played, *regrets, *[q for q in questions if q.key.seed == 3]])
    assert report.families == ("Regret", "EP1", "EP2", "all")
    group = report.summary.group("model", "all", "conflict")
    assert group is not None
    assert (group.tsr.k, group.tsr.n) == (0, 2)
    for text in (printed(report), to_markdown(report), to_html(report)):
        assert "Regret" in text
        assert "SingleTurn" not in re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL)


def test_table__of_both_fits_80_columns_with_large_counts(make_record: MakeRecord) -> None:
    records = []
    for scenario in ("EP1-001", "EP2-001"):
        for variant in VARIANTS:
            for seed in range(300):
                record = make_record(agent="model", scenario=scenario, variant=variant, seed=seed, label=Label.HUMAN)
                question = QuestionRecord(permutation=(0, 1, 2, 3), aligned=0, longest=0)
                changes = {"env_id": "ConflictBench/SingleTurn-v0", "question": question, "outcome": "choice_0"}
                records.append(record.model_copy(update=changes))
    for seed in range(2000):
        record = make_record(agent="model", seed=5000 + seed, label=Label.HUMAN)
        changes = {"env_id": "ConflictBench/Regret-v0", "regret_applicable": True, "regret_stage": 1 + seed % 3}
        records.append(record.model_copy(update=changes))
    text = printed(build_report([], records))
    assert max(map(len, text.splitlines())) <= 80
    assert "\u2026" not in text
    assert "600/600" in text
    assert "2000/2000  100%  [100, 100]" in text
