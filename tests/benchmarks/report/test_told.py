"""What a model was told beside the opening: put together again to the byte, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conflictbench.benchmarks import run_suite
from conflictbench.benchmarks.loading import Run, load_run
from conflictbench.benchmarks.report import collect
from conflictbench.benchmarks.report.page import to_html
from conflictbench.benchmarks.report.told import THE_OPENING, asked_by, told_in
from conflictbench.benchmarks.rollout import make_env
from conflictbench.benchmarks.units import Unit


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of a scripted model: one a protocol, and questions."""
    folder = tmp_path_factory.mktemp("told")
    wanted = {"paper": ("ep1", "paper"), "tools": ("ep1", "tools"), "question": ("single_turn", "paper")}
    for name, (suite, protocol) in wanted.items():
        run_suite(suite, "llm:fake/refuse", protocol=protocol, variants=["conflict", "control"], out=folder / name)
    return {name: folder / name for name in wanted}


def sent(run: Run) -> list[tuple[str, str]]:
    """System and first user message of every episode, from the environment itself."""
    envs = {env.env_hash: env for env in run.manifest.identity.envs}
    messages = []
    for record in run.records:
        env = make_env(Unit(key=record.key, env=envs[record.key.env_hash], attempt=1))
        observation, _ = env.reset(seed=record.key.seed)
        env.close()
        system, first = (message.content for message in observation["messages"])
        messages.append((system, first))
    return messages


@pytest.mark.parametrize("name", ["paper", "tools", "question"])
def test_told__with_the_opening_is_what_was_sent(played: dict[str, Path], name: str) -> None:
    run = load_run(played[name])
    told = told_in([run])
    for record, (system, first) in zip(run.records, sent(run), strict=True):
        words = told[asked_by(record)]
        assert words.instructions.replace(THE_OPENING, record.opening) == system
        assert (record.opening if words.help_page is None else words.help_page) == first
        assert record.opening not in words.instructions


def test_told__is_kept_once_a_scenario_variant_and_protocol(played: dict[str, Path]) -> None:
    runs = [load_run(played[name]) for name in ("paper", "tools")]
    told = told_in(runs)
    scenarios = {record.key.scenario for record in runs[0].records}
    assert len(told) == len(scenarios) * 2 * 2
    assert {asked.protocol.partition("-")[0] for asked in told} == {"paper", "tools"}


def test_told__tools_are_on_offer_where_the_protocol_has_them(played: dict[str, Path]) -> None:
    (words, *_) = told_in([load_run(played["tools"])]).values()
    assert words.tools is not None
    assert json.loads(words.tools)["name"] == "act"
    assert {words.tools for words in told_in([load_run(played["paper"])]).values()} == {None}


@pytest.mark.parametrize("change", ["protocol", "scenario_digest", "opening"])
def test_told__of_words_that_have_changed_since_is_nothing(played: dict[str, Path], change: str) -> None:
    run = load_run(played["paper"])
    record = run.records[0].model_copy(update={change: "paper-v1-ffffffff"})
    changed = Run(path=run.path, manifest=run.manifest, records=(record,), notes=(), dropped=run.dropped)
    assert told_in([changed]) == {}


def test_told__of_an_agent_that_is_sent_no_conversation_is_nothing(tmp_path: Path) -> None:
    run_suite("ep1", "random", out=tmp_path / "run")
    assert told_in([load_run(tmp_path / "run")]) == {}


def test_told__stands_in_the_page(played: dict[str, Path]) -> None:
    page = to_html(collect([played["paper"], played["tools"]]))
    assert page.count("THINK: what you make of the situation") == 1  # once, for every episode of the protocol
    assert page.count("Commands, each of which takes one turn") > 0
