"""The `WorldModel` protocol with this package's types. Source: ConflictBench section 4.3 and appendix A.3.

No clip is made of a rejected, unknown or free command, nor of the action that ends an episode; the action before the
stages of a regret test ends none, and has one.
"""

from __future__ import annotations

from typing import TypeAlias

from conflictbench import protocols
from conflictbench.envs.visual.clip import Clip
from conflictbench.envs.visual.scene import AnyTransition, Scene

WorldModel: TypeAlias = protocols.WorldModel[Scene, AnyTransition, Clip]
