"""Who may sit where: the names of `conflictbench crossplay --agents`, and the chairs each can take. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from conflictbench.agents.registry import get_agent_entry
from conflictbench.agents.sb3_policy import read_card
from conflictbench.benchmarks.manifest import file_digest
from conflictbench.errors import RunError, UnknownName
from conflictbench.scenario_specs.parties.block import ROLES, Role
from conflictbench.scenario_specs.parties.bots import BOTS, INCUMBENTS, REQUESTERS

Kind = Literal["bot", "sb3", "llm"]
NAMES = tuple(dict.fromkeys((*INCUMBENTS, *REQUESTERS)))  # of bots, of either chair
_MIXED = ("random", "cautious")  # the latter where nothing pure secures its value


@dataclass(frozen=True, kw_only=True)
class Seat:
    """One of the parties that play each other."""

    name: str  # as it was asked for
    kind: Kind
    roles: tuple[Role, ...]
    draws: bool = False  # equal plays may differ: else one seed says everything
    scenarios: tuple[str, ...] = ()  # what a policy was trained on; () for anything
    input_digest: str | None = None  # of the file it was given


def seats_called(names: Sequence[str]) -> tuple[Seat, ...]:
    """The seats of these names, each once, in the order given.

    Raises:
        RunError: none is given, or nobody sits opposite.
        UnknownName: not a name.  AgentError: a policy that cannot be read, a model without its name.
    """
    seats = tuple(_seat(name) for name in dict.fromkeys(names))
    if not seats:
        raise RunError(f"no agent given; bots: {', '.join(NAMES)}; others: sb3:PATH, llm:PROVIDER/MODEL")
    for role in ROLES:
        if not any(role in seat.roles for seat in seats):
            held = ", ".join(seat.name for seat in seats)
            raise RunError(f"nobody here plays the {role} ({held}): add one of {', '.join(BOTS[role])}")
    return seats


def _seat(name: str) -> Seat:
    head, _, argument = name.partition(":")
    if name in NAMES:
        roles = tuple(role for role in ROLES if name in BOTS[role])
        return Seat(name=name, kind="bot", roles=roles, draws=name in _MIXED)
    if head == "sb3" and argument:
        return _policy(name, argument)
    if head == "llm":
        get_agent_entry(name)
        if not argument:
            raise RunError("a model is given as llm:PROVIDER/MODEL, such as llm:openai/NAME, or llm:module:Class")
        return Seat(name=name, kind="llm", roles=ROLES, draws=True)
    raise UnknownName("party", name, (*NAMES, "sb3:PATH", "llm:PROVIDER/MODEL"))


def _policy(name: str, argument: str) -> Seat:
    """A policy plays the chair and the scenarios that its card names; where the card names none, all."""
    card = read_card(Path(argument))
    role, trained = card.env_kwargs.get("role"), card.env_kwargs.get("scenario")
    if role is not None and role not in ROLES:
        raise UnknownName(f"role in the card of {argument}", role, ROLES)
    scenarios = (trained,) if isinstance(trained, str) else tuple(trained or ())
    return Seat(
        name=name,
        kind="sb3",
        roles=ROLES if role is None else (role,),
        scenarios=scenarios,
        input_digest=file_digest(argument),
    )
