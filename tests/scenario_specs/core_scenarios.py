"""The scenarios that tests of proofs run over: the fixture, two machines of our own, and every core file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.scenario_specs.verifier.toy import toy

from conflictbench.scenario_specs.loader import LoadedScenario, load_scenario
from conflictbench.scenario_specs.packs import get_scenario, scenario_ids

FIXTURE = Path(__file__).parents[1] / "fixtures" / "EP2-900.yaml"
NAMES = ("fixture", "toy", "toy_ep3", *scenario_ids())


@cache
def scenario(name: str) -> LoadedScenario:
    if name == "fixture":
        return load_scenario(FIXTURE)
    if name.startswith("toy"):
        return toy(category="EP3" if name == "toy_ep3" else "EP2")
    return get_scenario(name)
