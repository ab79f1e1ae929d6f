"""Which options of a model make another run, and which do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.players import LLM

from conflictbench.agents.models import ModelOptions, local
from conflictbench.agents.models.local import LocalModel
from conflictbench.agents.models.local_weights import Loaded
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.limits import RunLimits
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.run_command import for_each, run_command
from conflictbench.benchmarks.run_options import RunOptions
from conflictbench.benchmarks.runner import run_suite
from conflictbench.errors import AgentError, ModelError, RunError, UnknownName
from conflictbench.wrappers.chat import PROTOCOLS

OPENAI = "llm:openai/some-name"
HERE = "http://127.0.0.1:9/v1"


def digest(agent: str = OPENAI, protocol: str | None = None, **options: Any) -> str:
    return plan_run("quick", agent, protocol=protocol, model=ModelOptions(**{"base_url": HERE} | options))[0].hash()


@pytest.mark.parametrize(
    "changed",
    [
        {"base_url": "http://127.0.0.1:10/v1"},
        {"max_tokens": 100},
        {"temperature": 0.5},
        {"seed": 1},
        {"protocol": "tools"},
        {"agent": "llm:openai/other-name"},
    ],
)
def test_identity__what_changes_replies_is_another_run(changed: dict[str, Any]) -> None:
    assert digest(**changed) != digest()


@pytest.mark.parametrize(
    "same",
    [
        {"timeout_s": 5.0},
        {"retries": 0},
        {"requests_per_minute": 10},
        {"tokens_per_minute": 1000},
        {"cache_dir": "somewhere"},
        {"price_in": 1.0, "price_out": 2.0},
        {"base_url": HERE + "/"},
        {"base_url": "http://localhost:9/v1"},
        {"protocol": "paper"},
        {"max_total_tokens": 5},
    ],
)
def test_identity__what_does_not_is_the_same_run(same: dict[str, Any]) -> None:
    assert digest(**same) == digest()


def test_identity__defaults_typed_or_not_are_the_same_run() -> None:
    assert plan_run("quick", LLM)[0] == plan_run("quick", LLM, protocol="paper", model=ModelOptions())[0]


def test_identity__names_the_protocol_and_its_words() -> None:
    identity, _ = plan_run("quick", LLM, protocol="tools")
    assert {(env.protocol, env.protocol_id) for env in identity.envs} == {("tools", PROTOCOLS["tools"].id)}
    hashes = [{env.env_hash for env in plan_run("quick", agent)[0].envs} for agent in (LLM, "random")]
    assert not hashes[0] & hashes[1]  # the keys of its episodes say so too


def test_identity__an_agent_without_a_model_has_none() -> None:
    identity, _ = plan_run("quick", "random")
    assert identity.model is None
    assert {env.protocol for env in identity.envs} == {""}


def test_identity__limits_are_no_part_of_it(tmp_path: Path) -> None:
    first = run_suite("ep1", LLM, runs=tmp_path, limits=RunLimits(episode_tokens=10**9, max_hours=1, max_cost_usd=5))
    assert run_suite("ep1", LLM, runs=tmp_path, concurrency=3).directory == first.directory


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"agent": "llm:openai"}, (AgentError, ModelError), "PROVIDER/MODEL"),
        ({"agent": "llm:fake/nobody"}, UnknownName, "unknown fake model 'nobody'"),
        ({"agent": OPENAI}, ModelError, "OPENAI_API_KEY"),
        ({"protocol": "papers"}, UnknownName, "unknown protocol 'papers'.*paper"),
        ({"observation": "features"}, RunError, "its observation is 'text' or 'visual', not 'features'"),
        ({"observation": "pixels"}, RunError, "its observation is 'text' or 'visual', not 'pixels'"),
        ({"agent": "random", "protocol": "paper"}, RunError, "is sent no conversation: leave the protocol 'paper' out"),
        ({"agent": "random", "model": ModelOptions(temperature=1)}, RunError, "asks no language model"),
    ],
)
def test_plan__a_wrong_option_says_what_is_right(
    arguments: dict[str, Any],
    error: type[Exception] | tuple[type[Exception], ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(error, match=message):
        plan_run(**({"suite": "quick", "agent": LLM} | arguments))


def test_plan__a_model_that_takes_no_tools_is_offered_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> Loaded:
        raise AssertionError("nothing is loaded for a plan")

    monkeypatch.setattr(local, "make_local", lambda name: LocalModel(load, name=f"local/{name}"))
    with pytest.raises(RunError, match="local/small takes no tools, which protocol 'tools' offers it; others: 'paper'"):
        plan_run("quick", "llm:local/small", protocol="tools")
    identity, _ = plan_run("quick", "llm:local/small", protocol="paper")
    assert {env.protocol for env in identity.envs} == {"paper"}


def test_run_command__a_model_whose_price_is_unknown_takes_no_limit_on_money(tmp_path: Path) -> None:
    options = ModelOptions(base_url=HERE)
    with pytest.raises(ModelError, match="price"):
        run_command("ep1", [OPENAI], model=options, limits=RunLimits(max_cost_usd=1.0), runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_for_each__options_go_to_the_agents_they_concern() -> None:
    options = ModelOptions(temperature=1.0)
    limits = RunLimits(max_total_tokens=5)
    shared: RunOptions = {"seeds": 2, "reward": "0.5", "limits": limits}
    given = for_each(["random", LLM], {**shared, "protocol": "tools", "model": options})
    read = {"seeds": 2, "reward": 0.5, "limits": limits}
    assert given["random"] == {**read, "protocol": None, "model": None}
    assert given[LLM] == {
        **read,
        "protocol": "tools",
        "model": ModelOptions(temperature=1.0, max_total_tokens=5),
    }


@pytest.mark.parametrize(
    "protocol, model, message",
    [("paper", None, "no agent here is sent"), (None, ModelOptions(seed=1), "no agent here asks")],
)
def test_for_each__options_that_concern_nobody_are_refused(
    protocol: str | None, model: ModelOptions | None, message: str
) -> None:
    with pytest.raises(RunError, match=message):
        for_each(["random", "aligned"], {"protocol": protocol, "model": model})


def test_cast__sixteen_at_a_time_where_the_agent_only_waits() -> None:
    assert (Cast(LLM).default_concurrency, Cast("random").default_concurrency) == (16, 1)
