"""The run directory: what it keeps, what it mends, and what it refuses."""

from __future__ import annotations

import errno
import json
import os
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.building import a_record, an_identity, two_steps

from conflictbench.benchmarks.episode_log import to_line
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.errors import BrokenRecord, RunError, RunLocked, RunMismatch
from conflictbench.types import EpisodeRecord, Status


def written(path: Path, *kept: EpisodeRecord, identity: RunIdentity | None = None) -> Path:
    """A closed run directory that holds `kept`."""
    with RunDirectory(path, identity or an_identity()) as directory:
        for record in kept:
            directory.append(record)
    return path


def snapshot(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir()) if file.name != "run.lock"}


def test_append__is_on_disk_when_it_returns(tmp_path: Path) -> None:
    record = a_record(steps=two_steps())
    with RunDirectory(tmp_path / "run", an_identity()) as directory:
        directory.append(record)
        assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == to_line(record)
        assert directory.records == [a_record()]  # figures alone stay in memory


def test_append__several_at_once_are_all_on_disk_and_synced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    with RunDirectory(tmp_path / "run", an_identity()) as directory:
        real = os.fsync
        monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(fd), real(fd)))
        directory.append(*(a_record(seed=seed) for seed in range(3)))
        assert len(synced) == 1
        assert [record.key.seed for record in directory.records] == [0, 1, 2]
    assert load_run(tmp_path / "run").records == tuple(a_record(seed=seed) for seed in range(3))


def test_append__of_several_one_that_cannot_be_read_back_keeps_all_out(tmp_path: Path) -> None:
    with RunDirectory(tmp_path / "run", an_identity()) as directory:
        with pytest.raises(ValueError, match="not writable as a record"):
            directory.append(a_record(seed=0), a_record(seed=1, total_reward=float("nan")))
        assert directory.records == []
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == b""


def test_add_note__is_kept_once(tmp_path: Path) -> None:
    with RunDirectory(tmp_path / "run", an_identity(), notes=("first",)) as directory:
        directory.add_note("second")
        directory.add_note("first")
        directory.add_note("second")
        assert directory.notes == ("first", "second")
    assert load_run(tmp_path / "run").notes == ("first", "second")


def test_reopen__finds_every_attempt(tmp_path: Path) -> None:
    kept = [a_record(seed=0, status=Status.ENV_ERROR, error="once"), a_record(seed=0, attempt=2), a_record(seed=2)]
    path = written(tmp_path / "run", *kept)
    with RunDirectory(path, an_identity()) as directory:
        assert directory.records == kept
        assert directory.attempts() == {kept[1].key: kept[1], kept[2].key: kept[2]}
        assert directory.notes == ()


def test_reopen__changes_no_byte(tmp_path: Path) -> None:
    path = written(tmp_path / "run", a_record(seed=0))
    before = snapshot(path)
    written(path)
    assert snapshot(path) == before


def test_reopen__after_a_cut_at_every_byte_of_the_last_two_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda fd: None)  # thousands of them; what is read back here needs no platter
    lines = [to_line(a_record(seed=seed, steps=two_steps())) for seed in range(3)]
    path = written(tmp_path / "run")
    manifest = (path / "manifest.json").read_bytes()
    log = path / "episodes.jsonl"
    ends = [len(lines[0]), len(lines[0] + lines[1]), len(b"".join(lines))]

    for cut in range(ends[0], ends[2] + 1):
        (path / "manifest.json").write_bytes(manifest)
        log.write_bytes(b"".join(lines)[:cut])

        with RunDirectory(path, an_identity()) as directory:
            found = [record.key.seed for record in directory.records]
            for seed in {0, 1, 2} - set(found):
                directory.append(a_record(seed=seed, steps=two_steps()))
            notes = directory.notes

        # A line is kept once its last brace is there, with or without its newline.
        assert found == [seed for seed in range(3) if cut >= ends[seed] - 1]
        assert log.read_bytes() == b"".join(lines)
        assert len(notes) == (cut not in ends)
        with RunDirectory(path, an_identity()) as directory:
            assert directory.notes == notes  # mended once, said once


