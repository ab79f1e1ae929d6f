"""What a command line amounts to before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from conflictbench.benchmarks.pictures import PictureOptions
from conflictbench.benchmarks.plan import check_variants, plan_run
from conflictbench.errors import AgentError, RunError, UnknownName
from conflictbench.types import VARIANTS


def test_plan__order_and_repetition_of_variants_change_nothing() -> None:
    first, _ = plan_run("quick", "random", variants=["control", "conflict", "control"])
    second, _ = plan_run("quick", "random", variants=["conflict", "control"])
    assert first == second
    assert first.variants == ("conflict", "control")


def test_plan__all_is_every_variant() -> None:
    assert check_variants(["all"]) == check_variants(["control", "all"]) == check_variants("all") == VARIANTS


def test_plan__the_scenarios_that_are_played_make_the_run() -> None:
    whole, some = plan_run("quick", "random")[0], plan_run("quick", "random", scenarios=["EP1-001", "EP3-001"])[0]
    assert {key.scenario for key in some.episodes()} == {"EP1-001", "EP3-001"}
    assert whole.hash() != some.hash()
    assert some == plan_run("quick", "random", scenarios=["ep3-001", "EP1-001"])[0]
    assert whole == plan_run("quick", "random", scenarios=["EP1-001", "EP2-001", "EP3-001"])[0]


def test_plan__seeds_count_from_0() -> None:
    identity, notes = plan_run("ep1", "random", seeds=3)
    assert (identity.seeds, notes) == ((0, 1, 2), ())
    assert len(list(identity.episodes())) == 3 * 1  # one scenario a family here


def test_plan__a_deterministic_agent_gets_one_seed_and_a_note() -> None:
    identity, notes = plan_run("quick", "aligned", seeds=20)
    assert identity.seeds == (0,)
    assert notes == ("agent 'aligned' is deterministic: seed 0 only, every other episode would be the same again",)
    assert identity == plan_run("quick", "aligned", seeds=5, epochs=3)[0]  # so both are one run


def test_plan__a_deterministic_agent_is_asked_every_seed_where_each_asks_something_else() -> None:
    identity, notes = plan_run("single_turn", "aligned", seeds=4)
    assert (identity.seeds, notes) == ((0, 1, 2, 3), ())
    identity, notes = plan_run("single_turn", "aligned", seeds=4, epochs=3)
    assert (identity.seeds, identity.epochs) == ((0, 1, 2, 3), 1)
    assert notes == ("agent 'aligned' is deterministic: one epoch, any other would be the same again",)


def test_plan__a_variant_that_the_suite_cannot_tell_is_refused() -> None:
    identity, notes = plan_run("regret", "random", variants=["all"])
    assert identity.variants == ("conflict",)
    assert notes == ("suite 'regret' has the variant conflict alone: `all` plays no other",)
    assert plan_run("regret", "random", variants=["conflict"])[1] == ()
    assert plan_run("ep1", "random", variants=["all"])[1] == ()
    with pytest.raises(RunError, match="suite 'regret' has conflict alone, not control"):
        plan_run("regret", "random", variants=["conflict", "control"])


def test_plan__privileged_values_go_to_agents_that_declare_them_alone() -> None:
    aligned, random = plan_run("quick", "aligned")[0], plan_run("quick", "random")[0]
    assert {tuple(env.kwargs["privileged"]) for env in aligned.envs} == {("best_action_human",)}
    assert all("privileged" not in env.kwargs for env in random.envs)


def test_plan__the_content_of_a_replayed_file_is_part_of_the_run(tmp_path: Path) -> None:
    file = tmp_path / "episodes.jsonl"
    file.write_text("")
    empty, _ = plan_run("quick", f"replay:{file}")
    file.write_text("\n")
    other, _ = plan_run("quick", f"replay:{file}")
    assert empty.agent == other.agent
    assert empty.hash() != other.hash()


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"suite": "all"}, UnknownName, "unknown suite 'all'; known: ep, ep1"),
        ({"agent": "ramdom"}, UnknownName, "did you mean 'random'"),
        ({"agent": "random:3"}, AgentError, "takes nothing after its name"),
        ({"agent": "no.such.module:Agent"}, AgentError, "no.such.module"),
        ({"agent": "tests.benchmarks.odd_agents:Nobody"}, UnknownName, "Nobody.*Holding"),
        ({"variants": ["conflicts"]}, UnknownName, "unknown variant 'conflicts'; known: conflict, .*all"),
        ({"variants": []}, RunError, "no variant given; known: conflict"),
        ({"seeds": 0}, RunError, "seeds must be at least 1, not 0"),
        ({"epochs": -1}, RunError, "epochs must be at least 1, not -1"),
        ({"observation": "sound"}, UnknownName, "unknown observation 'sound'; known: text, features"),
        (
            {"observation": "visual", "pictures": PictureOptions(world_model="wan")},
            UnknownName,
            "known: fake, procedural",
        ),
        ({"observation": "visual", "pictures": PictureOptions(overlay="all")}, UnknownName, "unknown overlay 'all'"),
        ({"observation": "pixels", "pictures": PictureOptions(keep_clips=3)}, RunError, "no agent here is sent its"),
        (
            {"pictures": PictureOptions(overlay="none")},
            RunError,
            "observation 'text' has no pictures: leave --world-model",
        ),
        ({"reward": 2}, ValueError, "reward"),
    ],
)
def test_plan__a_wrong_value_names_the_choices(
    arguments: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        plan_run(**({"suite": "quick", "agent": "random"} | arguments))  # type: ignore[arg-type]


def test_plan__an_agent_that_cannot_be_made_is_the_commands_error() -> None:
    with pytest.raises(AgentError, match="cannot be made without arguments: OSError: no key"):
        plan_run("quick", "tests.benchmarks.odd_agents:Leaves")
