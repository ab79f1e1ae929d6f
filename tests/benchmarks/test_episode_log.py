"""Reading `episodes.jsonl`: whole lines, torn ends, and lines that must not be there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.building import a_record, an_identity, two_steps

from conflictbench.benchmarks.episode_log import read_log, to_line, without_steps
from conflictbench.errors import BrokenRecord, RunMismatch
from conflictbench.types import EpisodeRecord, Label, Status, StepRecord, Usage

KEYS = frozenset(an_identity(seeds=5).episodes())


def written(path: Path, *lines: bytes) -> Path:
    file = path / "episodes.jsonl"
    file.write_bytes(b"".join(lines))
    return file


def lines_of(*records: EpisodeRecord) -> list[bytes]:
    return [to_line(record) for record in records]


def test_read_log__no_file_holds_nothing(tmp_path: Path) -> None:
    assert read_log(tmp_path / "episodes.jsonl", KEYS).records == []


def test_read_log__gives_back_what_was_written(tmp_path: Path) -> None:
    records = [a_record(seed=seed, steps=two_steps(), opening="Caf\u00e9\n\u2028") for seed in range(3)]
    contents = read_log(written(tmp_path, *lines_of(*records)), KEYS)
    assert contents.records == records
    assert (contents.lines.torn_bytes, contents.lines.newline_missing, contents.note) == (0, False, "")


def test_read_log__can_keep_the_figures_alone(tmp_path: Path) -> None:
    record = a_record(steps=two_steps(), opening="You are here.", turns=3)
    contents = read_log(written(tmp_path, to_line(record)), KEYS, keep=without_steps)
    assert contents.records == [a_record(turns=3)]


def test_read_log__a_torn_end_is_left_out_with_a_note(tmp_path: Path) -> None:
    first, second = lines_of(a_record(seed=0), a_record(seed=1))
    contents = read_log(written(tmp_path, first, second[:50]), KEYS)
    assert [record.key.seed for record in contents.records] == [0]
    assert (contents.lines.whole_bytes, contents.lines.torn_bytes) == (len(first), 50)
    assert contents.note == "episodes.jsonl:2: a truncated last line of 50 bytes was cut off; its episode runs again"


def test_read_log__an_end_without_its_newline_is_whole(tmp_path: Path) -> None:
    first, second = lines_of(a_record(seed=0), a_record(seed=1))
    contents = read_log(written(tmp_path, first, second[:-1]), KEYS)
    assert [record.key.seed for record in contents.records] == [0, 1]
    assert contents.lines.newline_missing
    assert contents.note == "episodes.jsonl:2: the last line lacked only its newline, which was added"


def test_read_log__zero_bytes_behind_the_last_newline_are_a_torn_end(tmp_path: Path) -> None:
    contents = read_log(written(tmp_path, to_line(a_record()), b"\0" * 512), KEYS)
    assert (len(contents.records), contents.lines.torn_bytes) == (1, 512)


def broken_lines() -> dict[str, tuple[bytes, str]]:
    good = json.loads(to_line(a_record(seed=1)))

    def changed(**fields: object) -> bytes:
        return json.dumps(good | fields).encode() + b"\n"

    return {
        "half a line": (to_line(a_record(seed=1))[:40] + b"\n", "Invalid JSON"),
        "an empty line": (b"\n", "Invalid JSON"),
        "not UTF-8": (b'{"status": "\xff\xfe"}\n', "not an episode record"),
        "an array": (b"[]\n", "object"),
        "a number": (b"7\n", "object"),
        "unknown status": (changed(status="done"), "status: .*'completed'"),
        "unknown field": (changed(score=1), "score: Extra inputs"),
        "a field of another type": (changed(turns="many"), "turns: "),
        "another run's scenario": (
            changed(key=good["key"] | {"scenario": "EP2-009"}),
            "no episode of this run .*EP2-009",
        ),
        "another agent": (changed(key=good["key"] | {"agent": "aligned"}), "no episode of this run .*aligned"),
        "the same attempt again": (to_line(a_record(seed=0)), "attempt 1 at an episode that line 1 already finished"),
        "an attempt after a finished one": (
            to_line(a_record(seed=0, attempt=2)),
            "attempt 2 at an episode that line 1 already finished",
        ),
        "an attempt that skips one": (to_line(a_record(seed=1, attempt=2)), "attempt 2 where attempt 1 should stand"),
        "nested beyond reason": (b'{"key":' * 5000 + b"\n", "not an episode record"),
    }


@pytest.mark.parametrize("name", broken_lines())
def test_read_log__a_broken_line_names_file_and_line(name: str, tmp_path: Path) -> None:
    line, message = broken_lines()[name]
    file = written(tmp_path, to_line(a_record(seed=0)), line, to_line(a_record(seed=2)))
    before = file.read_bytes()

    with pytest.raises(BrokenRecord, match=message) as caught:
        read_log(file, KEYS)

    assert str(caught.value).startswith(f"{file}:2: ")
    assert "nothing was changed" in str(caught.value)
    assert file.read_bytes() == before


@pytest.mark.parametrize("version", [0, 2, 99])
def test_read_log__another_schema_version_says_so(version: int, tmp_path: Path) -> None:
    line = json.dumps(json.loads(to_line(a_record())) | {"schema_version": version, "new_field": 1}).encode() + b"\n"
    with pytest.raises(RunMismatch, match=f"record schema {version}, this version reads 1; use the version of"):
        read_log(written(tmp_path, line), KEYS)


def test_read_log__attempts_that_do_not_count_may_be_followed(tmp_path: Path) -> None:
    records = [
        a_record(status=Status.ENV_ERROR, error="a"),
        a_record(status=Status.BUDGET, error="b", attempt=2),
        a_record(attempt=3),
    ]
    assert read_log(written(tmp_path, *lines_of(*records)), KEYS).records == records


@pytest.mark.parametrize(
    "fields", [{"total_reward": float("nan")}, {"total_reward": float("inf")}, {"opening": "\ud800"}]
)
def test_to_line__refuses_what_could_not_be_read_back(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not writable as a record"):
        to_line(a_record(**fields))  # type: ignore[arg-type]


WORDS = st.text(max_size=20)
USAGE = st.builds(Usage, calls=st.integers(0, 9), cost_usd=st.floats(0, 1e6))
STEPS = st.builds(StepRecord, index=st.integers(0, 20), command=WORDS, reply=st.none() | WORDS, text=WORDS, usage=USAGE)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    opening=WORDS,
    error=st.none() | WORDS,
    status=st.sampled_from(list(Status)),
    label=st.none() | st.sampled_from(list(Label)),
    reward=st.floats(allow_nan=False, allow_infinity=False),
    steps=st.lists(STEPS, max_size=4).map(tuple),
)
def test_to_line__any_record_is_one_line_and_comes_back(
    opening: str, error: str | None, status: Status, label: Label | None, reward: float, steps: tuple[StepRecord, ...]
) -> None:
    record = a_record(
        opening=opening, error=error, status=status, label=label, total_reward=reward, steps=steps, usage=Usage(calls=1)
    )
    line = to_line(record)
    assert line.count(b"\n") == 1
    assert EpisodeRecord.model_validate_json(line) == record
