"""As which models the providers answered each agent's calls, and what to say where that changes. Own design."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.session import ModelWatch
from conflictbench.scenario_specs.parties.block import ROLES


def answered_as(records: Iterable[PlayRecord]) -> dict[str, tuple[str, ...]]:
    """Agent -> ids that came back with answers to it, sorted; agents without any are left out."""
    found: dict[str, set[str]] = {}
    for record in records:
        for agent, model in _answers(record):
            found.setdefault(agent, set()).add(model)
    return {agent: tuple(sorted(found[agent])) for agent in sorted(found)}


class PlayWatch:
    """Notices that a provider answers one agent with another model than before in the run."""

    def __init__(self, records: Iterable[PlayRecord]) -> None:
        """Begin with what is kept of the run."""
        self._agents: dict[str, ModelWatch] = {}
        self.see(records)

    def see(self, records: Iterable[PlayRecord]) -> None:
        """Look at further plays."""
        for record in records:
            for agent, model in _answers(record):
                self._agents.setdefault(agent, ModelWatch("plays")).see(model)

    def changes(self) -> tuple[str, ...]:
        """What to say of it, a line for each agent."""
        return tuple(f"{agent}: {line}" for agent in sorted(self._agents) for line in self._agents[agent].changes())


def _answers(record: PlayRecord) -> Iterator[tuple[str, str]]:
    """(agent, id) of a play; of one without a result only where one agent alone was asked."""
    names = tuple(getattr(record.key, role) for role in ROLES)
    if record.outcome is not None:
        for name, role in zip(names, ROLES, strict=True):
            yield from ((name, model) for model in getattr(record.outcome, role).models)
    elif len(asked := {name for name in names if name.startswith("llm:")}) == 1:
        yield from ((name, model) for name in asked for model in record.models)
