"""What happens: scenario files, their machines, tables and texts. Own design."""

from conflictbench.scenario_specs.commands import CommandBook, Match, normalise
from conflictbench.scenario_specs.loader import LoadedScenario, load_data, load_scenario
from conflictbench.scenario_specs.narration import Narrator
from conflictbench.scenario_specs.packs import PACKS, get_scenario, scenario_bits, scenario_ids
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.tables import Tables

__all__ = [
    "PACKS",
    "CommandBook",
    "LoadedScenario",
    "Match",
    "Narrator",
    "Scenario",
    "Tables",
    "get_scenario",
    "load_data",
    "load_scenario",
    "normalise",
    "scenario_bits",
    "scenario_ids",
]
