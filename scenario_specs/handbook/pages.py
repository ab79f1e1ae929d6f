"""Writes `scenarios.md`, `scenarios/` with one page and one drawing a scenario, `games/` with one a game. Own design.

Same files, same bytes. Pages of what is gone are removed: both folders are the generator's alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conflictbench.scenario_specs.handbook.game_page import game_page
from conflictbench.scenario_specs.handbook.graph import draw_graph
from conflictbench.scenario_specs.handbook.index import index_page
from conflictbench.scenario_specs.handbook.page import scenario_page
from conflictbench.scenario_specs.packs import get_scenario, scenario_ids
from conflictbench.scenario_specs.parties.joint import get_joint, two_party_ids
from conflictbench.scenario_specs.parties.proof import prove
from conflictbench.scenario_specs.verifier import verify_scenario, verify_suite
from conflictbench.scenario_specs.verifier.evidence import Evidence

INDEX, FOLDER, GAMES = "scenarios.md", "scenarios", "games"


def handbook() -> Mapping[str, str]:
    """Every page of the core pack: path under the folder of documents -> content."""
    found: dict[str, str] = {}
    reports = []
    for scenario in scenario_ids():
        loaded = get_scenario(scenario)
        reports.append(verify_scenario(loaded))
        found[f"{FOLDER}/{scenario}.md"] = scenario_page(loaded, reports[-1])
        found[f"{FOLDER}/{scenario}.svg"] = draw_graph(Evidence(loaded))
    for scenario in two_party_ids():
        joint = get_joint(scenario)
        found[f"{GAMES}/{scenario}.md"] = game_page(joint, prove(joint))
    specs = [get_scenario(report.id).spec for report in reports]
    found[INDEX] = index_page(specs, reports, verify_suite(reports))
    return found


def write_handbook(folder: Path) -> tuple[Path, ...]:
    """Write the pages into `folder`, which exists; returns their paths, sorted."""
    pages = handbook()
    for own in (FOLDER, GAMES):
        (folder / own).mkdir(exist_ok=True)
        for old in sorted((folder / own).iterdir()):
            if f"{own}/{old.name}" not in pages:
                old.unlink()
    for name, content in pages.items():
        (folder / name).write_text(content, "utf-8")
    return tuple(sorted(folder / name for name in pages))
