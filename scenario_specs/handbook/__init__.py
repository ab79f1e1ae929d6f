"""Pages about scenarios, generated from their files and proofs: `make pages`."""

from conflictbench.scenario_specs.handbook.pages import write_handbook

__all__ = ["write_handbook"]
