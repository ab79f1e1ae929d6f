"""Where two runs differ, in one readable line each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.building import an_identity
from tests.benchmarks.players import LLM

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.differences import differences
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.run_options import PlanOptions
from conflictbench.benchmarks.runner import run_suite
from conflictbench.errors import RunMismatch

OPENAI = "llm:openai/some-name"


def planned(agent: str = OPENAI, suite: str = "quick", **options: object) -> list[str]:
    """What differs between a run and the same with these options."""
    model: dict[str, object] = {"base_url": "http://127.0.0.1:8000/v1"} if agent == OPENAI else {}
    plain: PlanOptions = {"model": ModelOptions(**model)} if agent.startswith("llm:") else {}  # type: ignore[arg-type]
    given = {name: value for name, value in options.items() if name in PlanOptions.__annotations__}
    asked = {name: value for name, value in options.items() if name not in given}
    changed: PlanOptions = {**plain, **given}  # type: ignore[typeddict-item]
    if asked:
        changed["model"] = ModelOptions(**{**model, **asked})  # type: ignore[arg-type]
    return differences(plan_run(suite, agent, **plain)[0], plan_run(suite, agent, **changed)[0])


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, []),
        ({"seeds": 3}, ["--seeds 1 -> 3"]),
        (
            {"epochs": 2, "variants": ["all"]},
            ["--variant conflict -> conflict, stake_only, task_only, control", "--epochs 1 -> 2"],
        ),
        ({"base_url": "http://127.0.0.1:8001/v1"}, ["--base-url http://127.0.0.1:8000/v1 -> http://127.0.0.1:8001/v1"]),
        ({"base_url": "http://localhost:8000/v1/"}, []),  # the same server
        ({"temperature": 0.7, "max_tokens": 100}, ["--temperature 0 -> 0.7", "--max-tokens 2048 -> 100"]),
        ({"seed": 7}, ["--model-seed each episode's -> 7"]),
        ({"protocol": "tools"}, ["--protocol paper -> tools"]),
        ({"reward": 0.5}, ["--reward human -> 0.5"]),
        ({"scenarios": ["EP1-001"]}, ["scenarios: EP1-001, EP2-001, EP3-001 -> EP1-001"]),
    ],
)
def test_differences__are_options_with_both_values(options: dict[str, object], expected: list[str]) -> None:
    assert planned(**options) == expected


def test_differences__what_follows_from_the_agent_or_the_suite_is_left_out() -> None:
    there, here = plan_run("ep1", "aligned")[0], plan_run("quick", LLM, seeds=2)[0]
    assert differences(there, here) == ["--suite ep1 -> quick", f"--agent aligned -> {LLM}", "--seeds 1 -> 2"]


def test_differences__name_scenarios_whose_file_has_changed_and_not_their_digests() -> None:
    names = tuple(f"EP1-00{number}" for number in range(1, 6))
    there = an_identity(names)
    env = there.envs[0]
    changed = env.model_copy(update={"scenarios": dict.fromkeys(names, "e" * 32), "env_hash": "ffffffff"})
    here = there.model_copy(update={"envs": (changed,)})
    assert differences(there, here) == ["changed files: EP1-001, EP1-002, EP1-003 and 2 more"]


def test_differences__name_the_words_of_a_protocol_that_has_changed() -> None:
    there, _ = plan_run("ep1", LLM)
    envs = tuple(env.model_copy(update={"protocol_id": "paper-v1-00000000"}) for env in there.envs)
    (line,) = differences(there, there.model_copy(update={"envs": envs}))
    assert line.startswith("words of protocol paper: paper-v1-")
    assert line.endswith(" -> paper-v1-00000000")


def test_differences__tell_of_another_content_of_the_agents_file() -> None:
    there = an_identity(agent="replay:x").model_copy(update={"agent_input": "0" * 32})
    here = there.model_copy(update={"agent_input": "1" * 32})
    assert differences(there, here) == ["the file given to the agent has another content"]


def test_run__a_directory_of_another_run_is_refused_in_one_short_line(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_suite("ep1", LLM, out=out)
    with pytest.raises(RunMismatch) as raised:
        run_suite("quick", "random", seeds=2, out=out)
    assert str(raised.value) == (
        f"{out}: another run (--suite ep1 -> quick; --agent {LLM} -> random; --seeds 1 -> 2); give the options it was "
        "started with, or start another run with --fresh or another --out"
    )
