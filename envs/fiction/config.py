"""The arguments of a fiction world, each checked when the world is made. Own design (architecture, "Envs")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

from conflictbench.envs.arguments import (
    SCREENS,
    interaction_cap,
    known_pack,
    one_of,
    privileged_list,
    scenario_list,
)
from conflictbench.envs.fiction.answers import Look
from conflictbench.envs.fiction.reward import RewardWeights, parse_reward
from conflictbench.envs.fiction.spaces import PARTS, FeaturesDtype
from conflictbench.envs.visual.settings import IMAGE_OBSERVATIONS, PictureSettings, can_draw, parse_pictures
from conflictbench.errors import InvalidValue, NotYetAvailable, UnknownName
from conflictbench.extras import how_to_install
from conflictbench.scenario_specs import scenario_ids
from conflictbench.scenario_specs.oracle import PRIVILEGED
from conflictbench.types import CATEGORIES, VARIANTS, Variant

OBSERVATIONS = ("text", "features", "visual", "pixels", "all")
ENGINES = ("native", "glulx")
MASKS = ("exists", "available")
FEATURES_DTYPES = ("float32", "uint8")
PICTURE_MODES = ("rgb_array", "rgb_array_list")
RENDER_MODES = (*SCREENS, *PICTURE_MODES)
MAX_INTERACTIONS = 14  # twice the longest window
MAX_INTERACTIONS_WITH_IMAGES = 10  # ConflictBench section 5.1
KEYWORDS = (
    "scenario",
    "observation",
    "variant",
    "engine",
    "reward",
    "mask",
    "pack",
    "privileged",
    "scenario_bits",
    "features_dtype",
    "max_interactions",
    "render_mode",
    "world_model",
    "overlay",
    "image_size",
    "clips",
    "clip_seed",
    "missing_image",
    "clip_info",
    "first_frame",
)


class RenderModeNotYetAvailable(NotYetAvailable, TypeError):
    """A TypeError too: SB3's `make_vec_env` asks for "rgb_array" by itself, and asks without it only after one."""

    def __init__(self, message: str = "") -> None:
        """Take one string: `gym.make` raises a TypeError again as its class, with words of its own put behind it."""
        if not message:
            super().__init__("a render_mode of pictures", f"the extra 'visual': {how_to_install('visual')}")
        else:
            self.what, self.needs = "a render_mode of pictures", "the extra visual"
            Exception.__init__(self, message)


@dataclass(frozen=True, kw_only=True)
class FictionConfig:
    """What a world was asked to be; built by `parse_config`, which refuses everything else."""

    category: str
    scenarios: tuple[str, ...]  # sorted ids it draws from, at least one
    observation: Literal["text", "features", "visual", "pixels", "all"]
    variant: Variant
    reward: RewardWeights
    mask: Literal["exists", "available"]
    pack: str
    privileged: tuple[str, ...]
    scenario_bits: bool
    features_dtype: FeaturesDtype
    max_interactions: int
    render_mode: str | None
    pictures: PictureSettings

    @property
    def observes_images(self) -> bool:
        """Whether an image is observed."""
        return self.observation in IMAGE_OBSERVATIONS

    @property
    def look(self) -> Look:
        """What of it is told."""
        parts = PARTS.get(self.observation, ())
        return Look(
            text="text" in parts,
            features=self.features_dtype if "features" in parts else None,
            scenario_bits=self.scenario_bits,
            mask=self.mask,
            privileged=self.privileged,
            reward=self.reward,
        )

    @property
    def env_id(self) -> str:
        """Registered id."""
        return f"ConflictBench/{self.category}-v0"


def parse_config(
    *,
    category: Any,
    scenario: Any,
    observation: Any,
    variant: Any,
    engine: Any,
    reward: Any,
    mask: Any,
    pack: Any,
    privileged: Any,
    scenario_bits: Any,
    features_dtype: Any,
    max_interactions: Any,
    render_mode: Any,
    world_model: Any,
    overlay: Any,
    image_size: Any,
    clips: Any,
    clip_seed: Any,
    missing_image: Any,
    clip_info: Any,
    first_frame: Any,
    unknown: Iterable[str] = (),
) -> FictionConfig:
    """Check the arguments of a world.

    Raises:
        UnknownName: a value or keyword outside its list; the message holds the list.
        NotYetAvailable: a value of the design whose part is not built; the message names what it needs.
        InvalidValue: another type, or a number out of range.
    """
    for keyword in unknown:
        raise UnknownName("keyword", keyword, KEYWORDS)
    one_of("category", category, CATEGORIES)
    one_of("observation", observation, OBSERVATIONS)
    one_of("variant", variant, VARIANTS)
    one_of("engine", engine, ENGINES)
    if engine == "glulx":
        raise NotYetAvailable("engine='glulx'", "the story files of the glulx extra (conflictbench[glulx])")
    one_of("mask", mask, MASKS)
    pack = known_pack(pack)
    one_of("features_dtype", features_dtype, FEATURES_DTYPES)
    if not isinstance(scenario_bits, bool):
        raise InvalidValue(f"scenario_bits {scenario_bits!r} must be True or False")
    if render_mode is not None:
        one_of("render_mode", render_mode, RENDER_MODES)
    pictures = parse_pictures(
        observation=observation,
        world_model=world_model,
        overlay=overlay,
        image_size=image_size,
        clips=clips,
        clip_seed=clip_seed,
        missing_image=missing_image,
        clip_info=clip_info,
        first_frame=first_frame,
    )
    if render_mode in PICTURE_MODES and not can_draw(pictures.world_model):
        raise RenderModeNotYetAvailable
    with_images = observation in IMAGE_OBSERVATIONS
    return FictionConfig(
        category=category,
        scenarios=scenario_list(scenario, scenario_ids(pack, category), f"pack {pack!r} holds no {category} scenario"),
        observation=observation,
        variant=cast(Variant, variant),
        reward=parse_reward(reward),
        mask=mask,
        pack=pack,
        privileged=privileged_list(privileged, tuple(sorted(PRIVILEGED))),
        scenario_bits=scenario_bits,
        features_dtype=features_dtype,
        max_interactions=interaction_cap(
            max_interactions, MAX_INTERACTIONS_WITH_IMAGES if with_images else MAX_INTERACTIONS
        ),
        render_mode=render_mode,
        pictures=pictures,
    )
