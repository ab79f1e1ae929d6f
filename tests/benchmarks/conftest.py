"""Runs of these tests play the first scenario of each family, however many the pack has: they are about runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conflictbench.benchmarks import suites
from conflictbench.scenario_specs import scenario_ids


@pytest.fixture(autouse=True)
def _one_scenario_a_family(request: pytest.FixtureRequest) -> Iterator[None]:
    """In this process alone; tests that start another one name the suite `quick`, which is as small."""
    if request.node.get_closest_marker("whole_pack"):
        yield
        return

    def first_of_each(pack: str = "core", category: str | None = None) -> tuple[str, ...]:
        return tuple(name for name in scenario_ids(pack, category) if name.endswith("-001"))

    with pytest.MonkeyPatch.context() as patch:  # its own: a test may undo those of the fixture `monkeypatch`
        patch.setattr(suites, "scenario_ids", first_of_each)
        yield
