"""Who may sit where: the names of `conflictbench crossplay --agents`, and the chairs each can take. Own design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from conflictbench.agents.registry import get_agent_entry
from conflictbench.agents.sb3_policy import card_path, read_card
from conflictbench.benchmarks.manifest import file_digest
from conflictbench.errors import AgentError, RunError, UnknownName
from conflictbench.scenario_specs.parties.block import ROLES, Role
from conflictbench.scenario_specs.parties.bots import BOTS, INCUMBENTS, REQUESTERS

Kind = Literal["bot", "sb3", "llm"]
NAMES = tuple(dict.fromkeys((*INCUMBENTS, *REQUESTERS)))  # of bots, of either chair
WORLD = "task_conflict_v0"  # as the card of a policy names it
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
    digests: Mapping[str, str] = field(default_factory=dict)  # of what a policy was trained on: id -> of its tables


def seats_called(names: Sequence[str]) -> tuple[Seat, ...]:
    """The seats of these names, each once, in the order given; a policy is the same under another path to its file.

    Raises:
        RunError: none is given, or nobody sits opposite.
        UnknownName: not a name.  AgentError: a policy that cannot be read, a model without its name.
    """
    once = {_same(name): name for name in reversed(names)}  # under the name that was given first
    seats = tuple(_seat(name) for name in dict.fromkeys(names) if once[_same(name)] == name)
    if not seats:
        raise RunError(f"no agent given; bots: {', '.join(NAMES)}; others: sb3:PATH, llm:PROVIDER/MODEL")
    for role in ROLES:
        if not any(role in seat.roles for seat in seats):
            held = ", ".join(seat.name for seat in seats)
            raise RunError(f"nobody here plays the {role} ({held}): add one of {', '.join(BOTS[role])}")
    return seats


def _same(name: str) -> str:
    """What two names of one agent have in common."""
    head, _, argument = name.partition(":")
    return f"{head}:{Path(argument).resolve()}" if head == "sb3" and argument else name


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
    if card.env_id not in ("", WORLD):
        raise RunError(
            f"{name} was trained on {card.env_id}, as one agent alone, and sits in no chair of a two-party game; "
            f"`conflictbench train --two-party ID --role ROLE --against BOT` trains one that does. For a policy of "
            f'your own that was trained in a chair write "env_id": "{WORLD}" into {card_path(Path(argument)).name}'
        )
    role, trained = card.env_kwargs.get("role"), card.env_kwargs.get("scenario")
    if role is not None and role not in ROLES:
        raise UnknownName(f"role in the card of {argument}", role, ROLES)
    named = [trained] if isinstance(trained, str) else trained or []
    if not (isinstance(named, list) and all(isinstance(one, str) for one in named)):
        raise AgentError(
            f"{card_path(Path(argument))}: env_kwargs.scenario {trained!r} must be the id of a two-party scenario, "
            "or a list of ids"
        )
    return Seat(
        name=name,
        kind="sb3",
        roles=ROLES if role is None else (role,),
        scenarios=tuple(named),
        input_digest=file_digest(argument),
        digests=card.scenarios,
    )
