"""A run killed anywhere and started again: the same table, no episode lost, none twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.benchmarks.killed_runs import AGENT, SEEDS, SUITE

from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.runner import run_suite

ROOT = Path(__file__).parents[2]
HOLDING = "tests.benchmarks.odd_agents:Holding"
WAITING = "tests.benchmarks.talkers:HoldingAsync"
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
COMMAND = [sys.executable, "-m", "conflictbench", "run", "--suite", "quick", "--variant", "all"]
EPISODES = 2 * 4 * 3  # of COMMAND with two seeds


@pytest.mark.parametrize("twice", [False, True])
def test_run__killed_at_every_call_and_run_again_is_the_whole_run(twice: bool, tmp_path: Path) -> None:
    script = [sys.executable, str(Path(__file__).with_name("killed_runs.py")), str(tmp_path), *["twice"] * twice]
    killed = subprocess.run(script, env=ENVIRONMENT | cache(), capture_output=True, text=True, check=False)
    assert killed.returncode == 0, killed.stderr
    points = int(killed.stdout)
    whole = run_suite(SUITE, AGENT, seeds=SEEDS, runs=tmp_path / "whole")
    lines = (whole.directory / "episodes.jsonl").read_bytes()
    # the lock: ftruncate; the manifest: fsync, replace, fsync; the log: fsync; each episode: write, fsync
    assert points == 5 + 2 * whole.planned

    kept = []
    for point in range(points):
        result = run_suite(SUITE, AGENT, seeds=SEEDS, out=tmp_path / str(point))
        kept.append(result.found)
        assert result.summary == whole.summary
        assert (tmp_path / str(point) / "episodes.jsonl").read_bytes() == lines
    # an episode is kept from its write on; one cut in the middle is not
    assert kept == [0] * 6 + [1 + call // 2 for call in range(points - 6)]


def cache() -> dict[str, str]:
    """Where children keep compiled tables: beside ours, so that no kill meets a half-made cache of the user's."""
    return {"CONFLICTBENCH_CACHE": os.environ["CONFLICTBENCH_CACHE"]}


@contextmanager
def started(folder: Path, hold_at: int, *options: str, agent: str = HOLDING) -> Iterator[subprocess.Popen[bytes]]:
    """The command, up to where its agent holds; ended with the block."""
    with subprocess.Popen(
        [*COMMAND, "--seeds", "2", "--agent", agent, *options],
        cwd=folder,
        env=ENVIRONMENT | cache() | {"HOLD_AT": str(hold_at)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            first = process.stdout.readline()
            assert first == b"holding\n", process.stderr.read().decode()
            yield process
        finally:
            process.kill()


def finish(folder: Path, *options: str, agent: str = HOLDING) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--seeds", "2", "--agent", agent, *options],
        cwd=folder,
        env=ENVIRONMENT | cache(),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def keys_of(folder: Path) -> list[str]:
    (directory,) = (path for path in (folder / "runs").iterdir() if (path / "manifest.json").exists())
    return sorted(record.key.model_dump_json() for record in load_run(directory).records)


@pytest.mark.parametrize(
    "agent, concurrency, stop",
    [
        (HOLDING, 1, signal.SIGKILL),
        (HOLDING, 2, signal.SIGKILL),
        (WAITING, 32, signal.SIGKILL),
        (HOLDING, 1, signal.SIGINT),
        (HOLDING, 2, signal.SIGINT),
        (WAITING, 32, signal.SIGINT),
        (WAITING, 32, signal.SIGTERM),
    ],
)
def test_command__stopped_half_way_and_given_again_prints_the_same_table(
    agent: str, concurrency: int, stop: signal.Signals, tmp_path: Path
) -> None:
    for name in ("stopped", "whole"):
        (tmp_path / name).mkdir()
    options = ("--concurrency", str(concurrency))

    with started(tmp_path / "stopped", EPISODES // 2, *options, agent=agent) as process:
        process.send_signal(stop)
        _, errors = process.communicate()
    if stop is not signal.SIGKILL:
        assert process.returncode == 128 + stop, errors.decode()
        assert b"nothing that was finished is lost" in errors
        assert b"Traceback" not in errors
    else:
        assert process.returncode == -signal.SIGKILL
    kept = len(keys_of(tmp_path / "stopped"))
    # one at a time: all episodes before the one that held; with more, the driver may not have seen them yet
    assert kept == EPISODES // 2 - 1 if concurrency == 1 else kept < EPISODES

    again = finish(tmp_path / "stopped", *options, agent=agent)
    whole = finish(tmp_path / "whole", *options, agent=agent)

    assert (again.returncode, whole.returncode) == (0, 0), again.stderr + whole.stderr
    assert again.stdout.replace(f"{tmp_path}/stopped", f"{tmp_path}/whole") == whole.stdout  # but for where it is
    assert f"{EPISODES} of {EPISODES} episodes ({EPISODES - kept} played" in again.stderr
    assert keys_of(tmp_path / "stopped") == keys_of(tmp_path / "whole")
    assert len(set(keys_of(tmp_path / "stopped"))) == EPISODES


def test_command__a_second_one_is_refused_while_the_first_runs(tmp_path: Path) -> None:
    with started(tmp_path, 2) as process:
        second = finish(tmp_path)
    assert second.returncode == 2
    assert f"another process is writing this run (pid {process.pid})" in second.stderr
    assert "Traceback" not in second.stderr
    assert finish(tmp_path).returncode == 0
