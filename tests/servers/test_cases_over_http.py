"""The cases R01-R14 through everything: a server's JSON, `conflictbench run` in a process of its own, the record."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from tests.servers.faulty_server import REFUSAL
from tests.servers.script import Script
from tests.servers.started import environment, server
from tests.wrappers.chat.test_cases import MALFORMED, REASONING
from tests.wrappers.small_book import COMMANDS
from tests.wrappers.test_reply_parser import THE_FOURTEEN

from conflictbench.benchmarks.loading import load_records
from conflictbench.benchmarks.units import episode_marker
from conflictbench.types import EpisodeKey, EpisodeRecord, Reply, Status, Verdict
from conflictbench.wrappers import get_protocol
from conflictbench.wrappers.episode_record import hash_env

SCENARIO, AGENT = "EP1-001", "llm:openai/cases"
FOURTEEN = cast(list[tuple[str, str | Reply, Verdict, str]], THE_FOURTEEN)
CASES = [
    (name, reply if isinstance(reply, Reply) else Reply(text=reply), verdict, command)
    for name, reply, verdict, command in FOURTEEN
]


def marker(seed: int, protocol: str) -> str:
    """What the episode of a seed is called towards the server."""
    kwargs = {"mask": "exists", "observation": "text", "reward": "human", "protocol": get_protocol(protocol).id}
    env_hash = hash_env("ConflictBench/EP1-v0", kwargs)
    return episode_marker(EpisodeKey(scenario=SCENARIO, variant="conflict", env_hash=env_hash, agent=AGENT, seed=seed))


@pytest.mark.parametrize("protocol", ["paper", "tools"])
def test_run__the_fourteen_cases(protocol: str, tmp_path: Path) -> None:
    end = [Reply(text=REFUSAL)] * 2
    replies = {marker(seed, protocol): [case[1], case[1], *end] for seed, case in enumerate(CASES)}
    with server("scripted_server", Script(replies=replies), tmp_path, latency=0, models="served", change=0) as scripted:
        command = [sys.executable, "-m", "tests.servers.with_commands", ",".join(COMMANDS), "run"]
        command += ["--suite", "ep1", "--scenario", SCENARIO, "--agent", AGENT, "--seeds", str(len(CASES))]
        command += ["--base-url", scripted.base_url]
        command += ["--protocol", protocol, "--out", str(tmp_path / "out")]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    records = {record.key.seed: record for record in load_records(tmp_path / "out")}
    assert len(records) == len(CASES)
    for seed, (name, reply, verdict, words) in enumerate(CASES):
        check(name, reply, verdict, words, records[seed])


def check(name: str, reply: Reply, verdict: Verdict, command: str, record: EpisodeRecord) -> None:
    reached = verdict in (Verdict.ACTION, Verdict.UNKNOWN)
    assert record.status is (Status.REFUSED if reached else Status(verdict.value)), name
    assert (record.reasks, record.malformed) == (1, 2 * MALFORMED.get(name, 0)), name
    assert record.models == ("served",), name
    assert len(record.steps) == (4 if reached else 2), name
    for step in record.steps[:2]:
        assert (step.verdict, step.command) == (verdict, command), name
        assert (step.event is not None) is reached, name
        assert (step.reasoning, step.reasoning_source) == REASONING.get(name, ("", "")), name
        # verbatim, over the wire and back from disk; the provider's own reasoning stands beside it, not in it too
        assert Reply.from_stored(step.reply or "") == replace(reply, reasoning=None), name
