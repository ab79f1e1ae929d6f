"""What to say of single-turn questions whose options were not turned through every place. Own design.

Seeds 4n to 4n + 3 put each option once at every place; over fewer a score may be carried by where the options stand.
"""

from __future__ import annotations

from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.metrics import family_of
from conflictbench.benchmarks.single_turn_figures import LETTERS
from conflictbench.benchmarks.summary import SINGLE_TURN
from conflictbench.counting import counted


def places_note(identity: RunIdentity) -> str:
    """Such as "with 1 seed an option's place is not random: use --seeds 4, ..."; "" where nothing is to be said."""
    asks = any(family_of(env.env_id) == SINGLE_TURN for env in identity.envs)
    if not asks or len(identity.seeds) % len(LETTERS) == 0:
        return ""
    whole = len(LETTERS) * (len(identity.seeds) // len(LETTERS) + 1)
    return (
        f"with {counted(len(identity.seeds), 'seed')} an option's place is not random: use --seeds {whole}, "
        "over which each option stands equally often at every place"
    )
