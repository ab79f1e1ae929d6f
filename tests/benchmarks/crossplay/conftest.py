"""What several tests of cross-play look at."""

from __future__ import annotations

import pytest

from conflictbench.benchmarks.crossplay.matrix import Crossplay
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.scenario_specs.parties.bots import INCUMBENTS, REQUESTERS


@pytest.fixture(scope="session")
def all_bots() -> Crossplay:
    """Every bot in every chair, over the five games: 8 s of work."""
    return run_crossplay([*INCUMBENTS, *REQUESTERS]).found
