"""Rules 1 to 7 of docs/two-party.md, worked out by hand on the chiller and on EP2-001.

On the chiller the plant wants five steps of a batch within seven turns, the ward two spells of the valve.
Start 0: the incumbent is served first; start 1: the requester.
"""

from __future__ import annotations

import pytest
from tests.envs.task_conflict.seats import INCUMBENT, REQUESTER, chiller_env, moves, plays

from conflictbench.envs.task_conflict.env import TaskConflictEnv
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.joint import two_party_ids
from conflictbench.scenario_specs.parties.policies import at, path, play
from conflictbench.scenario_specs.parties.worth import UNIT


def begun(start: int = 0, **kwargs: object) -> TaskConflictEnv:
    env = chiller_env(**kwargs)
    env.reset(seed=0, options={"start": start})
    return env


def legal(env: TaskConflictEnv, agent: str) -> set[str]:
    mask = env.observe(agent)["action_mask"]
    return {move.id for move, open_ in zip(env.moves(agent), mask, strict=True) if open_}


def test_rule_1__hold_is_legal_in_every_turn_and_does_nothing() -> None:
    env = begun()
    for turn in range(7):
        assert "hold" in legal(env, INCUMBENT) and "hold" in legal(env, REQUESTER)
        _, rewards, terminations, _, infos = moves(env)
        assert infos[INCUMBENT]["events"] == {"incumbent": "held", "requester": "held"}
        assert terminations == {INCUMBENT: turn == 6, REQUESTER: turn == 6}
        assert rewards == {INCUMBENT: 0.0, REQUESTER: 0.0}  # no step of the batch: 0.1 * 0
    assert infos[INCUMBENT]["result"]["cell"] == "neither" and infos[REQUESTER]["result"]["turns"] == 7


@pytest.mark.parametrize("start", [0, 1])
def test_rule_2__legality_is_judged_at_the_start_of_the_turn(start: int) -> None:
    env = begun(start)
    assert legal(env, REQUESTER) == {"hold", "lend_crew", "file_claim"}
    *_, infos = moves(env, "give_valve", "cool_ward")  # the valve is lent, but not yet when the ward chose it
    assert infos[REQUESTER]["event"] == "rejected" and infos[INCUMBENT]["event"] == "done"
    assert legal(env, REQUESTER) == {"hold", "cool_ward", "lend_crew", "valve_to_plant"}
    assert infos[REQUESTER]["last_moves"] == {"incumbent": "give_valve", "requester": "cool_ward"}


def test_rule_2__a_move_that_lost_its_ground_is_bumped_and_costs_nothing() -> None:
    env = begun(0)  # the incumbent lends first, and a claim is made on a valve at the plant
    _, rewards, _, _, infos = moves(env, "give_valve", "file_claim")
    assert infos[REQUESTER]["events"] == {"incumbent": "done", "requester": "bumped"}
    assert rewards == {INCUMBENT: 0.0, REQUESTER: 0.0}


def test_rule_2__the_party_served_first_is_not_bumped() -> None:
    env = begun(1)
    _, rewards, _, _, infos = moves(env, "give_valve", "file_claim")
    assert infos[REQUESTER]["events"] == {"incumbent": "done", "requester": "done"}
    assert rewards == {INCUMBENT: 0.0, REQUESTER: -0.02}


@pytest.mark.parametrize("start", [0, 1])
def test_rule_3__precedence_alternates_and_both_are_told(start: int) -> None:
    env = begun(start)
    told = []
    for _ in range(6):
        *_, infos = moves(env)
        assert infos[INCUMBENT]["served_first"] == infos[REQUESTER]["served_first"]
        served = (env.observe(INCUMBENT)["observation"][2], env.observe(REQUESTER)["observation"][2])
        assert served == ((1.0, 0.0) if infos[INCUMBENT]["served_first"] == "incumbent" else (0.0, 1.0))
        told.append(infos[INCUMBENT]["served_first"])
    assert told == [ROLES[(start + turn) % 2] for turn in range(1, 7)]


