"""Where two runs differ, in the words of the command line. Own design.

What follows from another difference is left out: with another suite the scenarios, with another agent how it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from conflictbench.benchmarks.manifest import ModelEntry, RunIdentity

SHOWN = 3  # scenarios
LONGEST = 80  # characters of a value
_OPTIONS = ("observation", "reward", "world_model", "overlay")  # arguments of the envs that are options of a command


def differences(there: RunIdentity, here: RunIdentity) -> list[str]:
    """One string a difference: "--seeds 2 -> 3"; what is there stands first."""
    return list(_differences(there, here))


def _differences(there: RunIdentity, here: RunIdentity) -> Iterator[str]:
    yield from changed({"suite": there.suite, "agent": there.agent}, {"suite": here.suite, "agent": here.agent})
    if there.agent == here.agent:
        if there.agent_input != here.agent_input:
            yield "the file given to the agent has another content"
        if there.model is not None and here.model is not None:
            yield from changed(asked(there.model), asked(here.model))
        yield from _protocols(there, here)
    yield from changed(_played(there), _played(here))
    yield from _env_arguments(there, here)
    if there.suite == here.suite:
        yield from changed_scenarios(_files(there), _files(here))


def asked(model: ModelEntry) -> dict[str, Any]:
    """How a model is asked, by the options that say it."""
    return {
        "base-url": model.base_url if model.base_url is not None else "the provider's own",
        "temperature": model.temperature,
        "max-tokens": model.max_tokens,
        "model-seed": model.seed if model.seed is not None else "each episode's",
    }


def _played(identity: RunIdentity) -> dict[str, Any]:
    return {"variant": ", ".join(identity.variants), "seeds": len(identity.seeds), "epochs": identity.epochs}


def _protocols(there: RunIdentity, here: RunIdentity) -> Iterator[str]:
    ids = [dict.fromkeys(env.protocol_id for env in identity.envs if env.protocol_id) for identity in (there, here)]
    names = [", ".join(dict.fromkeys(env.protocol for env in one.envs if env.protocol)) for one in (there, here)]
    if names[0] != names[1]:
        yield f"--protocol {names[0] or 'none'} -> {names[1] or 'none'}"
    elif ids[0] != ids[1]:
        yield f"words of protocol {names[0]}: {', '.join(ids[0])} -> {', '.join(ids[1])}"


def _env_arguments(there: RunIdentity, here: RunIdentity) -> Iterator[str]:
    """Arguments of the envs, which all of a run have in common."""
    old, new = (_arguments(identity) for identity in (there, here))
    of_the_agent = {"privileged"} if there.agent != here.agent else set()
    for name in (*_OPTIONS, *sorted((old.keys() | new.keys()) - {*_OPTIONS} - of_the_agent)):
        if old.get(name) != new.get(name):
            option = f"--{name.replace('_', '-')}" if name in _OPTIONS else f"env argument {name}:"
            yield f"{option} {_shown(old.get(name))} -> {_shown(new.get(name))}"


def _arguments(identity: RunIdentity) -> dict[str, Any]:
    """Of the first env, with what stands for its pictures."""
    if not identity.envs:
        return {}
    env = identity.envs[0]
    pictures = {} if env.pictures is None else env.pictures.model_dump(mode="json")
    return {**env.kwargs, **{f"pictures.{name}": value for name, value in pictures.items()}}


def _files(identity: RunIdentity) -> dict[str, str]:
    return {name: digest for env in identity.envs for name, digest in env.scenarios.items()}


def changed_scenarios(there: Mapping[str, str], here: Mapping[str, str]) -> Iterator[str]:
    """Differences of what is played, from ids to digests of their files."""
    if there.keys() != here.keys():
        yield f"scenarios: {_list(sorted(there))} -> {_list(sorted(here))}"
    if changed := sorted(name for name in there.keys() & here.keys() if there[name] != here[name]):
        yield f"changed files: {_list(changed)}"


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Differences between two sets of options: "--seeds 2 -> 3"."""
    for option, value in old.items():
        if value != new[option]:
            yield f"--{option} {_shown(value)} -> {_shown(new[option])}"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        text = value
    elif isinstance(value, float):
        text = f"{value:g}"
    else:
        text = "none" if value is None else json.dumps(value, ensure_ascii=True, sort_keys=True)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _list(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return (", ".join(names[:SHOWN]) or "none") + more
