"""`conflictbench run --observation visual` against a server in another process: which images arrive, and when."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import gymnasium as gym
import pytest
from tests.servers.journal import Seen
from tests.servers.script import Script, human_routes
from tests.servers.started import Server, environment, server

from conflictbench.benchmarks.loading import load_records, load_run
from conflictbench.envs.visual.encode import encode_frame
from conflictbench.types import EpisodeRecord

SCENARIO = "EP1-001"
KWARGS = {"scenario": SCENARIO, "observation": "visual", "world_model": "fake", "clips": False}


def run(on: Server, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    words = ["run", "--suite", "ep1", "--scenario", SCENARIO, "--agent", "llm:vllm/any-name", "--base-url", on.base_url]
    words += ["--observation", "visual", "--world-model", "fake", "--out", str(folder / "out"), *options]
    return subprocess.run(
        [sys.executable, "-m", "conflictbench", *words],
        cwd=folder,
        env=environment(CONFLICTBENCH_CLIPS=str(folder / "clips")),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def frames_of(record: EpisodeRecord) -> list[list[str]]:
    """The clips of an episode as the server names their frames: those of the beginning, then of each step that has one.

    Worked out by playing the episode again without a store, a conversation or a server.
    """
    env = gym.make("ConflictBench/EP1-v0", clip_info=["frames"], **KWARGS)
    _, info = env.reset(seed=record.key.seed)
    infos = [info, *(env.unwrapped.command(step.command)[4] for step in record.steps)]
    return [[_name(encode_frame(frame, "jpeg")) for frame in info["frames"]] for info in infos if info["new_clips"]]


def _name(data: bytes) -> str:
    return f"image:{sha256(data).hexdigest()[:16]}"


def images_in(one: Seen) -> list[str]:
    return [part for parts in one.parts for part in parts if part.startswith("image:")]


@pytest.mark.parametrize("protocol", ["paper", "tools"])
@pytest.mark.parametrize("options, kept", [((), 2), (("--keep-clips", "1"), 1), (("--keep-clips", "99"), 99)])
def test_run__three_images_arrive_before_the_text_and_the_last_clips_remain(
    protocol: str, options: tuple[str, ...], kept: int, tmp_path: Path
) -> None:
    script = Script(routes=human_routes([SCENARIO], ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=0, models="served", change=0) as scripted:
        done = run(scripted, tmp_path, "--protocol", protocol, *options)
        seen = scripted.seen()
    assert done.returncode == 0, done.stderr
    (record,) = load_records(tmp_path / "out")
    clips = frames_of(record)
    assert record.label == "human"
    assert len(seen) == len(record.steps) == len(clips) > 2  # the last action ends the episode, and has no clip

    roles, images = [part[0] for part in seen[0].parts], seen[0].parts[1]
    assert roles == ["system", "user"]
    assert images == ["user", *clips[0], "text"]  # 16, 32, 48, then the words
    assert len(clips[0]) == 3
    for turn, one in enumerate(seen):
        shown = clips[: turn + 1][-kept:]
        assert images_in(one) == [name for clip in shown for name in clip]
        for parts in one.parts:
            if len(parts) > 2:
                assert (parts[0], parts[-1]) == ("user", "text")  # no image behind the words, none of another role
    assert seen[-1].parts[-1] == ["user", *clips[-1], "text"]
    if protocol == "tools":
        assert seen[-1].parts[-2] == ["tool", "text"]


def test_run__records_clips_by_key_and_digest_and_no_pixels(tmp_path: Path) -> None:
    script = Script(routes=human_routes([SCENARIO], ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=0, models="served", change=0) as scripted:
        done = run(scripted, tmp_path, "--overlay", "none")
        first = scripted.seen()
        again = run(scripted, tmp_path, "--overlay", "none")  # finished: nothing is asked
        assert scripted.seen() == first
    assert done.returncode == again.returncode == 0, done.stderr
    loaded = load_run(tmp_path / "out")
    (record,) = loaded.records
    assert record.world_model == "fake-1+none"
    (base,) = record.opening_clips
    assert (base.name, len(base.key), len(base.digest), base.missing) == ("base", 64, 64, False)
    named = [[clip.name for clip in step.clips] for step in record.steps]
    assert named == [[step.action] for step in record.steps[:-1]] + [[]]
    assert record.protocol.endswith("-jpeg-clips2")
    (env,) = loaded.manifest.identity.envs
    assert env.kwargs["overlay"] == "none"
    assert env.pictures is not None
    assert (env.pictures.backend, env.pictures.keep_clips) == ("fake-1", 2)
    assert env.protocol_id == record.protocol
    for name in ("episodes.jsonl", "manifest.json"):
        assert (tmp_path / "out" / name).stat().st_size < 60_000
    pictures = sorted((tmp_path / "out" / "report-pictures").iterdir())
    assert len(pictures) == len(record.steps)  # the base clip and all actions but the last


def test_run__another_way_of_showing_is_another_run(tmp_path: Path) -> None:
    script = Script(routes=human_routes([SCENARIO], ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=0, models="served", change=0) as scripted:
        assert run(scripted, tmp_path).returncode == 0
        for options in (("--overlay", "telemetry"), ("--keep-clips", "3")):
            done = run(scripted, tmp_path, *options)
            assert done.returncode == 2
            assert "another run" in done.stderr, done.stderr
