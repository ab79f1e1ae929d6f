"""What there is to say of a policy that was trained on other tables than those that it is to play. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflictbench.benchmarks.crossplay.seats import Seat
from conflictbench.scenario_specs.parties.joint import Joint


def other_tables(seats: Sequence[Seat], games: Sequence[Joint]) -> Iterator[str]:
    """One line for each policy and game; none where a policy's card does not say what it was trained on."""
    for seat in seats:
        for game in games:
            known = seat.digests.get(game.id)
            if known is not None and known != game.tables.digest:
                yield (
                    f"{seat.name} was trained on another version of {game.id} than the one that is played "
                    f"(tables {known[:8]}, here {game.tables.digest[:8]})"
                )
