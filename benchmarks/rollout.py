"""One episode: reset, act until the end, and the record of it. Own design, after bsuite's `experiment.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np

from conflictbench.benchmarks.units import Unit
from conflictbench.protocols import Agent
from conflictbench.types import EpisodeRecord, Status, Task
from conflictbench.wrappers.episode_record import RECORD_KEY, EpisodeRecorder
from conflictbench.wrappers.text_actions import TextActions

MAX_REASON = 300  # characters of an exception kept in a record


def make_env(unit: Unit) -> EpisodeRecorder:
    """The one stack that every benchmark plays on: the registered env, replies in words, the record outermost."""
    env: gym.Env[Any, Any] = gym.make(
        unit.env.env_id, scenario=unit.key.scenario, variant=unit.key.variant, **unit.env.kwargs
    )
    return EpisodeRecorder(
        TextActions(env),
        agent_name=unit.key.agent,
        env_hash=unit.key.env_hash,
        epoch=unit.key.epoch,
        attempt=unit.attempt,
    )


def agent_seed(seed: int, epoch: int) -> int:
    """Seed of the agent's own randomness: the episode's at epoch 0, else another 32-bit number for each pair.

    An agent whose choices follow from its seed would otherwise play the same episode again in every epoch.
    """
    return seed if epoch == 0 else int(np.random.SeedSequence([seed, epoch]).generate_state(1)[0])


def rollout(
    env: EpisodeRecorder,
    agent: Agent,
    seed: int,
    *,
    epoch: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> EpisodeRecord:
    """Play one episode to its end.

    Args:
        env: a stack as `make_env` builds it.
        seed: of the env's reset and, at epoch 0, of the agent's own randomness.
        epoch: repetition of the seed; see `agent_seed`.
        on_step: called before each step; what it raises ends the episode and is passed on.
    Returns:
        The finished record. Where env or agent raised, its status is env_error and `error` says why in one line: a
        fault in one episode must not end a run.
    """
    observation, info = env.reset(seed=seed)
    world: Any = env.unwrapped
    task = Task(
        env_id=world.env_id,
        seed=agent_seed(seed, epoch),
        n_actions=int(world.action_space.n),
        scenario=info["scenario"],
        variant=info["variant"],
    )
    try:
        agent.reset(task)
        while True:
            on_step()
            decision = agent.act(observation, info)
            env.note(decision)
            action = decision.text if decision.action is None else decision.action
            observation, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                record: EpisodeRecord = info[RECORD_KEY]
                return record
    except Exception as error:  # whatever an agent from outside raises is kept as this episode's reason
        return env.record(Status.ENV_ERROR, reason(error))


def reason(error: BaseException) -> str:
    """An exception as one line of printable ASCII: its type, its message, and the first cause inside a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    words = " ".join(f"{type(error).__name__}: {error}".split())
    printable = words.encode("ascii", "backslashreplace").decode("ascii")
    printable = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in printable)
    return printable if len(printable) <= MAX_REASON else printable[: MAX_REASON - 3] + "..."
