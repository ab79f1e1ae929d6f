"""Runs of one agent are called by what differs between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conflictbench.benchmarks.loading import Run
from conflictbench.benchmarks.manifest import EnvEntry, Manifest, ModelEntry, RunIdentity
from conflictbench.benchmarks.report.labels import shown_agents
from conflictbench.types import VARIANTS, Usage

LLM = "llm:openai/toy"


def a_run(
    path: str,
    *,
    agent: str = LLM,
    protocol: str = "paper",
    protocol_id: str | None = None,
    scenarios: tuple[str, ...] = ("EP1-001",),
    kwargs: dict[str, Any] | None = None,
    version: str = "0.1.0",
    seeds: int = 1,
    model: dict[str, Any] | None = None,
    **identity: Any,
) -> Run:
    """A run as `load_run` returns it, with nothing played yet."""
    entry = ModelEntry(**({"base_url": None, "temperature": 0.0, "max_tokens": 2048, "seed": None} | (model or {})))
    env = EnvEntry(
        env_id="ConflictBench/EP1-v0",
        env_hash="0123abcd",
        kwargs=kwargs or {},
        scenarios=dict.fromkeys(scenarios, "00" * 16),
        protocol=protocol,
        protocol_id=protocol_id or f"{protocol}-v1-00000000",
    )
    made = {"suite": "quick", "variants": ("conflict",), "epochs": 1} | identity
    whole = RunIdentity(agent=agent, envs=(env,), seeds=tuple(range(seeds)), model=entry, **made)
    manifest = Manifest(package_version=version, identity=whole)
    return Run(path=Path(path), manifest=manifest, records=(), notes=(), dropped=Usage())


@pytest.mark.parametrize(
    "one, other, labels",
    [
        ({}, {"protocol": "tools"}, ("paper", "tools")),
        ({}, {"protocol_id": "paper-v1-11111111"}, ("paper-v1-00000000", "paper-v1-11111111")),
        ({}, {"model": {"temperature": 0.7}}, ("temperature 0", "temperature 0.7")),
        ({}, {"model": {"max_tokens": 100}}, ("max tokens 2048", "max tokens 100")),
        ({}, {"model": {"seed": 7}}, ("a seed each episode", "model seed 7")),
        (
            {"model": {"base_url": "http://127.0.0.1:8000/v1/secret"}},
            {"model": {"base_url": "http://127.0.0.1:8001/v1"}},
            ("127.0.0.1:8000", "127.0.0.1:8001"),
        ),
        ({}, {"variants": VARIANTS}, ("conflict", "all variants")),
        ({}, {"seeds": 4, "epochs": 2}, ("1 seed, 1 epoch", "4 seeds, 2 epochs")),
        ({"kwargs": {"reward": "human"}}, {"kwargs": {"reward": "assigned"}}, ("reward human", "reward assigned")),
        ({"kwargs": {"mask": "exists"}}, {"kwargs": {"mask": [1]}}, ("mask exists", "mask [1]")),
        ({}, {"scenarios": ("EP1-001", "EP1-002")}, ("EP1-001", "EP1-001 + EP1-002")),
        # the scenarios follow from the suite, the words from the protocol: said once
        ({}, {"suite": "ep", "scenarios": ("EP1-001", "EP2-001")}, ("suite quick", "suite ep")),
        ({}, {"version": "0.2.0"}, ("version 0.1.0", "version 0.2.0")),
        ({}, {}, ("a", "b")),  # nothing that was asked for: the directories
    ],
)
def test_labels__name_what_differs_and_nothing_else(
    one: dict[str, Any], other: dict[str, Any], labels: tuple[str, str]
) -> None:
    shown = shown_agents([a_run("a", **one), a_run("b", **other), a_run("c", agent="random")])
    assert shown == [f"{LLM} ({labels[0]})", f"{LLM} ({labels[1]})", "random"]


def test_labels__of_one_run_each_are_the_agents() -> None:
    assert shown_agents([a_run("a"), a_run("b", agent="random", protocol="tools")]) == [LLM, "random"]


def test_labels__three_runs_of_which_two_are_alike() -> None:
    tools = {"protocol": "tools", "model": {"temperature": 1.0}}
    shown = shown_agents([a_run("a"), a_run("b", **tools), a_run("b-2", **tools)])
    assert shown == [
        f"{LLM} (paper, temperature 0)",
        f"{LLM} (tools, temperature 1, b)",
        f"{LLM} (tools, temperature 1, b-2)",
    ]


def test_labels__directories_of_one_name_in_two_places_are_numbered() -> None:
    shown = shown_agents([a_run("here/runs/x"), a_run("there/runs/x")])
    assert shown == [f"{LLM} (x)", f"{LLM} (x) #2"]
