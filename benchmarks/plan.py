"""What a run is made of, worked out and checked before anything is written. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from conflictbench.agents import get_agent_entry, make_agent
from conflictbench.benchmarks.manifest import RunIdentity, file_digest
from conflictbench.benchmarks.suites import get_suite
from conflictbench.errors import RunError, UnknownName
from conflictbench.types import VARIANTS


def plan_run(
    suite: str,
    agent: str,
    *,
    variants: Sequence[str] = ("conflict",),
    seeds: int = 1,
    epochs: int = 1,
    observation: str = "text",
    reward: Any = "human",
) -> tuple[RunIdentity, tuple[str, ...]]:
    """What a run would be, and what has to be said about it. Nothing is written.

    Args:
        suite, agent: names of the tables `SUITES` and `AGENTS` (or `module:Class`).
        variants: names, or ("all",); their order does not matter.
        seeds: the episodes' seeds are 0 .. seeds - 1; a deterministic agent gets 0 alone, once.
        epochs: repetitions of each seed; the env's seed stays, the agent's own is another (`agent_seed`).
        observation, reward: arguments of the envs.
    Raises:
        UnknownName, NotYetAvailable, RunError, AgentError, ValueError: a value is not valid; the message says what is.
    """
    chosen = check_variants(variants)
    for name, value in (("seeds", seeds), ("epochs", epochs)):
        if value < 1:
            raise RunError(f"{name} must be at least 1, not {value!r}")
    entry = get_agent_entry(agent)
    kwargs: dict[str, Any] = {"mask": "exists", "observation": observation, "reward": reward}
    if entry.privileged:
        kwargs["privileged"] = list(entry.privileged)
    notes: tuple[str, ...] = ()
    if entry.deterministic:
        seeds = epochs = 1
        notes = (f"agent {agent!r} is deterministic: seed 0 only, every other episode would be the same again",)
    identity = RunIdentity(
        suite=suite,
        agent=agent,
        agent_input=file_digest(agent.partition(":")[2]),
        envs=get_suite(suite).envs(kwargs),
        variants=chosen,
        seeds=tuple(range(seeds)),
        epochs=epochs,
    )
    # Made once before anything is written: a wrong argument is the command's fault, not an error in every episode.
    make_agent(agent)
    for env in identity.envs:
        gym.make(env.env_id, scenario=next(iter(env.scenarios)), variant=chosen[0], **env.kwargs).close()
    return identity, notes


def check_variants(variants: Sequence[str]) -> tuple[str, ...]:
    """The variants asked for, each once, in the order of `VARIANTS`; "all" is every one.

    Raises:
        UnknownName: a name that is not one.  RunError: none at all.
    """
    if isinstance(variants, str):
        variants = (variants,)  # a string is a sequence of strings too, but nobody means its letters
    for name in variants:
        if name not in (*VARIANTS, "all"):
            raise UnknownName("variant", name, (*VARIANTS, "all"))
    if not variants:
        raise RunError(f"no variant given; known: {', '.join((*VARIANTS, 'all'))}")
    return tuple(variant for variant in VARIANTS if "all" in variants or variant in variants)
