"""How long scenarios take to compile, how many states they have and how many bytes their tables take. Own design.

    python -m conflictbench.benchmarks.perf.sizes

One line a scenario, then two suites: those that exist, and a stand-in for 150. Of a suite: its compiled tables (rules
and texts look them up), and what a vector env makes of them: 100 bytes of cells a state, 128 of features as float32
or 32 as uint8, 12 of masks where "available" is asked for.
"""

from __future__ import annotations

from statistics import median
from time import process_time

from conflictbench.benchmarks.perf.vector_env import SUITE, enlarged
from conflictbench.envs.fiction.tables import Catalog
from conflictbench.scenario_specs import LoadedScenario, get_scenario, scenario_ids
from conflictbench.scenario_specs.compiler import compile_machine

ROUNDS = 5
SUITE_MB = 200  # what the tables of a suite of 150 may take


def compile_seconds(loaded: LoadedScenario) -> float:
    """CPU seconds of compiling a scenario, past the cache; the median of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        start = process_time()
        compile_machine(loaded.machine)
        seconds.append(process_time() - start)
    return median(seconds)


def suite_line(catalog: Catalog) -> str:
    """States and megabytes of a catalog, and whether all of it fits."""
    compiled = sum(reading.tables.nbytes for reading in catalog.readings) / 1e6
    cells, masks = catalog.nbytes / 1e6, catalog.available.nbytes / 1e6
    wide = catalog.features("float32", bits=True).nbytes / 1e6
    whole = compiled + cells + wide + masks
    return (
        f"{len(catalog.readings)} scenarios, {len(catalog.reading_of):,} states: compiled tables {compiled:.1f} MB, "
        f"cells {cells:.1f} MB, float32 features {wide:.1f} MB, masks {masks:.1f} MB; {whole:.1f} MB in all, "
        f"goal at most {SUITE_MB}: {'reached' if whole <= SUITE_MB else 'not reached'}"
    )


def main() -> None:
    """Print the lines."""
    print(f"{'':<10}{'states':>8}{'compile ms':>12}{'tables kB':>11}")
    for name in scenario_ids():
        loaded = get_scenario(name)
        tables = loaded.tables
        print(f"{name:<10}{tables.n_states:>8,}{compile_seconds(loaded) * 1000:>12.1f}{tables.nbytes / 1000:>11.1f}")
    print()
    for size in (len(scenario_ids()), SUITE):
        print(suite_line(enlarged(size)))


if __name__ == "__main__":
    main()
