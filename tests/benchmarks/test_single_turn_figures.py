"""Single-turn scores beside their baselines, counted by hand."""

from __future__ import annotations

from collections.abc import Sequence

import gymnasium as gym
import pytest
from tests.benchmarks.building import a_record

from conflictbench.agents import make_agent
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.summary import Rate, SingleTurnFigures
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import VARIANTS, EpisodeRecord, Label, QuestionRecord, Status, Task
from conflictbench.wrappers import EpisodeRecorder

ENV_ID = "ConflictBench/SingleTurn-v0"


def answered(
    seed: int,
    order: Sequence[int],
    place: int | None,
    *,
    longest: int = 3,
    scenario: str = "EP1-001",
    status: Status = Status.COMPLETED,
) -> EpisodeRecord:
    """A question whose options stood in `order`, the file's first one aligned, answered at `place`."""
    question = QuestionRecord(permutation=tuple(order), aligned=list(order).index(0), longest=longest)
    label = None if place is None else Label.HUMAN if order[place] == 0 else Label.AGENT_BY_CHOICE
    outcome = None if place is None else f"choice_{order[place]}"
    record = a_record(scenario, seed=seed, label=label, status=status)
    return record.model_copy(update={"env_id": ENV_ID, "question": question, "outcome": outcome})


def figures(records: list[EpisodeRecord], family: str = "EP1", variant: str = "conflict") -> SingleTurnFigures:
    (found,) = (row for row in summarise(records).single_turns if (row.family, row.variant) == (family, variant))
    return found


def test_single_turn__accuracy_stands_beside_both_baselines() -> None:
    records = [
        answered(0, (0, 1, 2, 3), 0, longest=0),  # aligned at A and the longest: chosen
        answered(1, (1, 0, 2, 3), 0, longest=1),  # aligned at B and the longest: A chosen
        answered(2, (3, 2, 0, 1), 2, longest=0),  # aligned at C: chosen
        answered(3, (0, 3, 2, 1), 3, longest=3),  # aligned at A: D chosen
        answered(4, (1, 2, 3, 0), None, status=Status.REFUSED),  # aligned at D, longest D: no answer
    ]
    row = figures(records)
    assert row.accuracy == Rate.of(2, 5)
    assert row.always_first == Rate.of(2, 5)
    assert row.always_longest == Rate.of(3, 5)
    assert [place.place for place in row.places] == ["A", "B", "C", "D"]
    assert [place.correct for place in row.places] == [Rate.of(1, 2), Rate.of(0, 1), Rate.of(1, 1), Rate.of(0, 1)]
    assert [place.chosen for place in row.places] == [Rate.of(2, 5), Rate.of(0, 5), Rate.of(1, 5), Rate.of(1, 5)]
    assert (row.unanswered, row.n_excluded) == (1, 0)


def test_single_turn__left_out_questions_bound_the_score_and_count_in_no_baseline() -> None:
    records = [
        answered(0, (0, 1, 2, 3), 0),
        answered(1, (0, 1, 2, 3), None, status=Status.PROVIDER_ERROR),
        a_record(seed=2, status=Status.ENV_ERROR).model_copy(update={"env_id": ENV_ID}),  # no question was asked
    ]
    row = figures(records)
    assert (row.accuracy, row.always_first, row.n_excluded) == (Rate.of(1, 1), Rate.of(1, 1), 2)
    assert (row.bounds.worst_k, row.bounds.best_k, row.bounds.n) == (1, 3, 3)


def test_single_turn__families_are_those_of_the_scenarios_and_all() -> None:
    records = [answered(0, (0, 1, 2, 3), 0), answered(0, (0, 1, 2, 3), 1, scenario="EP3-001")]
    assert [row.family for row in summarise(records).single_turns] == ["EP1", "EP3", "all"]
    assert figures(records, "all").accuracy == Rate.of(1, 2)
    assert [row.family for row in summarise(records[:1]).single_turns] == ["EP1"]


def test_single_turn__is_pooled_with_no_episode_of_several_turns() -> None:
    summary = summarise([answered(0, (0, 1, 2, 3), 0), a_record(seed=1, label=Label.BOTH_LOSE)])
    assert [(group.family, group.tsr.k, group.tsr.n) for group in summary.groups] == [
        ("EP1", 0, 1),
        ("SingleTurn", 1, 1),
        ("all", 0, 1),
    ]
    assert summarise([a_record()]).single_turns == ()


def play(agent_name: str, variant: str, seeds: int) -> list[EpisodeRecord]:
    """Every question of the pack, answered by an agent of the table."""
    agent = make_agent(agent_name)
    records = []
    for scenario in scenario_ids():
        env = EpisodeRecorder(gym.make(ENV_ID, scenario=scenario, variant=variant), agent_name)
        for seed in range(seeds):
            observation, info = env.reset(seed=seed)
            agent.reset(Task(env_id=ENV_ID, seed=seed, n_actions=4, scenario=scenario))
            action = agent.act(observation, info).action
            records.append(env.step(action)[4]["episode_record"])
    return records


@pytest.mark.parametrize("variant", VARIANTS)
def test_single_turn__the_baseline_agents_score_what_is_printed_beside_everyone(variant: str) -> None:
    family = "all" if len({name[:3] for name in scenario_ids()}) > 1 else "EP1"
    first = figures(play("first", variant, 8), family, variant)
    longest = figures(play("longest", variant, 8), family, variant)
    assert (first.always_first, first.always_longest) == (longest.always_first, longest.always_longest)
    assert first.accuracy == first.always_first == Rate.of(2 * len(scenario_ids()), 8 * len(scenario_ids()))
    assert longest.accuracy == longest.always_longest
