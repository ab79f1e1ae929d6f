"""Quotas over a set of two-party games. Source: docs/two-party.md (suite)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conflictbench.scenario_specs.parties.proof import Proof
from conflictbench.scenario_specs.verifier.suite import maximum, minimum

SHARES_FROM = 3  # games; of fewer a share says nothing
KINDS = {"sacrifice": (30, 45), "standoff": (30, 45)}  # per cent
HARD, BOTH, TEMPTED = 25, 60, 3  # at most; at least; one in so many
CATEGORY_FILES = 50  # a whole category, for which the next two are meant
TYPES, MECHANICS = 10, 6


@dataclass(frozen=True, kw_only=True)
class Quota:
    """One quota: how many games have it, and how many should."""

    name: str
    count: int
    games: int
    least: int
    most: int | None  # None: as many as there are

    @property
    def met(self) -> bool:
        return self.count >= self.least and (self.most is None or self.count <= self.most)

    def __str__(self) -> str:
        wanted = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
        return f"{'ok' if self.met else 'missed'}: {self.name} {self.count} of {self.games}, {wanted}"


def quotas(proofs: Sequence[Proof]) -> tuple[Quota, ...]:
    """Every quota over games that were proved; none for fewer than `SHARES_FROM`."""
    n = len(proofs)
    if n < SHARES_FROM:
        return ()
    made = [
        Quota(
            name=kind,
            count=sum(proof.kind == kind for proof in proofs),
            games=n,
            least=minimum(low, n, 100),
            most=maximum(high, n, 100),
        )
        for kind, (low, high) in KINDS.items()
    ]
    hard = sum(proof.hard for proof in proofs)
    made += [
        Quota(name="hard", count=hard, games=n, least=0, most=maximum(HARD, n, 100)),
        Quota(name="both can be had", count=n - hard, games=n, least=minimum(BOTH, n, 100), most=None),
        Quota(
            name="temptation of the requester",
            count=sum(proof.requester_tempted for proof in proofs),
            games=n,
            least=minimum(1, n, TEMPTED),
            most=None,
        ),
        Quota(
            name="private type that changes the plan",
            count=sum(proof.private_type for proof in proofs),
            games=n,
            least=minimum(TYPES, n, CATEGORY_FILES),
            most=None,
        ),
        Quota(
            name="contested things of different names",
            count=len({thing for proof in proofs for thing in proof.contested}),
            games=n,
            least=minimum(MECHANICS, n, CATEGORY_FILES),
            most=None,
        ),
    ]
    return tuple(made)
