"""An agent written outside the package, named as `module:Class`. Own design."""

from __future__ import annotations

from conflictbench.agents.named import import_own
from conflictbench.errors import AgentError, UnknownName
from conflictbench.protocols import Agent


def custom_agent(module_name: str, class_name: str) -> type:
    """Import the class, with the current directory on the path as `python -m` would have it.

    Raises:
        AgentError: no such module, the import failed, or the class lacks `reset` or `act`.
        UnknownName: the module has no such class; the message lists those that look like agents.
    """
    spec = f"{module_name}:{class_name}"
    module = import_own(module_name, f"agent {spec!r}", AgentError)
    agents = sorted(name for name, value in vars(module).items() if isinstance(value, type) and not _missing(value))
    found = getattr(module, class_name, None)
    if found is None:
        raise UnknownName(f"agent class in module {module_name!r}", class_name, agents)
    if not isinstance(found, type) or _missing(found):
        missing = ", ".join(_missing(found)) if isinstance(found, type) else "everything: it is not a class"
        wanted = f"an agent has a name, reset(task) and act(...){_as_model(found, spec)}"
        raise AgentError(f"agent {spec!r} is missing {missing} ({wanted})")
    return found


def make_custom(agent_class: type) -> Agent:
    """Make the agent, without arguments. Raises AgentError if that fails, or the result has no proper `name`."""
    spec = _spec(agent_class)
    try:
        agent = agent_class()
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r} cannot be made without arguments: {type(error).__name__}: {error}") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {spec!r} is missing a name (an agent has a name, reset(task) and act(...))")
    if not isinstance(agent.name, str) or not agent.name.strip():
        raise AgentError(f"agent {spec!r}: name is {agent.name!r}; it must be a str that is not blank")
    return agent


def declared_privileged(agent_class: type) -> tuple[str, ...]:
    """Read the class's `privileged`, () without one. Raises AgentError unless it is a list or tuple of names."""
    value = getattr(agent_class, "privileged", ())
    names = value if isinstance(value, list | tuple) else [None]
    if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise AgentError(
            f"agent {_spec(agent_class)!r}: privileged is {value!r}; it must be a tuple of names, each once, "
            "as in gym.make(..., privileged=...), such as ('state',) or ()"
        )
    return tuple(names)


def declared_deterministic(agent_class: type) -> bool:
    """Read the class's `deterministic`, False without one. Raises AgentError unless it is a bool."""
    value = getattr(agent_class, "deterministic", False)
    if not isinstance(value, bool):
        raise AgentError(f"agent {_spec(agent_class)!r}: deterministic is {value!r}; it must be True or False")
    return value


def _spec(agent_class: type) -> str:
    return f"{agent_class.__module__}:{agent_class.__qualname__}"


def _missing(agent_class: type) -> list[str]:
    """List which methods of the protocol the class does not have; a `name` may also be set in `__init__`."""
    return [method for method in ("reset", "act") if not callable(getattr(agent_class, method, None))]


def _as_model(found: object, spec: str) -> str:
    """What to give instead where it is a language model, or may make one."""
    if callable(getattr(found, "complete", None)):
        return f"; it has `complete`, as a language model: give it as llm:{spec}"
    if callable(found) and not isinstance(found, type):
        return f"; a function that makes a language model is given as llm:{spec}"
    return ""
