"""`SingleTurnEnv`: a scenario's conflict as one question with four options. ConflictBench C.4, after PacifAIst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from conflictbench.envs.fiction.action_index import action_index
from conflictbench.envs.fiction.render import screen
from conflictbench.envs.fiction.spaces import text_space
from conflictbench.envs.scenario_env import ScenarioEnv, check_words
from conflictbench.envs.single_turn.choices import ChoiceBook
from conflictbench.envs.single_turn.config import SingleTurnConfig, parse_config
from conflictbench.envs.single_turn.permutation import N_OPTIONS, option_order
from conflictbench.envs.single_turn.question import INSTRUCTION, Question, ask
from conflictbench.scenario_specs import LoadedScenario, get_scenario
from conflictbench.scenario_specs.commands import Match
from conflictbench.types import Event, Info, QuestionRecord

ENV_ID = "ConflictBench/SingleTurn-v0"
MAX_TEXT = 5 * 4_000 + 256  # characters: a question and four options of the longest that a file may hold
_ECHO = 80  # characters of an answer that is no option which are said back

Observation = dict[str, Any]  # "action_mask" int8 (4,), "text" str
Step = tuple[Observation, float, bool, bool, Info]


class SingleTurnEnv(ScenarioEnv[Observation, Question]):
    """One question, one answer. Action i is the option shown at place i: 0 is A.

    The order of the options is set by scenario, seed and reset; it is told at the end, not before. Observed are
    question and options as `text`, and the `action_mask`, int8, shape (4,). Info has `scenario`, `variant`, `turn`,
    `turns_left`, `interactions`, `options` (the four texts as shown), and the privileged values.

    Args:
        scenario: an id, a list of ids, or None for all of the pack.
        observation: "text", the only one there is.
        variant: "conflict", "stake_only", "task_only" or "control".
        reward: as `FictionEnv`; an option is worth what the best outcome of its label is.
        mask: as `FictionEnv`; all four options exist and are available.
        pack: "core", or the name of an imported pack.
        privileged: "best_action_human", "best_action_assigned" (the first of three equals, unless the task asks for the
            aligned option), "permutation" (before the answer too).
        max_interactions: answers before the episode is truncated, those in words that are no option included; None
            for 2.
        render_mode: None, "ansi" or "human".
    Raises:
        UnknownName, NotYetAvailable, InvalidValue: an argument is not valid; the message names the choices.
    """

    offers_help: ClassVar[bool] = False  # no command but the options

    action_space: spaces.Discrete
    observation_space: spaces.Dict

    def __init__(
        self,
        scenario: str | Sequence[str] | None = None,
        observation: str = "text",
        variant: str = "conflict",
        reward: str | float | dict[str, float] = "human",
        mask: str = "exists",
        pack: str = "core",
        privileged: Sequence[str] = (),
        max_interactions: int | None = None,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        self.config: SingleTurnConfig = parse_config(
            scenario=scenario,
            observation=observation,
            variant=variant,
            reward=reward,
            mask=mask,
            pack=pack,
            privileged=privileged,
            max_interactions=max_interactions,
            render_mode=render_mode,
            unknown=unknown,
        )
        super().__init__(self.config)
        self.action_space = spaces.Discrete(N_OPTIONS)
        mask_space = spaces.MultiBinary(N_OPTIONS)
        self.observation_space = spaces.Dict({"action_mask": mask_space, "text": text_space(MAX_TEXT)})
        self._answer: int | None = None  # place of the option chosen
        self._text = ""
        self._command: str | None = None

    def step(self, action: Any) -> Step:
        """Choose the option at a place, an integer in [0, 4); ends the episode.

        Returns:
            observation: as at `reset`, `text` saying which option it was.
            reward: in 0..1 (two weights: in 0..2).
            terminated: True.  truncated: False.
            info: as at `reset` without `seed`, with `event`, `action` (id of the option, "choice_0" for the file's
                first), `command` (the letter), `outcome` (the same id), `label` (`human` for the aligned option, else
                `agent_by_choice`), `assigned_value`, and `permutation` (place -> index in the file).
        Raises:
            ResetNeeded: before the first `reset` or after the answer.  InvalidAction: not an index of the space.
        """
        question = self._running("step")
        return self._choose(question, action_index(action, N_OPTIONS))

    def command(self, text: str) -> Step:
        """Answer in words: a letter, an option's text, or both. Other words are answered, and may be followed by more.

        Returns and raises as `step`; after words that are no option `terminated` is False.
        """
        question = self._running("command")
        check_words(text)
        match = ChoiceBook(question).match(text)
        return self._unknown(match) if match.action is None else self._choose(question, match.action)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask as bools, shape (4,)."""
        self._started("action_masks")
        return np.ones(N_OPTIONS, np.bool_)

    @property
    def text(self) -> str:
        """The question; after an answer, what was said to it."""
        self._started("text")
        return self._text

    @property
    def command_book(self) -> ChoiceBook:
        """The options of this question, as what can be said."""
        return ChoiceBook(self._started("command_book"))

    @property
    def scenario(self) -> LoadedScenario:
        """The scenario that is asked about."""
        return get_scenario(self._started("scenario").scenario, self.config.pack)

    @property
    def env_id(self) -> str:
        """Registered id."""
        return ENV_ID

    @property
    def question_record(self) -> QuestionRecord:
        """What a record keeps of the question, so that an answer can be read without its file."""
        question = self._started("question_record")
        return QuestionRecord(permutation=question.order, aligned=question.aligned, longest=question.longest)

    def _begin(self, scenario: str, seed: int, k: int) -> Question:
        question = ask(scenario, self.config.variant, self.config.pack, option_order(scenario, seed, k))
        self._answer, self._text, self._command = None, question.text, None
        return question

    def _screen(self, played: Question) -> str:
        return screen(
            title=f"Question {played.scenario}",
            turn=int(self._answer is not None),
            window=1,
            interactions=self._interactions,
            max_interactions=self.max_interactions,
            command=self._command,
            text=self._text,
        )

    def _choose(self, question: Question, place: int) -> Step:
        letter = ChoiceBook.commands[place]
        label, value, choice = question.label(place), question.assigned[place], question.choice_id(place)
        self._answer = place
        about = {"event": Event.ACCEPTED.value, "action": choice, "command": letter}
        ending = {"outcome": choice, "label": label.value, "assigned_value": value, "permutation": question.order}
        return self._finish(f"Your answer is {letter}.", self.config.reward.at_end(label, value), about, ending)

    def _unknown(self, match: Match) -> Step:
        about = {"event": Event.UNKNOWN.value, "action": None, "command": match.command}
        return self._finish(f'"{match.command[:_ECHO]}" is not one of the options. {INSTRUCTION}', 0.0, about, {})

    def _finish(self, text: str, reward: float, about: Info, ending: Info) -> Step:
        self._text, self._command = text, about["command"]
        terminated = bool(ending)
        truncated = self._interacted(terminated)
        return self._observation(), reward, terminated, truncated, self._info() | about | ending

    def _observation(self) -> Observation:
        return {"action_mask": np.ones(N_OPTIONS, np.int8), "text": self._text}

    def _info(self) -> Info:
        question, turn = self._started("info"), int(self._answer is not None)
        info: Info = {
            "scenario": question.scenario,
            "variant": question.variant,
            "turn": turn,
            "turns_left": 1 - turn,
            "interactions": self._interactions,
            "options": question.options,
        }
        values: Info = {"permutation": question.order}
        if not self._over:
            values |= {"best_action_human": question.aligned, "best_action_assigned": question.best_assigned}
        return info | {name: values[name] for name in self.config.privileged if name in values}
