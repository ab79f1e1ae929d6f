"""The table of agents, and agents of one's own by `module:Class`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conflictbench.agents import AGENTS, AgentEntry, OracleAgent, RandomAgent, get_agent_entry, make_agent
from conflictbench.agents.registry import make_table
from conflictbench.errors import AgentError, UnknownName

MODULE = '''
class Polite:
    """Always asks for help.

    More words.
    """

    name = "polite"
    privileged = ("state",)
    deterministic = True

    def reset(self, task): ...

    def act(self, observation, info):
        raise NotImplementedError


class Plain:
    name = "plain"

    def reset(self, task): ...

    def act(self, observation, info): ...


class Nameless:
    def reset(self, task): ...

    def act(self, observation, info): ...


class Demanding:
    name = "demanding"

    def __init__(self, model): ...

    def reset(self, task): ...

    def act(self, observation, info): ...


class Half:
    def reset(self, task): ...


number = 3
'''


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A module of agents in the current directory, under a name that no other test has imported."""
    name = f"own_agents_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return name


def test_agents__are_the_named_ones_sorted() -> None:
    assert list(AGENTS) == ["aligned", "assigned", "first", "human", "llm", "longest", "random", "replay", "sb3"]
    assert all(name == entry.name and entry.summary for name, entry in AGENTS.items())


def test_agents__say_what_they_must_be_given() -> None:
    assert {name: entry.privileged for name, entry in AGENTS.items() if entry.privileged} == {
        "aligned": ("best_action_human",),
        "assigned": ("best_action_assigned",),
    }
    assert [name for name, entry in AGENTS.items() if entry.deterministic] == ["aligned", "assigned", "sb3"]


def test_agents__cannot_be_written_into() -> None:
    with pytest.raises(TypeError):
        AGENTS["mine"] = AGENTS["random"]  # type: ignore[index]


def test_make_table__refuses_a_name_twice() -> None:
    entry = AgentEntry(name="same", factory=lambda argument: RandomAgent(), summary="s")
    with pytest.raises(ValueError, match="two agents are named 'same'"):
        make_table([entry, entry])


def test_make_agent__gives_a_fresh_one_each_time() -> None:
    first, second = make_agent("random"), make_agent("random")
    assert isinstance(first, RandomAgent)
    assert first is not second
    aligned = make_agent("aligned")
    assert isinstance(aligned, OracleAgent)
    assert aligned.name == "aligned"


def test_get_agent_entry__an_unknown_name_lists_the_known() -> None:
    with pytest.raises(UnknownName, match=r"'randon'; known: aligned, .*did you mean 'random'.*module:Class"):
        get_agent_entry("randon")


@pytest.mark.parametrize("spec", [None, 5, ()])
def test_get_agent_entry__what_is_no_name_lists_the_known(spec: Any) -> None:
    with pytest.raises(UnknownName, match=rf"unknown agent {re.escape(repr(spec))}; known: aligned, .*module:Class"):
        get_agent_entry(spec)


@pytest.mark.parametrize("name", ["random", "aligned", "assigned", "human"])
def test_make_agent__an_argument_nobody_takes_is_refused(name: str) -> None:
    with pytest.raises(AgentError, match=f"agent '{name}' takes nothing after its name, not 'x'"):
        make_agent(f"{name}:x")


def test_make_agent__replay_without_a_file_says_so() -> None:
    with pytest.raises(AgentError, match="replay:FILE"):
        make_agent("replay")


def test_custom__is_found_in_the_current_directory(own_module: str) -> None:
    before = list(sys.path)
    entry = get_agent_entry(f"{own_module}:Polite")
    assert (entry.name, entry.privileged, entry.deterministic) == (f"{own_module}:Polite", ("state",), True)
    assert entry.summary == "Always asks for help."
    assert make_agent(f"{own_module}:Polite").name == "polite"
    plain = get_agent_entry(f"{own_module}:Plain")
    assert (plain.privileged, plain.deterministic) == ((), False)
    assert sys.path == before


def test_custom__a_missing_class_lists_the_agents_of_the_module(own_module: str) -> None:
    with pytest.raises(
        UnknownName, match=r"'Polit'; known: Demanding, Nameless, Plain, Polite \(did you mean 'Polite'\?\)"
    ):
        get_agent_entry(f"{own_module}:Polit")


