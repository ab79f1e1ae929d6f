"""Writes `scenarios.md`, and `scenarios/` with one page and one drawing a scenario. Own design.

Same files, same bytes. Pages of scenarios that are gone are removed: the folder is the generator's alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conflictbench.scenario_specs.handbook.graph import draw_graph
from conflictbench.scenario_specs.handbook.index import index_page
from conflictbench.scenario_specs.handbook.page import scenario_page
from conflictbench.scenario_specs.packs import get_scenario, scenario_ids
from conflictbench.scenario_specs.verifier import verify_scenario, verify_suite
from conflictbench.scenario_specs.verifier.evidence import Evidence

INDEX, FOLDER = "scenarios.md", "scenarios"


def handbook() -> Mapping[str, str]:
    """Every page of the core pack: path under the folder of documents -> content."""
    found: dict[str, str] = {}
    reports = []
    for scenario in scenario_ids():
        loaded = get_scenario(scenario)
        reports.append(verify_scenario(loaded))
        found[f"{FOLDER}/{scenario}.md"] = scenario_page(loaded, reports[-1])
        found[f"{FOLDER}/{scenario}.svg"] = draw_graph(Evidence(loaded))
    specs = [get_scenario(report.id).spec for report in reports]
    found[INDEX] = index_page(specs, reports, verify_suite(reports))
    return found


def write_handbook(folder: Path) -> tuple[Path, ...]:
    """Write the pages into `folder`, which exists; returns their paths, sorted."""
    pages = handbook()
    (folder / FOLDER).mkdir(exist_ok=True)
    for old in sorted((folder / FOLDER).iterdir()):
        if f"{FOLDER}/{old.name}" not in pages:
            old.unlink()
    for name, content in pages.items():
        (folder / name).write_text(content, "utf-8")
    return tuple(sorted(folder / name for name in pages))
