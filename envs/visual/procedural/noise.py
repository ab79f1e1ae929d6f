"""Repeatable noise: a number in [0, 1) from names and integers, the same in every process. Own design."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=65_536)
def noise(*what: str | int) -> float:
    """A number in [0, 1) that depends on nothing but its arguments."""
    data = "\x1f".join(map(str, what)).encode()
    return int.from_bytes(blake2b(data, digest_size=6).digest(), "big") / 2.0**48


def spread(low: float, high: float, *what: str | int) -> float:
    """Noise scaled to [low, high)."""
    return low + (high - low) * noise(*what)
