"""A clip as an mp4 file: the same frames give the same bytes, in every process."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.checkout import ROOT

from conflictbench.envs.visual.clip import Frame
from conflictbench.envs.visual.export import export_mp4

av = pytest.importorskip("av", reason="the extra visual is not installed")


def frames(count: int = 12, height: int = 96, width: int = 160) -> Iterator[Frame]:
    """Something with edges and grain that moves."""
    noise = np.random.default_rng(0).integers(0, 40, (height, width, 3), dtype=np.uint8)
    for index in range(count):
        frame = noise.copy()
        frame[10:40, 5 * index : 5 * index + 30] += np.array([200, 90, 20], np.uint8)
        yield frame


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_export__twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.mp4", "b.mp4"):
        assert export_mp4(frames(), tmp_path / name, 16) == 12
    assert digest(tmp_path / "a.mp4") == digest(tmp_path / "b.mp4")


def test_export__another_process_and_time_zone_give_the_same_bytes(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.envs.visual.test_export import *\n"
        "export_mp4(frames(), Path(sys.argv[1]), 16)"
    )
    digests = set()
    for zone in ("UTC", "Asia/Kathmandu"):
        path = tmp_path / f"{zone[:3]}.mp4"
        environment = {"PATH": "", "TZ": zone, "PYTHONHASHSEED": str(len(digests)), "LC_ALL": "C"}
        subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT, env=environment, check=True)
        digests.add(digest(path))
    export_mp4(frames(), tmp_path / "here.mp4", 16)
    assert digests == {digest(tmp_path / "here.mp4")}


@pytest.mark.parametrize("height, width", [(96, 160), (95, 161), (84, 84), (17, 33)])
def test_export__can_be_read_back_with_its_size_and_rate(tmp_path: Path, height: int, width: int) -> None:
    path = tmp_path / "clip.mp4"
    export_mp4(frames(5, height, width), path, 16)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == 16
        pictures = [picture.to_ndarray(format="rgb24") for picture in container.decode(stream)]
    assert len(pictures) == 5
    assert pictures[0].shape == (height + height % 2, width + width % 2, 3)
    for picture, frame in zip(pictures, frames(5, height, width), strict=True):
        assert np.abs(picture[:height, :width].astype(int) - frame).mean() < 20


def test_export__leaves_nothing_behind_when_a_frame_cannot_be_made(tmp_path: Path) -> None:
    def broken() -> Iterator[Frame]:
        yield from frames(3)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        export_mp4(broken(), tmp_path / "clip.mp4", 16)
    assert list(tmp_path.iterdir()) == []


def test_export__into_a_folder_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        export_mp4(frames(2), tmp_path / "none" / "clip.mp4", 16)
