"""Mistakes in an agent of one's own: the reason says whose they are, and where."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from typing import Any

import pytest
from tests.benchmarks.players import a_player

from conflictbench.agents import RandomAgent
from conflictbench.benchmarks import player
from conflictbench.benchmarks.faults import reason
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.rollout import Episode, make_env, rollout, rollout_async
from conflictbench.benchmarks.units import Unit, pending_units
from conflictbench.errors import AgentError
from conflictbench.types import Decision, Info, Observation, Status, Task, Usage


def a_unit() -> Unit:
    identity, _ = plan_run("ep1", "random")
    return pending_units(identity, {})[0]


def test_reason__of_an_error_raised_on_purpose_has_no_place() -> None:
    try:
        raise AgentError("no input left")
    except AgentError as error:
        assert reason(error) == "AgentError: no input left"


def test_reason__a_long_one_keeps_its_place() -> None:
    try:
        raise ValueError("x" * 5000)
    except ValueError as error:
        said = reason(error)
    assert len(said) == 300
    assert re.search(r"xxx\.\.\. \(test_own_faults\.py:\d+\)$", said)


def test_reason__names_the_innermost_line_that_is_neither_ours_nor_a_librarys() -> None:
    def parse() -> object:
        return json.loads("{")  # raises inside the standard library

    try:
        parse()
    except ValueError as error:
        assert error.__traceback__ is not None
        assert error.__traceback__.tb_next is not None
        assert reason(error).endswith(f" (test_own_faults.py:{error.__traceback__.tb_next.tb_lineno})")


def test_reason__what_our_own_code_raised_has_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "make_env", int)  # raises in C, called from a file of the package
    record = a_player()(a_unit())
    assert record.status is Status.ENV_ERROR
    assert re.fullmatch(r"TypeError: int\(\) argument must be .*, not 'Unit'", str(record.error))


def test_reason__its_traceback_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "conflictbench"):
        try:
            raise ValueError("oh no")
        except ValueError as error:
            reason(error)
    (entry,) = caplog.records
    assert entry.exc_info is not None
    assert str(entry.exc_info[1]) == "oh no"


async def later() -> None: ...


@pytest.mark.parametrize(
    "make, kind",
    [(lambda: 3, "int"), (lambda: None, "NoneType"), (lambda: "look", "str"), (lambda: later(), "coroutine")],
)
def test_rollout__what_is_no_decision_is_named_with_the_agents_class(make: Any, kind: str) -> None:
    class Bad(RandomAgent):
        def act(self, observation: Observation, info: Info) -> Any:
            return make()

    env = make_env(a_unit())
    record = rollout(env, Bad(), 0)
    env.close()
    said = f"AgentError: {Bad.__module__}:{Bad.__qualname__}.act returned {kind}, not Decision"
    assert (record.status, record.error) == (Status.ENV_ERROR, said)


def test_rollout__an_asynchronous_agent_is_held_to_the_same() -> None:
    class Bad:
        name = "bad"

        def reset(self, task: Task) -> None: ...

        async def act(self, observation: Observation, info: Info) -> Any:
            return "ACTION: look"

    env = make_env(a_unit())
    record = asyncio.run(rollout_async(Episode(env, 0), Bad()))
    env.close()
    assert str(record.error).endswith("Bad.act returned str, not Decision")


@pytest.mark.parametrize(
    "fields, said",
    [
        ({"action": "look"}, "Decision.action must be an index, not 'look'; words are its text"),
        ({"action": 1.0}, "Decision.action must be an index, not 1.0"),
        ({"text": 3}, "Decision.text must be a str or a Reply, not 3"),
        ({"text": {"action": "look"}}, "Decision.text must be a str or a Reply, not {'action': 'look'}"),
        ({"action": 0, "usage": {"calls": 1}}, "Decision.usage must be a Usage, not {'calls': 1}"),
    ],
)
def test_decision__of_wrong_kinds_is_refused_where_it_is_made(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(said)):
        Decision(**fields)
    assert Decision(action=0, usage=Usage(calls=1)).action == 0
