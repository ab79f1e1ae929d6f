"""The command line in worlds whose first actions answer to other commands, as an imported pack may hold them.

    python -m tests.servers.with_commands "seal door,set v2.5 limiter" run --suite ep1 ...

Not a scenario file of its own: the format of files allows no dot in a command.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from conflictbench.cli import main
from conflictbench.scenario_specs import LoadedScenario, load_scenario, packs


def renamed(loaded: LoadedScenario, commands: Sequence[str]) -> LoadedScenario:
    """The scenario with these commands in place of its first ones."""
    actions = tuple(
        action if command is None else action.model_copy(update={"command": command, "also": ()})
        for action, command in zip_longest(loaded.spec.actions, commands)
    )
    return replace(loaded, spec=loaded.spec.model_copy(update={"actions": actions}))


if __name__ == "__main__":
    COMMANDS = sys.argv.pop(1).split(",")

    def load(path: Path | str) -> LoadedScenario:
        return renamed(load_scenario(path), COMMANDS)

    vars(packs)["load_scenario"] = load
    main()
