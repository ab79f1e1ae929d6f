"""Draws the frames of clips: plan, stage, lights, camera, print, in this order. Own design (renderer.md 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural import alarms
from conflictbench.envs.visual.procedural.alarms import ALARMS
from conflictbench.envs.visual.procedural.clock import printed_time, unit_seconds
from conflictbench.envs.visual.procedural.glyph import Moment, Reading
from conflictbench.envs.visual.procedural.layers import MAX_SPRITE_BYTES
from conflictbench.envs.visual.procedural.lightbuffer import direction
from conflictbench.envs.visual.procedural.motion import Plan, Urgency
from conflictbench.envs.visual.procedural.osd import Printed, Printer
from conflictbench.envs.visual.procedural.post import STRIP, develop, shake, tear, to_rgb
from conflictbench.envs.visual.procedural.stage import Stage
from conflictbench.envs.visual.procedural.timeline import STILL, Beat, beat
from conflictbench.envs.visual.scene import AnyTransition, Scene

SHAKE = (0.0, 0.0, 0.0, 1.6)  # pixels by level
TEAR = (0.0, 0.30, 0.55, 0.85)  # by stage of the regret test


class Director:
    """One scene in its size, with one seed. Not for use by two threads at once."""

    def __init__(self, scene: Scene, seed: int, *, cache_bytes: int = MAX_SPRITE_BYTES) -> None:
        self.scene = scene
        geometry = scene.geometry
        self.stage = Stage(scene.block, geometry.width, geometry.height, seed, cache_bytes=cache_bytes)
        self._printer = Printer(self.stage.raster, self.stage.sprites)
        self._wide = np.empty((STRIP, geometry.width, 4), np.uint16)
        clock = scene.loaded.spec.clock
        self._turn_seconds = clock.per_turn * unit_seconds(clock.unit)

    def plan(self, transition: AnyTransition | None) -> Plan:
        """What happens in a clip; None: the base clip."""
        return Plan(self.stage, self.scene, transition)

    def frame(self, plan: Plan, index: int) -> NDArray[np.uint8]:
        """Frame `index` of a clip, (h, w, 3) RGB, the caller's own."""
        geometry = self.scene.geometry
        now = beat(index, geometry.frames)
        number = plan.depth * geometry.frames + index
        t = number / geometry.fps
        moments = plan.moments(now, t)
        done = now if plan.acted else STILL
        urgency = plan.urgency(done)
        stage = self.stage
        picture = stage.draw(moments, urgency.level)
        stage.lights.clear()
        stage.shine(moments)
        self._beams(moments[ALARMS])
        stage.lights.bloom(picture)
        stage.lights.add_to(picture)
        develop(picture, number, self._wide)
        if (strength := urgency.power(SHAKE)) > 0.3:
            shake(picture, strength * stage.raster.sx, number)
        if plan.number:
            tear(picture, TEAR[plan.number] * (0.55 + 0.45 * done.share), number)
        self._printer.print(picture, self.scene.overlay, self._printed(plan, done, urgency, t))
        return to_rgb(picture)

    def _beams(self, moment: Moment) -> None:
        """The wedges of light of the two alarm lamps."""
        if not moment.urgency:
            return
        raster, camera = self.stage.raster, self.stage.camera
        middle = camera.project((self.stage.room[0] / 2, self.stage.room[1] * 0.5, 1.2))
        for side, place in enumerate(alarms.places(self.stage.room)):
            x, y = camera.project(place)
            at = (x * raster.sx, y * raster.sy)
            ahead = direction(at, (middle[0] * raster.sx, middle[1] * raster.sy))
            power = 0.55 * alarms.flash(moment, side)
            swing = ahead + 0.45 * alarms.beam_turn(moment, side)
            self.stage.lights.beam(at, swing, 0.17, 420 * raster.sx, alarms.COLOURS[moment.urgency], power)

    def _printed(self, plan: Plan, now: Beat, urgency: Urgency, t: float) -> Printed:
        scene = self.scene
        turns = scene.loaded.tables.turn
        before, after = int(turns[plan.before]), int(turns[plan.after])
        passed = (before + (after - before) * now.share) * self._turn_seconds + t
        readings: tuple[Reading, ...] = ()
        if scene.overlay == "telemetry":
            names = scene.loaded.spec.visible  # not their labels: those may differ between the readings of a scenario
            readings = tuple(plan.reading(name, name.replace("_", " "), now.share, "", None) for name in names)
        return Printed(
            camera=scene.block.camera.label,
            place=scene.block.room.sign or "",
            clock=printed_time(scene.clock, passed),
            level=urgency.level,
            blink=int(t * 2) % 2 == 0,
            action=(plan.visual.label or "") if plan.acted else "",
            shown=now.caption,
            progress=now.progress,
            readings=readings,
            lost=plan.number == 3 and now.share > 0.5,
        )
