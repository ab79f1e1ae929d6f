"""Is a scenario's `visual` block one that can be drawn? Own design.

The loader has seen to it that every reference exists. Here the shape of every block, the closed lists, glyphs with
their properties, places in the room, and who can act: each fault with file, line, key, the bad value, what would be
valid, and the nearest fix. `conflictbench verify` prints them; making a scene raises them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import ValidationError

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.check_actions import action_faults
from conflictbench.envs.visual.check_bindings import binding_faults
from conflictbench.envs.visual.check_faults import fault
from conflictbench.envs.visual.check_places import place_faults
from conflictbench.envs.visual.procedural.clock import printed_time, unit_seconds
from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs import LoadedScenario
from conflictbench.scenario_specs.key_paths import Location, key_paths, nearest_line
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.schema_faults import schema_faults

MAX_FAULTS = 200  # of one block that are said at once


def check_block(loaded: LoadedScenario) -> list[Fault]:
    """Everything wrong with the pictures of one scenario, in file order; nothing where it has no `visual` block."""
    return [] if loaded.spec.visual is None else _read(loaded)[1]


def checked_block(loaded: LoadedScenario) -> Block:
    """The block of a scenario that has one.

    Raises:
        SpecError: it has faults.
    """
    block, faults = _read(loaded)
    if faults or block is None:
        raise SpecError(faults)
    return block


def _read(loaded: LoadedScenario) -> tuple[Block | None, list[Fault]]:
    try:
        block = Block.model_validate(loaded.spec.visual)
    except ValidationError as error:
        paths: dict[Location, str] = {
            location[1:]: path for location, path in key_paths({"visual": loaded.spec.visual}).items() if location
        }
        return None, _ordered(schema_faults(error, paths, loaded.lines, loaded.path, most=MAX_FAULTS, model=Block))
    found = [
        *_clock_faults(block, loaded.spec),
        *place_faults(block),
        *binding_faults(block, loaded.spec),
        *action_faults(block, loaded.spec),
    ]
    return block, _ordered([replace(one, file=loaded.path, line=nearest_line(loaded.lines, one.key)) for one in found])


def _clock_faults(block: Block, spec: Scenario) -> Iterator[Fault]:
    """A story that goes on beyond the calendar: its clock could not be printed."""
    start = block.clock or f"{spec.setting.time.replace(' ', 'T')}:00"
    passed = (spec.window + 1) * spec.clock.per_turn * unit_seconds(spec.clock.unit)
    try:
        printed_time(start, passed)
    except OverflowError:
        message = f"{spec.window} turns of {spec.clock.per_turn} {spec.clock.unit} after {start} are beyond year 9999"
        yield fault("visual.clock", message, "begin earlier, or let turns be shorter")


def _ordered(faults: list[Fault]) -> list[Fault]:
    return sorted(faults, key=lambda one: one.line or 0)[:MAX_FAULTS]
