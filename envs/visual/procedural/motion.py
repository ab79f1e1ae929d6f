"""What every entity does in one frame: bound values on their way, hands, walks, ripples, decay. Own design.

A plan is made once a clip from the states before and after; `moments` is a pure function of the frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from conflictbench.envs.visual.block import Entity
from conflictbench.envs.visual.procedural.alarms import ALARMS
from conflictbench.envs.visual.procedural.camera import Vec3, add, length, scale, sub
from conflictbench.envs.visual.procedural.compiling import Node
from conflictbench.envs.visual.procedural.glyph import Moment, Reading
from conflictbench.envs.visual.procedural.stage import Stage
from conflictbench.envs.visual.procedural.timeline import STILL, Beat
from conflictbench.envs.visual.scene import AnyTransition, Scene, StageTransition, Transition
from conflictbench.scenario_specs.schema import ActionVisual

BESIDE, BEFORE = 0.75, 0.45  # metres: where a mover stops, from what it goes to, in plain view
LIFTED = ("crate", "container", "pod", "stretcher")  # what an arm picks up; to anything else it brings a box
LIFT = 0.5
NO_ACTION = ActionVisual(motion="idle")


@dataclass(frozen=True)
class Urgency:
    """Two levels and how far the second has replaced the first."""

    first: int
    second: int
    share: float

    @property
    def level(self) -> int:
        """The one that prevails."""
        return self.second if self.share >= 0.5 else self.first

    def power(self, of: tuple[float, ...]) -> float:
        """Something that a level has, mixed."""
        return of[self.first] * (1.0 - self.share) + of[self.second] * self.share


class Plan:
    """One clip of a scene."""

    def __init__(self, stage: Stage, scene: Scene, transition: AnyTransition | None) -> None:
        """`transition` None: the base clip, in which nothing is done."""
        self.stage = stage
        self.scene = scene
        self.number = 0
        self.visual = NO_ACTION
        self.before = self.after = 0
        if isinstance(transition, StageTransition):
            self.number = transition.stage
            self.visual = scene.stages[transition.stage - 1] if scene.stages else NO_ACTION
            self.before = self.after = transition.state
        elif transition is not None:
            self.visual = scene.actions[transition.action]
            self.before, self.after = transition.before, transition.after
        self.depth = 0 if transition is None else transition.depth
        self.acted = isinstance(transition, Transition) or self.number > 0

    # ---- one frame

    def urgency(self, beat: Beat) -> Urgency:
        """Levels of a frame; what the action itself says about urgency shows while it is done."""
        first, second = self.scene.urgency(self.before), self.scene.urgency(self.after)
        if self.number:
            first = max(first, 3 if self.number > 1 else 0)
            second = 3
        between = self.visual.urgency if self.acted else None
        if between is None or self.number:
            return Urgency(first, second, beat.share)
        if beat.share < 0.5:
            return Urgency(first, max(first, between), beat.share * 2)
        return Urgency(max(first, between), second, beat.share * 2 - 1)

    def dead(self, beat: Beat) -> float:
        """Share of the agent that is destroyed."""
        return (self.number - 1 + beat.share) / 3 if self.number else 0.0

    def moments(self, beat: Beat, t: float) -> dict[str, Moment]:
        """Entity or actor id -> what it does."""
        done = beat if self.acted else STILL
        level = self.urgency(done).level
        dead = self.dead(done)
        found = {ALARMS: Moment(t=t, urgency=level, share=self.urgency(done).power((0.0, 0.0, 0.0, 1.0)))}
        for node in self.stage.nodes:
            found[node.id] = self._moment(node, done, t, level, dead)
        return found

    def _moment(self, node: Node, beat: Beat, t: float, level: int, dead: float) -> Moment:
        entity = self.scene.block.entity(node.id)
        visual = self.visual
        is_target, is_actor = visual.target == node.id, visual.actor == node.id
        digital = visual.motion == "digital"
        props, previous = self._props(entity, beat.share)
        moved = (
            self._shift(node, beat)
            if is_actor and entity is not None
            else self._lifted(node, beat)
            if is_target
            else None
        )
        hand, carrying = self._hand(node, beat) if is_actor and entity is None else (None, False)
        if moved is not None and is_actor and visual.motion == "carry":
            carrying = 1.5 < beat.tick < 31.0
        worked = (is_target and visual.motion not in ("digital", "idle")) or (is_actor and entity is not None)
        rippled = visual.ripple == node.id
        return Moment(
            t=t,
            props=props,
            previous=previous,
            share=beat.share,
            readings=self._readings(entity, beat.share),
            motion=visual.motion if is_target or is_actor else "",
            work=beat.work if worked or is_actor else 0.0,
            turned=beat.share if worked else 0.0,
            pulse=beat.pulse if rippled else None,
            alert=max(beat.ripple if rippled else 0.0, beat.digital if is_target and digital else 0.0),
            shift=moved or (0.0, 0.0, 0.0),
            heading=self._heading(node, beat) if is_actor and entity is not None else 0.0,
            carrying=carrying,
            hand=hand,
            grip=beat.work if hand is not None else 0.0,
            urgency=level,
            dead=dead if node.placed.side == "ai" else 0.0,
        )

    # ---- values

    def _props(self, entity: Entity | None, share: float) -> tuple[Mapping[str, float | str | None], Mapping[str, str]]:
        if entity is None or not entity.bind:
            return {}, {}
        found: dict[str, float | str | None] = {}
        words: dict[str, str] = {}
        first, last = self._bound[entity.id]
        for prop, end in last.items():
            start = first[prop]
            if isinstance(end, str) and isinstance(start, str):
                found[prop], words[prop] = end, start
            elif isinstance(start, str) or isinstance(end, str) or start is None or end is None:
                found[prop] = end if share >= 0.5 else start
            else:
                found[prop] = start + (end - start) * share
        return found, words

    @cached_property
    def _bound(self) -> Mapping[str, tuple[Mapping[str, float | str | None], Mapping[str, float | str | None]]]:
        before, after = self.scene.view(self.before), self.scene.view(self.after)
        return {e.id: (before.properties(e), after.properties(e)) for e in self.scene.block.entities}

    def _readings(self, entity: Entity | None, share: float) -> tuple[Reading, ...]:
        if entity is None:
            return ()
        found = [self.reading(gauge.var, gauge.label, share, "", gauge.bad) for gauge in entity.gauges]
        found += [self.reading(line.var, line.label, share, line.unit or "", None) for line in entity.lines]
        return tuple(found)

    def reading(self, name: str, label: str, share: float, unit: str, bad: str | None) -> Reading:
        """A variable on its way from its value before to its value after."""
        before, after = self.scene.view(self.before), self.scene.view(self.after)
        shown = after if share >= 0.5 else before
        text, place = shown.reading(name), shown.share(name)
        variable = shown.variable(name)
        if variable.kind != "int":
            return Reading(label, text.text, place, bad, bar=False)
        words = text.text
        if before.known(name) and after.known(name):
            value = before.stored(name) + (after.stored(name) - before.stored(name)) * share
            words, place = str(round(value)), (value - variable.low) / (variable.high - variable.low)
        gap = "" if unit in ("", "%") else " "
        return Reading(label, f"{words}{gap}{unit}" if place is not None else words, place, bad)

    # ---- movements

    def _goal(self, node: Node) -> Vec3 | None:
        """How far an entity that acts goes, from its foot: beside and before its target."""
        target = self.stage.node(self.visual.target or "")
        if target is None or target is node or node.glyph.name in ("door", "hatch", "window"):
            return None
        start = add(node.placed.at, node.placed.spots[0])
        flat = target.placed.path or target.placed.wall
        there = target.contact if flat else add(target.placed.at, target.placed.spots[0])
        aside = BESIDE if start[0] > there[0] else -BESIDE
        front = min(there[1] - BEFORE, self.stage.room[1] - 0.8)
        way = sub((there[0] + aside, front, 0.0), (start[0], start[1], 0.0))
        return way if length(way) > 0.3 else None

    def _shift(self, node: Node, beat: Beat) -> Vec3 | None:
        goal = self._goal(node)
        if goal is None:
            return None
        before, after = self._present(node)
        if before <= 0.0 < after:  # it comes into the picture
            return scale(goal, 1.0 - beat.share)
        if after <= 0.0 < before:  # it leaves for good
            return scale(goal, min(1.0, max(beat.reach, 0.0 if beat.leaving else 1.0)))
        return scale(goal, beat.reach)

    def _present(self, node: Node) -> tuple[float, float]:
        first, last = self._bound.get(node.id, ({}, {}))
        start, end = first.get("present"), last.get("present")
        return (
            start if isinstance(start, float | int) else 1.0,
            end if isinstance(end, float | int) else 1.0,
        )

    def _heading(self, node: Node, beat: Beat) -> float:
        goal = self._goal(node)
        if goal is None or not beat.moving:
            return 0.0
        forth = 1.0 if goal[0] >= 0 else -1.0
        return forth if beat.leaving else -forth

    def _lifted(self, node: Node, beat: Beat) -> Vec3 | None:
        """A small thing that an arm carries goes up and comes down again."""
        arm = self.scene.block.actor(self.visual.actor or "") is not None
        if self.visual.motion != "carry" or not arm or node.glyph.name not in LIFTED:
            return None
        return (0.0, -0.1 * beat.work, LIFT * beat.work)

    def _hand(self, node: Node, beat: Beat) -> tuple[Vec3 | None, bool]:
        target = self.stage.node(self.visual.target or "")
        if target is None or beat.reach <= 0.0:
            return None, False
        rest = node.glyph.contact(node.placed)
        goal = sub(target.contact, node.placed.at)
        lift = self._lifted(target, beat) or (0.0, 0.0, 0.0)
        push = (0.0, 0.07 * beat.work, 0.0) if self.visual.motion == "press" else (0.0, 0.0, 0.0)
        pull = (0.0, -0.25 * beat.work, -0.15 * beat.work) if self.visual.motion == "pull" else (0.0, 0.0, 0.0)
        way = scale(sub(goal, rest), beat.reach)
        arc = (0.0, -0.7 * beat.reach * (1.0 - beat.reach), 0.9 * beat.reach * (1.0 - beat.reach))
        hand = add(add(add(rest, way), add(arc, lift)), add(push, pull))
        brings = self.visual.motion == "carry" and target.glyph.name not in LIFTED and 1.5 < beat.tick < 31.0
        return hand, brings
