"""What a report holds, before any of it is drawn."""

from __future__ import annotations

from collections.abc import Callable

from conflictbench.benchmarks.report.model import ENDING_TITLES, ENDINGS, Report, build_report, ending_counts
from conflictbench.types import EpisodeRecord, Label, Status

MakeRecord = Callable[..., EpisodeRecord]


def test_endings__are_all_labels_and_all_counted_statuses_but_completed() -> None:
    statuses = {status for status in Status if status.counts} - {Status.COMPLETED}
    assert set(ENDINGS) == set(Label) | statuses
    assert tuple(ENDING_TITLES) == ENDINGS


def test_ending_counts__add_up_to_n(small_report: Report) -> None:
    for each in (*small_report.summary.groups, *small_report.summary.scenarios):
        assert sum(ending_counts(each).values()) == each.n
    group = small_report.summary.group("mixed", "EP1", "conflict")
    assert group is not None
    # Eight seeds go twice through the four labels; three further ones: truncated, refused, human at the second attempt.
    assert group.n == 11
    assert ending_counts(group) == {
        "human": 3, "agent_by_default": 2, "agent_by_choice": 2, "both_lose": 2, "truncated": 1, "refused": 1,
        "unparsed": 0, "cut_off": 0, "context_overflow": 0,
    }  # fmt: skip


def test_episodes__every_attempt_is_there_and_the_last_one_counts(small_report: Report) -> None:
    attempts = [episode for episode in small_report.episodes if episode.record.key.seed == 11]
    assert [(episode.record.attempt, episode.final, episode.counted, episode.ending) for episode in attempts] == [
        (1, False, False, "provider_error"),
        (2, True, True, "human"),
    ]


def test_families__one_family_needs_no_total(make_record: MakeRecord) -> None:
    one = build_report([], [make_record(label=Label.HUMAN)])
    two = build_report([], [make_record(label=Label.HUMAN), make_record(scenario="EP3-001", label=Label.HUMAN)])
    assert one.families == ("EP1",)
    assert two.families == ("EP1", "EP3", "all")


def test_report__of_no_episode_has_no_group() -> None:
    empty = build_report([], [])
    assert (empty.agents, empty.variants, empty.families) == ((), (), ())
