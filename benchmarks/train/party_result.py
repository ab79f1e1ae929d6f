"""What a trained chair has learnt: its games against its bot, beside the best there is. Own design."""

from __future__ import annotations

from dataclasses import dataclass

from conflictbench.agents.sb3 import SB3Agent
from conflictbench.scenario_specs.parties.block import Role
from conflictbench.scenario_specs.parties.joint import get_joint
from conflictbench.scenario_specs.parties.policies import own_aim, play, reply
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.types import Task
from conflictbench.wrappers.one_party import OnePartyEnv

DRAWS = 64  # games from each start against a bot that mixes its moves


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """Means over the starts of a game, each alike: both first movers, every private type."""

    payoff: float  # of the chair
    best: float  # of the best reply to the bot, exact; it knows private types, which the chair may not
    human: float  # share of games
    task: float
    games: int
    drawn: bool  # the bot mixes its moves, so that other draws would give other figures


def learnt(scenario: str, role: Role, against: str, agent: SB3Agent) -> Learnt:
    """Let a policy play its best actions from every start.

    Raises:
        AgentError: the policy does not fit the chair.
    """
    env = OnePartyEnv(scenario, role, against)
    bot = get_joint(scenario).bots.get(env.other_role, against)
    starts = get_joint(scenario).tables.starts
    draws = 1 if bot.deterministic else DRAWS
    env.reset(seed=0)
    agent.reset(Task(env_id="task_conflict_v0", seed=0, n_actions=env.action_masks().size, scenario=scenario))
    found = [_play(env, agent, start, seed) for start in range(len(starts)) for seed in range(draws)]
    payoff, human, task = (sum(part) / len(found) for part in zip(*found, strict=True))
    best = sum(best_payoff(scenario, role, against)) / len(starts)
    return Learnt(payoff=payoff, best=best, human=human, task=task, games=len(found), drawn=draws > 1)


def best_payoff(scenario: str, role: Role, against: str) -> list[float]:
    """What the best reply to the bot brings, start by start; exact."""
    joint, party = get_joint(scenario), 0 if role == "incumbent" else 1
    bot = joint.bots.get("requester" if party == 0 else "incumbent", against)
    best, _ = reply(joint.tables, bot, own_aim(joint.tables, party), joint.bots.sure[party].value)
    values = play(joint.tables, *((best, bot) if party == 0 else (bot, best)))
    return [float(values[start.state, party]) / UNIT for start in joint.tables.starts]


def in_words(found: Learnt, role: Role, against: str) -> list[str]:
    """The lines that a training ends with."""
    about = f"{found.games} games, every start" + (f" {DRAWS} times, since the bot draws" if found.drawn else "")
    return [
        f"Best actions of the {role} against {against} ({about}):",
        f"  payoff {found.payoff:.3f}; the best reply there is has {found.best:.3f}",
        f"  human outcome in {found.human:.0%} of them, the incumbent's task in {found.task:.0%}",
    ]


def _play(env: OnePartyEnv, agent: SB3Agent, start: int, seed: int) -> tuple[float, float, float]:
    seen, _ = env.reset(seed=seed, options={"start": start})
    payoff = 0.0
    while True:
        decision = agent.act({"features": seen, "action_mask": env.action_masks()}, {})
        seen, reward, over, truncated, info = env.step(decision.action)
        payoff += reward
        if over or truncated:
            return payoff, float(info["result"]["human"]), float(info["result"]["task"])
