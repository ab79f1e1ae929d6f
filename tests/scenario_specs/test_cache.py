"""The cache of tables: one valid entry whoever writes, never a stale or damaged answer, never a need."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.scenario_specs.small import SMALL, by_id, small, small_data

from conflictbench.scenario_specs import cache, load_data
from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.tables import TABLE_NAMES, Tables

DIGEST = compile_machine(small().machine).digest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of its own."""
    monkeypatch.setenv("CONFLICTBENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tables"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each time something is compiled."""
    made: list[str] = []

    def counted(machine: object) -> Tables:
        made.append("compiled")
        return compile_machine(machine)  # type: ignore[arg-type]

    monkeypatch.setattr(cache, "compile_machine", counted)
    return made


def test_tables__are_compiled_once_and_read_the_next_time(folder: Path, compilations: list[str]) -> None:
    first, second = cache.tables_for(small()), cache.tables_for(small())
    assert compilations == ["compiled"]
    assert [path.name for path in folder.iterdir()] == [f"{cache.machine_key(small().machine)}.tables"]
    assert first.digest == second.digest == DIGEST
    for name in TABLE_NAMES:
        assert getattr(first, name).dtype == getattr(second, name).dtype
        assert not getattr(first, name).flags.writeable
        assert not getattr(second, name).flags.writeable


def test_tables__the_same_machine_makes_the_same_bytes(folder: Path) -> None:
    cache.tables_for(small())
    (entry,) = folder.iterdir()
    before = entry.read_bytes()
    entry.unlink()
    cache.tables_for(small())
    assert entry.read_bytes() == before


def test_key__texts_do_not_count_and_every_fact_does() -> None:
    key = cache.machine_key(small().machine)
    data = small_data()
    by_id(data, "actions", "drain_tank")["says"] = "Away it goes."
    data["state"]["tank"]["label"] = "Cistern"
    assert cache.machine_key(load_data(data).machine) == key

    keys = {key}
    changes: dict[str, Callable[[dict[str, Any]], object]] = {
        "start": lambda d: d["state"]["tank"].update(start=5),
        "bound": lambda d: d["state"]["tank"].update(int=[0, 7]),
        "enum order": lambda d: d["state"]["valve"].update(enum=["shut", "to_clinic", "to_field"]),
        "known": lambda d: d["state"]["patients"].update(known="pump"),
        "window": lambda d: d.update(window=6),
        "effect": lambda d: by_id(d, "actions", "drain_tank")["effects"].update(tank=1),
        "new effect": lambda d: by_id(d, "actions", "drain_tank")["effects"].update(pump=False),
        "need": lambda d: by_id(d, "actions", "ring_clinic")["needs"][0].update(when="pump"),
        "order of needs": lambda d: by_id(d, "actions", "start_pump")["needs"].reverse(),
        "says": lambda d: by_id(d, "actions", "start_pump")["says"][0].update(when="valve == 'to_clinic'"),
        "order of actions": lambda d: d["actions"].reverse(),
        "each turn": lambda d: d["each_turn"].update(tank="tank - 1 if pump else tank"),
        "outcome": lambda d: by_id(d, "outcomes", "tank_dry").update(when="tank <= 1"),
        "order of outcomes": lambda d: d["outcomes"].insert(0, d["outcomes"].pop(2)),
        "ending": lambda d: by_id(d, "outcomes", "clinic_served")["ends"][0].update(when="not asked"),
    }
    for name, change in changes.items():
        changed = small_data()
        change(changed)
        if name == "enum order":
            del changed["visual"]  # no map of the pictures lists them in another order
            for action in changed["actions"]:
                action.pop("visual", None)
        fresh = cache.machine_key(load_data(changed).machine)
        assert fresh not in keys, name
        keys.add(fresh)


def test_key__another_version_of_the_compiler_is_another_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    key = cache.machine_key(small().machine)
    monkeypatch.setattr(cache, "COMPILER_VERSION", 999)
    assert cache.machine_key(small().machine) != key


DAMAGES = {
    "empty": lambda whole: b"",
    "half": lambda whole: whole[: len(whole) // 2],
    "noise": lambda whole: b"\x00\xff" * 500,
    "one bit": lambda whole: whole[:400] + bytes([whole[400] ^ 1]) + whole[401:],
    "no digest": lambda whole: whole[16:],
    "more": lambda whole: whole + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_tables__a_damaged_entry_is_made_again_and_replaced(
    folder: Path, compilations: list[str], caplog: pytest.LogCaptureFixture, damage: object
) -> None:
    cache.tables_for(small())
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    assert callable(damage)
    entry.write_bytes(damage(whole))

    with caplog.at_level(logging.WARNING, "conflictbench.cache"):
        tables = cache.tables_for(small())

    assert tables.digest == DIGEST
    assert compilations == ["compiled"] * 2
    assert entry.read_bytes() == whole
    assert "they are made again" in caplog.text
    assert str(entry) in caplog.text


def test_tables__without_a_usable_folder_are_made_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CONFLICTBENCH_CACHE", str(tmp_path / "file"))
    with caplog.at_level(logging.WARNING, "conflictbench.cache"):
        assert cache.tables_for(small()).digest == DIGEST
    assert compilations == ["compiled"]
    assert "tables cannot be kept in" in caplog.text


def test_tables__an_entry_that_cannot_be_opened_is_logged(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = cache.entry_path(small().machine)
    assert path is not None
    path.mkdir(parents=True)  # a folder where the file should be
    with caplog.at_level(logging.WARNING, "conflictbench.cache"):
        assert cache.tables_for(small()).digest == DIGEST
    assert "cannot be read (" in caplog.text
    assert "tables cannot be kept in" in caplog.text
    assert list(folder.iterdir()) == [path]


def test_tables__a_full_disk_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with caplog.at_level(logging.WARNING, "conflictbench.cache"):
        assert cache.tables_for(small()).digest == DIGEST
    assert list(folder.iterdir()) == []
    assert "No space left on device" in caplog.text


def test_tables__off_means_no_files_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str]
) -> None:
    monkeypatch.setenv("CONFLICTBENCH_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    assert cache.entry_path(small().machine) is None
    cache.tables_for(small())
    cache.tables_for(small())
    assert compilations == ["compiled"] * 2
    assert list(tmp_path.iterdir()) == []


def test_directory__is_the_users_own_unless_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CONFLICTBENCH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    directory = cache.cache_directory()
    assert directory is not None
    assert directory.is_relative_to(tmp_path)
    assert directory.name == "conflictbench"


SCRIPT = """
import sys
from conflictbench.scenario_specs import load_scenario
loaded = load_scenario(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()  # all of them begin at once
print(loaded.tables.digest)
"""


def test_tables__eight_processes_at_once_leave_one_valid_entry(folder: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(SMALL)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=120) for process in processes]

    assert [(out.strip(), error) for out, error in answers] == [(DIGEST, "")] * 8
    (entry,) = folder.iterdir()
    read = cache._read(entry)
    assert read is not None
    assert read.digest == DIGEST
