"""`conflictbench run` against an OpenAI-compatible server in another process: usage and returned ids recorded."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.servers.journal import Seen, by_play
from tests.servers.script import Script, human_routes
from tests.servers.started import Server, environment, server

from conflictbench.benchmarks.loading import load_records, load_run
from conflictbench.benchmarks.suites import get_suite
from conflictbench.benchmarks.units import episode_marker
from conflictbench.types import Event, Status, Usage

QUICK = [scenario for ids in get_suite("quick").scenarios().values() for scenario in ids]


def command(on: Server, out: Path, *options: str) -> list[str]:
    words = [sys.executable, "-m", "conflictbench", "run", "--suite", "quick", "--agent", "llm:openai/any-name"]
    return [*words, "--base-url", on.base_url, "--out", str(out), *options]


def run(on: Server, out: Path, *options: str, key: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(on, out, *options),
        cwd=out.parent,
        env=environment(CONFLICTBENCH_API_KEY=key, OPENAI_API_KEY="canary-of-openai"),  # which goes to openai.com alone
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("protocol", ["paper", "tools"])
def test_run__plays_the_quick_suite_over_http_and_records_usage_and_the_model_that_answered(
    protocol: str, tmp_path: Path
) -> None:
    script = Script(routes=human_routes(QUICK, ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=0, models="served-2041", change=0) as scripted:
        done = run(scripted, tmp_path / "out", "--protocol", protocol)
        seen = scripted.seen()
    assert done.returncode == 0, done.stderr
    records = load_run(tmp_path / "out").records
    assert sorted(record.key.scenario for record in records) == sorted(QUICK)
    plays = by_play(seen)
    for record in records:
        (requests,) = plays[episode_marker(record.key), 1].values()
        assert record.label == "human", record.key
        assert record.models == ("served-2041",)
        assert [step.usage for step in record.steps] == [usage(one) for one in requests]
        assert [step.event for step in record.steps] == [Event.ACCEPTED] * len(requests)
        assert record.usage == sum((usage(one) for one in requests), Usage())
        assert record.usage.input_tokens > 100 * record.usage.calls  # the prompts are there to be read
    assert len(seen) == sum(record.usage.calls for record in records)
    assert all(one.answered for one in seen)


def usage(one: Seen) -> Usage:
    return Usage(calls=1, input_tokens=one.input_tokens, output_tokens=one.output_tokens)


def test_run__shouts_when_another_model_answers_and_keeps_the_key_to_itself(tmp_path: Path) -> None:
    script = Script(routes=human_routes(QUICK, ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=0, models="served-1,served-2", change=4) as scripted:
        done = run(scripted, tmp_path / "out", "--concurrency", "1", key="canary-of-this-test-77")
        seen = scripted.seen()
    assert done.returncode == 0, done.stderr
    shout = "THE MODEL CHANGED inside this run: the provider answered as 'served-1' and as 'served-2'"
    assert done.stderr.count(shout) == 1
    (note,) = (note for note in load_run(tmp_path / "out").notes if "CHANGED" in note)
    assert note.startswith(shout)
    assert note in (tmp_path / "out" / "report.md").read_text()
    steps = [step for record in load_records(tmp_path / "out") for step in record.steps]
    assert [step.model for step in steps] == ["served-1"] * 4 + ["served-2"] * (len(steps) - 4)

    assert {one.caller for one in seen} == {"77"}  # the key was sent, and the server read its end
    for path in (tmp_path / "out").iterdir():
        assert b"canary" not in path.read_bytes(), path.name
    assert "canary" not in done.stdout + done.stderr


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_run__told_to_stop_while_the_server_is_silent_ends_at_once_and_goes_on_later(
    stop: signal.Signals, tmp_path: Path
) -> None:
    script, out = Script(routes=human_routes(QUICK, ["conflict"])), tmp_path / "out"
    (tmp_path / "silent").mkdir()
    with (
        server(
            "scripted_server", script, tmp_path / "silent", latency=3600, models="m", change=0, announce=3
        ) as silent,
        subprocess.Popen(
            command(silent, out),
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        ) as process,
    ):
        try:
            assert silent.has_received(3, process)  # every episode waits for its first answer
            process.send_signal(stop)
            output, errors = process.communicate()
        finally:
            process.kill()
    assert process.returncode == 128 + stop, errors.decode()
    assert output == b""
    assert b"nothing that was finished is lost" in errors
    for word in (b"Traceback", b"Unclosed", b"never retrieved", b"never awaited"):
        assert word not in errors, errors.decode()
    assert load_records(out) == ()

    with server("scripted_server", script, tmp_path, latency=0, models="m", change=0, port=silent.port) as scripted:
        done = run(scripted, out)
    assert done.returncode == 0, done.stderr
    assert [record.attempt for record in load_records(out)] == [1] * len(QUICK)


@pytest.mark.parametrize("limit", [("--episode-minutes", "0.05"), ("--max-hours", "0.001")])
def test_run__a_request_in_flight_when_its_episode_is_ended_is_counted(limit: tuple[str, str], tmp_path: Path) -> None:
    script = Script(routes=human_routes(QUICK, ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=3600, models="m", change=0) as silent:
        done = run(silent, tmp_path / "out", *limit)
        seen = silent.seen()
    assert done.returncode == 3, done.stderr
    records = load_records(tmp_path / "out")
    assert [record.status for record in records] == [Status.BUDGET] * len(QUICK)
    received = Counter(one.episode for one in seen)
    assert {episode_marker(record.key): record.usage.calls for record in records} == received
    assert f"left out: {len(QUICK)} x budget: " in done.stderr


def test_run__where_nobody_listens_it_stops_and_says_so(tmp_path: Path) -> None:
    script = Script(routes=human_routes(QUICK, ["conflict"]))
    with server("scripted_server", script, tmp_path, latency=0, models="m", change=0) as scripted:
        pass
    done = run(scripted, tmp_path / "out", "--seeds", "9", "--concurrency", "1", "--retries", "0")
    assert done.returncode == 3, done.stderr
    records = load_records(tmp_path / "out")
    assert [(record.status, record.usage.calls) for record in records] == [(Status.PROVIDER_ERROR, 0)] * 3
    assert "stopped: every call would fail as the first ones did (gave up after 1 attempt in " in done.stderr
    assert f"127.0.0.1:{scripted.port}" in done.stderr
