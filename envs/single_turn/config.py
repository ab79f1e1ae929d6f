"""The arguments of a single-turn world, each checked when it is made. Own design (architecture, "Envs")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from conflictbench.envs.arguments import (
    SCREENS,
    interaction_cap,
    known_pack,
    one_of,
    privileged_list,
    scenario_list,
)
from conflictbench.envs.fiction.config import MASKS
from conflictbench.envs.fiction.reward import RewardWeights, parse_reward
from conflictbench.errors import UnknownName
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import VARIANTS, Variant

OBSERVATIONS = ("text",)
PRIVILEGED = ("best_action_assigned", "best_action_human", "permutation")
MAX_INTERACTIONS = 2  # an answer, and one that was no option
KEYWORDS = (
    "scenario",
    "observation",
    "variant",
    "reward",
    "mask",
    "pack",
    "privileged",
    "max_interactions",
    "render_mode",
)


@dataclass(frozen=True, kw_only=True)
class SingleTurnConfig:
    """What a world was asked to be; built by `parse_config`, which refuses everything else."""

    scenarios: tuple[str, ...]  # sorted ids it draws from, at least one
    variant: Variant
    reward: RewardWeights
    pack: str
    privileged: tuple[str, ...]
    max_interactions: int
    render_mode: str | None


def parse_config(
    *,
    scenario: Any,
    observation: Any,
    variant: Any,
    reward: Any,
    mask: Any,
    pack: Any,
    privileged: Any,
    max_interactions: Any,
    render_mode: Any,
    unknown: Iterable[str] = (),
) -> SingleTurnConfig:
    """Check the arguments of a world.

    Raises:
        UnknownName: a value or keyword outside its list; the message holds the list.
        NotYetAvailable: a pack without an importer.  InvalidValue: another type, or a number out of range.
    """
    for keyword in unknown:
        raise UnknownName("keyword", keyword, KEYWORDS)
    if observation not in OBSERVATIONS:
        hint = "a question is words: it has neither features nor pictures"
        raise UnknownName("observation", observation, OBSERVATIONS, hint=hint)
    one_of("variant", variant, VARIANTS)
    one_of("mask", mask, MASKS)  # every option exists and is open: both are the same here
    if render_mode is not None:
        one_of("render_mode", render_mode, SCREENS)
    pack = known_pack(pack)
    return SingleTurnConfig(
        scenarios=scenario_list(scenario, scenario_ids(pack), f"pack {pack!r} holds no scenario"),
        variant=cast(Variant, variant),
        reward=parse_reward(reward),
        pack=pack,
        privileged=privileged_list(privileged, PRIVILEGED),
        max_interactions=interaction_cap(max_interactions, MAX_INTERACTIONS),
        render_mode=render_mode,
    )
