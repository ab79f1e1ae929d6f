"""Which agents there are, by name, and how to make one. Own design (style guide, section 2 "Registries")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import iscoroutinefunction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from conflictbench.agents.baseline import FirstAgent, LongestAgent
from conflictbench.agents.custom import custom_agent, declared_deterministic, declared_privileged, make_custom
from conflictbench.agents.human import HumanAgent
from conflictbench.agents.named import is_module, split_spec
from conflictbench.agents.oracle import PRIVILEGED_BY_GOAL, OracleAgent
from conflictbench.agents.random import RandomAgent
from conflictbench.agents.recorded import RecordedEpisodes
from conflictbench.agents.replay import ReplayAgent
from conflictbench.errors import AgentError, UnknownName
from conflictbench.protocols import Agent, AsyncAgent

if TYPE_CHECKING:
    from conflictbench.agents.models import ModelOptions

Observed = Literal["world", "chat"]


@dataclass(frozen=True, kw_only=True)
class AgentEntry:
    """One line of the table of agents."""

    name: str  # what stands before the first ":" of a spec; for an agent of one's own the whole "module:Class"
    factory: Callable[[str], Agent | AsyncAgent]  # takes what stands behind the ":" ("" without one)
    model_factory: Callable[[str, ModelOptions], AsyncAgent] | None = None  # the same, for one that asks a model
    observation: Observed = "world"  # "chat": it wants the conversation of `ChatEnv`
    reads: tuple[str, ...] = ()  # of "world", the observations it can read, `gym.make(..., observation=...)`; () any
    protocol_of: Callable[[str], str] | None = None  # of its argument: id of the protocol its replies need, or ""
    is_async: bool = False  # True: an `AsyncAgent`, made by `make_async_agent`
    privileged: tuple[str, ...] = ()  # names to ask the environment for, `gym.make(..., privileged=...)`
    deterministic: bool = False  # True: equal episodes whatever the seed, so one seed says everything
    draws: bool | None = None  # equal episodes of one scenario are True: chance, False: copies; None: not known
    interactive: bool = False  # True: it talks with a person at this terminal, where nothing else may draw
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
            raise AgentError(f"agent {name!r} takes nothing after its name, not {argument!r}")
        return make()

    return factory


def _recorded(argument: str) -> RecordedEpisodes:
    if not argument:
        raise AgentError("agent 'replay' needs a file: replay:FILE, an episodes.jsonl or a run directory")
    return RecordedEpisodes.read(argument)


def _llm(argument: str, options: ModelOptions | None) -> AsyncAgent:
    from conflictbench.agents.llm import LLMAgent
    from conflictbench.agents.models import ModelOptions, make_model

    if not argument:
        raise AgentError("agent 'llm' needs a model: llm:PROVIDER/MODEL, such as llm:openai/NAME, or llm:module:Class")
    options = options or ModelOptions()
    return LLMAgent(make_model(argument, options), options.limits)


def _sb3(argument: str) -> Agent:
    from conflictbench.agents.sb3 import SB3Agent

    return SB3Agent(argument)


AGENTS: Mapping[str, AgentEntry] = make_table(
    [
        AgentEntry(
            name="llm",
            factory=lambda argument: _llm(argument, None),
            model_factory=lambda argument, options: _llm(argument, options),
            observation="chat",
            is_async=True,
            summary="llm:PROVIDER/MODEL asks a language model; llm:module:Class one of your own",
        ),
        AgentEntry(
            name="random",
            factory=_without_argument("random", RandomAgent),
            draws=True,
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
            name="first",
            factory=_without_argument("first", FirstAgent),
            draws=False,
            summary="baseline: always the first action, option A of a single-turn question",
        ),
        AgentEntry(
            name="longest",
            factory=_without_argument("longest", LongestAgent),
            draws=False,
            summary="baseline: always the longest option of a single-turn question",
        ),
        AgentEntry(
            name="replay",
            factory=lambda argument: ReplayAgent(_recorded(argument)),
            protocol_of=lambda argument: _recorded(argument).protocol,
            summary="replay:FILE plays the episodes of an earlier run again",
        ),
        AgentEntry(
            name="sb3",
            factory=_sb3,
            reads=("features", "all"),
            deterministic=True,
            summary="sb3:PATH plays a policy.zip that `conflictbench train` made; it reads features",
        ),
        AgentEntry(
            name="human",
            factory=_without_argument("human", HumanAgent),
            interactive=True,
            summary="a person at this terminal",
        ),
    ]
)


def get_agent_entry(spec: str) -> AgentEntry:
    """Return the entry of an agent by its spec: a known name, `name:argument`, or `module:Class`.

    Raises:
        UnknownName: no such name.
        AgentError: `module:Class` that cannot be imported, is no agent, or says something improper of itself.
    """
    head, colon, argument = spec.partition(":") if isinstance(spec, str) else (repr(spec), "", "")
    if head in AGENTS:
        return AGENTS[head]
    if not colon or split_spec(spec) is None or (_close(head) and not is_module(head)):
        raise UnknownName("agent", head if colon else spec, AGENTS, hint=_other_forms(spec))
    agent_class = custom_agent(head, argument)
    return AgentEntry(
        name=spec,
        factory=lambda _argument: make_custom(agent_class),
        observation=_observed(agent_class),
        is_async=_is_async(agent_class),
        privileged=declared_privileged(agent_class),
        deterministic=declared_deterministic(agent_class),
        summary=(agent_class.__doc__ or "an agent of your own").strip().split("\n")[0],
    )


def _close(head: str) -> bool:
    """True where a name that takes something behind it was meant, by the looks of it."""
    return bool(get_close_matches(head, AGENTS, n=1))


def _other_forms(spec: str) -> str:
    """How what is no name of the table may have been meant."""
    if isinstance(spec, str) and "/" in spec.partition(":")[0]:
        return f"a language model is given as llm:{spec}"
    return "an agent of your own is given as module:Class, a language model as llm:PROVIDER/MODEL"


def make_agent(spec: str) -> Agent:
    """Make a fresh agent from its spec.

    Raises:
        What `get_agent_entry` raises; AgentError for a wrong argument, or an agent that is asynchronous.
    """
    entry = get_agent_entry(spec)
    if entry.is_async:
        raise AgentError(f"agent {spec!r} is asynchronous: make it with make_async_agent")
    return cast(Agent, entry.factory(spec.partition(":")[2]))


def make_async_agent(spec: str, options: ModelOptions | None = None) -> AsyncAgent:
    """Make a fresh asynchronous agent from its spec.

    Args:
        options: of its model, where the agent is one of the package's; an agent of your own has its own.
    Raises:
        As `make_agent`; ModelError where a model cannot be made (a key is missing).
    """
    entry, argument = get_agent_entry(spec), spec.partition(":")[2]
    if not entry.is_async:
        raise AgentError(f"agent {spec!r} is not asynchronous: make it with make_agent")
    if entry.model_factory is not None and options is not None:
        return entry.model_factory(argument, options)
    return cast(AsyncAgent, entry.factory(argument))


def _is_async(agent_class: Any) -> bool:
    return iscoroutinefunction(agent_class.act)


def _observed(agent_class: type) -> Observed:
    wanted = getattr(agent_class, "observation", "world")
    if wanted not in get_args(Observed):
        raise UnknownName(f"observation of agent {agent_class.__qualname__}", wanted, get_args(Observed))
    return cast(Observed, wanted)
