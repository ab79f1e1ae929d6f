"""Pictures of episodes beside a report: those that are kept, why others are missing, and the page that shows them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from conflictbench.benchmarks.pictures import PictureOptions
from conflictbench.benchmarks.report import collect
from conflictbench.benchmarks.report.pictures import FOLDER, write_pictures
from conflictbench.benchmarks.report.write import report_command, write_report
from conflictbench.benchmarks.runner import run_suite
from conflictbench.errors import RunError

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES = PictureOptions(world_model="fake")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of one episode with pictures, and a clip store of its own."""
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "clips"))
    result = run_suite(
        "ep1", "aligned", scenarios=["EP1-001"], observation="visual", pictures=PICTURES, out=tmp_path / "run"
    )
    return result.directory


def told(page: str) -> dict[str, Any]:
    """The page's data."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_report__has_a_strip_of_every_clip_beside_it(run: Path) -> None:
    from PIL import Image

    paths = write_report([run])
    data = told(paths.html.read_text("utf-8"))
    (record,) = (episode.record for episode in collect([run]).episodes)
    clips = [clip for step in record.steps for clip in step.clips]
    assert [clip["name"] for clip in data["pictures"]["clips"]] == ["base", *(clip.name for clip in clips)]
    opening, steps = data["pictures"]["episodes"][0]
    assert opening == [0]
    assert steps == [[place, [place + 1]] for place in range(len(record.steps) - 1)]
    for clip in data["pictures"]["clips"]:
        assert (clip["frames"], clip["video"], clip["why"]) == ([0, 16, 32, 48], "", "")
        with Image.open(run / clip["strip"]) as strip:
            assert strip.size == (4 * 416, 240)
    assert len(list((run / FOLDER).iterdir())) == len(data["pictures"]["clips"])


def test_report__again_leaves_the_pictures_as_they_are(run: Path) -> None:
    write_report([run])
    before = {path.name: path.stat().st_mtime_ns for path in (run / FOLDER).iterdir()}
    page = (run / "report.html").read_bytes()
    write_report([run])
    assert {path.name: path.stat().st_mtime_ns for path in (run / FOLDER).iterdir()} == before
    assert (run / "report.html").read_bytes() == page


def test_report__with_videos_has_whole_clips(run: Path) -> None:
    import av

    report_command([run], videos=True)
    data = told((run / "report.html").read_text("utf-8"))
    for clip in data["pictures"]["clips"]:
        assert clip["why"] == ""
        with av.open(str(run / clip["video"])) as container:
            assert sum(1 for _ in container.decode(video=0)) == 49


def test_report__a_format_for_the_terminal_takes_no_videos(run: Path) -> None:
    with pytest.raises(RunError, match="--videos"):
        report_command([run], output_format="md", videos=True)


def test_pictures__that_are_gone_say_why(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = collect([run])
    entries = sorted((tmp_path / "clips" / "nodes").glob("??/*"))
    (entries[0] / "f0016.webp").write_bytes(b"RIFF, cut short")
    (entries[1] / "manifest.json").unlink()
    shown = write_pictures(report.episodes, tmp_path / "there")
    assert shown is not None
    faults = {clip.why for clip in shown.clips if clip.why}
    assert faults == {"what is kept of it is damaged", "it is not kept any more"}
    assert all(bool(clip.strip) is not bool(clip.why) for clip in shown.clips)
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "off")
    none = write_pictures(report.episodes, tmp_path / "off")
    assert none is not None
    assert {(clip.strip, clip.why) for clip in none.clips} == {("", "no clips are kept here")}


def test_pictures__without_the_extra_say_so(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = collect([run])
    monkeypatch.setitem(sys.modules, "PIL", None)
    shown = write_pictures(report.episodes, tmp_path / "there")
    assert shown is not None
    why = "pictures need the extra 'visual', which is not installed here"
    assert {(clip.strip, clip.why) for clip in shown.clips} == {("", why)}


def test_videos__of_another_world_model_say_why_and_leave_the_frames(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conflictbench.envs.visual.fake import FakeWorldModel

    report = collect([run])
    monkeypatch.setattr(FakeWorldModel, "backend", "fake-2")
    shown = write_pictures(report.episodes, tmp_path / "there", videos=True)
    assert shown is not None
    assert all(clip.strip and not clip.video for clip in shown.clips)
    assert all("made by fake-1+cctv, which is not at hand" in clip.why for clip in shown.clips)
    assert str(tmp_path) not in json.dumps(shown.plain())


def test_pictures__other_pixels_than_were_shown_are_not_shown(run: Path, tmp_path: Path) -> None:
    (episode,) = collect([run]).episodes
    (base,) = episode.record.opening_clips
    altered = episode.record.model_copy(update={"opening_clips": (base.model_copy(update={"digest": "0" * 64}),)})
    shown = write_pictures([type(episode)(record=altered, family=episode.family, final=True)], tmp_path / "there")
    assert shown is not None
    assert shown.clips[0].why.endswith("is not what was shown")


def test_report__without_pictures_is_one_file_as_before(tmp_path: Path) -> None:
    result = run_suite("ep1", "aligned", scenarios=["EP1-001"], out=tmp_path / "run")
    write_report([result.directory])
    page = (result.directory / "report.html").read_text("utf-8")
    assert "pictures" not in told(page)
    assert "img-src" not in page.split("</head>")[0].split("<style>")[0]
    assert "This page is one file" in page
    assert not (result.directory / FOLDER).exists()


@pytest.mark.browser
@pytest.mark.parametrize("videos", [False, True])
def test_page__shows_and_plays_the_clips_and_loads_nothing_else(run: Path, browser: Browser, videos: bool) -> None:
    write_report([run], videos=videos)
    page = browser.new_page()
    said: list[str] = []
    loaded: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: loaded.append(request.url))
    page.goto((run / "report.html").as_uri())
    page.locator(".list button").first.click()
    if videos:
        video = page.locator("video").first
        video.scroll_into_view_if_needed()
        seconds = video.evaluate(
            "v => new Promise((done, fail) => { v.onloadedmetadata = () => done(v.duration);"
            " v.onerror = () => fail(v.error.message); v.load(); v.preload = 'auto'; })"
        )
        assert seconds == pytest.approx(49 / 16, abs=0.07)
    else:
        strip = page.locator(".strip").first
        strip.scroll_into_view_if_needed()
        page.evaluate("document.querySelector('.strip img').decode()")  # resolves when it is there
        wide = strip.bounding_box()
        strip.click()
        assert strip.evaluate("b => b.classList.contains('playing')")
        alone = strip.bounding_box()
        assert wide is not None
        assert alone is not None
        assert alone["width"] / alone["height"] == pytest.approx(416 / 240, rel=0.02)  # one frame of four
        assert wide["width"] / wide["height"] == pytest.approx(4 * 416 / 240, rel=0.02)
        position = page.evaluate(
            "new Promise((done) => { const image = document.querySelector('.strip img');"
            " new MutationObserver(() => done(image.style.objectPosition)).observe(image, { attributes: true }); })"
        )
        assert position.startswith("33.3")  # the second of four
        strip.click()
        assert not strip.evaluate("b => b.classList.contains('playing')")
    page.close()
    assert said == []
    folder = run.as_uri()
    assert all(url == f"{folder}/report.html" or url.startswith(f"{folder}/{FOLDER}/") for url in loaded), loaded
    assert len(loaded) > 1


def test_small__keeps_the_proportions(run: Path) -> None:
    from conflictbench.benchmarks.report.pictures import _small

    assert _small(np.zeros((480, 832, 3), np.uint8)).shape == (240, 416, 3)
    assert _small(np.zeros((84, 84, 3), np.uint8)).shape == (84, 84, 3)
