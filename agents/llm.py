"""`LLMAgent`: a policy from a conversation to a reply, and nothing else. ConflictBench section 5.1."""

from __future__ import annotations

from dataclasses import replace

from conflictbench.errors import AgentError
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Decision, Info, Limits, Observation, Task

_SEEDS = 2**31  # providers keep a seed as a signed 32-bit number


class LLMAgent:
    """Sends the conversation it observes to one model, and hands back what the model says.

    It neither reads the reply nor remembers anything: prompts, history, parsing and asking again are `ChatEnv`'s.
    """

    observation = "chat"

    def __init__(self, model: LanguageModel, limits: Limits = DEFAULT_LIMITS) -> None:
        """Take the model, which may be shared between agents, and what one call may take.

        Without a `limits.seed` every episode has its own, the task's: providers that sample by it then repeat an
        episode exactly, and another epoch of the same episode is another draw.
        """
        self.name = f"llm:{model.name}"
        self._model = model
        self._limits = limits
        self._episode_limits: Limits | None = None

    def reset(self, task: Task) -> None:
        """Begin an episode; its seed goes into every call."""
        seed = self._limits.seed if self._limits.seed is not None else task.seed % _SEEDS
        self._episode_limits = replace(self._limits, seed=seed)

    async def act(self, observation: Observation, info: Info) -> Decision:
        """Ask the model.

        Args:
            observation: `messages` and `tools`, as `ChatEnv` gives them.
        Raises:
            AgentError: before `reset`, or an observation that is no conversation.
            ModelError: the model gave no answer.
        """
        if self._episode_limits is None:
            raise AgentError(f"agent {self.name!r} was asked to act before reset(task)")
        if "messages" not in observation:
            raise AgentError(
                f"agent {self.name!r} reads observation['messages']: wrap the environment in ChatEnv; "
                f"this observation has {', '.join(sorted(observation)) or 'nothing'}"
            )
        completion = await self._model.complete(
            observation["messages"], observation.get("tools", ()), self._episode_limits
        )
        return Decision(text=completion.reply, usage=completion.usage, model=completion.model)
