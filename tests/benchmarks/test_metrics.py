"""The summary of records whose figures can be counted by hand."""

from __future__ import annotations

import random

from tests.benchmarks.building import a_record

from conflictbench.benchmarks.metrics import family_of, final_attempts, summarise
from conflictbench.benchmarks.summary import Group
from conflictbench.types import EpisodeRecord, Label, Status, Usage


def group_of(records: list[EpisodeRecord], family: str = "EP1", variant: str = "conflict") -> Group:
    group = summarise(records).group("random", family, variant)
    assert group is not None
    return group


def test_family_of__reads_the_env_id() -> None:
    assert family_of("ConflictBench/EP2-v0") == "EP2"
    assert family_of("ConflictBench/SingleTurn-v1") == "SingleTurn"


def test_summarise__counts_every_counted_status_in_n() -> None:
    counted = [status for status in Status if status.counts]
    records = [a_record(seed=seed, status=status) for seed, status in enumerate(counted)]

    group = group_of(records)

    assert group.n == 6
    assert (group.tsr.k, group.tsr.n) == (1, 6)  # the completed one
    assert group.statuses == dict.fromkeys(counted, 1)
    assert group.excluded == {}
    assert (group.truncated.k, group.truncated.n) == (1, 6)


def test_summarise__left_out_episodes_are_shown_by_reason_and_bound_the_rate() -> None:
    records = [
        a_record(seed=0),
        a_record(seed=1, label=Label.AGENT_BY_DEFAULT),
        a_record(seed=2, status=Status.ENV_ERROR, error="KeyError: 'x'"),
        a_record(seed=3, status=Status.ENV_ERROR, error="KeyError: 'x'"),
        a_record(seed=4, status=Status.BUDGET),
    ]

    group = group_of(records)

    assert (group.tsr.k, group.tsr.n, group.tsr.value) == (1, 2, 0.5)
    assert group.excluded == {Status.BUDGET: 1, Status.ENV_ERROR: 2}
    assert group.reasons == {"budget: no reason given": 1, "env_error: KeyError: 'x'": 2}
    assert group.n_excluded == 3
    # worst: the three failed, 1 of 5; best: the three succeeded, 4 of 5
    assert (group.bounds.worst_k, group.bounds.best_k, group.bounds.n) == (1, 4, 5)
    assert (group.bounds.worst, group.bounds.best) == (0.2, 0.8)


def test_summarise__outcome_shares_are_of_n() -> None:
    labels = [Label.HUMAN, Label.AGENT_BY_CHOICE, Label.AGENT_BY_CHOICE]
    records = [a_record(seed=seed, label=label) for seed, label in enumerate(labels)]
    records.append(a_record(seed=9, status=Status.TRUNCATED))

    outcomes = group_of(records).outcomes

    assert {label: (rate.k, rate.n) for label, rate in outcomes.items()} == {
        Label.HUMAN: (1, 4),
        Label.AGENT_BY_CHOICE: (2, 4),
        Label.AGENT_BY_DEFAULT: (0, 4),
        Label.BOTH_LOSE: (0, 4),
    }


def test_summarise__means_are_over_the_episodes_they_speak_of() -> None:
    records = [
        a_record(seed=0, turns=3, interactions=3, rejected=0, unknown=1),
        a_record(seed=1, label=Label.AGENT_BY_CHOICE, turns=4, interactions=6, rejected=2, unknown=0),
        a_record(
            seed=2, status=Status.TRUNCATED, turns=5, interactions=14, rejected=7, unknown=2, reasks=1, malformed=6
        ),
        a_record(seed=3, status=Status.ENV_ERROR, turns=1, interactions=1, rejected=9, error="left out"),
    ]

    group = group_of(records)

    assert (group.failed_turns.n, group.failed_turns.value) == (2, 4.5)  # (4 + 5) / 2
    assert (group.failed_interactions.n, group.failed_interactions.value) == (2, 10.0)  # (6 + 14) / 2
    assert (group.rejected.n, group.rejected.value) == (3, 3.0)  # (0 + 2 + 7) / 3
    assert (group.unknown.n, group.unknown.value) == (3, 1.0)  # (1 + 0 + 2) / 3
    assert group.reasks.total == 1
    assert (group.malformed.n, group.malformed.value) == (3, 2.0)  # (0 + 0 + 6) / 3


