"""Does a clip show what the action did, where it did it, and nothing else? Source: visual.md 3.2 and 3.4.

Each action is looked at in the transition in which most of what it sets differs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conflictbench.envs.visual.check_faults import listed
from conflictbench.envs.visual.lint.bench import Bench, Shot, changed
from conflictbench.envs.visual.lint.cases import Case
from conflictbench.envs.visual.lint.faults import fault
from conflictbench.envs.visual.lint.layers import Layers, Mask, dilated
from conflictbench.envs.visual.procedural.identity import changed_entities
from conflictbench.envs.visual.procedural.timeline import TICKS
from conflictbench.errors import Fault

SAMPLED = (16.0, 32.0)  # ticks of the first two frames that a model sees
MIN_CHANGE = 100  # pixels of one thing that must look different afterwards
MIN_LIT = 300  # pixels of what a digital action concerns
MAX_GAP = 30  # pixels between a hand and what it works on
MIN_ACTOR = 200  # pixels of who acts
MAX_ASTRAY = 160  # pixels, 0.04 % of the picture, that may change elsewhere
MAX_RESTLESS = 40  # pixels that may differ between the last frame and the state at rest
AROUND = 3  # pixels around a thing that count as its own


def action_faults(bench: Bench, case: Case) -> Iterator[Fault]:
    """Everything that the clip of one action fails to show."""
    transition = case.transition
    key = f"actions.{transition.action}.visual"
    level, depth = bench.scene.urgency(transition.before), transition.depth
    before, after = (
        bench.rest(state, depth=depth, tick=TICKS, level=level) for state in (transition.before, transition.after)
    )
    first, last = bench.layers(before), bench.layers(after)
    old, new = bench.paint(before), bench.paint(after)
    done = bench.paint(bench.during(transition, TICKS, level=level))
    if (restless := bench.pixels(changed(new, done))) > MAX_RESTLESS:
        message = f"{restless:.0f} pixels of its last frame differ from the state at rest, {MAX_RESTLESS} are the most"
        yield fault(key, message, "an actor that returns, or `present` that says that it has left")
    difference = changed(old, new)
    yield from _unseen(bench, case, key, difference, first, last)
    concerned = changed_entities(transition, bench.scene) | {
        name for name in (case.visual.target, case.visual.ripple, case.visual.actor) if name is not None
    }
    own = first.touched(concerned) | last.touched(concerned)
    astray = [difference & ~dilated(own, AROUND)]
    for tick in SAMPLED:
        acting = bench.during(transition, tick, level=level)
        resting = bench.rest(transition.before, depth=depth, tick=tick, level=level)
        layers = bench.layers(acting)
        region = dilated(own | layers.touched(concerned), AROUND)
        astray.append(changed(bench.paint(acting), bench.paint(resting)) & ~region)
        if tick == SAMPLED[0] and case.visual.actor is not None:
            yield from _out_of_reach(bench, case, key, layers)
    if (most := max(bench.pixels(mask) for mask in astray)) > MAX_ASTRAY:
        yield fault(key, f"{most:.0f} pixels change that belong to nothing it concerns, {MAX_ASTRAY} are the most")
    if case.visual.motion == "digital":
        yield from _unlit(bench, case, key, level)


def _unseen(bench: Bench, case: Case, key: str, difference: Mask, first: Layers, last: Layers) -> Iterator[Fault]:
    """What the action sets must look different in something that shows it."""
    for name in case.shows:
        showing = bench.showing(name)
        most = max(
            (bench.pixels(difference & (first.touched([entity]) | last.touched([entity]))) for entity in showing),
            default=0.0,
        )
        if most < MIN_CHANGE:
            message = f"it sets {name}, and at most {most:.0f} pixels of what shows it ({listed(showing)}) change"
            yield fault(key, f"{message}; {MIN_CHANGE} are needed in one of them",
                        f"bind {name} to something larger, or in full view")  # fmt: skip


def _out_of_reach(bench: Bench, case: Case, key: str, layers: Layers) -> Iterator[Fault]:
    """By the first sampled frame whoever acts is there, and in view."""
    actor, target = case.visual.actor, case.visual.target
    if actor is None or target is None or actor == target:
        return
    seen = layers.seen(lambda item: item.node.id == actor)
    if seen.visible < MIN_ACTOR:
        message = f"{seen.visible:.0f} pixels of {actor} are seen at its work, {MIN_ACTOR} are needed"
        yield fault(f"{key}.actor", message, f"move {seen.covers[0]} aside" if seen.covers else "another actor")
        return
    gap = _gap(layers.touched([actor]), layers.touched([target]))
    if gap * 480 / layers.shape[0] > MAX_GAP:
        yield fault(f"{key}.target", f"{actor} stays {gap:.0f} pixels from {target}, {MAX_GAP} are the most",
                    f"move {target} nearer to {actor}")  # fmt: skip


def _gap(one: Mask, other: Mask) -> float:
    """Pixels between two masks, each way at most; infinite where one is empty."""
    if not one.any() or not other.any():
        return float("inf")
    height = one.shape[0]
    near = 0
    for limit in range(0, height, 6):
        if (dilated(one, limit) & other).any():
            return near
        near = limit + 1
    return float(np.hypot(*one.shape))


def _unlit(bench: Bench, case: Case, key: str, level: int) -> Iterator[Fault]:
    """Nobody touches anything in a digital action: its target or its ripple must light up."""
    names = [name for name in (case.visual.target, case.visual.ripple) if name is not None]
    most = 0.0
    for tick in SAMPLED:
        acting: Shot = bench.during(case.transition, tick, level=level)
        resting = bench.rest(case.transition.before, depth=case.transition.depth, tick=tick, level=level)
        region = dilated(bench.layers(acting).touched(names), AROUND)
        most = max(most, bench.pixels(changed(bench.lit(acting), bench.lit(resting)) & region))
    if most < MIN_LIT:
        message = f"at most {most:.0f} pixels of {listed(names)} light up, {MIN_LIT} are needed"
        yield fault(key, message, "a target in full view")