def test_repair__is_noted_in_the_manifest(tmp_path: Path) -> None:
    path = written(tmp_path / "run", a_record(seed=0))
    with (path / "episodes.jsonl").open("ab") as file:
        file.write(b'{"schema_version":1,"key":{"scen')
    with RunDirectory(path, an_identity()) as directory:
        note = "episodes.jsonl:2: a truncated last line of 32 bytes was cut off; its episode runs again"
        assert directory.notes == (note,)
    assert json.loads((path / "manifest.json").read_text())["notes"] == [note]


def test_broken_middle_line__is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    path = written(tmp_path / "run", a_record(seed=0), a_record(seed=1))
    log = path / "episodes.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(lines[0][:-20] + b"\n" + lines[1])
    before = snapshot(path)
    with pytest.raises(BrokenRecord, match=r"episodes.jsonl:1: .*start another run with --fresh"):
        RunDirectory(path, an_identity())
    assert snapshot(path) == before


def test_open__a_run_of_other_arguments_names_the_field(tmp_path: Path) -> None:
    path = written(tmp_path / "run", identity=an_identity(seeds=3))
    before = snapshot(path)
    with pytest.raises(
        RunMismatch, match=r"another run \(--seeds 3 -> 5\); give the options .*--fresh or another --out"
    ):
        RunDirectory(path, an_identity(seeds=5))
    assert snapshot(path) == before


def change_manifest(path: Path, **fields: object) -> None:
    file = path / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def test_open__a_run_of_another_package_version_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "run", a_record(seed=0))
    change_manifest(path, package_version="9.9.9")
    with pytest.raises(RunMismatch, match=r"written by conflictbench 9.9.9, this is .*--fresh"):
        RunDirectory(path, an_identity())
    assert len(load_run(path).records) == 1  # reading it is fine


def test_open__a_run_of_another_schema_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "run", a_record(seed=0))
    change_manifest(path, schema_version=2, judges=["new in 2"])
    for use in (lambda: RunDirectory(path, an_identity()), lambda: load_run(path)):
        with pytest.raises(RunMismatch, match="record schema 2, this version reads 1"):
            use()


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "Invalid JSON"),
        (b'{"schema_version": 1,', "Invalid JSON"),
        (b'{"schema_version": 1}', "package_version: Field required"),
        (b"[1]", "not a manifest"),
        (b"\xff\xfe", "Invalid JSON"),
    ],
)
def test_open__a_broken_manifest_names_the_file(content: bytes, message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "run", a_record(seed=0))
    (path / "manifest.json").write_bytes(content)
    before = snapshot(path)
    with pytest.raises(BrokenRecord, match=message) as caught:
        RunDirectory(path, an_identity())
    assert str(path / "manifest.json") in str(caught.value)
    assert snapshot(path) == before


def test_open__a_directory_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("...")
    with pytest.raises(RunError, match=r"not a run directory: it has no manifest.json but holds thesis.tex"):
        RunDirectory(tmp_path, an_identity())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]  # not even a lock


def test_open__a_start_that_was_killed_is_begun_again(tmp_path: Path) -> None:
    # killed between making the directory, its lock, the new manifest and its renaming
    (tmp_path / "run.lock").write_text("123\n")
    (tmp_path / "manifest.json.new").write_text('{"schema_ver')
    with RunDirectory(tmp_path, an_identity()) as directory:
        directory.append(a_record(seed=0))
    assert load_run(tmp_path).finished == 1


def test_open__a_manifest_without_episodes_is_an_empty_run(tmp_path: Path) -> None:
    path = written(tmp_path / "run")
    (path / "episodes.jsonl").unlink()
    with RunDirectory(path, an_identity()) as directory:
        assert directory.records == []


def test_open__a_file_in_the_way_says_so(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("")
    with pytest.raises(RunError, match="is not a directory"):
        RunDirectory(tmp_path / "run", an_identity())


def test_open__a_linked_log_is_not_followed(tmp_path: Path) -> None:
    path = written(tmp_path / "run")
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("precious")
    (path / "episodes.jsonl").unlink()
    (path / "episodes.jsonl").symlink_to(elsewhere)
    with pytest.raises(RunError, match=r"episodes.jsonl: cannot be written"):
        RunDirectory(path, an_identity())
    assert elsewhere.read_text() == "precious"


def test_open__a_pipe_for_a_log_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "run")
    (path / "episodes.jsonl").unlink()
    os.mkfifo(path / "episodes.jsonl")
    with pytest.raises(RunError, match="not an ordinary file"):
        RunDirectory(path, an_identity())


