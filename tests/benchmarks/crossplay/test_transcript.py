"""What was said in a play can be read back: from its record, and on a page that holds everything and runs nothing."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest
from tests.benchmarks.crossplay.test_chairs import GAME, play

from conflictbench.benchmarks.crossplay.directory import PLAYS, load_plays
from conflictbench.benchmarks.crossplay.play_record import PlayRecord, without_phases
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.crossplay.transcript import PAGE, to_transcripts, write_transcripts
from conflictbench.envs import task_conflict_v0
from conflictbench.errors import BudgetExceeded
from conflictbench.wrappers.chat.party_protocol import PARTY

HOSTILE = "THINK: </pre><script>alert(1)</script> \u202e & so on\nACTION: hold"


def test_record__holds_the_briefing_once_each_situation_and_the_sentence_that_asked_again() -> None:
    record, model = play(["mumble", *["ACTION: hold"] * 9])
    env = task_conflict_v0.parallel_env(scenario=GAME)
    env.reset(seed=0, options={"start": 0})
    mine = env.possible_agents[0]
    assert record.briefings.keys() == {"incumbent"}  # the other is a bot, which reads nothing
    assert env.briefing(mine) in record.briefings["incumbent"]
    assert record.phases[0].incumbent.told == (env.situation(mine), PARTY.texts["reask_unparsed"])
    assert [len(phase.incumbent.told) for phase in record.phases] == [2, *[1] * (len(record.phases) - 1)]
    sent = [call.messages[-1].content for call in model.calls]
    assert [words for phase in record.phases for words in phase.incumbent.told] == sent
    assert all(phase.requester.told == () for phase in record.phases)
    assert (without_phases(record).briefings, without_phases(record).phases) == ({}, ())


def test_record__without_what_was_told_is_still_read() -> None:
    """As it was written before that was kept."""
    record, _ = play(["ACTION: hold"] * 9)
    old = record.model_dump(mode="json")
    del old["briefings"]
    for phase in old["phases"]:
        del phase["incumbent"]["told"], phase["requester"]["told"]
    assert PlayRecord.model_validate(old).outcome == record.outcome


def test_page__holds_all_that_was_told_thought_and_done_and_runs_nothing() -> None:
    record, _ = play([HOSTILE, "mumble", *["ACTION: hold"] * 9])
    html = to_transcripts([record])
    assert "<script" not in html and "\u202e" not in html and "\\u202e" in html
    text = unescape(html)
    assert "default-src 'none'; style-src 'sha256-" in text
    assert record.briefings["incumbent"] in text
    for phase in record.phases:
        assert all(words in text for words in phase.incumbent.told)
        assert phase.incumbent.move is not None and phase.incumbent.move in text
    assert "Thought: </pre><script>alert(1)</script>" in text
    assert "in which there was no choice (unparsed)" in text
    assert f"{GAME}, start 0, seed 0: m and persist: " in text
    assert to_transcripts([record]) == html


def test_page__says_why_a_play_has_no_result() -> None:
    record, _ = play(["ACTION: hold", BudgetExceeded("the purse is <empty>")])
    text = to_transcripts([record])
    assert "no result (budget)" in text
    assert "Why there is no result: BudgetExceeded: the purse is &lt;empty&gt;" in text
    assert text.count("Told</summary>") == 2  # also what was asked in vain


def test_page__stands_beside_the_plays_and_nowhere_where_none_was_played(tmp_path: Path) -> None:
    run_crossplay(["fair"], scenarios=[GAME], out=tmp_path / "bots")
    assert write_transcripts(tmp_path / "bots") is None
    out = tmp_path / "out"
    run_crossplay(["llm:fake/look", "keep", "persist"], scenarios=[GAME], out=out)
    assert write_transcripts(out) == out / PAGE
    assert (out / PAGE).read_text().count('<details class="play"') == len(load_plays(out)) == 6


@pytest.mark.parametrize("solo, keys", [(True, {"both"}), (False, {"incumbent", "requester"})])
def test_plays__keep_the_briefings_of_whoever_is_told_something(solo: bool, keys: set[str], tmp_path: Path) -> None:
    from conflictbench.benchmarks.crossplay.plan import Conditions

    run_crossplay(["llm:fake/look"], scenarios=[GAME], conditions=Conditions(solo=solo), out=tmp_path)
    kept = [json.loads(line) for line in (tmp_path / PLAYS).read_text().splitlines()]
    assert all(one["briefings"].keys() == keys for one in kept)
    assert all(one["protocol"].startswith("party-v1-") for one in kept)
    assert all(phase[role]["told"] for one in kept for phase in one["phases"] for role in ("incumbent", "requester"))
