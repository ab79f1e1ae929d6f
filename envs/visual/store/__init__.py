"""The clip store: clips found by what they were made from, whole or not at all. Own design, after appendix A.3."""

from __future__ import annotations

from conflictbench.envs.visual.store.clip_store import ClipStore
from conflictbench.envs.visual.store.entry import Entry
from conflictbench.envs.visual.store.folder import ENVIRONMENT_VARIABLE, clip_folder
from conflictbench.envs.visual.store.node import Node, kept_frames, node_of
from conflictbench.envs.visual.store.stored_model import StoredClip, StoredWorldModel, with_store
from conflictbench.envs.visual.store.writable import check_clip_folder, check_writable

__all__ = [
    "ENVIRONMENT_VARIABLE",
    "ClipStore",
    "Entry",
    "Node",
    "StoredClip",
    "StoredWorldModel",
    "check_clip_folder",
    "check_writable",
    "clip_folder",
    "kept_frames",
    "node_of",
    "with_store",
]
