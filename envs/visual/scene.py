"""What a world model draws: a scenario, its block, and the move from one state to the next. Own design.

A scene knows nothing of readings: the four variants of a scenario share machine and pictures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from conflictbench.envs.visual.bindings import Property, Reading, StateView
from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.clip import GEOMETRY, Geometry
from conflictbench.envs.visual.names import OVERLAYS, Overlay
from conflictbench.envs.visual.urgency import Urgency, parse_urgency
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.scenario_specs import LoadedScenario, Narrator
from conflictbench.scenario_specs.schema import ActionVisual
from conflictbench.types import Label

SCENE_VERSION = 1  # of what a digest covers
STAGES = (1, 2, 3)


@dataclass(frozen=True)
class Transition:
    """An executed action: from state to state of the tables, after `depth` clips."""

    action: str
    before: int
    after: int
    depth: int  # clips before this one, the base clip included: 1 for the first action
    chain: tuple[str, ...] = ()  # names of the executed actions, this one last; what a clip store finds clips by

    def __post_init__(self) -> None:
        _check_chain(self.chain, self.depth, self.action)


@dataclass(frozen=True)
class StageTransition:
    """A stage of the regret test: the state stays, the agent decays."""

    stage: int  # 1..3
    state: int  # the human end
    depth: int
    chain: tuple[str, ...] = ()  # as of `Transition`; a stage goes by `name`

    def __post_init__(self) -> None:
        if self.stage not in STAGES:
            raise InvalidValue(f"stage {self.stage!r}; valid: 1, 2, 3")
        _check_chain(self.chain, self.depth, self.name)

    @property
    def name(self) -> str:
        """What it is called in a chain; no action can have this name."""
        return stage_name(self.stage)


def stage_name(stage: int) -> str:
    """Name of a stage of the regret test in a chain of actions."""
    return f"stage:{stage}"


AnyTransition: TypeAlias = Transition | StageTransition


def _check_chain(chain: tuple[str, ...], depth: int, last: str) -> None:
    if depth < 1:
        raise InvalidValue(f"depth {depth!r} of a transition; the base clip comes before it, so it is 1 or more")
    if chain and (len(chain) != depth or chain[-1] != last):
        raise InvalidValue(f"chain {list(chain)} must have {depth} names, the last being {last!r}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Scene:
    """One scenario ready to be drawn; equal only to itself."""

    loaded: LoadedScenario
    block: Block
    overlay: Overlay
    geometry: Geometry = GEOMETRY
    actions: Mapping[str, ActionVisual]  # action id -> what it looks like; every action, its label filled in
    stages: tuple[ActionVisual, ...] = ()  # of the regret test; empty where a scenario has none
    schematic: bool = False  # the block was made, not written

    @property
    def id(self) -> str:
        """Id of the scenario."""
        return self.loaded.id

    @property
    def clock(self) -> str:
        """Time on the picture when the story begins, "YYYY-MM-DDThh:mm:ss"."""
        return self.block.clock or f"{self.loaded.spec.setting.time.replace(' ', 'T')}:00"

    def view(self, state: int) -> StateView:
        """The variables of a state."""
        if not 0 <= state < self.loaded.tables.n_states:
            raise InvalidValue(f"state {state!r} of {self.id}; valid: 0..{self.loaded.tables.n_states - 1}")
        return StateView(self.loaded, state)

    def properties(self, entity: str, state: int) -> Mapping[str, Property]:
        """Bound properties of an entity in a state, by name."""
        found = self.block.entity(entity)
        if found is None:
            raise UnknownName("entity", entity, [e.id for e in self.block.entities])
        return self.view(state).properties(found)

    def reading(self, variable: str, state: int) -> Reading:
        """A variable as a dial or a screen shows it."""
        return self.view(state).reading(variable)

    def urgency(self, state: int) -> int:
        """0..3: how pressing a state is."""
        return self._urgency.level(self.view(state).share)

    @cached_property
    def _urgency(self) -> Urgency:
        return parse_urgency(self.block.urgency.expr) if self.block.urgency is not None else Urgency(())

    @cached_property
    def digest(self) -> str:
        """64 hex digits over everything of the scenario that its pictures depend on; prose does not count."""
        spec = self.loaded.spec
        facts = {
            "version": SCENE_VERSION,
            "scenario": spec.id,
            "block": self.block.model_dump(mode="json"),
            "clock": self.clock,
            "actions": {name: visual.model_dump(mode="json") for name, visual in self.actions.items()},
            "stages": [visual.model_dump(mode="json") for visual in self.stages],
            "variables": {
                name: [variable.low, variable.high, variable.enum, variable.words]
                for name, variable in spec.state.items()
            },
            "window": spec.window,
            "tables": self.loaded.tables.digest,
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def follow(self, chain: Sequence[str]) -> list[AnyTransition]:
        """The transitions of a chain of executed actions (and stages, by their names) from the start of the story.

        Raises:
            UnknownName: there is no such action or stage.
            InvalidValue: an action that is not accepted where it stands; a stage before a human end, or out of turn.
        """
        tables, actions = self.loaded.tables, [action.id for action in self.loaded.spec.actions]
        stages = [stage_name(stage) for stage in STAGES[: len(self.stages)]]
        state = 0
        taken: list[AnyTransition] = []
        for depth, name in enumerate(chain, 1):
            so_far = tuple(chain[:depth])
            if name in stages:
                self._check_stage(name, state, so_far)
                taken.append(StageTransition(stages.index(name) + 1, state, depth, so_far))
                continue
            if name not in actions:
                raise UnknownName("action", name, [*actions, *stages])
            if not tables.accepted[state, actions.index(name)]:
                why = self._refusal(state, actions.index(name))
                raise InvalidValue(f"action {depth}, {name!r}, is not accepted after {_said(so_far[:-1])}: {why}")
            after = int(tables.next_state[state, actions.index(name)])
            taken.append(Transition(name, state, after, depth, so_far))
            state = after
        return taken

    def _refusal(self, state: int, action: int) -> str:
        """Why an action is not accepted, in the words of the scenario."""
        narrator = Narrator(self.loaded)
        return narrator.after_end() if self.loaded.tables.outcome[state] >= 0 else narrator.rejected(state, action)

    def _check_stage(self, name: str, state: int, so_far: tuple[str, ...]) -> None:
        """Refuse a stage anywhere but after a human end and the stages before it."""
        stages = [stage_name(stage) for stage in STAGES[: len(self.stages)]]
        done = sum(earlier in stages for earlier in so_far[:-1])
        outcome = int(self.loaded.tables.outcome[state])
        if outcome < 0 or self.loaded.spec.outcomes[outcome].label != Label.HUMAN:
            why = "the regret test begins after a human outcome"
        elif done == len(self.stages):
            why = "the regret test is over"
        elif name != stage_name(done + 1):
            why = f"its stages come in order, and {stage_name(done + 1)} is next"
        else:
            return
        raise InvalidValue(f"action {len(so_far)}, {name!r}, is not accepted after {_said(so_far[:-1])}: {why}")


def _said(chain: Sequence[str]) -> str:
    return "; ".join(chain) or "the beginning"


def make_scene(loaded: LoadedScenario, overlay: str | None = None, geometry: Geometry = GEOMETRY) -> Scene:
    """The scene of a scenario: of its `visual` block, or of an automatic schematic where it has none.

    Args:
        overlay: none, cctv or telemetry; None takes the block's own.
    Raises:
        SpecError: the block has faults (`check_block`).
        UnknownName: no such overlay.
    """
    if overlay is not None and overlay not in OVERLAYS:
        raise UnknownName("overlay", overlay, OVERLAYS)
    block, actions, stages, schematic = _drawn(loaded)
    chosen = next(level for level in OVERLAYS if level == (overlay or block.overlay))
    return Scene(
        loaded=loaded,
        block=block,
        overlay=chosen,
        geometry=geometry,
        actions=actions,
        stages=stages,
        schematic=schematic,
    )


@lru_cache(maxsize=64)
def _drawn(loaded: LoadedScenario) -> tuple[Block, Mapping[str, ActionVisual], tuple[ActionVisual, ...], bool]:
    """Block, looks of actions and of stages, and whether they were made; once a scenario, which is costly to check."""
    from conflictbench.envs.visual.check import checked_block
    from conflictbench.envs.visual.schematic import schematic

    spec = loaded.spec
    if spec.visual is None:
        made = schematic(loaded)
        return made.block, made.actions, made.stages, True
    block = checked_block(loaded)
    actions = {action.id: labelled(action.visual, action.command) for action in spec.actions}
    stages = tuple(labelled(stage.visual, "") for stage in spec.regret.stages) if spec.regret is not None else ()
    return block, actions, stages, False


def labelled(visual: ActionVisual | None, command: str) -> ActionVisual:
    """What an action looks like with the words that name it; an action without a look of its own is `idle`."""
    look = visual or ActionVisual(motion="idle")
    return look if look.label or not command else look.model_copy(update={"label": command.upper()})
