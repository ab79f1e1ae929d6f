"""Runs against a server that fails in every way, killed again and again: right statuses, every call accounted for."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.servers.faults import DOWN, ENDING, KINDS, MOST_IN_A_ROW, REASKED, TRANSIENT, expected
from tests.servers.journal import Seen, by_play
from tests.servers.script import Script, human_routes
from tests.servers.started import Server, environment, server

from conflictbench.benchmarks.call_log import FILE_NAME as CALLS
from conflictbench.benchmarks.call_log import CallLine
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.metrics import final_attempts
from conflictbench.benchmarks.suites import get_suite
from conflictbench.benchmarks.units import episode_marker
from conflictbench.types import VARIANTS, EpisodeRecord, Status, Usage

CANARY = "canary-5f1d08"  # every key begins with it, and nothing else does
MOST_RUNS_TO_THE_END = 8  # each plays again what the one before left out


class KilledRun:
    """One run, continued by process after process; each is told apart by the end of its key."""

    def __init__(self, on: Server, folder: Path, *options: str) -> None:
        self.out, self.log, self._on = folder / "out", folder / "log.txt", on
        self.started = 0
        self._command = [sys.executable, "-m", "conflictbench", "run", "--suite", "quick", "--variant", "all"]
        self._command += ["--agent", "llm:openai/faulty", "--base-url", on.base_url, "--out", str(self.out)]
        self._command += ["--retries", str(MOST_IN_A_ROW + 1), *options]

    def kill_at(self, requests: int) -> None:
        """Go on until the server has received so many requests in all, then SIGKILL."""
        with self._start() as process:
            try:
                assert self._on.has_received(requests, process), self.log.read_text()
            finally:
                process.kill()
        assert process.returncode == -signal.SIGKILL

    def finish(self) -> int:
        """Go on to the end. Returns the exit code."""
        with self._start() as process:
            output, _ = process.communicate()
        with self.log.open("ab") as log:
            log.write(output)
        return process.returncode

    @contextmanager
    def _start(self) -> Iterator[subprocess.Popen[bytes]]:
        self.started += 1
        with (
            self.log.open("ab") as log,
            subprocess.Popen(
                self._command,
                cwd=self.out.parent,
                env=environment(CONFLICTBENCH_API_KEY=f"{CANARY}-{self.started}"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
            ) as process,
        ):
            yield process


@pytest.mark.parametrize(
    "protocol, episodes, kills, concurrency, timeout_s",
    [
        pytest.param("paper", 24, 1, 12, 5, id="small"),
        pytest.param("paper", 1_000, 5, 128, 10, id="paper", marks=pytest.mark.slow),
        pytest.param("tools", 1_000, 5, 128, 10, id="tools", marks=pytest.mark.slow),
    ],
)
def test_run__through_every_fault_and_kills_ends_every_episode_once_with_the_right_status(
    protocol: str, episodes: int, kills: int, concurrency: int, timeout_s: float, tmp_path: Path
) -> None:
    scenarios = [name for names in get_suite("quick").scenarios().values() for name in names]
    seeds = math.ceil(episodes / len(scenarios) / len(VARIANTS))
    episodes = seeds * len(scenarios) * len(VARIANTS)
    script = Script(routes=human_routes(scenarios, VARIANTS))
    options = f"--seeds {seeds} --concurrency {concurrency} --timeout {timeout_s} --protocol {protocol}"
    every = episodes * 3 // (kills + 1)  # three requests an episode at least, so that no kill comes too late
    with server("faulty_server", script, tmp_path, seed=1, announce=every) as faulty:
        run = KilledRun(faulty, tmp_path, *options.split())
        for kill in range(1, kills + 1):
            run.kill_at(kill * every)
        codes = [run.finish()]
        while codes[-1] == 3 and len(codes) < MOST_RUNS_TO_THE_END:
            codes.append(run.finish())
        seen = faulty.seen()
    assert codes == [3] * (len(codes) - 1) + [0], run.log.read_text()

    loaded = load_run(run.out)
    final = final_attempts(loaded.records)
    assert len(loaded.records) - len(final) == sum(not record.status.counts for record in loaded.records)
    assert len(final) == episodes == loaded.finished

    kept, dropped = account(loaded.records, seen)
    for record, answers in kept:
        check(record, answers)
    # What was asked for episodes in flight at a kill is in no record: no more of them than fit at a time.
    stopped = Counter(caller for caller, _ in dropped)
    assert set(stopped) <= {str(number) for number in range(1, kills + 1)}
    assert all(count <= concurrency for count in stopped.values()), stopped
    recorded = sum(record.usage.calls for record in loaded.records)
    assert recorded + sum(map(len, dropped.values())) == len(seen)

    # Whatever was answered is in the ledger all the same, one line a request.
    lines = [CallLine.model_validate_json(line) for line in (run.out / CALLS).read_bytes().splitlines()]
    in_flight = held_against(lines, seen, concurrency)
    assert {one.caller for one in in_flight} <= set(stopped)
    assert sum(line.requests for line in lines) + len(in_flight) == len(seen)
    assert loaded.dropped.calls == len(seen) - len(in_flight) - recorded

    assert keys_found(tmp_path) == []
    if episodes >= 1_000:
        assert {one.kind for one in seen} == set(KINDS)
        wanted = {status for status, _ in (REASKED | ENDING).values()} | {Status.COMPLETED}
        assert {record.status for record in loaded.records} == wanted
        assert len(stopped) == kills
        print_figures(loaded.records, seen, dropped, lines, in_flight)


def account(
    records: tuple[EpisodeRecord, ...], seen: list[Seen]
) -> tuple[list[tuple[EpisodeRecord, list[Seen]]], dict[tuple[str, str], list[Seen]]]:
    """Each record with the requests that it tells of; and the other requests, by caller and episode.

    A process that keeps a record is the last one to ask for that attempt.
    """
    plays = by_play(seen)
    kept, dropped = [], dict[tuple[str, str], list[Seen]]()
    for record in records:
        callers = plays.pop((episode_marker(record.key), record.attempt))
        *killed, keeper = callers
        kept.append((record, callers[keeper]))
        dropped |= {(caller, record.key.model_dump_json()): callers[caller] for caller in killed}
    assert not plays, "the server was asked for attempts that have no record"
    return kept, dropped


def held_against(lines: list[CallLine], seen: list[Seen], concurrency: int) -> list[Seen]:
    """Hold every line against the request it tells of; return the requests without one: in flight at a kill.

    A conversation sends one request at a time, so the lines of a play follow its requests in order, and the one in
    flight is its last. The server may have handed over its answer: then within the moment of the kill, in which the
    client, done with one round of sockets, was to find it in the next.
    """
    told: dict[tuple[str, int, str], list[CallLine]] = {}
    for line in lines:
        told.setdefault((line.episode, line.attempt, str(line.session)), []).append(line)
    in_flight = []
    for (episode, attempt), callers in by_play(seen).items():
        for caller, asked in callers.items():
            own = told.pop((episode, attempt, caller), [])
            missing = asked[len(own) :]
            for line, one in zip(own, asked, strict=False):
                check_line(line, one)
            assert len(own) <= len(asked), (episode, attempt, caller)
            assert len(missing) <= 1, (episode, attempt, caller, missing)
            in_flight += missing
    assert not told, "lines of calls that the server has not seen"
    for one in in_flight:
        later = sum(other.answered_at > one.answered_at for other in seen if other.caller == one.caller)
        assert not one.answered or later <= 2 * concurrency, (one, later)
    assert all(count <= concurrency for count in Counter(one.caller for one in in_flight).values())
    return in_flight


def check_line(line: CallLine, one: Seen) -> None:
    """What the ledger says of one request against what the server did to it."""
    tokens = (one.input_tokens, one.output_tokens)
    if one.kind in (*TRANSIENT, DOWN):
        outcome, tokens = "failed:TransientError", (0, 0)
    elif one.kind in ENDING:
        outcome = "failed:ContextOverflow" if one.kind == "overflow" else "failed:ProviderError"
    else:
        outcome = "refused" if one.kind in ("content filter", "policy error") else "completed"
    model = "" if outcome.startswith("failed") or one.kind == "policy error" else "faulty-1"
    found = (line.requests, line.outcome, (line.input_tokens, line.output_tokens), line.model)
    assert found == (1, outcome, tokens, model), (line, one)


def check(record: EpisodeRecord, answers: list[Seen]) -> None:
    """What the record says against what the server did to that very attempt."""
    kinds = [one.kind for one in answers]
    due, place = expected(kinds), (record.key, record.attempt, kinds)
    found = (record.status, record.usage.calls, len(record.steps), record.reasks, record.malformed)
    assert found == (due.status, due.calls, due.steps, due.reasks, due.malformed), (place, record.error)
    used = [one for one in answers if one.kind not in TRANSIENT]
    tokens = Usage(
        calls=len(answers),
        input_tokens=sum(one.input_tokens for one in used),
        output_tokens=sum(one.output_tokens for one in used),
    )
    assert record.usage == tokens, place
    assert (record.label == "human") == (record.status is Status.COMPLETED), place
    assert (record.error is not None) == (record.status in (Status.PROVIDER_ERROR, Status.CONTEXT_OVERFLOW)), place
    assert set(record.models) <= {"faulty-1"}, place


def keys_found(folder: Path) -> list[str]:
    """Files below a folder that hold a key; the server's journal has its end only."""
    return [str(path) for path in folder.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]


def print_figures(
    records: tuple[EpisodeRecord, ...],
    seen: list[Seen],
    dropped: dict[tuple[str, str], list[Seen]],
    lines: list[CallLine],
    in_flight: list[Seen],
) -> None:
    """For whoever runs this with -s."""
    lost = Counter(caller for (caller, _), requests in dropped.items() for _ in requests)
    print(f"\n{len(seen)} requests, {sum(record.usage.calls for record in records)} recorded, {lost.total()} dropped")
    print(f"dropped at each kill: {dict(sorted(lost.items()))}")
    answered = sum(one.answered for one in in_flight)
    print(f"ledger: {sum(line.requests for line in lines)} requests, {len(in_flight)} in flight ({answered} answered)")
    print(f"in flight at each kill: {dict(sorted(Counter(one.caller for one in in_flight).items()))}")
    print(f"statuses: {dict(Counter(record.status.value for record in records))}")
    print(f"answers: {dict(Counter(one.kind for one in seen))}")