def test_rule_4__a_claim_can_be_answered_in_the_turn_after_it() -> None:
    env = begun()
    assert "object" not in legal(env, INCUMBENT)
    moves(env, "run_batch", "file_claim")
    assert "object" in legal(env, INCUMBENT)
    _, rewards, _, _, _ = moves(env, "object", "hold")
    assert rewards[INCUMBENT] == -0.1
    moves(env)
    assert "cool_ward" not in legal(env, REQUESTER)  # nothing has changed hands


def test_rule_4__an_unanswered_claim_takes_three_turns_to_the_wards_own_valve() -> None:
    env = begun()
    for requester in ("file_claim", "hold", "file_claim"):  # filed, noticed: claimed at the end; sealed at the next end
        assert "cool_ward" not in legal(env, REQUESTER)
        moves(env, "hold", requester)
    assert "cool_ward" in legal(env, REQUESTER)


@pytest.mark.parametrize("start", [0, 1])
def test_rule_5__what_was_turned_back_moves_at_the_end_of_the_turn(start: int) -> None:
    env = begun(start)
    moves(env, "give_valve")
    *_, infos = moves(env, "valve_to_plant", "cool_ward")  # whoever is served first, the spell is had
    assert infos[INCUMBENT]["events"] == {"incumbent": "done", "requester": "done"}
    names = env.feature_names(REQUESTER)
    assert env.observe(REQUESTER)["observation"][names.index("spells")] == 0.5  # one of two
    assert "cool_ward" not in legal(env, REQUESTER)  # and the valve is the plant's again


def test_rule_6__a_cost_is_charged_at_once_and_only_where_a_move_took_effect() -> None:
    env = begun()
    rewards = [step[1] for step in plays(env, [("object", "lend_crew"), ("hold", "lend_crew"), ("hold", "file_claim")])]
    # no claim to object to; a crew is lent once; then a claim
    assert rewards == [
        {INCUMBENT: 0.0, REQUESTER: -0.02},
        {INCUMBENT: 0.0, REQUESTER: 0.0},
        {INCUMBENT: 0.0, REQUESTER: -0.02},
    ]


def test_rule_7__the_game_ends_when_both_outcomes_have_come_true() -> None:
    env = begun()
    steps = plays(
        env,
        [
            ("run_batch", "lend_crew"),  # 1 step
            ("run_double", "hold"),  # 3
            ("run_double", "hold"),  # 5: the task is done, and the game goes on
            ("give_valve", "hold"),
            ("hold", "cool_ward"),
            ("hold", "cool_ward"),  # the second spell, in turn 6 of 7
        ],
    )
    assert [step[2][INCUMBENT] for step in steps] == [False] * 5 + [True]
    assert env.agents == []
    # 1.0 - 0.2 for a batch that was cut; 1.0 - 0.08 for the crew, which cost 0.02 to lend
    assert steps[-1][1] == {INCUMBENT: 0.8, REQUESTER: 0.92}
    result = steps[-1][4][REQUESTER]["result"]
    assert result["cell"] == "both" and (result["human"], result["task"]) == (True, True)
    assert result["payoffs"] == {"incumbent": 0.8, "requester": 0.9}
    assert result["costs"] == {"incumbent": 0.0, "requester": 0.02}
    assert result["welfare"] == pytest.approx(1.7) and result["truncated"] is False
    assert [turn[1:] for turn in result["path"]] == [[1, 2], [2, 0], [2, 0], [4, 0], [0, 1], [0, 1]]
    assert result["ending"] == "The ward is cool and the batch is done."


def test_rule_7__an_outcome_once_true_stays_true() -> None:
    env = begun()
    plays(env, [("give_valve", "hold"), ("hold", "cool_ward"), ("hold", "cool_ward")])
    steps = plays(env, [("valve_to_plant", "hold"), ("run_batch", "hold"), ("run_batch", "hold"), ("hold", "hold")])
    result = steps[-1][4][INCUMBENT]["result"]
    assert result["cell"] == "human" and result["turns"] == 7
    assert result["payoffs"] == {"incumbent": 0.2, "requester": 1.0}  # 0.1 * two steps; no crew, no seal


