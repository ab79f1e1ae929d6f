"""One episode: reset, act until the end, and the record of it. Own design, after bsuite's `experiment.py`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import iscoroutine
from typing import Any

import gymnasium as gym

from conflictbench.benchmarks.faults import calls_of, reason, status_of
from conflictbench.benchmarks.units import Unit
from conflictbench.errors import AgentError
from conflictbench.protocols import Agent, AsyncAgent
from conflictbench.seeds import agent_seed
from conflictbench.types import Decision, EpisodeRecord, Status, Task, Usage
from conflictbench.wrappers.chat import ChatEnv
from conflictbench.wrappers.chat.pictures import KEEP_CLIPS
from conflictbench.wrappers.episode_record import RECORD_KEY, EpisodeRecorder
from conflictbench.wrappers.text_actions import TextActions

OnStep = Callable[[], None]
OnDecision = Callable[[Decision], None]


def make_env(unit: Unit) -> EpisodeRecorder:
    """The one stack that every benchmark plays on: the registered env, replies in words, the record outermost.

    Where the unit names a prompt protocol, the conversation stands in between.
    """
    env: gym.Env[Any, Any] = TextActions(
        gym.make(
            unit.env.env_id,
            disable_env_checker=True,  # it is a test of the env, and costs more than an episode
            scenario=unit.key.scenario,
            variant=unit.key.variant,
            **unit.env.kwargs,
        )
    )
    return EpisodeRecorder(
        ChatEnv(env, unit.env.protocol, keep_clips=_keep_clips(unit)) if unit.env.protocol else env,
        agent_name=unit.key.agent,
        env_hash=unit.key.env_hash,
        epoch=unit.key.epoch,
        attempt=unit.attempt,
    )


def _keep_clips(unit: Unit) -> int:
    kept = None if unit.env.pictures is None else unit.env.pictures.keep_clips
    return KEEP_CLIPS if kept is None else kept


class Episode:
    """An episode between its decisions: what to decide on, and what became of it. It knows no agent."""

    def __init__(self, env: EpisodeRecorder, seed: int, epoch: int = 0) -> None:
        """Reset `env`, a stack as `make_env` builds it, with `seed`."""
        self._env = env
        self.observation, self.info = env.reset(seed=seed)
        self.record: EpisodeRecord | None = None
        spec = env.unwrapped.spec  # not the wrapper's own, which would be built anew for each
        self.task = Task(
            env_id=spec.id if spec is not None else str(getattr(env.unwrapped, "env_id", "")),
            seed=agent_seed(seed, epoch),
            n_actions=_number_of_actions(env),
            scenario=self.info["scenario"],
            variant=self.info["variant"],
            title=_title(env),
            max_interactions=getattr(env.unwrapped, "max_interactions", None),
        )

    def carry_out(self, decision: Decision) -> None:
        """Take one decision to the world; `record` is set by the last one."""
        self._env.note(decision)
        action = decision.text if decision.action is None else decision.action
        self.observation, _, terminated, truncated, self.info = self._env.step(action)
        if terminated or truncated:
            self.record = self.info[RECORD_KEY]

    def stopped(self, status: Status, why: str, *, calls: int = 0) -> EpisodeRecord:
        """The record of an episode that did not come to its end.

        Args:
            why: one line.
            calls: requests to a model that no step accounts for, since they brought no decision.
        """
        record = self._env.record(status, why)
        return record.model_copy(update={"usage": record.usage + Usage(calls=calls)}) if calls else record

    def failed(self, error: Exception) -> EpisodeRecord:
        """The record of an episode that an exception ended, also one that came after its end."""
        if self.record is None:
            return self.stopped(status_of(error), reason(error), calls=calls_of(error))
        dropped = {"outcome": None, "label": None, "assigned_value": None}
        return self.record.model_copy(update={"status": status_of(error), "error": reason(error), **dropped})


def rollout(
    env: EpisodeRecorder,
    agent: Agent,
    seed: int,
    *,
    epoch: int = 0,
    on_step: OnStep = lambda: None,
    on_decision: OnDecision = lambda decision: None,
) -> EpisodeRecord:
    """Play one episode to its end.

    Args:
        env: a stack as `make_env` builds it.
        seed: of the env's reset and, at epoch 0, of the agent's own randomness.
        epoch: repetition of the seed; see `agent_seed`.
        on_step: called before each decision; an `Exception` it raises becomes the episode's reason, anything else ends
            the episode and is passed on.
        on_decision: called with each decision, before the world sees it.
    Returns:
        The finished record. Where env or agent raised, its status says what kind of fault it was (`status_of`) and
        `error` says why in one line: a fault in one episode must not end a run.
    """
    episode = Episode(env, seed, epoch)
    try:
        agent.reset(episode.task)
        while episode.record is None:
            on_step()
            decision = _decided(agent, agent.act(episode.observation, episode.info))
            on_decision(decision)
            episode.carry_out(decision)
        _finish(agent, episode)
        return episode.record
    except Exception as error:  # whatever an agent from outside raises is kept as this episode's reason
        return episode.failed(error)


async def rollout_async(
    episode: Episode,
    agent: AsyncAgent,
    *,
    on_step: OnStep = lambda: None,
    on_decision: OnDecision = lambda decision: None,
) -> EpisodeRecord:
    """As `rollout`, for an agent that waits. The caller keeps `episode`, to close its record if this is cancelled."""
    try:
        agent.reset(episode.task)
        while episode.record is None:
            on_step()
            decision = _decided(agent, await agent.act(episode.observation, episode.info))
            on_decision(decision)
            episode.carry_out(decision)
        _finish(agent, episode)
        return episode.record
    except Exception as error:  # as in `rollout`
        return episode.failed(error)


def _decided(agent: Agent | AsyncAgent, decision: Any) -> Decision:
    """What `act` returned, if it is a decision. Raises AgentError that names the agent's class elsewhere."""
    if isinstance(decision, Decision):
        return decision
    if iscoroutine(decision):
        decision.close()  # nobody is going to await it
    kind, returned = type(agent), type(decision).__name__
    raise AgentError(f"{kind.__module__}:{kind.__qualname__}.act returned {returned}, not Decision")


def _finish(agent: Agent | AsyncAgent, episode: Episode) -> None:
    """Tell an agent that wants to know how the episode ended (its optional method `finish(info)`)."""
    finish = getattr(agent, "finish", None)
    if callable(finish):
        finish(episode.info)


def _number_of_actions(env: gym.Env[Any, Any]) -> int:
    """Size of the action space beneath the words: that of what `TextActions` stands round."""
    layer = env
    while isinstance(layer, gym.Wrapper) and not isinstance(layer, TextActions):
        layer = layer.env
    space: Any = layer.env.action_space if isinstance(layer, TextActions) else layer.action_space
    return int(space.n)


def _title(env: gym.Env[Any, Any]) -> str:
    """Title of the scenario being played; "" for a world that has none."""
    scenario = getattr(env.unwrapped, "scenario", None)
    return str(scenario.spec.title) if scenario is not None else ""
