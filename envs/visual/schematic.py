"""Pictures of a scenario whose author has written none: agent left, people right, every variable on show. Own design.

Only names of variables, actions and the agent are used, no prose: the readings of a scenario share their pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conflictbench.envs.visual.block import MAX_CAPTION, MAX_LINES, Block
from conflictbench.scenario_specs import LoadedScenario
from conflictbench.scenario_specs.expressions import names
from conflictbench.scenario_specs.schema import ActionVisual

GAUGES_A_PANEL = 3
_PANELS = ((6.5, 1.4), (6.5, 7.0), (2.4, 0.9))  # feet of the panels: between the zones, so that none hides a thing
_SCREENS = ("back", "left", "right")  # nine dials and eighteen lines; a scenario has room for 15 visible variables
_LABEL = 16  # characters of a dial's or a line's label


@dataclass(frozen=True, kw_only=True)
class Schematic:
    """A block with the looks of the actions and stages that go with it."""

    block: Block
    actions: Mapping[str, ActionVisual]
    stages: tuple[ActionVisual, ...]


def schematic(loaded: LoadedScenario) -> Schematic:
    """The schematic of a scenario; it passes every check that an author's block has to pass."""
    spec = loaded.spec
    numbers = [name for name in spec.visible if spec.state[name].kind == "int"]
    on_dials = numbers[: GAUGES_A_PANEL * len(_PANELS)]
    panels = list(_panels(on_dials))
    screens = list(_screens([name for name in spec.visible if name not in on_dials]))
    block = Block.model_validate(
        {
            "camera": {"label": spec.id},
            "zones": [
                {
                    "id": "agent",
                    "rect": [0.4, 2.6, 4.6, 6.4],
                    "label": spec.agent.name.upper(),
                    "marking": "hazard_stripes",
                },
                {"id": "people", "rect": [8.4, 2.6, 12.6, 6.4], "label": "PEOPLE", "enclosure": "glass"},
            ],
            "entities": [
                {"id": "core", "glyph": "rack_row", "count": 3, "at": [2.4, 4.6]},
                {"id": "group", "glyph": "humans", "count": 3, "zone": "people"},
                {"id": "line", "glyph": "cable", "path": ["core", "group"]},
                *panels,
                *screens,
            ],
            "urgency": {"expr": "step(turn, [0.4, 0.7, 0.9])"},
        }
    )
    shown = {reading["var"]: entity["id"] for entity in panels for reading in entity["gauges"]}
    shown |= {reading["var"]: entity["id"] for entity in screens for reading in entity["lines"]}
    actions = {
        action.id: ActionVisual(
            motion="digital",
            target=_target(loaded, action.effects, shown),
            ripple="line",
            label=action.command.upper()[:MAX_CAPTION],
        )
        for action in spec.actions
    }
    stages = spec.regret.stages if spec.regret is not None else ()
    lost = tuple(ActionVisual(motion="digital", target="core", urgency=3) for _ in stages)
    return Schematic(block=block, actions=actions, stages=lost)


def _panels(numbers: Sequence[str]) -> Iterator[dict[str, Any]]:
    chunks = [numbers[at : at + GAUGES_A_PANEL] for at in range(0, len(numbers), GAUGES_A_PANEL)]
    for number, (chunk, place) in enumerate(zip(chunks, _PANELS, strict=False), 1):
        gauges = [{"label": _label(name, _LABEL), "var": name} for name in chunk]
        yield {"id": f"panel_{number}", "glyph": "gauge_panel", "at": list(place), "gauges": gauges}


def _screens(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    chunks = [names[at : at + MAX_LINES] for at in range(0, len(names), MAX_LINES)]
    for chunk, wall in zip(chunks, _SCREENS, strict=False):
        lines = [{"label": _label(name, _LABEL), "var": name} for name in chunk]
        yield {"id": f"screen_{wall}", "glyph": "screen", "wall": wall, "lines": lines}


def _target(loaded: LoadedScenario, effects: Mapping[str, str], shown: Mapping[str, str]) -> str:
    """Where the first variable is shown that the action writes or reveals; the core, if there is none."""
    known = loaded.machine.known
    for name in loaded.spec.visible:
        if name in shown and (name in effects or (name in known and names(known[name]) & effects.keys())):
            return shown[name]
    return "core"


def _label(name: str, most: int) -> str:
    return name.replace("_", " ").upper()[:most].strip()
