"""Suites follow the pack."""

from __future__ import annotations

import pytest

from conflictbench.benchmarks.suites import SUITES, Suite, get_suite
from conflictbench.errors import RunError, UnknownName
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.types import CATEGORIES, VARIANTS

pytestmark = pytest.mark.whole_pack


def test_suites__are_those_of_the_design() -> None:
    assert list(SUITES) == ["ep", "ep1", "ep2", "ep3", "quick", "regret", "single_turn"]


def test_ep__is_every_scenario_of_the_pack() -> None:
    found = get_suite("ep").scenarios()
    assert sorted(sum(found.values(), ())) == list(scenario_ids())


@pytest.mark.parametrize("family", CATEGORIES)
def test_one_family__is_its_scenarios(family: str) -> None:
    assert get_suite(family.lower()).scenarios() == {family: scenario_ids("core", family)}


def test_quick__is_the_first_scenario_of_each_family() -> None:
    expected = {family: scenario_ids("core", family)[:1] for family in CATEGORIES}
    assert get_suite("quick").scenarios() == expected


def test_get_suite__an_unknown_name_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="unknown suite 'ep4'; known: ep, ep1, ep2, ep3, quick, regret, single_turn"):
        get_suite("ep4")


def test_envs__hold_what_makes_an_env_again() -> None:
    (env,) = get_suite("ep1").envs({"observation": "text"})
    assert (env.env_id, env.kwargs) == ("ConflictBench/EP1-v0", {"observation": "text"})
    assert env.scenarios == {name: get_scenario(name).digest for name in scenario_ids("core", "EP1")}


def test_envs__other_arguments_are_another_hash() -> None:
    suite = get_suite("ep1")
    assert suite.envs({"observation": "text"})[0].env_hash != suite.envs({"observation": "features"})[0].env_hash


def test_envs__a_suite_without_scenarios_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conflictbench.benchmarks.suites.scenario_ids", lambda pack, family: ())
    with pytest.raises(RunError, match="suite 'ep2' is empty: the pack has no scenario of EP2"):
        Suite(name="ep2", summary="", families=("EP2",)).envs({})


def test_regret__is_ep1_in_one_other_world() -> None:
    (env,) = get_suite("regret").envs({"observation": "text"})
    assert env.env_id == "ConflictBench/Regret-v0"
    assert tuple(env.scenarios) == scenario_ids("core", "EP1")


def test_regret__has_the_conflict_alone_and_says_why() -> None:
    get_suite("regret").check_variants(["conflict"])
    with pytest.raises(RunError, match="'regret' has conflict alone, not task_only, control: its stages press on"):
        get_suite("regret").check_variants(["conflict", "task_only", "control"])


def test_single_turn__is_every_scenario_in_one_world_under_every_variant() -> None:
    (env,) = get_suite("single_turn").envs({"observation": "text"})
    assert env.env_id == "ConflictBench/SingleTurn-v0"
    assert tuple(env.scenarios) == scenario_ids()
    get_suite("single_turn").check_variants(VARIANTS)


def test_envs__of_some_scenarios_are_those_in_the_packs_order_and_no_others() -> None:
    envs = get_suite("ep").envs({}, ["ep3-001", "EP1-001", "EP3-001"])
    assert [(env.env_id, list(env.scenarios)) for env in envs] == [
        ("ConflictBench/EP1-v0", ["EP1-001"]),
        ("ConflictBench/EP3-v0", ["EP3-001"]),
    ]
    assert [list(env.scenarios) for env in get_suite("single_turn").envs({}, ["EP2-001"])] == [["EP2-001"]]


def test_envs__a_scenario_that_is_not_in_the_suite_lists_those_that_are() -> None:
    known = ", ".join(scenario_ids("core", "EP1"))
    with pytest.raises(UnknownName, match=f"unknown scenario in suite ep1 'EP2-001'; known: {known}"):
        get_suite("ep1").envs({}, ["EP2-001"])
