"""Keeps every step of an episode as data, whichever loop drives it. Own design, after bsuite's logging wrappers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, SupportsFloat

import gymnasium as gym

from conflictbench.errors import ResetNeeded
from conflictbench.types import (
    ClipRecord,
    Decision,
    EpisodeKey,
    EpisodeRecord,
    Event,
    Label,
    Reply,
    Status,
    StepRecord,
    Usage,
)
from conflictbench.wrappers.course import course_of
from conflictbench.wrappers.kept_reply import kept_reply

RECORD_KEY = "episode_record"
_IN_THE_KEY = frozenset({"scenario", "variant"})  # have their own places in the episode key


def hash_env(env_id: str, kwargs: Mapping[str, Any]) -> str:
    """8 hex digits of blake2b over an env id and its kwargs, scenario and variant left out.

    Raises:
        TypeError: a kwarg that JSON cannot hold, so that no record could rebuild the env.
    """
    kept = {name: value for name, value in kwargs.items() if name not in _IN_THE_KEY}
    canonical = json.dumps({"env_id": env_id, "kwargs": kept}, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return blake2b(canonical.encode("ascii"), digest_size=4).hexdigest()


class EpisodeRecorder(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Outermost wrapper: at the last step `info["episode_record"]` holds the `EpisodeRecord`.

    Works over `TextActions` and over the bare environment. A loop that stops early calls `record(status, error)`.
    What an episode was abandoned at by a mere `reset` is not a result: it has no status and leaves no record.

    The key's seed is `info["seed"]`. Unseeded resets after a seeded one (vector environments, training) belong to the
    same seed; they count on in the key's epoch, so that no two episodes of one recorder share a key.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        agent_name: str,
        env_hash: str | None = None,
        epoch: int = 0,
        attempt: int = 1,
    ) -> None:
        """Wrap `env`.

        Args:
            agent_name: the agent's name in the episode key.
            env_hash: 8 hex digits of the env id and kwargs; None computes them from `env.spec` with `hash_env`.
            epoch: which repetition of the same seed this is; attempt: which try at it, from 1.
        """
        gym.utils.RecordConstructorArgs.__init__(
            self, agent_name=agent_name, env_hash=env_hash, epoch=epoch, attempt=attempt
        )
        gym.Wrapper.__init__(self, env)
        spec = env.unwrapped.spec  # has the same id and kwargs as the wrapper's own, which would be deep-copied
        # the world's own name first: a wrapper that makes another world of it (`RegretTest`) has another one
        self._env_id = str(getattr(env.unwrapped, "env_id", "")) or (spec.id if spec is not None else "")
        self._env_hash = env_hash if env_hash is not None else hash_env(self._env_id, spec.kwargs if spec else {})
        self._agent_name = agent_name
        self._epoch = epoch
        self._attempt = attempt
        self._unseeded_resets = 0
        self._decision: Decision | None = None
        self._key: EpisodeKey | None = None
        self._opening = ""
        self._opening_clips: tuple[ClipRecord, ...] = ()
        self._digest = self._world_model = ""
        self._steps: list[StepRecord] = []
        self._info: dict[str, Any] = {}
        self._reasks = self._malformed = 0
        self._finished: EpisodeRecord | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset the environment and begin a new record."""
        self._key, self._finished, self._decision = None, None, None
        observation, info = self.env.reset(seed=seed, options=options)
        self._unseeded_resets = 0 if seed is not None else self._unseeded_resets + int(bool(self._info))
        self._key = EpisodeKey(
            scenario=info["scenario"],
            variant=info["variant"],
            env_hash=self._env_hash,
            agent=_storable(self._agent_name),
            seed=int(info["seed"]),
            epoch=self._epoch + self._unseeded_resets,
        )
        self._opening = _storable(self._answer(observation))
        self._digest = str(getattr(getattr(self.unwrapped, "scenario", None), "digest", ""))
        self._opening_clips = self._clips()
        self._world_model = self._pictures().backend if self._opening_clips else ""
        self._steps = []
        self._info = dict(info)  # a loop may change the one it is given
        self._reasks = self._malformed = 0
        return observation, info

    def note(self, decision: Decision) -> None:
        """Keep the reasoning and the usage of the decision that the next `step` carries out."""
        self._decision = decision

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and keep what was asked for and what came of it."""
        if self._key is None or self._finished is not None:
            raise ResetNeeded("call reset() before step(): there is no running episode to record")
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._steps.append(self._step_record(action, observation, float(reward), info))
        self._decision = None
        self._info = dict(info)
        self._reasks += bool(info.get("reask"))
        self._malformed += int(info.get("malformed", 0))
        if terminated or truncated:
            status = Status.COMPLETED if terminated else Status(info.get("status", Status.TRUNCATED))
            self._finished = self._episode(status, None)
            info = {**info, RECORD_KEY: self._finished}
        return observation, reward, terminated, truncated, info

    def record(self, status: Status | str | None = None, error: str | None = None) -> EpisodeRecord:
        """Return the record of the finished episode, or close the running one with a status.

        Args:
            status: how it ended, for a loop that stopped early; not given for an episode that ended by itself.
            error: the reason; kept on one line.
        Raises:
            ResetNeeded: no episode was begun, it still runs and no status is given, or it has ended with another.
        """
        if self._finished is not None:
            if status is None or Status(status) is self._finished.status:
                return self._finished
            raise ResetNeeded(f"the episode has ended as {self._finished.status.value}, it cannot become {status}")
        if self._key is None or status is None:
            raise ResetNeeded(
                "no episode to record: call reset() first"
                if self._key is None
                else "the episode still runs: name a status to close its record"
            )
        self._finished = self._episode(Status(status), error)
        return self._finished

    def _step_record(self, action: Any, observation: Any, reward: float, info: Mapping[str, Any]) -> StepRecord:
        in_words = isinstance(action, str | Reply)
        noted = self._decision
        reasoning, source = info.get("reasoning", ""), info.get("reasoning_source", "")
        if noted is not None and noted.reasoning:
            reasoning, source = noted.reasoning, noted.reasoning_source
        action_id = info.get("action")
        said = (action if isinstance(action, Reply) else Reply(text=action)) if in_words else Reply()
        reply, reasoning = kept_reply(said, reasoning)
        return StepRecord(
            index=len(self._steps),
            action=None if action_id is None else str(action_id),
            command=_storable(str(info.get("command", ""))),
            reply=reply if in_words else None,
            verdict=info.get("verdict") if in_words else None,
            event=info.get("event"),
            text=_storable(self._answer(observation)),
            reward=reward,
            turn=int(info.get("turn", 0)),
            reasoning=_storable(reasoning),
            reasoning_source=source,
            usage=noted.usage if noted is not None else Usage(),
            model=_storable(noted.model) if noted is not None else "",
            clips=self._clips() if info.get("event") is not None else (),  # else no world was reached
        )

    def _clips(self) -> tuple[ClipRecord, ...]:
        """The clips of the last interaction, where observation or info shows them."""
        pictures = self._pictures()
        if pictures is None or not pictures.told:
            return ()
        return tuple(
            ClipRecord(name=shown.name, key=shown.key, digest=shown.digest, missing=shown.clip is None)
            for shown in pictures.new
        )

    def _pictures(self) -> Any:
        """The clips of the world's episode; None where nothing shows any."""
        return getattr(self.unwrapped, "pictures", None)

    def _answer(self, observation: Any) -> str:
        """The world's words, also where the observation holds none (features)."""
        if self.env.has_wrapper_attr("text"):
            return str(self.env.get_wrapper_attr("text"))
        return str(observation["text"]) if isinstance(observation, Mapping) and "text" in observation else ""

    def _episode(self, status: Status, error: str | None) -> EpisodeRecord:
        assert self._key is not None  # both callers have checked
        events = [step.event for step in self._steps]
        ended = status is Status.COMPLETED
        label = self._info.get("label") if ended else None
        value = self._info.get("assigned_value") if ended else None
        regret_stage = self._info.get("regret_stage") if ended else None
        return EpisodeRecord(
            key=self._key,
            attempt=self._attempt,
            status=status,
            env_id=self._env_id,
            scenario_digest=self._digest,
            protocol=str(self._info.get("protocol", "")),
            course=course_of(self._steps),
            opening=self._opening,
            opening_clips=self._opening_clips,
            world_model=self._world_model,
            outcome=self._info.get("outcome") if ended else None,
            label=None if label is None else Label(label),
            turns=int(self._info.get("turn", 0)),
            interactions=int(self._info.get("interactions", len(self._steps))),
            rejected=events.count(Event.REJECTED),
            unknown=events.count(Event.UNKNOWN),
            free=events.count(Event.FREE),
            reasks=self._reasks,
            malformed=self._malformed,
            total_reward=sum((step.reward for step in self._steps), 0.0),
            assigned_value=None if value is None else float(value),
            regret_applicable=bool(self._info.get("regret_applicable", False)),
            regret_stage=None if regret_stage is None else int(regret_stage),
            question=getattr(self.unwrapped, "question_record", None),
            usage=sum((step.usage for step in self._steps), Usage()),
            models=tuple(dict.fromkeys(step.model for step in self._steps if step.model)),
            error=None if error is None else _storable(" ".join(error.split())),
            steps=tuple(self._steps),
        )


def _storable(text: str) -> str:
    """Escape lone surrogates, which UTF-8 and so JSON on disk cannot hold; everything else stays as it is."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
