"""Seeds that follow from others. Own design."""

from __future__ import annotations

import numpy as np


def agent_seed(seed: int, epoch: int) -> int:
    """Seed of the agent's own randomness: the episode's at epoch 0, else another 32-bit number for each pair.

    An agent whose choices follow from its seed would otherwise play the same episode again in every epoch.
    """
    return seed if epoch == 0 else int(np.random.SeedSequence([seed, epoch]).generate_state(1)[0])
