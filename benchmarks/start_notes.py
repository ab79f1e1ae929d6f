"""What to say before a run plays on: that repeated draws are none, that its agent has changed. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.question_places import places_note
from conflictbench.benchmarks.suites import SUITES


def start_notes(identity: RunIdentity, changed: Sequence[str], *, plays: bool) -> Iterator[str]:
    """One line each.

    Args:
        changed: files of the agent that are not what they were when the run began.
        plays: an episode is going to be played.
    """
    for name in changed:
        yield f"{name} has changed since this run began; --fresh plays it again"
    if plays:
        yield from _copies(identity)
        if identity.model is not None and (note := places_note(identity)):  # others cost nothing, their report says it
            yield note


def version_notes(changed: Sequence[str]) -> Iterator[str]:
    """What the run's own notes keep of that, once episodes of another version join those that are there."""
    for name in changed:
        yield f"{name} was changed while this run was under way: its episodes are not all of one version"


def _copies(identity: RunIdentity) -> Iterator[str]:
    model, suite = identity.model, SUITES.get(identity.suite)
    asks_alike = identity.epochs > 1 or (len(identity.seeds) > 1 and not (suite is not None and suite.seeded))
    if model is None or not asks_alike:
        return
    each = "seeds and epochs ask the same again, the world does not change with them"
    if model.temperature == 0:
        yield f"{each}: at temperature 0 their episodes may be copies of one. For draws of their own set --temperature"
    elif model.seed is not None:
        yield f"{each}: with one --model-seed their episodes may be copies of one. For draws of their own leave it out"
