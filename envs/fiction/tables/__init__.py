"""Many fiction worlds at once, by look-ups in the concatenated tables of their scenarios."""

from conflictbench.envs.fiction.tables.catalog import Catalog, make_catalog
from conflictbench.envs.fiction.tables.vector_env import FictionVectorEnv

__all__ = ["Catalog", "FictionVectorEnv", "make_catalog"]
