"""What every room has and no block names: alarm lamps, and haze when it is critical. Own design."""

from __future__ import annotations

from conflictbench.envs.visual.procedural import alarms
from conflictbench.envs.visual.procedural.compiling import Compiler, Node


def alarm_nodes(compiler: Compiler) -> list[Node]:
    """The nodes of the alarm; both hear the moment of `ALARMS`."""
    lamps = compiler.bare(alarms.ALARMS, (0.0, 0.0, 0.0), (1.0, 0.2, 0.1))
    return [Node(alarms.ALARMS, -1, alarms.GLYPH, lamps, (*alarms.parts(lamps), *alarms.haze(lamps)))]
