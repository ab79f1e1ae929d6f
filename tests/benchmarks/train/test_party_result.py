"""What a chair has learnt, held against the tables: a policy that plays a bot's moves has what that bot has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from conflictbench.agents.sb3 import SB3Agent
from conflictbench.benchmarks.train.party_result import DRAWS, Learnt, best_payoff, in_words, learnt
from conflictbench.scenario_specs.parties.block import Role
from conflictbench.scenario_specs.parties.joint import get_joint
from conflictbench.scenario_specs.parties.policies import play
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.types import Decision, Task


class Holding(SB3Agent):
    """Always holds; nothing is loaded."""

    def __init__(self) -> None:
        """Be ready."""

    def reset(self, task: Task) -> None:
        """Fit anything."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Decision:
        """Hold, which is always possible."""
        assert observation["action_mask"][0]
        return Decision(action=0)


@pytest.mark.parametrize("role, against", [("incumbent", "grab"), ("requester", "keep")])
def test_learnt__of_a_policy_that_holds_is_what_the_tables_say_of_holding(role: Role, against: str) -> None:
    from conflictbench.scenario_specs.parties.policies import passive

    joint, party = get_joint("EP2-005"), 0 if role == "incumbent" else 1
    mine = passive(joint.tables, party)
    bot = joint.bots.get("requester" if party == 0 else "incumbent", against)
    values = play(joint.tables, *((mine, bot) if party == 0 else (bot, mine)))
    states = [start.state for start in joint.tables.starts]
    found = learnt("EP2-005", role, against, Holding())
    assert found.games == len(states) and not found.drawn
    assert found.payoff == pytest.approx(np.mean(values[states, party]) / UNIT)
    assert (found.human, found.task) == pytest.approx((np.mean(values[states, 2]), np.mean(values[states, 3])))
    assert found.best >= found.payoff


def test_best__is_that_of_no_bot_beaten() -> None:
    """Nobody in the chair has more against `persist` than the best reply to it."""
    joint = get_joint("EP2-002")
    best = best_payoff("EP2-002", "incumbent", "persist")
    for name in ("keep", "fair", "yielder", "block", "cautious", "random"):
        values = play(joint.tables, joint.bots.get("incumbent", name), joint.bots.get("requester", "persist"))
        assert all(b >= values[s.state, 0] / UNIT - 1e-9 for b, s in zip(best, joint.tables.starts, strict=True))


def test_learnt__against_a_bot_that_draws_takes_many_games_and_says_so() -> None:
    found = learnt("EP2-002", "incumbent", "random", Holding())
    assert (found.games, found.drawn) == (2 * DRAWS, True)
    assert found == learnt("EP2-002", "incumbent", "random", Holding())
    assert in_words(found, "incumbent", "random")[0] == (
        "Best actions of the incumbent against random (128 games, every start 64 times, since the bot draws):"
    )


def test_words__put_the_payoff_beside_the_best() -> None:
    found = Learnt(payoff=0.61, best=0.8, human=0.5, task=1.0, games=2, drawn=False)
    assert in_words(found, "requester", "keep") == [
        "Best actions of the requester against keep (2 games, every start):",
        "  payoff 0.610; the best reply there is has 0.800",
        "  human outcome in 50% of them, the incumbent's task in 100%",
    ]