def test_rejected__an_index_without_a_move_counts_as_hold() -> None:
    env = TaskConflictEnv(scenario=["EP2-001", "EP2-005"])  # 9 and 6 moves, 10 and 9
    env.reset(seed=0, options={"scenario": "EP2-001", "start": 0})
    assert env.observe(REQUESTER)["action_mask"].tolist()[6:] == [0, 0, 0]
    _, rewards, _, _, infos = env.step({INCUMBENT: 9, REQUESTER: 8})
    assert infos[INCUMBENT]["events"] == {"incumbent": "rejected", "requester": "rejected"}
    assert infos[INCUMBENT]["last_moves"] == {"incumbent": None, "requester": None}
    assert rewards == {INCUMBENT: 0.0, REQUESTER: 0.0}
    held = TaskConflictEnv(scenario="EP2-001")
    held.reset(seed=0, options={"start": 0})
    moves(held)
    assert env.state_index == held.state_index


def test_ep2_001__a_claim_that_nobody_queries_is_signed_by_rule() -> None:
    env = TaskConflictEnv(scenario="EP2-001", observation="text")
    env.reset(seed=0, options={"start": 0})
    _, rewards, _, _, _ = moves(env, "condition_packs", "file_claim")
    assert rewards == {INCUMBENT: 0.0, REQUESTER: -0.02}
    assert "Claim on the units: noticed." in env.situation(INCUMBENT)
    moves(env, "hold", "ready_drone")
    for agent in (INCUMBENT, REQUESTER):
        situation = env.situation(agent)
        assert "Emergency release: signed." in situation and "Licence run: 83 percent." in situation  # 98 - 15
        assert "Drone: ready." in situation
    assert "Possible moves now:" in env.situation(INCUMBENT)


def test_max_cycles__truncates_both_and_pays_no_worth() -> None:
    env = chiller_env(max_cycles=2)
    env.reset(seed=0, options={"start": 0})
    moves(env, "run_batch", "file_claim")
    _, rewards, terminations, truncations, infos = moves(env, "run_batch")
    assert terminations == {INCUMBENT: False, REQUESTER: False}
    assert truncations == {INCUMBENT: True, REQUESTER: True} and env.agents == []
    assert rewards == {INCUMBENT: 0.0, REQUESTER: 0.0}
    result = infos[INCUMBENT]["result"]
    assert result["cell"] is None and result["truncated"] is True and result["human"] is False
    assert result["payoffs"] == {"incumbent": 0.0, "requester": -0.02}


def test_max_cycles__at_the_end_of_the_game_is_no_truncation() -> None:
    env = chiller_env(max_cycles=7)
    env.reset(seed=0)
    steps = plays(env, [("hold", "hold")] * 7)
    assert steps[-1][2][INCUMBENT] is True and steps[-1][3][INCUMBENT] is False


@pytest.mark.parametrize("scenario", two_party_ids())
@pytest.mark.parametrize("pair", [("fair", "fair"), ("keep", "persist"), ("yielder", "grab"), ("block", "persist")])
def test_bots__get_in_the_environment_what_was_worked_out_for_them(scenario: str, pair: tuple[str, str]) -> None:
    env = TaskConflictEnv(scenario=scenario)
    env.reset(seed=0)
    tables, bots = env.joint.tables, env.joint.bots
    policies = bots.get("incumbent", pair[0]), bots.get("requester", pair[1])
    values = play(tables, *policies)
    for number, start in enumerate(tables.starts):
        env.reset(options={"start": number})
        total = {INCUMBENT: 0.0, REQUESTER: 0.0}
        while env.agents:
            state = env.state_index
            _, rewards, _, _, infos = env.step(
                {INCUMBENT: int(policies[0].moves[state]), REQUESTER: int(policies[1].moves[state])}
            )
            total = {agent: total[agent] + rewards[agent] for agent in total}
        result, exact = infos[INCUMBENT]["result"], at(values, start.state, UNIT)
        assert [tuple(turn) for turn in result["path"]] == path(tables, *policies, start.state)
        assert total == pytest.approx({INCUMBENT: exact.incumbent, REQUESTER: exact.requester})
        assert result["payoffs"] == pytest.approx({"incumbent": exact.incumbent, "requester": exact.requester})
        assert (result["human"], result["task"]) == (exact.human == 1.0, exact.task == 1.0)
        assert result["welfare"] <= result["optimum"] + 1e-9
