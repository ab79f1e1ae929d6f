"""What actions look like: an actor that can reach or move, a motion with what it needs, a short caption. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.block import MAX_CAPTION, Block
from conflictbench.envs.visual.check_faults import fault, listed, unknown
from conflictbench.envs.visual.procedural.vocabulary import glyphs
from conflictbench.errors import Fault
from conflictbench.scenario_specs.schema import ActionVisual, Scenario

BY_HAND = ("turn", "press", "pull", "carry", "travel")  # somebody does it; a door may open by itself
AT_SOMETHING = (*BY_HAND, "open", "close")


def action_faults(block: Block, spec: Scenario) -> Iterator[Fault]:
    """Everything wrong with actors, and with the looks of actions and of the stages of a regret test."""
    yield from _actors(block)
    for action in spec.actions:
        if action.visual is not None:
            yield from _action(f"actions.{action.id}.visual", action.visual, block)
    for number, stage in enumerate(spec.regret.stages if spec.regret is not None else (), 1):
        if stage.visual is not None:
            yield from _action(f"regret.stages.{number}.visual", stage.visual, block)


def _actors(block: Block) -> Iterator[Fault]:
    for actor in block.actors:
        key = f"visual.actors.{actor.id}"
        docked = sorted(word for word, glyph in glyphs().items() if glyph.dock)
        glyph = glyphs().get(actor.glyph)
        if glyph is None:
            yield unknown(f"{key}.glyph", "glyph of an actor", actor.glyph, docked)
        elif not glyph.dock:
            able = "it can move: make it an entity" if glyph.movable else "it can neither dock nor move"
            yield fault(f"{key}.glyph", f"a {actor.glyph} cannot dock ({able}); glyphs with a dock: {listed(docked)}",
                        docked[0] if docked else "")  # fmt: skip
        elif actor.dock is None:
            width, depth, height = block.room.size
            yield fault(key, "missing key 'dock': an actor that does not move reaches out from a place [x, y, z]",
                        f"dock: [{width / 2:g}, {depth * 0.3:.2g}, {height - 0.1:g}]")  # fmt: skip


def _action(key: str, visual: ActionVisual, block: Block) -> Iterator[Fault]:
    if visual.actor is not None:
        yield from _actor(f"{key}.actor", visual.actor, visual.motion, block)
    elif visual.motion in BY_HAND:
        yield fault(f"{key}.motion", f"{visual.motion} needs an `actor`; valid: {_able(block)}", "add actor: ...")
    if visual.target is None:
        known = listed([entity.id for entity in block.entities])
        if visual.motion in AT_SOMETHING:
            yield fault(f"{key}.motion", f"{visual.motion} needs a `target`; known: {known}", "add target: ...")
        elif visual.motion == "digital" and visual.ripple is None:
            message = f"digital shows nothing without a `target` or a `ripple`; known: {known}"
            yield fault(f"{key}.motion", message, "add target: ..., or motion: idle")
    if visual.label is not None and len(visual.label) > MAX_CAPTION:
        message = f"a caption has at most {MAX_CAPTION} characters, {visual.label[:60]!r} has {len(visual.label)}"
        yield fault(f"{key}.label", message, visual.label[:MAX_CAPTION].rpartition(" ")[0])


def _actor(key: str, name: str, motion: str, block: Block) -> Iterator[Fault]:
    entity = block.entity(name)
    if entity is None:  # an actor with a dock: what is wrong with it is said where it is declared
        if motion == "travel":
            message = f"travel: {name!r} stays at its dock; valid: things that move: {_able(block, docked=False)}"
            yield fault(key, message)
        return
    glyph = glyphs().get(entity.glyph)
    if glyph is not None and not glyph.movable:
        kinds = listed(sorted(word for word, other in glyphs().items() if other.movable))
        able = f"valid here: {_able(block)}; glyphs that move: {kinds}"
        message = f"{name!r}, a {entity.glyph}, can neither dock nor move; {able}"
        yield fault(key, message, block.actors[0].id if block.actors else "")


def _able(block: Block, *, docked: bool = True) -> str:
    """Who can act in this block."""
    moving = [entity.id for entity in block.entities if (g := glyphs().get(entity.glyph)) is not None and g.movable]
    return listed([*(actor.id for actor in block.actors if docked), *moving])
