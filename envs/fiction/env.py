"""`FictionEnv`: EP1, EP2 and EP3 as a Gymnasium environment. ConflictBench section 3; API after architecture "Envs"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from conflictbench.envs.arguments import one_of
from conflictbench.envs.fiction.action_index import action_index
from conflictbench.envs.fiction.config import FEATURES_DTYPES, FictionConfig, parse_config
from conflictbench.envs.fiction.dynamics import action_mask, answer, say_words, take_action
from conflictbench.envs.fiction.features import feature_row
from conflictbench.envs.fiction.reading import Reading, read
from conflictbench.envs.fiction.render import screen
from conflictbench.envs.fiction.spaces import N_ACTIONS, FeaturesDtype, observation_space
from conflictbench.envs.fiction.types import FictionObservation, Interaction
from conflictbench.envs.scenario_env import ScenarioEnv, check_words
from conflictbench.scenario_specs import CommandBook, LoadedScenario
from conflictbench.types import Info

Step = tuple[FictionObservation, float, bool, bool, Info]


class FictionEnv(ScenarioEnv[FictionObservation, Reading]):
    """A scenario played by action index or by words; every answer is a table look-up.

    Observed are the opening and status as text, or the features; and the `action_mask`, int8, shape (12,). Info has
    `scenario`, `variant`, `turn`, `turns_left`, `interactions`, and the privileged values.

    Args:
        category: "EP1", "EP2" or "EP3"; the registered ids fix it and do not take it.
        scenario: an id, a list of ids, or None for all of the category.
        observation: "text" or "features" ("visual", "pixels" and "all" come with the pictures).
        variant: "conflict", "stake_only", "task_only" or "control".
        engine: "native" ("glulx" comes with the story files).
        reward: "human", "assigned", x in 0..1 for {human: x, assigned: 1 - x}, or {"human": a, "assigned": b}.
        mask: "exists" marks all indices that are not padding, "available" those accepted in this state.
        pack: "core", or the name of an imported pack.
        privileged: names of values for oracles that go into `info`; a value that does not exist (the best action
            after an ending) is left out.
        scenario_bits: whether the last 16 features tell scenarios apart.
        features_dtype: "float32" in 0..1, or "uint8" in 0..255.
        max_interactions: answered commands before the episode is truncated, the free ones included; None for 14.
        render_mode: None, "ansi" or "human".
    Raises:
        UnknownName, NotYetAvailable, ValueError: an argument is not valid; the message names the choices.
    """

    action_space: spaces.Discrete
    observation_space: spaces.Dict

    def __init__(
        self,
        category: str = "EP1",
        scenario: str | Sequence[str] | None = None,
        observation: str = "text",
        variant: str = "conflict",
        engine: str = "native",
        reward: str | float | dict[str, float] = "human",
        mask: str = "exists",
        pack: str = "core",
        privileged: Sequence[str] = (),
        scenario_bits: bool = True,
        features_dtype: str = "float32",
        max_interactions: int | None = None,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        self.config: FictionConfig = parse_config(
            category=category,
            scenario=scenario,
            observation=observation,
            variant=variant,
            engine=engine,
            reward=reward,
            mask=mask,
            pack=pack,
            privileged=privileged,
            scenario_bits=scenario_bits,
            features_dtype=features_dtype,
            max_interactions=max_interactions,
            render_mode=render_mode,
            unknown=unknown,
        )
        super().__init__(self.config)
        self.action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = observation_space(self.config.observation, self.config.features_dtype)
        self._state = 0
        self._last: Interaction | None = None

    def step(self, action: Any) -> Step:
        """Try the action at an index; a rejected or a padding one is answered and costs no turn.

        Args:
            action: index in file order, integer in [0, 12); from the scenario's number of actions on, padding.
        Returns:
            observation: as at `reset`, `text` being the world's answer, printable ASCII, <= 8192 characters.
            reward: in 0..1 (two weights: in 0..2), nonzero only at an ending.
            terminated: an outcome was reached.  truncated: the interaction cap was, without an outcome.
            info: as at `reset` without `seed`, with `event`, `action` and `command`, and at an ending `outcome`,
                `label` and `assigned_value`.
        Raises:
            ResetNeeded: before the first `reset` or after the episode.  InvalidAction: not an index of the space.
        """
        reading = self._running("step")
        return self._finish(take_action(reading, self._state, action_index(action, N_ACTIONS)))

    def command(self, text: str) -> Step:
        """Try a command in words: an action's, `look`, `help`, `status`, `examine X`, or unknown words.

        Each is one interaction. Returns and raises as `step`.
        """
        reading = self._running("command")
        check_words(text)
        return self._finish(say_words(reading, self._state, text))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask as bools, shape (12,): the method sb3_contrib's MaskablePPO asks for."""
        reading = self._started("action_masks")
        return action_mask(reading.tables, self._state, self.config.mask).astype(np.bool_)

    def features(self, dtype: FeaturesDtype | None = None) -> NDArray[np.float32] | NDArray[np.uint8]:
        """Return the state's features, shape (32,), whatever is observed.

        Args:
            dtype: as `features_dtype`; None for the environment's own.
        Raises:
            UnknownName: another dtype.
        """
        reading = self._started("features")
        bits = reading.bits if self.config.scenario_bits else None
        if dtype is None:
            dtype = self.config.features_dtype
        one_of("features_dtype", dtype, FEATURES_DTYPES)
        return feature_row(reading.tables, self._state, bits, dtype)

    @property
    def text(self) -> str:
        """The world's last answer; the opening after a reset."""
        reading = self._started("text")
        return reading.narrator.opening(self._state) if self._last is None else answer(reading, self._last)

    @property
    def help_page(self) -> str:
        """What `help` answers, in every state, without an interaction: the first thing a language model is shown."""
        return self._started("help_page").narrator.help_page()

    @property
    def scenario(self) -> LoadedScenario:
        """The scenario being played."""
        return self._started("scenario").loaded

    @property
    def command_book(self) -> CommandBook:
        """The commands of the scenario being played."""
        return self._started("command_book").command_book

    @property
    def state_index(self) -> int:
        """Row of the current state in the scenario's tables."""
        self._started("state_index")
        return self._state

    @property
    def env_id(self) -> str:
        """Registered id."""
        return self.config.env_id

    def _begin(self, scenario: str, seed: int, k: int) -> Reading:
        self._state, self._last = 0, None
        return read(scenario, self.config.variant, self.config.pack)

    def _screen(self, played: Reading) -> str:
        spec = played.loaded.spec
        return screen(
            title=spec.title,
            turn=self._turn(played),
            window=spec.window,
            interactions=self._interactions,
            max_interactions=self.max_interactions,
            command=self._last.command if self._last else None,
            text=self.text,
        )

    def _turn(self, reading: Reading) -> int:
        return int(reading.tables.turn[self._state])

    def _finish(self, interaction: Interaction) -> Step:
        """Keep what an interaction did and return the step."""
        reading = self._started("step")
        self._last, self._state = interaction, interaction.after
        outcome = int(reading.tables.outcome[self._state])
        terminated = outcome >= 0
        truncated = self._interacted(terminated=terminated)
        info = self._info()
        info["event"] = interaction.event.value
        info["action"] = None if interaction.action is None else reading.action_ids[interaction.action]
        info["command"] = interaction.command
        reward = 0.0
        if terminated:
            label, assigned_value = reading.labels[outcome], reading.assigned[outcome]
            reward = self.config.reward.at_end(label, assigned_value)
            info |= {"outcome": reading.outcome_ids[outcome], "label": label.value, "assigned_value": assigned_value}
        return self._observation(), reward, terminated, truncated, info

    def _observation(self) -> FictionObservation:
        reading = self._started("observation")
        mask = action_mask(reading.tables, self._state, self.config.mask)
        if self.config.observation == "text":
            return {"action_mask": mask, "text": self.text}
        return {"action_mask": mask, "features": self.features()}

    def _info(self) -> Info:
        reading = self._started("info")
        turn = self._turn(reading)
        info: Info = {
            "scenario": reading.loaded.id,
            "variant": reading.variant,
            "turn": turn,
            "turns_left": reading.loaded.spec.window - turn,
            "interactions": self._interactions,
        }
        for name in self.config.privileged:
            value = reading.privileged.get(name, self._state)
            if value is not None:  # vector envs store a name in one typed array, which has no room for None
                info[name] = value
        return info
