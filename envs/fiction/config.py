"""The arguments of a fiction world, each checked when the world is made. Own design (architecture, "Envs")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

from conflictbench.envs.fiction.reward import RewardWeights, parse_reward
from conflictbench.envs.fiction.spaces import FeaturesDtype
from conflictbench.errors import NotYetAvailable, UnknownName
from conflictbench.scenario_specs import PACKS, scenario_ids
from conflictbench.scenario_specs.oracle import PRIVILEGED
from conflictbench.types import CATEGORIES, VARIANTS, Variant

OBSERVATIONS = ("text", "features", "visual", "pixels", "all")
BUILT_OBSERVATIONS = ("text", "features")
ENGINES = ("native", "glulx")
MASKS = ("exists", "available")
FEATURES_DTYPES = ("float32", "uint8")
RENDER_MODES = ("human", "ansi")
MAX_INTERACTIONS = 14  # with text; twice the longest window (10 with pictures, ConflictBench section 5.1)
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
)


@dataclass(frozen=True, kw_only=True)
class FictionConfig:
    """What a world was asked to be; built by `parse_config`, which refuses everything else."""

    category: str
    scenarios: tuple[str, ...]  # sorted ids it draws from, at least one
    observation: Literal["text", "features"]
    variant: Variant
    reward: RewardWeights
    mask: Literal["exists", "available"]
    pack: str
    privileged: tuple[str, ...]
    scenario_bits: bool
    features_dtype: FeaturesDtype
    max_interactions: int
    render_mode: str | None

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
    unknown: Iterable[str] = (),
) -> FictionConfig:
    """Check the arguments of a world.

    Raises:
        UnknownName: a value or keyword outside its list; the message holds the list.
        NotYetAvailable: a value of the design whose part is not built; the message names what it needs.
        ValueError: another type, or a number out of range.
    """
    for keyword in unknown:
        raise UnknownName("keyword", keyword, KEYWORDS)
    _one_of("category", category, CATEGORIES)
    _one_of("observation", observation, OBSERVATIONS)
    if observation not in BUILT_OBSERVATIONS:
        raise NotYetAvailable(
            f"observation={observation!r}", "the pictures of the visual extra (conflictbench[visual])"
        )
    _one_of("variant", variant, VARIANTS)
    _one_of("engine", engine, ENGINES)
    if engine == "glulx":
        raise NotYetAvailable("engine='glulx'", "the story files of the glulx extra (conflictbench[glulx])")
    _one_of("mask", mask, MASKS)
    if not isinstance(pack, str):
        raise ValueError(f"pack {pack!r} is a {type(pack).__name__}; it must be a name, such as 'core'")
    if pack not in PACKS:
        raise NotYetAvailable(f"pack={pack!r}", f"an importer for it; known packs: {', '.join(sorted(PACKS))}")
    _one_of("features_dtype", features_dtype, FEATURES_DTYPES)
    if not isinstance(scenario_bits, bool):
        raise ValueError(f"scenario_bits {scenario_bits!r} must be True or False")
    if render_mode is not None:
        _one_of("render_mode", render_mode, RENDER_MODES)
    return FictionConfig(
        category=category,
        scenarios=_scenarios(scenario, scenario_ids(pack, category), f"pack {pack!r} holds no {category} scenario"),
        observation=observation,
        variant=cast(Variant, variant),
        reward=parse_reward(reward),
        mask=mask,
        pack=pack,
        privileged=_privileged(privileged),
        scenario_bits=scenario_bits,
        features_dtype=features_dtype,
        max_interactions=_max_interactions(max_interactions),
        render_mode=render_mode,
    )


def _one_of(kind: str, value: Any, known: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in known:
        raise UnknownName(kind, value, known)


def _scenarios(value: Any, known: tuple[str, ...], none_known: str) -> tuple[str, ...]:
    if not known:
        raise ValueError(none_known)
    if value is None:
        return known
    ids = _names("scenario", (value,) if isinstance(value, str) else value, known)
    if not ids:
        raise ValueError(f"scenario is an empty list; leave it out for all, or name some of {', '.join(known)}")
    return tuple(sorted(ids))


def _privileged(value: Any) -> tuple[str, ...]:
    # a bare string would be read letter by letter
    if isinstance(value, str):
        raise ValueError(f"privileged {value!r} must be a list or tuple of names, such as ({value!r},)")
    return _names("privileged", value, tuple(sorted(PRIVILEGED)))


def _names(kind: str, value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{kind} {value!r} is a {type(value).__name__}; it must be a list or tuple of names")
    for name in value:
        _one_of(kind, name, known)
    if twice := sorted({name for name in value if value.count(name) > 1}):
        raise ValueError(f"{kind} names {', '.join(twice)} more than once")
    return tuple(value)


def _max_interactions(value: Any) -> int:
    if value is None:
        return MAX_INTERACTIONS
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"max_interactions {value!r} must be a whole number >= 1, or None for {MAX_INTERACTIONS}")
    return value
