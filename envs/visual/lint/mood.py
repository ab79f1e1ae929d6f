"""Do the levels of urgency look different, does the scene live, does the agent visibly decay? Source: visual.md 3.4."""

from __future__ import annotations

from collections.abc import Iterator
from colorsys import rgb_to_hsv
from itertools import pairwise

import numpy as np

from conflictbench.envs.visual.lint.bench import Bench, Picture, changed
from conflictbench.envs.visual.lint.cases import levels
from conflictbench.envs.visual.lint.faults import fault
from conflictbench.envs.visual.procedural.lighting import LEVELS
from conflictbench.envs.visual.scene import STAGES, StageTransition
from conflictbench.errors import Fault

NEEDED = (0, 1, 2)  # levels that some running state must have; 3 belongs to the stages of a regret test as well
MIN_LUMA = 5.0  # of 255, between the means of two levels ...
MIN_HUE = 0.06  # ... or of a turn
MIN_MOVING = 60  # pixels that differ within a second of a scene at rest
MIN_DECAY = 150  # pixels of the agent's things that a stage of the regret test changes
TIMES = (0.0, 8.0, 16.0, 24.0)


def mood_faults(bench: Bench) -> Iterator[Fault]:
    """Everything that the pictures fail to tell of how pressing it is."""
    key = "visual.urgency.expr" if bench.scene.block.urgency is not None else "visual.urgency"
    found = levels(bench.scene)
    if missing := [level for level in NEEDED if level not in found]:
        message = f"no state that runs has urgency {' or '.join(map(str, missing))}: the picture never says so"
        yield fault(key, message, "thresholds that some state reaches")
    means = [_mean(bench, level) for level in range(LEVELS)]
    for number, (one, other) in enumerate(pairwise(means)):
        luma, turn = abs(one[0] - other[0]), abs(one[1] - other[1])
        if luma < MIN_LUMA and min(turn, 1.0 - turn) < MIN_HUE:
            message = f"levels {number} and {number + 1} of urgency differ by {luma:.1f} in brightness and {turn:.2f}"
            yield fault(key, f"{message} of a turn in hue; {MIN_LUMA:g} or {MIN_HUE:g} are needed")
    if (moving := _moving(bench)) < MIN_MOVING:
        message = f"{moving:.0f} pixels move within a second of rest, {MIN_MOVING} are needed: it looks like a still"
        yield fault("visual.entities", message, "people, a fan, a screen, or something that glows")
    yield from _decay(bench)


def _mean(bench: Bench, level: int) -> tuple[float, float]:
    """Brightness and hue of the start of the story at a level, over a second."""
    shown: list[Picture] = [bench.lit(bench.rest(0, tick=tick, level=level)) for tick in TIMES]
    blue, green, red = np.mean(shown, axis=(0, 1, 2))
    return float(0.299 * red + 0.587 * green + 0.114 * blue), rgb_to_hsv(red / 255, green / 255, blue / 255)[0]


def _moving(bench: Bench) -> float:
    pictures = [bench.paint(bench.rest(0, tick=tick)) for tick in TIMES]
    return max(bench.pixels(changed(pictures[0], other)) for other in pictures[1:])


def _decay(bench: Bench) -> Iterator[Fault]:
    agent = [node.id for node in bench.stage.nodes if node.placed.side == "ai"]
    for stage in STAGES[: len(bench.scene.stages)]:
        transition = StageTransition(stage, 0, stage)
        shots = [bench.during(transition, tick, level=3) for tick in (0.0, 48.0)]
        region = bench.layers(shots[0]).touched(agent)
        decayed = bench.pixels(changed(*(bench.paint(shot) for shot in shots)) & region)
        if decayed < MIN_DECAY:
            message = f"{decayed:.0f} pixels of the agent's things change in it, {MIN_DECAY} are needed"
            yield fault(f"regret.stages.{stage}.visual", message, "its racks or its core, in the agent's zone")
