"""Which scenario the k-th reset of a seeded environment plays: SplitMix64, restated. Steele, Lea, Flood 2014, fig. 14.

A counter-based draw needs no generator state: the k-th choice is known from (seed, k) alone, so a record that holds
both can be played again, and the vector environment draws what the scalar one draws.
"""

from __future__ import annotations

from collections.abc import Sequence

_MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15  # the odd integer nearest to 2**64 / golden ratio
SHIFTS, MIXERS = (30, 27, 31), (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # the last shift has no factor
(_SHIFT_1, _SHIFT_2, _SHIFT_3), (_MIXER_1, _MIXER_2) = SHIFTS, MIXERS


def splitmix64(seed: int, k: int) -> int:
    """Return the k-th output (k from 0) of the SplitMix64 stream that starts at `seed`, in [0, 2**64).

    Args:
        seed: any integer >= 0; taken modulo 2**64.
        k: index into the stream, >= 0.
    """
    z = (seed + (k + 1) * GAMMA) & _MASK
    z = ((z ^ z >> _SHIFT_1) * _MIXER_1) & _MASK  # written out: a loop costs twice as much, once a reset
    z = ((z ^ z >> _SHIFT_2) * _MIXER_2) & _MASK
    return z ^ z >> _SHIFT_3


def draw_scenario(ids: Sequence[str], seed: int, k: int) -> str:
    """Return the id that the k-th reset of an environment seeded `seed` plays; `ids` is sorted and not empty."""
    return ids[splitmix64(seed, k) % len(ids)]