def test_summarise__nothing_over_nothing_is_n_0_and_no_value() -> None:
    group = group_of([a_record(status=Status.PROVIDER_ERROR, error="503")])

    assert group.n == 0
    assert (group.tsr.k, group.tsr.n) == (0, 0)
    assert group.tsr.value is group.tsr.low is group.tsr.high is None
    assert group.failed_turns.value is None
    assert group.outcomes[Label.HUMAN].value is None
    assert (group.bounds.worst, group.bounds.best) == (0.0, 1.0)  # the one episode could have gone either way


def test_summarise__without_a_failure_the_length_of_failures_has_no_value() -> None:
    assert group_of([a_record(turns=3)]).failed_turns.value is None


def test_summarise__no_records_is_an_empty_summary() -> None:
    summary = summarise([])
    assert (summary.groups, summary.scenarios, summary.effects) == ((), (), ())
    assert (summary.attempts, summary.episodes) == (0, 0)


def test_final_attempts__the_last_attempt_counts_whatever_the_order() -> None:
    first = a_record(status=Status.ENV_ERROR, error="once")
    second = a_record(attempt=2, label=Label.AGENT_BY_CHOICE)
    assert final_attempts([second, first]) == final_attempts([first, second]) == [second]


def test_summarise__earlier_attempts_are_counted_but_not_scored() -> None:
    summary = summarise([a_record(status=Status.ENV_ERROR, error="once"), a_record(attempt=2)])
    group = summary.group("random", "EP1", "conflict")
    assert group is not None
    assert (group.n, group.excluded) == (1, {})
    assert (summary.attempts, summary.episodes) == (2, 1)


def test_summarise__groups_run_over_families_scenarios_and_all() -> None:
    records = [
        a_record("EP1-001"),
        a_record("EP1-002", label=Label.AGENT_BY_CHOICE),
        a_record("EP3-001"),
        a_record("EP3-001", agent="aligned"),
    ]

    summary = summarise(records)

    assert [(group.agent, group.family, group.n) for group in summary.groups] == [
        ("aligned", "EP3", 1),
        ("aligned", "all", 1),
        ("random", "EP1", 2),
        ("random", "EP3", 1),
        ("random", "all", 3),
    ]
    one = summary.group("random", "EP1", "conflict", "EP1-002")
    assert one is not None
    assert (one.tsr.k, one.tsr.n) == (0, 1)
    assert summary.group("random", "EP2", "conflict") is None


def test_summarise__variants_stand_in_their_own_order() -> None:
    records = [
        a_record(variant=variant) for variant in ("control", "odd", "conflict", "task_only", "stake_only", "even")
    ]
    variants = [group.variant for group in summarise(records).groups if group.family == "EP1"]
    assert variants == ["conflict", "stake_only", "task_only", "control", "even", "odd"]


def test_summarise__same_bytes_for_any_order_of_records() -> None:
    records = [
        a_record(f"EP{family}-00{number}", variant, seed, label=label, usage=Usage(cost_usd=0.1 * number))
        for family in (1, 2)
        for number in (1, 2, 3)
        for variant in ("conflict", "control")
        for seed, label in enumerate((Label.HUMAN, Label.AGENT_BY_CHOICE, Label.AGENT_BY_DEFAULT))
    ]
    expected = summarise(records).model_dump_json()
    for seed in range(5):
        random.Random(seed).shuffle(records)
        assert summarise(records).model_dump_json() == expected


def test_summarise__costs_add_up_over_final_attempts() -> None:
    usage = Usage(calls=1, input_tokens=100, output_tokens=7, cost_usd=0.25)
    group = group_of([a_record(usage=usage), a_record(seed=1, usage=usage, status=Status.BUDGET)])
    assert (group.tokens, group.cost_usd) == (214, 0.5)
