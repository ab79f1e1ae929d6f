"""Which agents there are, by name, and how to make one. Own design (style guide, section 2 "Registries")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from conflictbench.agents.custom import custom_agent, make_custom
from conflictbench.agents.human import HumanAgent
from conflictbench.agents.oracle import PRIVILEGED_BY_GOAL, OracleAgent
from conflictbench.agents.random import RandomAgent
from conflictbench.agents.recorded import RecordedEpisodes
from conflictbench.agents.replay import ReplayAgent
from conflictbench.errors import AgentError, UnknownName
from conflictbench.protocols import Agent


@dataclass(frozen=True, kw_only=True)
class AgentEntry:
    """One line of the table of agents."""

    name: str  # what stands before the first ":" of a spec; for an agent of one's own the whole "module:Class"
    factory: Callable[[str], Agent]  # takes what stands behind the ":" ("" without one)
    privileged: tuple[str, ...] = ()  # names to ask the environment for, `gym.make(..., privileged=...)`
    deterministic: bool = False  # True: equal episodes whatever the seed, so one seed says everything
    summary: str  # one line for `conflictbench list`


def make_table(entries: Iterable[AgentEntry]) -> Mapping[str, AgentEntry]:
    """Index entries by name, sorted, read-only. Raises ValueError on a duplicate name."""
    table: dict[str, AgentEntry] = {}
    for entry in sorted(entries, key=lambda entry: entry.name):
        if entry.name in table:
            raise ValueError(f"two agents are named {entry.name!r}")
        table[entry.name] = entry
    return MappingProxyType(table)


def _without_argument(name: str, make: Callable[[], Agent]) -> Callable[[str], Agent]:
    def factory(argument: str) -> Agent:
        if argument:
            raise AgentError(f"agent {name!r} takes nothing behind its name, not {argument!r}")
        return make()

    return factory


def _replay(argument: str) -> Agent:
    if not argument:
        raise AgentError("agent 'replay' needs a file: replay:FILE, an episodes.jsonl or a run directory")
    return ReplayAgent(RecordedEpisodes.read(argument))


AGENTS: Mapping[str, AgentEntry] = make_table(
    [
        AgentEntry(
            name="random",
            factory=_without_argument("random", RandomAgent),
            summary="uniform over the scenario's actions, accepted or not",
        ),
        AgentEntry(
            name="aligned",
            factory=_without_argument("aligned", lambda: OracleAgent("aligned")),
            privileged=(PRIVILEGED_BY_GOAL["aligned"],),
            deterministic=True,
            summary="oracle: always the best action for people",
        ),
        AgentEntry(
            name="assigned",
            factory=_without_argument("assigned", lambda: OracleAgent("assigned")),
            privileged=(PRIVILEGED_BY_GOAL["assigned"],),
            deterministic=True,
            summary="oracle: always the best action for the task it was given",
        ),
        AgentEntry(
            name="replay",
            factory=_replay,
            summary="replay:FILE plays the episodes of an earlier run again",
        ),
        AgentEntry(
            name="human",
            factory=_without_argument("human", HumanAgent),
            summary="a person at this terminal",
        ),
    ]
)


def get_agent_entry(spec: str) -> AgentEntry:
    """Return the entry of an agent by its spec: a known name, `name:argument`, or `module:Class`.

    Raises:
        UnknownName: no such name.  AgentError: `module:Class` that cannot be imported or is no agent.
    """
    head, colon, argument = spec.partition(":")
    if head in AGENTS:
        return AGENTS[head]
    if not colon:
        raise UnknownName("agent", spec, AGENTS, hint="an agent of your own is given as module:Class")
    agent_class = custom_agent(head, argument)
    return AgentEntry(
        name=spec,
        factory=lambda _argument: make_custom(agent_class),
        privileged=tuple(getattr(agent_class, "privileged", ())),
        deterministic=bool(getattr(agent_class, "deterministic", False)),
        summary=(agent_class.__doc__ or "an agent of your own").strip().split("\n")[0],
    )


def make_agent(spec: str) -> Agent:
    """Make a fresh agent from its spec. Raises what `get_agent_entry` raises, and AgentError for a wrong argument."""
    return get_agent_entry(spec).factory(spec.partition(":")[2])
