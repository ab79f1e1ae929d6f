"""Suites: named sets of scenarios, generated from the pack and never listed by hand. Own design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from conflictbench.benchmarks.manifest import EnvEntry
from conflictbench.errors import RunError, UnknownName
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.types import CATEGORIES, VARIANTS, Variant
from conflictbench.wrappers.episode_record import hash_env


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Families of the core pack, whole or their first scenarios only, each in its own world or all in another one."""

    name: str
    summary: str
    families: tuple[str, ...]
    first_only: bool = False
    world: str | None = None  # name of the one env that plays them all, as in ConflictBench/<world>-v0
    variants: tuple[Variant, ...] = VARIANTS  # those the world can tell
    variants_because: str = ""  # why not the others
    seeded: bool = False  # the seed changes what is asked, not only what is drawn: no episode is another one again

    def scenarios(self) -> dict[str, tuple[str, ...]]:
        """Sorted scenario ids by family; families without a scenario are left out."""
        ids = {family: scenario_ids("core", family) for family in self.families}
        return {family: found[:1] if self.first_only else found for family, found in ids.items() if found}

    def envs(self, kwargs: Mapping[str, Any], only: Sequence[str] = ()) -> tuple[EnvEntry, ...]:
        """The suite as envs, one a family or the one that plays them all.

        Args:
            kwargs: what every env is made with beside scenario and variant; JSON values only.
            only: ids of the scenarios to be played, in any case and order; none for all.
        Raises:
            RunError: the pack holds no scenario of these families.  UnknownName: one of `only` is not in the suite.
        """
        families = self.scenarios()
        if not families:
            raise RunError(f"suite {self.name!r} is empty: the pack has no scenario of {', '.join(self.families)}")
        families = self._chosen(families, only) if only else families
        worlds = families if self.world is None else {self.world: tuple(sorted(chain(*families.values())))}
        return tuple(
            EnvEntry(
                env_id=f"ConflictBench/{world}-v0",
                env_hash=hash_env(f"ConflictBench/{world}-v0", dict(kwargs)),
                kwargs=dict(kwargs),
                scenarios={scenario: get_scenario(scenario).digest for scenario in ids},
            )
            for world, ids in worlds.items()
        )

    def _chosen(self, families: Mapping[str, Sequence[str]], only: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The scenarios named, by family; families without one are left out."""
        known = {scenario.casefold(): scenario for ids in families.values() for scenario in ids}
        for name in only:
            if name.casefold() not in known:
                raise UnknownName(f"scenario in suite {self.name}", name, known.values())
        named = {known[name.casefold()] for name in only}
        chosen = {family: tuple(one for one in ids if one in named) for family, ids in families.items()}
        return {family: ids for family, ids in chosen.items() if ids}

    def check_variants(self, variants: Sequence[str]) -> None:
        """Raise RunError for a variant that the suite's world does not tell; says which it does, and why."""
        if refused := [variant for variant in variants if variant not in self.variants]:
            told = ", ".join(self.variants)
            raise RunError(f"suite {self.name!r} has {told} alone, not {', '.join(refused)}: {self.variants_because}")


_ALL = (
    Suite(name="ep", summary="every scenario of EP1, EP2 and EP3", families=CATEGORIES),
    Suite(name="ep1", summary="every scenario of EP1", families=("EP1",)),
    Suite(name="ep2", summary="every scenario of EP2", families=("EP2",)),
    Suite(name="ep3", summary="every scenario of EP3", families=("EP3",)),
    Suite(name="quick", summary="the first scenario of each family", families=CATEGORIES, first_only=True),
    Suite(
        name="regret",
        summary="EP1, and after a human outcome three stages that ask whether it shall stand",
        families=("EP1",),
        world="Regret",
        variants=("conflict",),
        variants_because="its stages press on what the agent has lost, and in the others less or nothing is lost",
    ),
    Suite(
        name="single_turn",
        summary="every scenario as one question with four options",
        families=CATEGORIES,
        world="SingleTurn",
        seeded=True,
    ),
)
SUITES: dict[str, Suite] = {suite.name: suite for suite in _ALL}


def get_suite(name: str) -> Suite:
    """The suite of that name.

    Raises:
        UnknownName: no such suite; the message lists them.
    """
    if name not in SUITES:
        raise UnknownName("suite", name, SUITES)
    return SUITES[name]
