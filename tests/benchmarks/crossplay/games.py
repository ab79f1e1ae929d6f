"""The chiller game with what cross-play knows of it, and moves by their ids."""

from __future__ import annotations

from functools import cache

from tests.scenario_specs.parties.chiller import chiller

from conflictbench.benchmarks.crossplay.course import Course, follow
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.scenario_specs.parties.joint import Joint, get_joint


@cache
def chiller_facts() -> GameFacts:
    """Of the game in which an objection is cheap; first mover of start 0 is the incumbent."""
    return GameFacts(Joint(chiller()))


@cache
def core_facts(scenario: str) -> GameFacts:
    """Of a game of the core pack."""
    return GameFacts(get_joint(scenario))


def moves_of(facts: GameFacts, text: str) -> list[tuple[int, int]]:
    """`give_valve/lend_crew, hold/cool_ward` as indices, incumbent first."""
    own, other = facts.joint.tables.moves
    pairs = (turn.strip().split("/") for turn in text.split(","))
    return [(own.index(incumbent), other.index(requester)) for incumbent, requester in pairs]


def played(facts: GameFacts, text: str, start: int = 0) -> Course:
    """The play that these moves make."""
    return follow(facts.measures, facts.starts[start].state, moves_of(facts, text))
