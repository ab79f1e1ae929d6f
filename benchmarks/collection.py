"""Garbage collection that a long run can afford. Own design, measured with `benchmarks/perf/harness.py`.

Python looks for cycles after every 700 new objects. A run keeps hundreds of conversations alive and makes few cycles:
at 128 conversations at a time the looking is a twentieth of a model call's own cost, in pauses that all of them share.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (50_000, 20, 50)


@contextmanager
def rarer_collection() -> Iterator[None]:
    """Collect seldom inside the block, and as before behind it; where the caller turned it off it stays off."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
