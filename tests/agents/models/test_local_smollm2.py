"""A genuine language model, small and seldom right, through the whole pipeline: every record is honest about it."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conflictbench.agents.models.local_weights import find_weights
from conflictbench.errors import NotYetAvailable
from conflictbench.types import EpisodeRecord, Reply, Status, Usage, Verdict

pytestmark = pytest.mark.slow

MAX_TOKENS = 16
MODEL_ID = re.compile(r"smollm2-135m-instruct \(gguf, sha256 [0-9a-f]{12}\)")
ENDS = {Status.REFUSED: Verdict.REFUSED, Status.UNPARSED: Verdict.UNPARSED, Status.CUT_OFF: Verdict.CUT_OFF}

NO_NETWORK = """
import sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise AssertionError(f"reached for the network: {event} {arguments}")

sys.addaudithook(refuse)
from conflictbench.cli import main
main()
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a finished run of suite quick; two episodes at once, so that one waits for the other."""
    try:
        find_weights("smollm2")
    except NotYetAvailable as error:
        pytest.skip(str(error))
    directory = tmp_path_factory.mktemp("runs") / "smollm2"
    command = [sys.executable, "-c", NO_NETWORK, "run", "--suite", "quick", "--agent", "llm:local/smollm2"]
    limits = ["--max-tokens", str(MAX_TOKENS), "--concurrency", "2", "--timeout", "600", "--max-hours", "1"]
    done = subprocess.run(
        [*command, *limits, "--out", str(directory)],
        env=os.environ | {"OMP_NUM_THREADS": "1"},  # torch's threads get into each other's way on a busy machine
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Converting" not in done.stderr  # a bar across the run's own
    return directory


@pytest.fixture(scope="module")
def records(run: Path) -> list[EpisodeRecord]:
    lines = (run / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    return [EpisodeRecord.model_validate_json(line) for line in lines]


def test_run__every_episode_has_one_attempt_that_counts(records: list[EpisodeRecord]) -> None:
    assert sorted(record.key.scenario for record in records) == ["EP1-001", "EP2-001", "EP3-001"]
    assert all(record.status.counts and record.attempt == 1 and record.error is None for record in records)


def test_run__the_status_is_what_the_last_reply_was_taken_for(records: list[EpisodeRecord]) -> None:
    for record in records:
        if record.status in ENDS:
            assert record.steps[-1].verdict is ENDS[record.status]
            assert record.reasks >= 1  # it was asked again before the episode ended
        else:
            assert record.status in (Status.COMPLETED, Status.TRUNCATED)
            assert (record.outcome is not None) == (record.status is Status.COMPLETED)


def test_run__every_reply_is_recorded_with_its_usage_and_its_model(records: list[EpisodeRecord]) -> None:
    for record in records:
        assert record.steps
        assert record.usage == sum((step.usage for step in record.steps), Usage())
        assert record.protocol.startswith("paper-")
        assert record.models == (record.steps[0].model,)
        for step in record.steps:
            assert MODEL_ID.fullmatch(step.model)
            assert step.usage.calls == 1
            assert step.usage.input_tokens > 500  # opening and help page
            assert 1 <= step.usage.output_tokens <= MAX_TOKENS
            reply = Reply.from_stored(step.reply or "")
            if reply.finish_reason == "length":
                assert step.usage.output_tokens == MAX_TOKENS
            else:
                assert reply.finish_reason == "stop"


def test_run__the_report_shows_what_the_model_said(run: Path, records: list[EpisodeRecord]) -> None:
    page = (run / "report.html").read_text(encoding="utf-8")
    said = [Reply.from_stored(step.reply or "").text for record in records for step in record.steps]
    assert any(said)
    for text in said:
        words = text.split("\n")[0].strip()
        assert words in page or html.escape(words) in page or json.dumps(words)[1:-1] in page
