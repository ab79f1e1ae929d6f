"""The faults a server may answer with: which, when, and what an episode that met them must come to. Own design.

What is done to a request follows from the seed, the episode, the attempt, the place in the conversation and how often
the same was asked before, never from the order in which concurrent requests happen to arrive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from conflictbench.types import Status

ACTION = "action"
# The client may ask again; weights in thousandths of all requests.
TRANSIENT = {
    "rate limited": 40,
    "rate limited, with a wait": 20,
    "server error": 40,
    "overloaded": 30,
    "slow": 8,
    "cut": 40,
    "garbage": 20,
    "no JSON": 20,
    "no choices": 20,
    "huge": 3,
}
# A reply without a command: asked again once, the second in a row ends the episode.
REASKED = {
    "refusal": (Status.REFUSED, 35),
    "content filter": (Status.REFUSED, 25),
    "policy error": (Status.REFUSED, 25),
    "malformed call": (Status.UNPARSED, 35),
    "two commands": (Status.UNPARSED, 35),
    "cut off": (Status.CUT_OFF, 50),
}
# As good as an ordinary answer.
HARMLESS = {"doubled call": 40, "wrong content type": 40}
ENDING = {"overflow": (Status.CONTEXT_OVERFLOW, 15), "key refused": (Status.PROVIDER_ERROR, 10)}
DOWN = "down"  # not for one request: the whole attempt
DOWN_PER_MILLE = 15
MOST_IN_A_ROW = 2  # transient faults of one place
KINDS = (ACTION, DOWN, *TRANSIENT, *REASKED, *HARMLESS, *ENDING)

_WEIGHTS = {
    **TRANSIENT,
    **{kind: weight for kind, (_, weight) in (REASKED | ENDING).items()},
    **HARMLESS,
}


class Schedule:
    """Says what is done to each request."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._asked: Counter[tuple[str, str, int, int]] = Counter()

    def next(self, caller: str, episode: str, attempt: int, place: int) -> str:
        """The kind of the next answer at this place of a conversation.

        Args:
            caller: a restarted client begins anew.
        """
        times = self._asked[caller, episode, attempt, place]
        self._asked[caller, episode, attempt, place] += 1
        if self._draw(episode, attempt) < DOWN_PER_MILLE:
            return DOWN
        kind, left = ACTION, self._draw(episode, attempt, place, times)
        for name, weight in _WEIGHTS.items():
            left -= weight
            if left < 0:
                kind = name
                break
        return ACTION if kind in TRANSIENT and times >= MOST_IN_A_ROW else kind

    def _draw(self, *of: object) -> int:
        """0 to 999."""
        digest = blake2b(repr((self._seed, *of)).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") % 1000


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What the record of an attempt must say."""

    status: Status
    calls: int
    steps: int
    reasks: int
    malformed: int


def expected(kinds: Sequence[str]) -> Expected:
    """What follows from the answers of one attempt, in their order."""
    steps = reasks = 0
    status, before = Status.COMPLETED, ACTION
    for kind in kinds:
        if kind in TRANSIENT or kind == DOWN:
            status = Status.PROVIDER_ERROR  # unless another answer follows
            continue
        if kind in ENDING:
            status = ENDING[kind][0]
            continue
        steps += 1
        again = kind in REASKED
        reasks += again and before not in REASKED
        status = REASKED[kind][0] if again and before in REASKED else Status.COMPLETED
        before = kind
    return Expected(
        status=status, calls=len(kinds), steps=steps, reasks=reasks, malformed=kinds.count("malformed call")
    )
