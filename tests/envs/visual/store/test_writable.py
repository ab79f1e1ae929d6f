"""A folder that clips cannot be kept in is found out without keeping one, and the check leaves nothing behind."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.checkout import ROOT
from tests.envs.visual.store.clips import kept
from tests.envs.visual.store.mounts import in_own_namespace

from conflictbench.envs.visual.store import ClipStore, check_clip_folder, check_writable
from conflictbench.errors import ClipStoreError

REMEDY = "set CONFLICTBENCH_CLIPS to another folder, or to off to keep no clips"


def everything(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def test_check__of_a_folder_that_is_not_there_makes_none(tmp_path: Path) -> None:
    check_writable(tmp_path / "not" / "yet")
    assert everything(tmp_path) == []


def test_check__of_a_store_leaves_it_as_it_is(tmp_path: Path) -> None:
    kept(ClipStore(tmp_path))
    before = everything(tmp_path)
    check_writable(tmp_path)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("below", ["", "clips", "a/b"])
def test_check__a_file_in_its_place_is_named_with_the_way_out(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ClipStoreError) as raised:
        check_writable(tmp_path / "file" / below)
    reason = f"Not a directory ({tmp_path / 'file'})"
    assert str(raised.value) == f"the folder of clips {tmp_path / 'file' / below} cannot be used: {reason}; {REMEDY}"


@pytest.mark.parametrize("name", ["nodes", "tmp", "locks"])
def test_check__each_folder_that_is_written_to_is_tried(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("in the way")
    with pytest.raises(ClipStoreError, match=f"Not a directory .*{name}"):
        check_writable(tmp_path)


def test_check__a_link_to_nowhere_is_an_error_too(tmp_path: Path) -> None:
    (tmp_path / "clips").symlink_to(tmp_path / "gone")
    with pytest.raises(ClipStoreError, match=rf"No such file or directory \({tmp_path}/clips\)"):
        check_writable(tmp_path / "clips")


def test_check__read_only_and_full_disks_are_found(tmp_path: Path) -> None:
    command = [*in_own_namespace(tmp_path), sys.executable, "-m", "tests.envs.visual.store.unwritable", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    read_only, full, roomy, left = done.stdout.splitlines()
    reason = f"{os.strerror(errno.EROFS)} ({tmp_path}/read_only)"
    assert read_only == f"ClipStoreError: the folder of clips {tmp_path}/read_only cannot be used: {reason}; {REMEDY}"
    assert full.startswith(f"ClipStoreFull: the disk is full: a clip cannot be kept in {tmp_path}/full/clips; free")
    assert roomy == "roomy: no error"
    assert left == "left: []"


def test_check_clip_folder__follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "file"))
    with pytest.raises(ClipStoreError):
        check_clip_folder()
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "off")
    check_clip_folder()
