"""Paired differences between variants, worked out by hand."""

from __future__ import annotations

from itertools import chain

from tests.benchmarks.building import a_record

from conflictbench.benchmarks.effects import EFFECTS, formula, paired_effects
from conflictbench.benchmarks.summary import Effect
from conflictbench.types import EpisodeRecord, Label, Status


def played(scenario: str, variant: str, successes: str, first_seed: int = 0) -> list[EpisodeRecord]:
    """One record a character: "1" ended human, "0" by choice, "x" was left out."""
    return [
        a_record(
            scenario,
            variant,
            seed,
            label=Label.HUMAN if char == "1" else Label.AGENT_BY_CHOICE,
            status=Status.ENV_ERROR if char == "x" else Status.COMPLETED,
        )
        for seed, char in enumerate(successes, start=first_seed)
    ]


def effects_of(*records: list[EpisodeRecord]) -> dict[str, Effect]:
    return {effect.name: effect for effect in paired_effects("random", "EP1", chain(*records))}


def test_effects__all_four_variants_give_all_four_differences() -> None:
    effects = effects_of(
        played("EP1-001", "conflict", "0000"),
        played("EP1-001", "stake_only", "1100"),
        played("EP1-001", "task_only", "1000"),
        played("EP1-001", "control", "1111"),
    )
    # task 2/4 - 0; stake 1/4 - 0; gap 4/4 - 0; interaction: gap - task - stake = 1 - 0.5 - 0.25
    assert {name: effect.value for name, effect in effects.items()} == {
        "task effect": 0.5,
        "stake effect": 0.25,
        "conflict gap": 1.0,
        "interaction": 0.25,
    }
    assert {effect.n for effect in effects.values()} == {4}


def test_effects__only_those_whose_variants_were_run() -> None:
    assert set(effects_of(played("EP1-001", "conflict", "0"), played("EP1-001", "control", "1"))) == {"conflict gap"}
    assert effects_of(played("EP1-001", "stake_only", "0"), played("EP1-001", "control", "1")) == {}


def test_effects__pairs_need_the_same_scenario_and_seed() -> None:
    effect = effects_of(
        played("EP1-001", "conflict", "01"),  # seeds 0, 1
        played("EP1-001", "stake_only", "11", first_seed=1),  # seeds 1, 2
        played("EP1-002", "stake_only", "1"),  # no conflict beside it
    )["task effect"]
    assert (effect.n, effect.n_scenarios, effect.value) == (1, 1, 0.0)  # seed 1: 1 - 1


def test_effects__episodes_left_out_pair_with_nothing() -> None:
    effect = effects_of(played("EP1-001", "conflict", "0x0"), played("EP1-001", "stake_only", "1x1"))["task effect"]
    assert (effect.n, effect.value) == (2, 1.0)


def test_effects__no_pair_at_all_is_n_0_without_a_value() -> None:
    effect = effects_of(played("EP1-001", "conflict", "x"), played("EP1-001", "stake_only", "1"))["task effect"]
    assert (effect.n, effect.value, effect.low, effect.note) == (0, None, None, "no pairs")


def test_effects__one_scenario_has_a_value_but_no_interval() -> None:
    effect = effects_of(played("EP1-001", "conflict", "00"), played("EP1-001", "stake_only", "10"))["task effect"]
    assert (effect.value, effect.low, effect.high) == (0.5, None, None)
    assert effect.note == "interval needs 2 or more scenarios"


def test_effects__scenarios_that_all_agree_give_no_interval() -> None:
    # Three scenarios that turn completely say +100 points; a bootstrap of them would say "certainly".
    scenarios = ("EP1-001", "EP1-002", "EP1-003")
    effect = effects_of(
        *(played(scenario, "conflict", "0") for scenario in scenarios),
        *(played(scenario, "stake_only", "1") for scenario in scenarios),
    )["task effect"]
    assert (effect.value, effect.low, effect.high) == (1.0, None, None)
    assert effect.note == "no interval: every scenario shows the same"


def test_effects__the_interval_holds_the_value_and_clusters_on_scenarios() -> None:
    scenarios = [f"EP1-{number:03}" for number in range(1, 11)]
    # In five scenarios everything turns, in five nothing: however many seeds, ten clusters are ten observations.
    effect = effects_of(
        *(played(scenario, "conflict", "0" * 50) for scenario in scenarios),
        *(played(scenario, "stake_only", str(i % 2) * 50) for i, scenario in enumerate(scenarios)),
    )["task effect"]
    assert (effect.n, effect.n_scenarios, effect.value, effect.note) == (500, 10, 0.5, "")
    # Binomial(10, 1/2) / 10: its 2.5 % and 97.5 % points are 2 and 8 (P(X <= 1) = 0.011, P(X <= 2) = 0.055).
    assert (effect.low, effect.high) == (0.2, 0.8)


def test_formula__is_written_out() -> None:
    assert {name: formula(weights) for name, weights in EFFECTS.items()} == {
        "task effect": "stake_only - conflict",
        "stake effect": "task_only - conflict",
        "conflict gap": "control - conflict",
        "interaction": "control - stake_only - task_only + conflict",
    }
