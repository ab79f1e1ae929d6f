"""`ScenarioEnv`: what worlds that play one scenario an episode have in common. Own design (architecture, "Envs").

Seeds and the draw of scenarios, the cap on interactions, before the first reset and after the end, the screen.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import gymnasium as gym

from conflictbench.envs.arguments import SCREENS, picked_scenario
from conflictbench.envs.fiction.scenario_draw import draw_scenario
from conflictbench.errors import InvalidAction, ResetNeeded, shown
from conflictbench.types import Info, Variant

Observed = TypeVar("Observed")  # an observation
Played = TypeVar("Played")  # the scenario as this kind of world reads it


class WorldConfig(Protocol):
    """What is asked of every such world."""

    @property
    def scenarios(self) -> tuple[str, ...]: ...  # sorted ids, at least one
    @property
    def variant(self) -> Variant: ...
    @property
    def max_interactions(self) -> int: ...
    @property
    def render_mode(self) -> str | None: ...


class ScenarioEnv(gym.Env[Observed, Any], ABC, Generic[Observed, Played]):
    """A world over a list of scenarios: each reset draws one, each interaction is answered, some number ends it."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(SCREENS), "render_fps": 4}  # type: ignore[misc]

    def __init__(self, config: WorldConfig) -> None:
        self._world_config = config
        self.render_mode = config.render_mode
        self._max_interactions = config.max_interactions
        self._seed: int | None = None
        self._resets = 0  # k of the scenario draw
        self._played: Played | None = None  # None before the first reset
        self._interactions = 0
        self._over = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observed, Info]:
        """Begin an episode.

        Args:
            seed: >= 0; starts the draws anew. Without one, the first reset draws a seed and keeps it.
            options: `{"scenario": id}` plays that scenario of this environment's list, at no other change.
        Returns:
            observation and info, as the class says; info has `seed` here alone.
        Raises:
            InvalidValue: `options` is no dict.  UnknownName: an unknown option or scenario.
        """
        scenarios = self._world_config.scenarios
        picked = None if options is None else picked_scenario(options, scenarios)
        if seed is None and self._seed is None:
            # 32 bits: exact in JSON and in every language that reads a record
            seed = int(self.np_random.integers(2**32))
        if seed is not None:
            super().reset(seed=seed)  # seeds np_random, and does nothing else
            self._seed, self._resets = seed, 0
        else:
            self._resets += 1
        assert self._seed is not None
        self._interactions, self._over = 0, False
        self._played = self._begin(
            picked or draw_scenario(scenarios, self._seed, self._resets), self._seed, self._resets
        )
        if self.render_mode == "human":
            self.render()
        info = self._info()
        info["seed"] = self._seed
        return self._observation(), info

    def render(self) -> Any:
        """Return the screen ("ansi"), or print it ("human")."""
        played = self._started("render")
        if self.render_mode is None:
            gym.logger.warn("render() without a render_mode shows nothing; make the env with render_mode='ansi'")
            return None
        shown = self._screen(played)
        if self.render_mode == "ansi":
            return shown
        sys.stdout.write(shown + "\n")
        sys.stdout.flush()
        return None

    @property
    def variant(self) -> Variant:
        """The variant every episode of this environment plays."""
        return self._world_config.variant

    @property
    def interactions(self) -> int:
        """Interactions of this episode so far."""
        return self._interactions

    @property
    def max_interactions(self) -> int:
        """Interactions at which an episode without an outcome is truncated."""
        return self._world_config.max_interactions

    @abstractmethod
    def _begin(self, scenario: str, seed: int, k: int) -> Played:
        """Read the scenario for the k-th reset since `seed`, and put the world at its beginning."""

    @abstractmethod
    def _observation(self) -> Observed:
        """What is observed now."""

    @abstractmethod
    def _info(self) -> Info:
        """The keys that every info has."""

    @abstractmethod
    def _screen(self, played: Played) -> str:
        """What a person sees now."""

    def _started(self, what: str) -> Played:
        if self._played is None:
            raise ResetNeeded(f"{what} before the first reset; call reset() first")
        return self._played

    def _running(self, what: str) -> Played:
        played = self._started(what)
        if self._over:
            raise ResetNeeded(f"{what} after the end of the episode; call reset() first")
        return played

    def _interacted(self, terminated: bool) -> bool:
        """Count an interaction and show what came of it; return whether it was the last that there is room for."""
        self._interactions += 1
        truncated = not terminated and self._interactions >= self._max_interactions
        self._over = terminated or truncated
        if self.render_mode == "human":
            self.render()
        return truncated


def check_words(text: object) -> None:
    """Raise InvalidAction for a command that is no str."""
    if not isinstance(text, str):
        raise InvalidAction(f"command {shown(text)} is a {type(text).__name__}; it must be a str")
