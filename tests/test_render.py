"""`conflictbench render`: a video, a picture, a sheet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from conflictbench.cli import app
from conflictbench.scenario_specs import get_scenario

HUMAN_END = ("stop_fans", "reverse_fans", "start_mist", "open_shaft")  # of EP1-001


def render(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["render", *arguments])


def fake(*arguments: str) -> Result:
    return render(*arguments, "--world-model", "fake", "--size", "64x36")


def test_mp4__is_the_whole_chain(tmp_path: Path) -> None:
    import av

    out = tmp_path / "x.mp4"
    done = fake("EP1-001", "--actions", "stop jet fans; reverse_fans", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert done.output == f"{out}: 147 frames\n"
    with av.open(str(out)) as container:
        (stream,) = container.streams.video
        assert (stream.width, stream.height, int(stream.average_rate)) == (64, 36, 16)
        assert sum(1 for _ in container.decode(video=0)) == 147  # the beginning, and two actions
    once = out.read_bytes()
    fake("EP1-001", "--actions", "stop jet fans; reverse_fans", "--out", str(out))
    assert out.read_bytes() == once


def test_png__is_the_last_frame(tmp_path: Path) -> None:
    from PIL import Image

    pictures = []
    for number, actions in enumerate(("", "stop jet fans", "STOP JET FANS.", "stop_fans; reverse jet fans")):
        out = tmp_path / f"{number}.png"
        assert fake("ep1-001", "--actions", actions, "--out", str(out)).exit_code == 0
        pictures.append(np.array(Image.open(out)))
    assert pictures[0].shape == (36, 64, 3)
    assert np.array_equal(pictures[1], pictures[2])
    assert not any(np.array_equal(pictures[1], pictures[other]) for other in (0, 3))


@pytest.mark.parametrize("name, option", [("sheet.png", ()), ("other.png", ("--sheet",))])
def test_sheet__has_a_row_for_each_clip(name: str, option: tuple[str, ...], tmp_path: Path) -> None:
    done = fake("EP1-001", "--out", str(tmp_path / name), *option)
    rows = 1 + len(get_scenario("EP1-001").spec.actions) + 3 + 1  # the beginning, the actions, the stages, urgency
    assert done.output == f"{tmp_path / name}: {rows} rows\n"
    done = fake("EP1-001", "--actions", "stop jet fans", "--out", str(tmp_path / name), *option)
    assert done.output == f"{tmp_path / name}: 2 rows\n"


def test_stages__are_named(tmp_path: Path) -> None:
    out = str(tmp_path / "x.png")
    done = fake("EP1-001", "--actions", "; ".join((*HUMAN_END, "stage:1")), "--out", out)
    assert done.output == f"{out}: the last frame of stage:1\n"


def test_picture__says_of_what_it_is_the_last_frame(tmp_path: Path) -> None:
    out = str(tmp_path / "x.png")
    assert fake("EP1-001", "--out", out).output == f"{out}: the last frame of the beginning\n"
    done = fake("EP1-001", "--actions", "stop jet fans", "--out", out)
    assert done.output == f"{out}: the last frame of stop_fans\n"


def test_file__of_an_author_is_rendered(tmp_path: Path) -> None:
    done = fake(get_scenario("EP2-001").path, "--out", str(tmp_path / "x.png"))
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("EP1-001", "--out", "x.gif"), "a file ends in .mp4 or .png, not '.gif'"),
        (("EP1-001", "--out", "x"), "a file ends in .mp4 or .png, not ''"),
        (("EP1-001", "--out", "x.mp4", "--sheet"), "a sheet is a picture: its file ends in .png, not '.mp4'"),
        (("EP1-001", "--out", "x.png", "--size", "84"), "'84' is no size; valid: WIDTHxHEIGHT, as in 832x480"),
        (
            ("EP1-001", "--out", "x.png", "--size", "0x84"),
            "'0x84' is out of range; valid: sides from 8 to 4,096 pixels",
        ),
        (("EP1-001", "--out", "x.png", "--overlay", "all"), "unknown overlay 'all'; known: none, cctv, telemetry"),
        (("EP1-001", "--out", "x.png", "--world-model", "wan"), "unknown world model 'wan'; known: fake, procedural"),
        (("EP1-009", "--out", "x.png"), "EP1-009"),
        (("EP1-001", "--out", "x.png", "--actions", "sing"), "unknown action 'sing'; known: stop jet fans, "),
        (
            ("EP1-001", "--out", "x.png", "--world-model", "fake", "--actions", "stop jet fans; stop jet fans"),
            "is not accepted after stop_fans: The jet fans are already standing.",
        ),
        (
            ("EP1-001", "--out", "x.png", "--world-model", "fake", "--actions", "stage:3; stage:1; stop_fans"),
            "action 1, 'stage:3', is not accepted after the beginning: the regret test begins after a human outcome",
        ),
        (
            ("EP1-001", "--out", "x.png", "--size", "7x84"),
            "'7x84' is out of range; valid: sides from 8 to 4,096 pixels",
        ),
        (("EP1-001", "--out", "x.png", "--size", "84x4097"), "sides from 8 to 4,096 pixels"),
        (("EP1-001", "--out", "a\0.png"), "Invalid value for '--out': embedded null byte"),
        (("EP1-001", "--out", "none/x.png", "--world-model", "fake"), "Invalid value for --out: none/x.png cannot be"),
        (("EP1-001", "--out", "none/x.mp4", "--world-model", "fake"), "Invalid value for --out: none/x.mp4 cannot be"),
    ],
)
def test_render__what_it_cannot_do_is_said(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = render(*arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.output.replace("│", " ").split()), done.output
    assert list(tmp_path.iterdir()) == []


def test_render__the_default_world_model_draws(tmp_path: Path) -> None:
    from PIL import Image

    out = tmp_path / "x.png"
    assert render("EP1-001", "--size", "208x120", "--out", str(out)).exit_code == 0
    colours = np.unique(np.array(Image.open(out)).reshape(-1, 3), axis=0)
    assert len(colours) > 1000


def test_out__its_ending_may_be_in_any_case(tmp_path: Path) -> None:
    assert fake("EP1-001", "--out", str(tmp_path / "x.PNG")).exit_code == 0
    assert (tmp_path / "x.PNG").read_bytes().startswith(b"\x89PNG")
