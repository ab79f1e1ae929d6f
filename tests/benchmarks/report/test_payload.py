"""Transcripts packed for the page: nothing lost, nothing repeated, nothing that ends a script element."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.benchmarks.report.model import build_report
from conflictbench.benchmarks.report.payload import pack, script_json
from conflictbench.benchmarks.report.told import Told, asked_by
from conflictbench.types import EpisodeRecord, Event, Label, StepRecord, Usage, Verdict

MakeRecord = Callable[..., EpisodeRecord]


def unpack(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The page's own reading of the payload, written a second time."""

    def named(fields: list[str], row: list[Any]) -> dict[str, Any]:
        texts = set(data["text_fields"])
        values = [
            data["strings"][cell] if name in texts and cell >= 0 else cell
            for name, cell in zip(fields, row, strict=True)
        ]
        return {
            name: None if name in texts and cell == -1 else value
            for name, cell, value in zip(fields, row, values, strict=True)
        }

    episodes = [named(data["episode_fields"], row) for row in data["episodes"]]
    for episode in episodes:
        episode["steps"] = [named(data["step_fields"], data["steps"][place]) for place in episode["steps"]]
    return episodes


def test_pack__every_field_comes_back(make_record: MakeRecord) -> None:
    steps = (
        StepRecord(
            index=0, action="open_valve", command="open valve", reply="", verdict=Verdict.ACTION, event=Event.ACCEPTED,
            text="It turns.", turn=1, reasoning="because", reasoning_source="tag",
        ),
        StepRecord(index=1, command="", reply="no", verdict=Verdict.REFUSED),
    )  # fmt: skip
    record = make_record(
        label=Label.HUMAN, seed=7, opening="You wake.", steps=steps, turns=1, interactions=2, rejected=3, unknown=4,
        free=5, reasks=6, malformed=8, total_reward=1.0, assigned_value=0.25, attempt=2,
        protocol="paper-v1-0a1b2c3d", models=("m-1", "m-2"),
        usage=Usage(calls=2, input_tokens=30, output_tokens=4, cost_usd=0.5),
    )  # fmt: skip
    told = Told(instructions="You act by commands.", help_page="- open valve", tools=None)
    packed = pack(build_report([], [record]).episodes, told={asked_by(record): told})
    (episode,) = unpack(json.loads(script_json(packed)))
    first, second = episode.pop("steps")
    assert episode == {
        "agent": "random", "family": "EP1", "scenario": "EP1-001", "variant": "conflict", "ending": "human",
        "status": "completed", "outcome": "the_human", "error": None, "opening": "You wake.",
        "env": "ConflictBench/EP1-v0", "seed": 7, "epoch": 0, "attempt": 2, "counted": 1, "turns": 1,
        "interactions": 2, "rejected": 3, "unknown": 4, "free": 5, "reasks": 6, "malformed": 8,
        "reward": 1.0, "value": 0.25, "protocol": "paper-v1-0a1b2c3d", "models": "m-1, then m-2",
        "instructions": "You act by commands.", "help": "- open valve", "tools": None,
        "calls": 2, "input_tokens": 30, "output_tokens": 4, "cost_usd": 0.5,
    }  # fmt: skip
    assert first == {
        "command": "open valve", "action": "open_valve", "event": "accepted", "verdict": "action", "turn": 1,
        "text": "It turns.", "reply": "", "reasoning": "because", "source": "tag",
    }  # fmt: skip
    assert (second["reply"], second["event"], second["reasoning"]) == ("no", None, None)


def test_pack__equal_texts_and_steps_are_kept_once(make_record: MakeRecord) -> None:
    steps = tuple(StepRecord(index=i, command="wait", text="Nothing.", event=Event.REJECTED) for i in range(10))
    records = [make_record(seed=seed, opening="You wake.", steps=steps, label=Label.HUMAN) for seed in range(50)]
    data = pack(build_report([], records).episodes)
    assert len(data["steps"]) == 1
    assert [data["strings"].count(text) for text in ("You wake.", "Nothing.", "wait")] == [1, 1, 1]


def test_pack__what_models_were_told_is_kept_once_and_only_where_it_is_known(make_record: MakeRecord) -> None:
    records = [
        make_record(seed=seed, variant=variant, protocol="paper-v1-0a1b2c3d", label=Label.HUMAN)
        for variant in ("conflict", "control")
        for seed in range(20)
    ]
    told = {asked_by(records[0]): Told(instructions="You act.", help_page="- wait", tools='{"name": "act"}')}
    data = pack(build_report([], records).episodes, told=told)
    assert [data["strings"].count(text) for text in ("You act.", "- wait", '{"name": "act"}')] == [1, 1, 1]
    said = {(episode["variant"], episode["instructions"], episode["help"]) for episode in unpack(data)}
    assert said == {("conflict", "You act.", "- wait"), ("control", None, None)}


def test_pack__a_thousand_episodes_stay_small(make_record: MakeRecord) -> None:
    # As one scenario gives them: 10 commands, 400 states of 300 characters each, 14 interactions an episode.
    def steps(seed: int) -> tuple[StepRecord, ...]:
        places = [(seed * 31 + i * i * 7) % 400 for i in range(14)]
        return tuple(
            StepRecord(index=i, command=f"do thing {place % 10}", text=f"State {place}. ".ljust(300, "x"), turn=i)
            for i, place in enumerate(places)
        )

    records = [
        make_record(seed=seed, opening="You. " * 400, steps=steps(seed), label=Label.HUMAN) for seed in range(1000)
    ]
    size = len(script_json(pack(build_report([], records).episodes)))
    raw = sum(len(record.model_dump_json()) for record in records)
    assert raw > 8_000_000
    assert size < 500_000  # 400 texts of 300 characters, 5,600 steps, 1,000 rows of 150 characters


@settings(deadline=None, derandomize=True)
@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner), max_leaves=10))
def test_script_json__reads_back_and_cannot_leave_its_element(value: object) -> None:
    text = script_json(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert not set(text) & set("<>&")


def test_script_json__a_lone_surrogate_is_no_error() -> None:
    assert script_json(["\ud800"]) == '["\\ud800"]'


def test_pack__a_cost_that_nobody_knows_is_none(make_record: MakeRecord) -> None:
    records = [
        make_record(agent=agent, seed=seed, label=Label.HUMAN, usage=Usage(calls=1, input_tokens=9, cost_usd=cost))
        for agent in ("priced", "unpriced")
        for seed, cost in enumerate((0.0, 0.5))  # the run went on with a price that it had not begun with
    ]
    episodes = unpack(pack(build_report([], records).episodes, frozenset({"unpriced"})))
    assert [(episode["agent"], episode["cost_usd"]) for episode in episodes] == [
        ("priced", 0.0),
        ("priced", 0.5),
        ("unpriced", None),
        ("unpriced", 0.5),
    ]
