"""`conflictbench clips`: what a person sees of the folder of clips, and does with it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.envs.visual.store.clips import CHAIN, kept, node
from typer.testing import CliRunner, Result

from conflictbench.cli import app
from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.envs.visual.scene import make_scene
from conflictbench.envs.visual.store import ClipStore, StoredWorldModel
from conflictbench.scenario_specs import get_scenario


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["clips", *arguments])


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClipStore:
    """The folder of the environment, with three clips."""
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "clips"))
    store = ClipStore(tmp_path / "clips")
    for chain in ((), CHAIN[:1], CHAIN):
        kept(store, chain)
    return store


def test_stats__one_line_a_scenario_and_world_model(store: ClipStore) -> None:
    result = call("stats")
    assert result.exit_code == 0
    head, line, total = result.output.splitlines()
    assert head.split() == ["SCENARIO", "WORLD", "MODEL", "CLIPS", "KB"]
    assert line.split()[:3] == ["EP2-900", "fake-1+cctv", "3"]
    assert total.startswith("3 clips, ")
    assert total.endswith(f"kB in {store.root}")


def test_stats__entries_and_json_name_each_clip(store: ClipStore) -> None:
    lines = call("stats", "--entries").output.splitlines()
    (line,) = [line for line in lines if line.startswith(node().key[:12])]
    assert line.split()[2:] == ["EP2-900", "fake-1+cctv", "0", "32x24x9@4", "valve_clinic;", "start_pump"]
    assert sum("(base)" in line for line in lines) == 1
    plain = json.loads(call("stats", "--json").output)
    assert {item["key"] for item in plain} == {node(chain).key for chain in ((), CHAIN[:1], CHAIN)}
    assert {tuple(item["manifest"]["actions"]) for item in plain} == {(), CHAIN[:1], CHAIN}


def test_stats__check_moves_what_is_damaged_away(store: ClipStore) -> None:
    (store.folder(node().key) / "f0004.webp").write_bytes(b"")
    output = call("stats", "--check").output
    assert f"damaged: {node().key}: f0004.webp is cut short or altered (0 bytes); moved to the quarantine" in output
    assert "2 clips, " in output
    assert "kB in its quarantine" in output
    assert call("prune", "--quarantine").output.splitlines()[-1].endswith("kB from the quarantine")
    assert "quarantine" not in call("stats").output


def test_stats__of_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "none"))
    assert call("stats").output == f"0 clips, 0 kB in {tmp_path / 'none'}\n"
    assert call("stats", "--json").output == "[]\n"


def test_stats__of_what_is_no_store_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("words")
    for folder, message in ((tmp_path / "file", "is no folder"), (tmp_path, "is no clip store: it has no folder")):
        result = call("stats", "--folder", str(folder))
        assert result.exit_code == 2
        assert message in result.output


def test_off__says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "off")
    result = call("stats")
    assert result.exit_code == 2
    assert "CONFLICTBENCH_CLIPS is off: no clips are kept" in result.output


def test_prune__by_age_keeps_the_rest_and_a_dry_run_everything(store: ClipStore) -> None:
    os.utime(store.folder(node().key) / "manifest.json", (0, 0))  # 1970
    assert call("prune", "--older-than", "30", "--dry-run").output.startswith("would remove 1 clip, ")
    assert store.folder(node().key).exists()
    assert call("prune", "--older-than", "30").output.startswith("removed 1 clip, ")
    assert not store.folder(node().key).exists()
    assert "2 clips" in call("stats").output


def test_prune__by_size_scenario_and_world_model(store: ClipStore) -> None:
    assert "removed 0 clips" in call("prune", "--max-bytes", "1M").output
    assert "removed 0 clips" in call("prune", "--max-bytes", "0", "--scenario", "EP1-001").output
    assert "removed 0 clips" in call("prune", "--max-bytes", "0", "--backend", "procedural").output
    assert "removed 3 clips" in call("prune", "--max-bytes", "0", "--scenario", "ep2-900", "--backend", "fake").output


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "say what may go: --older-than DAYS, --max-bytes SIZE or --quarantine"),
        (("--max-bytes", "much"), "'much' is no size; valid: bytes, or 500M, 2G"),
        (("--older-than", "-1"), "-1"),
        (("--older-than", "nan"), "'nan' is less than 0"),
        (("--older-than", "inf"), "inf is no number of days"),
        (("--quarantine", "--folder", "none"), "no such folder: none"),
    ],
)
def test_prune__wrong_use_is_explained(store: ClipStore, arguments: tuple[str, ...], message: str) -> None:
    result = call("prune", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())
    assert "3 clips" in call("stats").output


def test_export__kept_frames_as_pictures(store: ClipStore, tmp_path: Path) -> None:
    result = call("export", node().key[:10], "--out", str(tmp_path / "stills"))
    assert result.output == f"{tmp_path / 'stills'}: 3 frames\n"
    assert sorted(path.name for path in (tmp_path / "stills").iterdir()) == ["f0000.png", "f0004.png", "f0008.png"]
    with Image.open(tmp_path / "stills" / "f0004.png") as picture:
        assert np.array_equal(np.asarray(picture), kept(store).still(4))


def test_export__a_video_draws_the_other_frames_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("av", reason="the extra visual is not installed")
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "clips"))
    drawn = make_scene(get_scenario("EP1-001"), None, Geometry(32, 24, 9, 4))
    stored = StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path / "clips"))
    first = drawn.loaded.spec.actions[int(np.flatnonzero(drawn.loaded.tables.accepted[0])[0])].id
    (step,) = drawn.follow((first,))
    stored.step(drawn, stored.base(drawn, 0).last, step, 0)
    entries = json.loads(call("stats", "--json").output)
    (key,) = [item["key"] for item in entries if item["manifest"]["actions"]]
    for name in ("a.mp4", "b.mp4"):
        assert call("export", key, "--out", str(tmp_path / name)).output == f"{tmp_path / name}: 9 frames\n"
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_export__of_a_scenario_that_is_not_here_says_what_is_left(store: ClipStore, tmp_path: Path) -> None:
    result = call("export", node().key, "--out", str(tmp_path / "clip.mp4"))
    assert result.exit_code == 2
    assert "unknown scenario 'EP2-900'" in result.output


@pytest.mark.parametrize(
    "key, out, message",
    [
        ("ffff", "x.mp4", "unknown clip 'ffff'; known: "),
        ("", "x.mp4", "unknown clip ''"),
        ("00", "x.gif", "a file ends in .mp4, a folder has no ending, not '.gif'"),
    ],
)
def test_export__wrong_use_is_explained(store: ClipStore, key: str, out: str, message: str) -> None:
    result = call("export", key, "--out", out)
    assert result.exit_code == 2
    assert message in result.output


def test_help__is_right_at_80_columns_with_an_example_each() -> None:
    for command in ((), ("stats",), ("prune",), ("export",)):
        output = call(*command, "--help").output
        assert "Example:  conflictbench clips" in output
        assert [line for line in output.splitlines() if len(line) > 80] == []
