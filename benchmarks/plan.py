"""What a run is made of, worked out and checked before anything is written. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.manifest import EnvEntry, PictureEntry, RunIdentity, file_digest
from conflictbench.benchmarks.pictures import PictureOptions, plan_pictures
from conflictbench.benchmarks.suites import get_suite
from conflictbench.errors import RunError, UnknownName
from conflictbench.types import VARIANTS, Variant
from conflictbench.wrappers.chat import PROTOCOLS, ChatProtocol, get_protocol
from conflictbench.wrappers.chat.pictures import SEPARATOR
from conflictbench.wrappers.episode_record import hash_env

DEFAULT_PROTOCOL = "paper"
CHAT_OBSERVATIONS = ("text", "visual")


def plan_run(
    suite: str,
    agent: str,
    *,
    scenarios: Sequence[str] = (),
    variants: Sequence[str] = ("conflict",),
    seeds: int = 1,
    epochs: int = 1,
    observation: str = "text",
    reward: Any = "human",
    protocol: str | None = None,
    model: ModelOptions | None = None,
    pictures: PictureOptions | None = None,
) -> tuple[RunIdentity, tuple[str, ...]]:
    """What a run would be, and what has to be said about it. Nothing is written.

    Args:
        suite, agent: names of the tables `SUITES` and `AGENTS` (or `module:Class`).
        scenarios: ids of those of the suite that are played, none for all; their order does not matter.
        variants: names, or ("all",); their order does not matter.
        seeds: the episodes' seeds are 0 .. seeds - 1; a deterministic agent gets 0 alone, once.
        epochs: repetitions of each seed; the env's seed stays, the agent's own is another (`agent_seed`).
        observation, reward: arguments of the envs; an agent that is sent a conversation plays with "text" or "visual".
        protocol: how that conversation is held, a name of `PROTOCOLS` ("paper" by default); None for other agents.
        model: options of the model of an `llm` agent; None for the defaults, and for other agents.
        pictures: how an observation of images is made; None for the defaults, and for others.
    Raises:
        UnknownName, NotYetAvailable, RunError, AgentError, ModelError, ValueError: a value is not valid; the message
        says what is.
    """
    played = get_suite(suite)
    chosen = check_variants(variants, all_of=played.variants)
    played.check_variants(chosen)
    for name, value in (("seeds", seeds), ("epochs", epochs)):
        if value < 1:
            raise RunError(f"{name} must be at least 1, not {value!r}")
    cast = Cast(agent, model)
    entry = cast.entry
    if entry.reads and observation not in entry.reads:
        raise RunError(f"agent {agent!r} reads no {observation!r}: give --observation {entry.reads[0]}")
    kwargs: dict[str, Any] = {"mask": "exists", "observation": observation, "reward": reward}
    if pictures is not None:
        kwargs |= pictures.env_kwargs()
    if entry.privileged:
        kwargs["privileged"] = list(entry.privileged)
    notes: tuple[str, ...] = ()
    if entry.deterministic and played.seeded:  # each seed asks something else, an epoch does not
        notes = (f"agent {agent!r} is deterministic: one epoch, any other would be the same again",) * (epochs > 1)
        epochs = 1
    elif entry.deterministic:
        seeds = epochs = 1
        notes = (f"agent {agent!r} is deterministic: seed 0 only, every other episode would be the same again",)
    shown = plan_pictures(observation, pictures, in_chat=entry.observation == "chat")
    if "all" in variants and len(played.variants) < len(VARIANTS):
        notes += (f"suite {suite!r} has the variant {', '.join(played.variants)} alone: `all` plays no other",)
    identity = RunIdentity(
        suite=suite,
        agent=agent,
        agent_input=file_digest(agent.partition(":")[2]) if cast.model is None else None,
        model=cast.model_entry(),
        envs=_as_met(played.envs(kwargs, scenarios), _protocol(cast, observation, protocol), shown),
        variants=chosen,
        seeds=tuple(range(seeds)),
        epochs=epochs,
    )
    # Made once before anything is written: a wrong argument is the command's fault, not an error in every episode.
    cast.make_any()
    for env in identity.envs:
        gym.make(env.env_id, scenario=next(iter(env.scenarios)), variant=chosen[0], **env.kwargs).close()
    return identity, notes


def _protocol(cast: Cast, observation: str, asked: str | None) -> ChatProtocol | None:
    """How the conversation with the agent is held; None where it is sent none, and its replies were given in none."""
    entry = cast.entry
    if entry.observation != "chat":
        if asked is not None:
            raise RunError(f"agent {entry.name!r} is sent no conversation: leave the protocol {asked!r} out")
        recorded = entry.protocol_of(cast.spec.partition(":")[2]) if entry.protocol_of is not None else ""
        return get_protocol(recorded) if recorded else None
    if observation not in CHAT_OBSERVATIONS:
        known = " or ".join(map(repr, CHAT_OBSERVATIONS))
        raise RunError(f"agent {entry.name!r} is sent a conversation: its observation is {known}, not {observation!r}")
    if observation == "visual" and cast.model is not None and not cast.model.takes_images:
        raise RunError(f"{cast.model.name} takes no images, which the observation 'visual' sends it; use 'text'")
    protocol = get_protocol(asked if asked is not None else DEFAULT_PROTOCOL)
    if protocol.uses_tool and cast.model is not None and not cast.model.takes_tools:
        text = ", ".join(repr(name) for name, known in PROTOCOLS.items() if not known.uses_tool)
        raise RunError(f"{cast.model.name} takes no tools, which protocol {protocol.name!r} offers it; others: {text}")
    return protocol


def _as_met(
    envs: tuple[EnvEntry, ...], protocol: ChatProtocol | None, shown: PictureEntry | None
) -> tuple[EnvEntry, ...]:
    """The envs as they are met through a prompt protocol, and with pictures."""
    update: dict[str, Any] = {} if shown is None else {"pictures": shown}
    if protocol is not None:
        sent = f"{SEPARATOR}{shown.sent_as}" if shown is not None and shown.sent_as else ""
        update |= {"protocol": protocol.name, "protocol_id": f"{protocol.id}{sent}"}
    if not update:
        return envs
    told = {"protocol": update.get("protocol_id"), "world_model_id": None if shown is None else shown.backend}
    more = {name: value for name, value in told.items() if value is not None}
    return tuple(
        env.model_copy(update={**update, "env_hash": hash_env(env.env_id, {**env.kwargs, **more})}) for env in envs
    )


def check_variants(variants: Sequence[str], all_of: Sequence[Variant] = VARIANTS) -> tuple[str, ...]:
    """The variants asked for, each once, in the order of `VARIANTS`; "all" is every one of `all_of`.

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
    return tuple(variant for variant in VARIANTS if variant in variants or ("all" in variants and variant in all_of))