def test_lock__a_second_writer_is_refused_and_named(tmp_path: Path) -> None:
    with (
        RunDirectory(tmp_path / "run", an_identity()),
        pytest.raises(RunLocked, match=rf"another process is writing this run \(pid {os.getpid()}\)"),
    ):
        RunDirectory(tmp_path / "run", an_identity())
    RunDirectory(tmp_path / "run", an_identity()).close()


def test_lock__is_let_go_when_opening_fails(tmp_path: Path) -> None:
    path = written(tmp_path / "run")
    for _ in range(2):
        with pytest.raises(RunMismatch):
            RunDirectory(path, an_identity(seeds=9))
    RunDirectory(path, an_identity()).close()


def test_lock__a_linked_lock_file_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.mkdir()
    (tmp_path / "victim").write_text("precious")
    (path / "run.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(RunError, match="cannot be written"):
        RunDirectory(path, an_identity())
    assert (tmp_path / "victim").read_text() == "precious"


def test_append__a_full_disk_loses_nothing_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_write = os.write
    with RunDirectory(tmp_path / "run", an_identity()) as directory:
        directory.append(a_record(seed=0))
        written_bytes = 0

        def full_after_ten_bytes(fd: int, data: bytes) -> int:
            nonlocal written_bytes
            if written_bytes >= 10:
                raise OSError(errno.ENOSPC, "No space left on device")
            written_bytes += real_write(fd, data[:10])
            return 10

        monkeypatch.setattr("os.write", full_after_ten_bytes)
        with pytest.raises(RunError, match=r"No space left on device.*kept so far: 1 attempt\..*same command"):
            directory.append(a_record(seed=1))
        monkeypatch.undo()
        directory.append(a_record(seed=1))  # room again

    assert [record.key.seed for record in load_run(tmp_path / "run").records] == [0, 1]


@pytest.mark.parametrize("call", ["replace", "ftruncate"])
def test_repair__on_a_full_disk_says_so_and_loses_nothing(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "run", a_record(seed=0))
    with (path / "episodes.jsonl").open("ab") as file:
        file.write(b'{"schema')
    real = getattr(os, call)

    def full(*arguments: object) -> None:
        # the lock file is cut too, to nothing; that is not what this is about
        if arguments[-1] != 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*arguments)

    monkeypatch.setattr(os, call, full)
    with pytest.raises(RunError, match="No space left on device"):
        RunDirectory(path, an_identity())
    monkeypatch.undo()

    with RunDirectory(path, an_identity()) as directory:
        assert len(directory.records) == 1
        assert directory.notes[-1].startswith("episodes.jsonl:2: a truncated last line of 8 bytes")


def test_append__what_cannot_be_read_back_is_not_written(tmp_path: Path) -> None:
    with RunDirectory(tmp_path / "run", an_identity()) as directory:
        with pytest.raises(ValueError, match="not writable as a record"):
            directory.append(a_record(total_reward=float("nan")))
        assert directory.records == []
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == b""


def test_open__a_file_system_that_cannot_be_written_says_so() -> None:
    with pytest.raises(RunError, match="cannot be made"):
        RunDirectory(Path("/proc/conflictbench-run"), an_identity())


@settings(deadline=None, max_examples=40, derandomize=True)
@given(
    attempts=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from([Status.COMPLETED, Status.REFUSED, Status.BUDGET])), max_size=8
    ),
    cuts=st.lists(st.integers(0, 2000), min_size=1, max_size=3),
)
def test_run__appended_to_and_cut_again_and_again_keeps_what_was_whole(
    attempts: list[tuple[int, Status]], cuts: list[int]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        for cut in cuts:
            with RunDirectory(path, an_identity()) as directory:
                for seed, status in attempts:
                    last = directory.attempts().get(a_record(seed=seed).key)
                    if last is None or not last.status.counts:
                        number = last.attempt + 1 if last else 1
                        directory.append(a_record(seed=seed, status=status, attempt=number))
                kept = directory.records
            log = path / "episodes.jsonl"
            data = log.read_bytes()
            log.write_bytes(data[: max(0, len(data) - cut)])
            ends = list(accumulate(len(to_line(record)) for record in kept))
            with RunDirectory(path, an_identity()) as directory:
                whole = [record for record, end in zip(kept, ends, strict=True) if end - 1 <= max(0, len(data) - cut)]
                assert directory.records == whole
