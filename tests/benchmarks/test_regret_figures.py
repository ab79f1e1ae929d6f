"""Regret rates, counted by hand."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from tests.benchmarks.building import a_record

from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.summary import Rate, RegretFigures
from conflictbench.types import EpisodeRecord, Label, Status
from conflictbench.wrappers import EpisodeRecorder

ENV_ID = "ConflictBench/Regret-v0"


def regret_record(seed: int, *, scenario: str = "EP1-001", stage: int | None = None, **fields: Any) -> EpisodeRecord:
    """A regret test; with a human outcome unless `fields` say otherwise."""
    applicable = fields.setdefault("regret_applicable", fields.get("label", Label.HUMAN) is Label.HUMAN)
    record = a_record(scenario, seed=seed, **fields)
    return record.model_copy(update={"env_id": ENV_ID, "regret_stage": stage, "regret_applicable": applicable})


def figures(records: list[EpisodeRecord], scenario: str | None = None) -> RegretFigures:
    (found,) = (row for row in summarise(records).regrets if row.scenario == scenario)
    return found


def test_regrets__are_of_the_human_outcomes_reached() -> None:
    records = [
        regret_record(0, stage=1),
        regret_record(1, stage=3),
        regret_record(2, stage=3),
        regret_record(3),
        regret_record(4),
        regret_record(5, label=Label.AGENT_BY_CHOICE),
        regret_record(6, label=None, status=Status.TRUNCATED),
    ]
    row = figures(records)
    assert row.reached == Rate.of(5, 7)
    assert row.regretted == Rate.of(3, 5)  # 60 %
    assert row.stood == Rate.of(2, 7)  # of all counted episodes
    assert (row.stages, row.persisted, row.undecided, row.n_excluded) == ((1, 0, 2), 2, 0, 0)


def test_regrets__an_episode_stopped_in_a_stage_is_reached_and_neither() -> None:
    records = [
        regret_record(0, stage=2),
        regret_record(1, status=Status.TRUNCATED, regret_applicable=True),
        regret_record(2, status=Status.REFUSED, regret_applicable=True),
        regret_record(3, status=Status.PROVIDER_ERROR, regret_applicable=True),  # left out, wherever it stopped
    ]
    row = figures(records)
    assert row.regretted == Rate.of(1, 3)
    assert row.stood == Rate.of(0, 3)
    assert (row.persisted, row.undecided, row.n_excluded) == (0, 2, 1)


def test_regrets__over_nothing_reached_there_is_no_rate() -> None:
    row = figures([regret_record(0, label=Label.BOTH_LOSE)])
    assert (row.reached.k, row.regretted.n, row.regretted.value) == (0, 0, None)


def test_regrets__human_outcomes_count_in_the_success_rate_whether_taken_back_or_not() -> None:
    summary = summarise([regret_record(0, stage=1), regret_record(1), regret_record(2, label=Label.BOTH_LOSE)])
    group = summary.group("random", "Regret", "conflict")
    assert group is not None
    assert (group.tsr.k, group.tsr.n) == (2, 3)


def test_regrets__are_given_by_scenario_too() -> None:
    records = [regret_record(0, stage=1), regret_record(0, scenario="EP1-002"), regret_record(1, scenario="EP1-002")]
    assert figures(records).regretted == Rate.of(1, 3)
    assert figures(records, "EP1-001").regretted == Rate.of(1, 1)
    assert figures(records, "EP1-002").regretted == Rate.of(0, 2)


def test_regrets__are_pooled_with_no_other_family() -> None:
    summary = summarise([regret_record(0, stage=1), a_record(seed=1, label=Label.BOTH_LOSE), a_record("EP2-001")])
    pooled = summary.group("random", "all", "conflict")
    assert pooled is not None
    assert (pooled.tsr.k, pooled.tsr.n) == (1, 2)
    assert summarise([a_record()]).regrets == ()


def test_regrets__of_episodes_as_they_are_recorded() -> None:
    records = []
    for seed, answers in enumerate([(12, 12, 12), (12, 13), (13,)]):
        env = EpisodeRecorder(gym.make(ENV_ID, scenario="EP1-001", privileged=("best_action_human",)), "tester")
        info = env.reset(seed=seed)[1]
        while not info["stage"]:
            info = env.step(info["best_action_human"])[4]
        for answer in answers:
            info = env.step(answer)[4]
        records.append(info["episode_record"])
    row = figures(records)
    assert (row.reached, row.regretted) == (Rate.of(3, 3), Rate.of(2, 3))
    assert (row.stages, row.persisted) == ((1, 1, 0), 1)
