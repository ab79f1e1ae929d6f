"""One chair as a Gymnasium environment: the game of the tables, a bot opposite, masks and rewards of the chair."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.scenario_specs.parties.chiller import chiller

from conflictbench.errors import ResetNeeded, UnknownName
from conflictbench.scenario_specs.parties.block import Role
from conflictbench.scenario_specs.parties.joint import Joint, get_joint
from conflictbench.scenario_specs.parties.policies import play
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.wrappers.one_party import OnePartyEnv


@pytest.mark.parametrize("role, against", [("incumbent", "persist"), ("requester", "random")])
def test_env__passes_gymnasiums_own_checker(role: Role, against: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not set.*|.*`env.spec`.*|.*render.*")
        check_env(OnePartyEnv("EP2-002", role, against), skip_render_check=True)


@pytest.mark.parametrize(
    "role, own, against",
    [("incumbent", "keep", "persist"), ("incumbent", "fair", "fair"), ("requester", "grab", "yielder")],
)
def test_return__of_a_bots_own_moves_is_what_the_tables_say(role: Role, own: str, against: str) -> None:
    joint = get_joint("EP2-005")
    party = 0 if role == "incumbent" else 1
    mine = joint.bots.get(role, own)
    other = joint.bots.get("requester" if party == 0 else "incumbent", against)
    values = play(joint.tables, *((mine, other) if party == 0 else (other, mine)))
    env = OnePartyEnv("EP2-005", role, against)
    for number, start in enumerate(joint.tables.starts):
        env.reset(seed=0, options={"start": number})
        total, over = 0.0, False
        while not over:
            _, reward, over, truncated, _ = env.step(int(mine.moves[env.world.state_index]))
            total += reward
            assert not truncated
        assert total == pytest.approx(float(values[start.state, party]) / UNIT)


def test_masks__are_the_legal_moves_and_what_a_caller_does_to_them_changes_nothing() -> None:
    joint = Joint(chiller())
    env = OnePartyEnv(joint, "requester", "fair")
    env.reset(seed=3)
    legal = joint.tables.legal[1][env.world.state_index]
    mask = env.action_masks()
    assert mask.dtype == np.bool_ and mask.tolist() == legal.tolist()
    mask[:] = False
    assert env.action_masks().tolist() == legal.tolist()


def test_seed__gives_the_same_games_against_a_bot_that_draws() -> None:
    def returns(seed: int) -> list[float]:
        env = OnePartyEnv(["EP2-001", "EP2-004"], "incumbent", "random")
        found = []
        env.reset(seed=seed)
        for _ in range(20):
            over = False
            while not over:
                _, reward, over, _, _ = env.step(int(env.action_masks().nonzero()[0][-1]))
                found.append(reward)
            env.reset()
        return found

    assert returns(5) == returns(5)
    assert returns(5) != returns(6)


def test_bad_arguments__are_told_with_the_valid_ones() -> None:
    with pytest.raises(UnknownName, match="unknown bot of the requester 'keep'; known: fair, persist"):
        OnePartyEnv("EP2-002", "incumbent", "keep")
    with pytest.raises(UnknownName, match="unknown role 'judge'; known: incumbent, requester"):
        OnePartyEnv("EP2-002", "judge", "keep")  # type: ignore[arg-type]
    env = OnePartyEnv("EP2-002", "incumbent", "fair")
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.action_masks()