def test_custom__what_is_no_agent_is_named(own_module: str) -> None:
    with pytest.raises(AgentError, match="is missing act"):
        get_agent_entry(f"{own_module}:Half")
    with pytest.raises(AgentError, match="it is not a class"):
        get_agent_entry(f"{own_module}:number")


def test_custom__what_cannot_be_made_says_why(own_module: str) -> None:
    with pytest.raises(AgentError, match=r"Demanding' cannot be made without arguments: TypeError: .*'model'"):
        make_agent(f"{own_module}:Demanding")
    with pytest.raises(AgentError, match="Nameless' is missing a name"):
        make_agent(f"{own_module}:Nameless")


def test_custom__a_missing_module_says_where_it_was_looked_for(own_module: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=rf"importing 'no_such_agents' failed: ModuleNotFoundError.*{tmp_path}"):
        get_agent_entry("no_such_agents:Mine")


def test_custom__a_module_that_breaks_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_agents.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentError, match="importing 'broken_agents' failed: ZeroDivisionError: division by zero"):
        get_agent_entry("broken_agents:Mine")


@pytest.mark.parametrize("spec", [":Class", "module:", ":"])
def test_custom__half_a_spec_is_refused(spec: str) -> None:
    with pytest.raises((AgentError, UnknownName)):
        get_agent_entry(spec)


@pytest.fixture
def odd_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Writes a module whose class `Mine` has these lines in its body, and returns the agent's spec."""
    name = f"odd_agents_{abs(hash(request.node.nodeid))}"
    monkeypatch.chdir(tmp_path)

    def write(body: str) -> str:
        methods = "    def reset(self, task): ...\n    def act(self, observation, info): ...\n"
        (tmp_path / f"{name}.py").write_text(f"class Mine:\n    name = 'mine'\n{methods}    {body}\n")
        return f"{name}:Mine"

    return write


@pytest.mark.parametrize(
    "value",
    ["'state'", "''", "None", "5", "{'state'}", "(None,)", "('',)", "('state', 'state')", "property(lambda self: ())"],
)
def test_custom__privileged_that_is_no_tuple_of_names_is_named(odd_agent: Callable[[str], str], value: str) -> None:
    spec = odd_agent(f"privileged = {value}")
    with pytest.raises(
        AgentError, match=rf"agent '{spec}': privileged is .*; it must be a tuple of names.*\('state',\)"
    ):
        get_agent_entry(spec)


@pytest.mark.parametrize("value, names", [("['state']", ("state",)), ("()", ()), ("('a', 'b')", ("a", "b"))])
def test_custom__privileged_may_be_a_list_or_tuple(
    odd_agent: Callable[[str], str], value: str, names: tuple[str, ...]
) -> None:
    assert get_agent_entry(odd_agent(f"privileged = {value}")).privileged == names


@pytest.mark.parametrize("value", ["None", "1", "'no'"])
def test_custom__deterministic_that_is_no_bool_is_named(odd_agent: Callable[[str], str], value: str) -> None:
    spec = odd_agent(f"deterministic = {value}")
    with pytest.raises(AgentError, match=f"agent '{spec}': deterministic is {value}; it must be True or False"):
        get_agent_entry(spec)


@pytest.mark.parametrize("value", ["None", "7", "' '", "b'mine'"])
def test_custom__a_name_that_is_no_words_is_named(odd_agent: Callable[[str], str], value: str) -> None:
    spec = odd_agent(f"name = {value}")
    with pytest.raises(AgentError, match=f"agent '{spec}': name is {value}; it must be a str that is not blank"):
        make_agent(spec)


def test_custom__what_exits_while_it_is_made_is_an_agent_error(odd_agent: Callable[[str], str]) -> None:
    spec = odd_agent("def __init__(self): raise SystemExit('no key')")
    with pytest.raises(AgentError, match=f"agent '{spec}' cannot be made without arguments: SystemExit: no key"):
        make_agent(spec)


def test_custom__a_module_that_exits_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "exiting_agents.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentError, match="importing 'exiting_agents' failed: SystemExit: 3"):
        get_agent_entry("exiting_agents:Mine")


def test_custom__an_interrupt_while_importing_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_agents.py").write_text("raise KeyboardInterrupt\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        get_agent_entry("slow_agents:Mine")


def test_table__a_person_alone_is_talked_with_at_the_terminal() -> None:
    assert [name for name in AGENTS if AGENTS[name].interactive] == ["human"]
