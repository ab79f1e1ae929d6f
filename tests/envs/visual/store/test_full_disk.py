"""A disk without space is one clear error, leaves nothing behind, and is no error once there is space."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.checkout import ROOT
from tests.envs.visual.store.clips import kept, node
from tests.envs.visual.store.mounts import in_own_namespace

from conflictbench.envs.visual.store import ClipStore
from conflictbench.errors import ClipStoreError, ClipStoreFull


def test_full_disk__is_one_error_that_names_the_folder(tmp_path: Path) -> None:
    command = [*in_own_namespace(tmp_path), sys.executable, "-m", "tests.envs.visual.store.full_disk", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    full, left, then = done.stdout.splitlines()
    assert full.startswith(f"full: the disk is full: a clip cannot be kept in {tmp_path}; free space there with")
    assert left == "left: []"
    assert then == f"then: {kept(ClipStore(tmp_path / 'elsewhere')).manifest.digest}"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("call", ["mkdir", "write", "fsync", "rename"])
def test_full_disk__at_any_call_leaves_no_entry_and_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    store = ClipStore(tmp_path)

    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(code, os.strerror(code), str(arguments[0]))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(ClipStoreFull, match="CONFLICTBENCH_CLIPS to another folder, or to off"):
            kept(store)
    assert store.find(node()) is None
    assert not list((tmp_path / "tmp").glob("*"))
    assert store.find(node()) is None
    assert kept(store).manifest.digest


def test_unusable_folder__is_an_error_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ClipStoreError, match=r"the folder of clips .*file cannot be used: (Not a dir|File exists)"):
        kept(ClipStore(tmp_path / "file"))


def test_read_only_folder__still_gives_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ClipStore(tmp_path)
    digest = kept(store).manifest.digest

    def refused(*arguments: Any, **options: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(arguments[0]))

    for call in ("mkdir", "write", "rename", "utime"):
        monkeypatch.setattr(os, call, refused)
    assert kept(store).manifest.digest == digest
