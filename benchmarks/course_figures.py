"""Episodes that repeat one another: a rate over copies of one trajectory claims more than it knows. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflictbench.benchmarks.summary import CourseFigures
from conflictbench.types import EpisodeRecord


def course_figures(
    agent: str, family: str, variant: str, scenario: str, final: Sequence[EpisodeRecord]
) -> Iterator[CourseFigures]:
    """One entry where episodes of a scenario and variant repeat one another, else nothing.

    The same reply to a single-turn question in another order of options is another course.

    Args:
        agent, family, variant, scenario: names put on the result.
        final: their final attempts; those that do not count, or did nothing, are not compared.
    """
    played = [record for record in final if record.status.counts and record.course]
    courses = {(record.course, record.question and record.question.permutation) for record in played}
    if len(courses) < len(played):
        yield CourseFigures(
            agent=agent, family=family, variant=variant, scenario=scenario, episodes=len(played), courses=len(courses)
        )
