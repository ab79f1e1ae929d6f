"""A run of cross-play that is stopped goes on where it was: nothing finished is lost, nothing is played twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.servers.script import Script
from tests.servers.started import environment, server

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.crossplay.again import figures_again
from conflictbench.benchmarks.crossplay.directory import PLAYS, load_plays
from conflictbench.benchmarks.crossplay.plan import Conditions
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.units import episode_marker
from conflictbench.errors import BrokenRecord, RunError, RunLocked, RunMismatch
from conflictbench.types import Reply

GAME = "EP2-002"
HOLD = {chair: [Reply(text="ACTION: hold")] for chair in ("incumbent", "requester")}
MODEL = "llm:fake/silent"


def run(out: Path, *agents: str, **conditions: object) -> list[str]:
    """Keys of the plays that this call played."""
    before = (out / PLAYS).read_text().count("\n") if (out / PLAYS).exists() else 0
    run_crossplay(
        [*agents],
        scenarios=[GAME],
        conditions=Conditions(**conditions),
        out=out,  # type: ignore[arg-type]
    )
    return [json.dumps(json.loads(line)["key"]) for line in (out / PLAYS).read_text().splitlines()[before:]]


def test_ctrl_c__then_the_same_command_plays_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    out, agent = tmp_path / "out", "llm:openai/any-name"
    command = [sys.executable, "-m", "conflictbench", "crossplay", "--agents", agent, "--scenario", GAME]
    command += ["--seeds", "3", "--concurrency", "1", "--out", str(out)]
    port = 0
    asked: list[Counter[str]] = []
    for stop in (True, False):
        folder = tmp_path / str(stop)
        folder.mkdir()
        options = {"prompts": folder / "prompts.jsonl", "pairs": 1, "announce": 4, "port": port}
        with (
            server("party_server", Script(replies=HOLD), folder, **options) as on,
            subprocess.Popen(
                [*command, "--base-url", on.base_url],
                cwd=tmp_path,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
            ) as process,
        ):
            port = on.port
            if stop:
                assert on.has_received(16, process)  # 6 turns, 2 requests each: the first play is over
                process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
            assert process.returncode == (130 if stop else 0), errors.decode()
            assert b"Traceback" not in errors
            if stop:
                assert b"interrupted; nothing that was finished is lost" in errors
                kept = (out / PLAYS).read_bytes()
            asked.append(Counter(one.episode for one in on.seen()))
    assert kept and (out / PLAYS).read_bytes().startswith(kept)
    records = load_plays(out)
    assert len({record.key for record in records}) == len(records) == 6  # 2 starts, 3 seeds
    assert {record.attempt for record in records} == {1}
    early = [json.loads(line)["key"] for line in kept.splitlines()]
    before = {episode_marker(record.key) for record in records if record.key.model_dump() in early}
    assert before and not before & set(asked[1])  # nobody was asked again for what was finished
    assert all(asked[1][episode_marker(r.key)] == 12 for r in records if episode_marker(r.key) not in before)


def test_a_finished_run__plays_nothing_and_says_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert len(run(out, MODEL, "keep", "persist")) == 6  # three pairs, two starts
    before = (out / PLAYS).read_bytes()
    result = run_crossplay([MODEL, "keep", "persist"], scenarios=[GAME], out=out)
    assert (result.planned, result.finished, result.played) == (6, 6, 0)
    assert (out / PLAYS).read_bytes() == before


def test_a_line_that_was_cut_off__is_played_again_with_a_note(tmp_path: Path) -> None:
    out = tmp_path / "out"
    keys = run(out, MODEL, "keep", "persist")
    data = (out / PLAYS).read_bytes()
    (out / PLAYS).write_bytes(data[:-40])
    assert run(out, MODEL, "keep", "persist") == keys[-1:]
    assert (out / PLAYS).read_bytes() == data
    assert any(
        "a truncated last line" in note
        for note in run_crossplay([MODEL, "keep", "persist"], scenarios=[GAME], out=out).notes
    )


def test_a_broken_line__is_an_error_and_nothing_is_changed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(out, MODEL, "keep", "persist")
    lines = (out / PLAYS).read_bytes().splitlines(keepends=True)
    broken = b"".join([lines[0], b'{"schema_version":1}\n', *lines[2:]])
    (out / PLAYS).write_bytes(broken)
    with pytest.raises(BrokenRecord, match=rf"{PLAYS}:2: not an episode record"):
        run(out, MODEL, "keep", "persist")
    assert (out / PLAYS).read_bytes() == broken


@pytest.mark.parametrize(
    "edit, told",
    [
        (lambda moves: [[99, 0], *moves[1:]], "moves: turn 1: 99 is no move of the incumbent, which are 0 to "),
        (
            lambda moves: [moves[0], [0, -1], *moves[2:]],
            "moves: turn 2: -1 is no move of the requester, which are 0 to ",
        ),
        (lambda moves: moves[:-1], "moves: the game goes on after the 5 turns that are kept"),
        (lambda moves: [*moves, [0, 0]], "moves: the game ends after 6 turns, and 7 are kept"),
    ],
)
def test_moves_that_are_none_of_the_game__are_an_error_that_names_the_line(
    edit: Callable[[list[list[int]]], list[list[int]]], told: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(out, MODEL, "keep", "persist")
    lines = [json.loads(line) for line in (out / PLAYS).read_text().splitlines()]
    lines[2]["moves"] = edit(lines[2]["moves"])
    edited = "".join(f"{json.dumps(line)}\n" for line in lines)
    (out / PLAYS).write_text(edited)
    with pytest.raises(BrokenRecord, match=rf"{PLAYS}:3: {told}"):
        run(out, MODEL, "keep", "persist")
    with pytest.raises(BrokenRecord, match=rf"{PLAYS}:3: {told}"):
        figures_again(out)
    assert (out / PLAYS).read_text() == edited


def test_another_run__in_the_same_directory_is_refused_with_what_differs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(out, MODEL, "keep", "persist")
    with pytest.raises(RunMismatch, match=r"another run \(--talk none -> signal\)"):
        run(out, MODEL, "keep", "persist", talk="signal")
    with pytest.raises(RunMismatch, match="--seeds 1 -> 2"):
        run(out, MODEL, "keep", "persist", seeds=2)


def test_two_processes__do_not_write_one_directory(tmp_path: Path) -> None:
    from conflictbench.benchmarks.run_lock import RunLock

    out = tmp_path / "out"
    run(out, MODEL, "keep", "persist")
    lock = RunLock(out)
    try:
        with pytest.raises(RunLocked, match="another process"):
            run(out, MODEL, "keep", "persist")
    finally:
        lock.release()


def test_a_provider_that_fails__leaves_plays_out_and_they_are_played_again(tmp_path: Path) -> None:
    """Nobody listens: no play is a result, the run stops, and says why."""
    out = tmp_path / "out"
    options = ModelOptions(base_url="http://127.0.0.1:9/v1", retries=0)
    result = run_crossplay(
        ["llm:openai/any-name", "persist", "keep"], scenarios=[GAME], model=options, out=out, concurrency=1
    )
    assert result.finished == 0
    assert "127.0.0.1:9" in result.stopped
    records = load_plays(out)
    assert {record.status for record in records} == {"provider_error"}
    statuses = {p.incumbent.status for r in records for p in r.phases} | {
        p.requester.status for r in records for p in r.phases
    }
    assert "provider_error" in statuses
    assert all(cell.samples == 0 and cell.human.value is None for cell in result.found.cells if not cell.exact)
    again = run_crossplay(
        ["llm:openai/any-name", "persist", "keep"], scenarios=[GAME], model=options, out=out, concurrency=1
    )
    assert again.played > 0
    assert {record.attempt for record in load_plays(out)} >= {1, 2}


def test_options_of_a_model__without_one_are_refused() -> None:
    with pytest.raises(RunError, match="asks a language model"):
        run_crossplay(["fair"], model=ModelOptions(temperature=1.0))
