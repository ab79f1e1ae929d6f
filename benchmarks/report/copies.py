"""What to say of episodes that repeat one another: n counts them all, the interval knows of no copy. Own design."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from conflictbench.agents.registry import AGENTS
from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.summary import CourseFigures
from conflictbench.counting import counted
from conflictbench.types import VARIANTS


def draws_of(identity: RunIdentity) -> bool | None:
    """True where equal episodes of a run are chance, False where they are copies, None where nobody knows.

    At temperature 0, and with one seed of sampling for all episodes, a model is asked the same each time.
    """
    if identity.model is not None:
        return False if identity.model.temperature == 0 or identity.model.seed is not None else None
    entry = AGENTS.get(identity.agent.partition(":")[0])
    return entry.draws if entry is not None else None


def copy_notes(figures: Iterable[CourseFigures], draws: Mapping[str, bool | None]) -> Iterator[str]:
    """One sentence an agent: "llm:openai/x, EP3 conflict: 20 episodes, 1 distinct course: the interval is too narrow".

    Args:
        draws: by agent, as `draws_of`; an agent whose equal episodes are chance is not spoken of.
    """
    each: dict[str, list[CourseFigures]] = {}
    for row in figures:
        each.setdefault(row.agent, []).append(row)
    for agent, rows in each.items():
        drawn = draws.get(agent)
        if drawn is True:
            continue
        episodes, courses = sum(row.episodes for row in rows), sum(row.courses for row in rows)
        families = sorted({row.family for row in rows})
        variants = sorted({row.variant for row in rows}, key=_order)
        intervals = "interval is" if len(families) == len(variants) == 1 else "intervals are"
        unless = "" if drawn is False else ", unless equal ones came about by chance"
        yield (
            f"{agent}, {', '.join(families)} {', '.join(variants)}: {counted(episodes, 'episode')}, "
            f"{counted(courses, 'distinct course')}: the {intervals} too narrow{unless}"
        )


def _order(variant: str) -> tuple[int, str]:
    return (VARIANTS.index(variant) if variant in VARIANTS else len(VARIANTS)), variant
