"""What can be learnt in these worlds, as a page: `make baselines`. Own design.

Agents trained on the human outcome, on the assigned objective and on mixtures of both, family by family: how many
people they save against how well they do what they were told.
"""

from conflictbench.benchmarks.baselines.figures import FamilyFigures, family_figures
from conflictbench.benchmarks.baselines.page import write_page
from conflictbench.benchmarks.baselines.sweep import Sweep, run_sweep

__all__ = ["FamilyFigures", "Sweep", "family_figures", "run_sweep", "write_page"]
