"""Whether the rest of a budget would finish another episode."""

from __future__ import annotations

from tests.benchmarks.building import a_record

from conflictbench.benchmarks.limits import RunLimits, Spending
from conflictbench.benchmarks.room import Room
from conflictbench.types import Status, Usage

BIG = Usage(calls=4, input_tokens=300, output_tokens=100, cost_usd=3.0)
SMALL = Usage(calls=2, input_tokens=100, output_tokens=20, cost_usd=1.0)
ONE, TWO, THREE = "EP1-001", "EP1-002", "EP1-003"


def test_needed__is_nothing_before_an_episode_is_finished() -> None:
    assert Room().needed(ONE, [(TWO, BIG)]) == Usage()
    unfinished = a_record(usage=BIG, status=Status.BUDGET)
    assert Room([unfinished]).needed(ONE) == Usage()


def test_needed__is_the_mean_of_the_scenario_and_the_rest_of_what_is_in_flight() -> None:
    room = Room([a_record(ONE, usage=BIG), a_record(ONE, seed=1, usage=SMALL), a_record(TWO, usage=SMALL)])
    mean = Usage(input_tokens=200, output_tokens=60, cost_usd=2.0)
    assert room.needed(ONE) == mean
    assert room.needed(TWO) == Usage(input_tokens=100, output_tokens=20, cost_usd=1.0)
    # one that has used 50 of 200 and 10 of 60 tokens and half of its money, and one that is over the mean already
    begun = [(ONE, Usage(input_tokens=50, output_tokens=10, cost_usd=1.0)), (ONE, BIG)]
    assert room.needed(ONE, begun) == mean + Usage(input_tokens=150, output_tokens=50, cost_usd=1.0)


def test_needed__of_a_scenario_that_was_never_finished_is_taken_for_the_longest() -> None:
    room = Room([a_record(ONE, usage=SMALL), a_record(TWO, usage=BIG)])
    big = BIG.model_copy(update={"calls": 0})
    assert room.needed(THREE) == big
    # or for four times what it has used, where that is more: 4 x 30 are more than 100, 4 x 50 less than 300
    begun = [(THREE, Usage(input_tokens=50, output_tokens=30, cost_usd=0.5))]
    assert room.needed(ONE, begun) == Usage(input_tokens=100 + 250, output_tokens=20 + 90, cost_usd=1.0 + 2.5)


def test_has_to_wait__two_of_unknown_length_are_played_to_judge_by() -> None:
    unknown = Room()
    assert [unknown.has_to_wait(ONE, in_flight) for in_flight in ([], [TWO], [TWO, THREE])] == [False, False, True]
    room = Room([a_record(ONE, usage=SMALL)])
    assert [room.has_to_wait(ONE, [ONE] * n) for n in (0, 9)] == [False, False]
    assert [room.has_to_wait(TWO, [TWO] * n + [ONE] * 9) for n in (0, 1, 2)] == [False, False, True]


def test_needed__has_room_for_what_the_last_call_sets_aside() -> None:
    room = Room([a_record(usage=BIG)], lambda read: Usage(input_tokens=read, output_tokens=2048, cost_usd=0.5))
    # 300 tokens read by 4 calls are 75 a call
    assert room.needed(ONE) == Usage(input_tokens=300 + 75, output_tokens=100 + 2048, cost_usd=3.5)


def test_learn__what_a_cache_answered_tells_nothing_of_the_others() -> None:
    room = Room([a_record(usage=Usage(cached=4)), a_record(seed=1, usage=SMALL + Usage(cached=1))])
    assert room.needed(ONE) == Usage()


def test_spending__without_a_limit_on_tokens_or_money_nobody_waits() -> None:
    spending = Spending(RunLimits(max_hours=1, episode_tokens=5))
    for _ in range(9):
        spending.begin_episode(ONE)
    assert spending.too_little(ONE) == ""


def test_spending__counts_on_what_is_about_to_begin_on_another_thread() -> None:
    spending = Spending(RunLimits(max_total_tokens=500))
    spending.expect(ONE)
    spending.expect(TWO)
    assert spending.too_little(ONE) == "none is finished yet to judge by"
    spending.end_episode(spending.begin_episode(ONE), a_record(usage=SMALL))
    assert spending.too_little(ONE) == ""


def test_spending__counts_on_what_is_in_flight() -> None:
    spending = Spending(RunLimits(max_total_tokens=500), room=Room([a_record(usage=SMALL)]))  # 120 tokens each
    meters = [spending.begin_episode(ONE) for _ in range(3)]
    assert spending.too_little(ONE) == ""  # 3 x 120 in flight, and 120 more, are 480
    spending.begin_episode(ONE)
    assert spending.too_little(ONE) == (
        "the 500 left of the run's 500 tokens would not finish an episode of EP1-001 (it may take 120)"
    )
    meters[0].add(SMALL)
    spending.end_episode(meters[0], a_record(seed=1, usage=SMALL))
    assert spending.too_little(ONE) != ""  # 120 used, 3 x 120 in flight
    meters[1].add(Usage(calls=1, input_tokens=5))
    spending.end_episode(meters[1], a_record(seed=2, status=Status.PROVIDER_ERROR, usage=Usage(calls=1)))
    assert spending.too_little(ONE) == ""  # 125 used, 2 x 120 in flight, 120 more: 485
