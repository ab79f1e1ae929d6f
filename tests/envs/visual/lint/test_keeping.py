"""Findings are kept, found again, and never believed when they are stale or damaged."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
from tests.envs.visual.lint.blocks import good_block
from tests.envs.visual.scenes import entity, load, without_pictures
from typer.testing import CliRunner

from conflictbench.cli import app
from conflictbench.envs.visual.lint import keeping, lint
from conflictbench.envs.visual.lint.faults import fault
from conflictbench.envs.visual.lint.keeping import picture_faults
from conflictbench.envs.visual.scene import Scene
from conflictbench.errors import Fault, NotYetAvailable
from conflictbench.scenario_specs import PACKS, load_scenario


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONFLICTBENCH_CACHE", str(tmp_path))
    return tmp_path / "pictures"


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """Stands in for the lint: the scenes that it was asked to look at; it finds one fault, twice out of order."""
    pytest.importorskip("skia", reason="the extra `visual` is not installed")
    asked: list[Scene] = []

    def find(scene: Scene) -> list[Fault]:
        asked.append(scene)
        return [fault("visual.urgency.expr", "too late"), fault("actions.start_pump.visual", "too small", "a fix")]

    monkeypatch.setattr(lint, "lint_scene", find)
    return asked


def test_findings__have_file_and_are_kept(folder: Path, looked: list[Scene]) -> None:
    first, second = (picture_faults(load(good_block())) for _ in range(2))
    assert first == second
    assert [(each.file, each.rule, each.severity) for each in first] == [("small.yaml", "picture", "error")] * 2
    assert len(looked) == 1
    assert len(list(folder.iterdir())) == 1


def test_findings__have_the_line_of_what_they_are_about(folder: Path, looked: list[Scene]) -> None:
    path = PACKS["core"].folder / "ep2" / "EP2-001.yaml"
    found = picture_faults(load_scenario(path))
    lines = path.read_text("utf-8").splitlines()
    assert [each.line for each in found] == sorted(each.line or 0 for each in found)
    assert lines[(found[-1].line or 0) - 1].lstrip().startswith("urgency:")


def test_findings__of_other_pictures_are_others(folder: Path, looked: list[Scene]) -> None:
    moved = good_block()
    entity(moved, "vat")["at"] = [5.8, 5.4]
    for block in (good_block(), moved, {**good_block(), "overlay": "none"}):
        picture_faults(load(block))
    assert len(looked) == len(list(folder.iterdir())) == 3


def test_findings__of_another_renderer_are_others(
    folder: Path, looked: list[Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture_faults(load(good_block()))
    monkeypatch.setattr(keeping, "_sources", lambda: "of another version")
    picture_faults(load(good_block()))
    assert len(looked) == 2


@pytest.mark.parametrize("damage", ["", "x", "\udcff"])
def test_findings__that_are_damaged_are_made_again(
    folder: Path, looked: list[Scene], caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    before = picture_faults(load(good_block()))
    (entry,) = folder.iterdir()
    kept = entry.read_bytes()
    entry.write_bytes(damage.encode("utf-8", "surrogateescape") + kept[: len(kept) // 2])
    with caplog.at_level(logging.WARNING, "conflictbench.cache"):
        assert picture_faults(load(good_block())) == before
    assert len(looked) == 2
    assert "drawn again" in caplog.text
    assert entry.read_bytes() == kept


def test_findings__without_a_cache_are_made_each_time(looked: list[Scene], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFLICTBENCH_CACHE", "off")
    for _ in range(2):
        picture_faults(load(good_block()))
    assert len(looked) == 2


def test_findings__that_cannot_be_kept_are_told_all_the_same(
    folder: Path, looked: list[Scene], caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("a file where the folder should be", "utf-8")
    with caplog.at_level(logging.WARNING, "conflictbench.cache"):
        assert len(picture_faults(load(good_block()))) == 2
    assert "findings cannot be kept" in caplog.text


def test_scenario__without_a_block_has_nothing_to_look_at() -> None:
    assert picture_faults(without_pictures("EP2-001")) == []


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra `visual` as if it were not installed."""
    monkeypatch.setitem(sys.modules, "skia", None)


@pytest.mark.usefixtures("no_extra")
def test_pictures__without_the_extra_are_refused_by_name() -> None:
    with pytest.raises(NotYetAvailable, match="skia, of the extra 'visual'"):
        picture_faults(load(good_block()))


@pytest.mark.usefixtures("no_extra")
def test_verify__says_aloud_that_pictures_were_not_checked() -> None:
    path = str(PACKS["core"].folder / "ep2" / "EP2-001.yaml")
    result = CliRunner().invoke(app, ["verify", path])
    assert result.exit_code == 0
    (line,) = [line for line in result.output.splitlines() if line.startswith("pictures not checked: ")]
    assert "skia, of the extra 'visual'" in line
    assert '"pictures": "pictures not checked: ' in CliRunner().invoke(app, ["verify", path, "--json"]).output


def test_verify__a_thing_that_cannot_be_seen_is_a_fault_of_its_file(tmp_path: Path) -> None:
    pytest.importorskip("skia", reason="the extra `visual` is not installed")
    text = (PACKS["core"].folder / "ep2" / "EP2-001.yaml").read_text("utf-8")
    hidden = tmp_path / "EP2-001.yaml"
    hidden.write_text(text.replace("count: 8, at: [5.7, 6.6]", "count: 8, at: [0.4, 1.0]"), "utf-8")
    assert hidden.read_text("utf-8") != text
    result = CliRunner().invoke(app, ["verify", str(hidden)])
    assert result.exit_code == 1
    (line,) = [line for line in result.output.splitlines() if "visual.entities.tray: " in line]
    assert "error [picture] " in line
    assert "the picture's edge cuts it off" in line
    assert '"pictures": "checked"' in CliRunner().invoke(app, ["verify", str(hidden), "--json"]).output
