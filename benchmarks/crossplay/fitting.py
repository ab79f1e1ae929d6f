"""Whether trained policies fit the chairs that they are to sit in, before anything is played. Own design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conflictbench.agents.sb3 import SB3Agent
from conflictbench.benchmarks.crossplay.seats import Seat
from conflictbench.errors import AgentError, RunError
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.joint import Joint


def check_policies(policies: Mapping[str, SB3Agent], seats: Sequence[Seat], games: Sequence[Joint]) -> None:
    """Refuse a policy that has other actions, or sees other features, than a chair it would sit in.

    Raises:
        RunError: with the policy, the chair, what either has, and what to do.
    """
    from conflictbench.envs.task_conflict.env import TaskConflictEnv

    for seat in seats:
        if seat.kind != "sb3":
            continue
        for game in games:
            world = TaskConflictEnv(scenario=list(seat.scenarios) if seat.scenarios else game)
            for role in seat.roles:
                agent = world.possible_agents[ROLES.index(role)]
                seen: Any = world.observation_space(agent)
                acts: Any = world.action_space(agent)
                try:
                    policies[seat.name].check(int(acts.n), seen["observation"].shape)
                except AgentError as error:
                    raise RunError(f"{seat.name} as {role} of {game.id}: {error}; {_remedy(seat, game.id)}") from error
            world.close()


def _remedy(seat: Seat, scenario: str) -> str:
    if seat.scenarios and len(seat.roles) == 1:
        return "its policy.json names another chair or other scenarios than those it was trained on"
    return (
        'say in its policy.json what it was trained on, such as {"algo": "ppo", "env_kwargs": '
        f'{{"scenario": "{scenario}", "role": "{seat.roles[0]}"}}}}'
    )
