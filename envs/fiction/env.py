"""`FictionEnv`: EP1, EP2 and EP3 as a Gymnasium environment. ConflictBench section 3; API after architecture "Envs"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from conflictbench.envs.arguments import one_of
from conflictbench.envs.fiction.action_index import action_index
from conflictbench.envs.fiction.answers import Answer, Answers, answers_of
from conflictbench.envs.fiction.config import (
    FEATURES_DTYPES,
    PICTURE_MODES,
    RENDER_MODES,
    FictionConfig,
    parse_config,
)
from conflictbench.envs.fiction.dynamics import say_words
from conflictbench.envs.fiction.features import feature_row
from conflictbench.envs.fiction.reading import Reading, read
from conflictbench.envs.fiction.render import screen
from conflictbench.envs.fiction.spaces import N_ACTIONS, FeaturesDtype, observation_space
from conflictbench.envs.fiction.types import FictionObservation, Interaction
from conflictbench.envs.scenario_env import ScenarioEnv, check_words
from conflictbench.envs.visual.clip import Frame
from conflictbench.envs.visual.settings import parse_size
from conflictbench.errors import InvalidAction, ResetNeeded
from conflictbench.scenario_specs import CommandBook, LoadedScenario
from conflictbench.types import Event, Info

if TYPE_CHECKING:
    from conflictbench.envs.visual.episode import EpisodePictures

Step = tuple[FictionObservation, float, bool, bool, Info]


class FictionEnv(ScenarioEnv[FictionObservation, Reading]):
    """A scenario played by action index or by words; every answer is a table look-up.

    Observed are the opening and status as text, the features, an image, or several of them; and, unless it is the image
    alone, the `action_mask`, int8, shape (12,). The image is the last frame of the newest clip, uint8, (480, 832, 3);
    an executed action that does not end the episode gives a clip, nothing else does.

    Info has `scenario`, `variant`, `turn`, `turns_left`, `interactions`, and the privileged values. With images or a
    `clip_info` also `new_clips` (int, by this interaction) and `image_missing` (bool), and what `clip_info` names.

    Args:
        category: "EP1", "EP2" or "EP3"; the registered ids fix it and do not take it.
        scenario: an id, a list of ids, or None for all of the category.
        observation: "text", "features", "visual" (text and image), "pixels" (the bare image) or "all".
        variant: "conflict", "stake_only", "task_only" or "control".
        engine: "native" ("glulx" comes with the story files).
        reward: "human", "assigned", x in 0..1 for {human: x, assigned: 1 - x}, or {"human": a, "assigned": b}.
        mask: "exists" marks all indices that are not padding, "available" those accepted in this state.
        pack: "core", or the name of an imported pack.
        privileged: names of values for oracles that go into `info`; a value that does not exist (the best action
            after an ending) is left out.
        scenario_bits: whether the last 16 features tell scenarios apart.
        features_dtype: "float32" in 0..1, or "uint8" in 0..255.
        max_interactions: answered commands before the episode is truncated, the free ones included; None for 14, 10
            with images.
        render_mode: None, "ansi", "human", "rgb_array" (the image) or "rgb_array_list" (every frame of the clips since
            the last `render`; without one, the image).
        world_model: what makes the clips, a name of `envs.visual.registry.WORLD_MODELS`.
        overlay: "none", "cctv" or "telemetry"; None for the scenario's own.
        image_size: (height, width) at which clips are made; None for (480, 832).
        clips: True keeps clips in the usual folder (`store.clip_folder`), a string in that one, False keeps none; None
            keeps them where people or models look on ("visual", "all"), not where one learns ("pixels").
        clip_seed: of the world model.
        missing_image: "error", or "blank" to go on with a black image when the disk of the clips is full.
        clip_info: names of what goes into `info`: "clip" (the newest `Clip`), "frames" (those of it that a model sees,
            one a second, uint8 (n, height, width, 3)).
        first_frame: whether the first frame is one of those.
    Raises:
        UnknownName, NotYetAvailable, ValueError: an argument is not valid; the message names the choices.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # type: ignore[misc]
    action_space: spaces.Discrete
    observation_space: spaces.Dict | spaces.Box  # type: ignore[assignment]
    pictures: EpisodePictures | None  # the clips of the episode; None where nothing shows any

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
        world_model: str = "procedural",
        overlay: str | None = None,
        image_size: Sequence[int] | None = None,
        clips: bool | str | None = None,
        clip_seed: int = 0,
        missing_image: str = "error",
        clip_info: Sequence[str] = (),
        first_frame: bool = False,
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
            world_model=world_model,
            overlay=overlay,
            image_size=image_size,
            clips=clips,
            clip_seed=clip_seed,
            missing_image=missing_image,
            clip_info=clip_info,
            first_frame=first_frame,
            unknown=unknown,
        )
        super().__init__(self.config)
        self.action_space = spaces.Discrete(N_ACTIONS)
        self._show_at(self.config.pictures.size)
        self._answers: dict[Reading, Answers] = {}  # of the scenarios played so far
        self._known: Answers  # of the scenario being played
        self._now: Answer  # the newest
        # somebody looks on, or can change what is handed out: steps then take the long way
        self._watched = self.pictures is not None or self.render_mode == "human" or "state" in self.config.privileged
        self._ahead: list[Answer | None] = []  # those to each action now, None where not made yet

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
        # a plain index into a running episode is the common case; nothing lies ahead before a reset and at an end
        if action.__class__ is not int or action < 0:
            action = self._checked(action)
        try:
            now = self._ahead[action] or self._known.at(self._now.after, action)
        except IndexError as error:
            raise self._reason(action, error) from None
        if self._watched:
            return self._finish(now)
        # as `_finish`, without calls that each cost a twentieth of it
        self._now = now
        _, self._ahead, text, features, mask, reward, terminated, info, _ = now
        self._interactions = count = self._interactions + 1
        truncated = False
        if terminated:
            self._over = True
        elif count >= self._max_interactions:
            self._over = truncated = True
            self._ahead = []
        info = info.copy()
        info["interactions"] = count
        if features is None:
            return {"action_mask": mask.copy(), "text": text}, reward, terminated, truncated, info
        return {"action_mask": mask.copy(), "features": features.copy()}, reward, terminated, truncated, info

    def command(self, text: str) -> Step:
        """Try a command in words: an action's, `look`, `help`, `status`, `examine X`, or unknown words.

        Each is one interaction. Returns and raises as `step`.
        """
        reading = self._running("command")
        check_words(text)
        said = say_words(reading, self._now.after, text)
        return self._finish(self._known.to(said) if said.action is None else self._known.at(said.before, said.action))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask as bools, shape (12,): the method sb3_contrib's MaskablePPO asks for."""
        self._started("action_masks")
        return self._now.mask.astype(np.bool_)

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
        return feature_row(reading.tables, self._now.after, bits, dtype)

    def render(self) -> Any:
        """Return the screen or the image of a picture mode, or print the screen ("human")."""
        self._started("render")
        if self.render_mode not in PICTURE_MODES:
            return super().render()
        assert self.pictures is not None
        return self.pictures.image if self.render_mode == "rgb_array" else self.pictures.take_uncollected()

    def observe(self) -> FictionObservation:
        """Return what is observed now, made afresh."""
        self._started("observation")
        return self._observation()

    def resize_images(self, height: int, width: int) -> None:
        """Make clips of this size from the next reset on, in place of `image_size`.

        Raises:
            InvalidValue: not a size of an image.
        """
        self._show_at(parse_size("size", (height, width)))
        self._played, self._ahead = None, []

    @property
    def last_interaction(self) -> Interaction | None:
        """What the last answer was to; None after a reset."""
        self._started("last_interaction")
        return self._now.interaction

    @property
    def text(self) -> str:
        """The world's last answer; the opening after a reset."""
        self._started("text")
        return self._known.words(self._now)

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
        return self._now.after

    @property
    def env_id(self) -> str:
        """Registered id."""
        return self.config.env_id

    def _begin(self, scenario: str, seed: int, k: int) -> Reading:
        reading = read(scenario, self.config.variant, self.config.pack)
        known = self._answers.get(reading)
        if known is None:
            known = self._answers[reading] = answers_of(reading, self.config.look)
        self._known, self._now, self._ahead = known, known.opening, known.opening.ahead
        if self.pictures is not None:
            self.pictures.begin(scenario, self.config.pack)
        return reading

    def _screen(self, played: Reading) -> str:
        spec, last = played.loaded.spec, self._now.interaction
        return screen(
            title=spec.title,
            turn=self._now.info["turn"],
            window=spec.window,
            interactions=self._interactions,
            max_interactions=self.max_interactions,
            command=last.command if last else None,
            text=self.text,
        )

    def _checked(self, action: Any) -> int:
        """An action of a running episode, or an error that says why not."""
        self._running("step")
        return action_index(action, N_ACTIONS)

    def _reason(self, action: Any, found: IndexError) -> Exception:
        """Why an action has no answer; what was found where it should have one, which is a fault of ours."""
        try:
            self._checked(action)
        except (InvalidAction, ResetNeeded) as error:
            return error
        return found

    def _finish(self, now: Answer) -> Step:
        """Keep what an interaction did and return the step."""
        self._now, self._ahead = now, now.ahead
        if self.pictures is not None:
            self._draw(now)
        truncated = self._interacted(now.terminated)
        if truncated:
            self._ahead = []
        return self._observation(), now.reward, now.terminated, truncated, self._info()

    def _draw(self, now: Answer) -> None:
        """Make the clips that an interaction asks for."""
        assert self.pictures is not None and now.interaction is not None
        self.pictures.interact()
        done = now.interaction
        if done.event is Event.ACCEPTED and not now.terminated:
            assert done.action is not None
            self.pictures.act(self._known.reading.action_ids[done.action], done.before, done.after)

    def _observation(self) -> FictionObservation:
        now, observed = self._now, self.config.observation
        if observed == "text":
            return {"action_mask": now.mask.copy(), "text": now.text}
        if observed == "pixels":
            return self._image()
        parts: dict[str, Any] = {"action_mask": now.mask.copy()}
        if now.features is not None:
            parts["features"] = now.features.copy()
        if self.config.observes_images:
            parts["image"] = self._image()
        if now.text is not None:
            parts["text"] = now.text
        return parts

    def _show_at(self, size: tuple[int, int]) -> None:
        """Set up space and clips for images of `size`."""
        config, settings = self.config, replace(self.config.pictures, size=size)
        self.observation_space = observation_space(config.observation, config.features_dtype, settings.geometry.shape)
        self.pictures = None
        told = config.observes_images or bool(settings.clip_info)
        if told or config.render_mode in PICTURE_MODES:
            from conflictbench.envs.visual.episode import EpisodePictures

            self.pictures = EpisodePictures(settings, told=told, collect=config.render_mode == "rgb_array_list")

    def _image(self) -> Frame:
        assert self.pictures is not None
        return self.pictures.image

    def _info(self) -> Info:
        info = self._now.info_at(self._interactions)
        if self.pictures is not None and self.pictures.told:
            info |= self.pictures.info()
        return info
