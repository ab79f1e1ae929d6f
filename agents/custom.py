"""An agent written outside the package, named as `module:Class`. Own design."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from conflictbench.errors import AgentError, UnknownName
from conflictbench.protocols import Agent


def custom_agent(module_name: str, class_name: str) -> type:
    """Import the class, with the current directory on the path as `python -m` would have it.

    Raises:
        AgentError: no such module, the import failed, or the class lacks `reset` or `act`.
        UnknownName: the module has no such class; the message lists those that look like agents.
    """
    spec = f"{module_name}:{class_name}"
    try:
        with _current_directory_on_path():
            module = import_module(module_name)
    except (Exception, SystemExit) as error:  # whatever the other module raises: say which one it was, and why
        raise AgentError(
            f"agent {spec!r}: importing {module_name!r} failed: {type(error).__name__}: {error} "
            f"(searched {Path.cwd()} and the installed packages)"
        ) from error
    agents = sorted(name for name, value in vars(module).items() if isinstance(value, type) and not _missing(value))
    found = getattr(module, class_name, None)
    if found is None:
        raise UnknownName(f"agent class in module {module_name!r}", class_name, agents)
    if not isinstance(found, type) or _missing(found):
        missing = ", ".join(_missing(found)) if isinstance(found, type) else "everything: it is not a class"
        raise AgentError(f"agent {spec!r} is missing {missing} (an agent has a name, reset(task) and act(...))")
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


@contextmanager
def _current_directory_on_path() -> Iterator[None]:
    """Put the current directory first for one import: a console script does not have it, `python -m` does."""
    entry = str(Path.cwd())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path.remove(entry)
