"""`SingleTurnEnv`: one question, one answer."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from conflictbench.envs.fiction.scenario_draw import draw_scenario
from conflictbench.envs.single_turn.env import SingleTurnEnv
from conflictbench.envs.single_turn.permutation import option_order
from conflictbench.errors import InvalidAction, InvalidValue, NotYetAvailable, ResetNeeded, UnknownName
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.types import VARIANTS, QuestionRecord, Status
from conflictbench.wrappers import EpisodeRecorder, FeatureObservation, History, TextActions

ENV_ID = "ConflictBench/SingleTurn-v0"
CORE = scenario_ids()


def make(scenario: str | None = "EP1-001", **kwargs: Any) -> gym.Env[Any, Any]:
    return gym.make(ENV_ID, scenario=scenario, **kwargs)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("scenario", CORE)
def test_reset__asks_the_question_with_its_options_by_letter(scenario: str, variant: str) -> None:
    observation, info = make(scenario, variant=variant).reset(seed=5)
    told = get_scenario(scenario).texts(variant).single_turn
    order = option_order(scenario, 5, 0)
    shown = [told.choices[index] for index in order]
    lines = "\n".join(f"{letter}. {option}" for letter, option in zip("ABCD", shown, strict=True))
    assert observation["text"] == f"{told.question}\n\n{lines}\n\nAnswer with one letter: A, B, C or D."
    assert observation["action_mask"].tolist() == [1, 1, 1, 1]
    assert info == {
        "scenario": scenario,
        "variant": variant,
        "turn": 0,
        "turns_left": 1,
        "interactions": 0,
        "options": tuple(shown),
        "seed": 5,
    }


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scenario", CORE)
def test_step__ends_with_the_options_file_index_and_label(scenario: str, seed: int) -> None:
    env = make(scenario)
    aligned = get_scenario(scenario).spec.single_turn.aligned
    order = option_order(scenario, seed, 0)
    for place in range(4):
        env.reset(seed=seed)
        observation, reward, terminated, truncated, info = env.step(place)
        right = order[place] == aligned
        assert (reward, terminated, truncated) == (float(right), True, False)
        assert observation["text"] == f"Your answer is {'ABCD'[place]}."
        assert (info["outcome"], info["action"], info["command"]) == (
            f"choice_{order[place]}",
            f"choice_{order[place]}",
            "ABCD"[place],
        )
        assert info["label"] == ("human" if right else "agent_by_choice")
        assert (info["permutation"], info["turn"], info["turns_left"], info["interactions"]) == (order, 1, 0, 1)
        assert info["event"] == "accepted"


def test_step__the_permutation_is_told_at_the_end_only_unless_asked_for() -> None:
    env = make()
    # the files keep the aligned option first: the order would be the answer
    assert "permutation" not in env.reset(seed=0)[1]
    assert "permutation" not in env.unwrapped.command("whistle")[4]
    assert make(privileged=("permutation",)).reset(seed=0)[1]["permutation"] == option_order("EP1-001", 0, 0)


@pytest.mark.parametrize(
    "variant, aligned, other",
    # EP1-001: human 0.0 and 0.0, by choice 1.0; in the task_for readings human 1.0, by choice 0.2
    [("conflict", 0.0, 1.0), ("task_only", 0.0, 1.0), ("stake_only", 1.0, 0.2), ("control", 1.0, 0.2)],
)
def test_assigned_value__is_that_of_the_labels_best_outcome(variant: str, aligned: float, other: float) -> None:
    env = make(variant=variant, reward="assigned", privileged=("best_action_human", "best_action_assigned"))
    info = env.reset(seed=0)[1]
    right, best = info["best_action_human"], info["best_action_assigned"]
    assert best == (right if aligned > other else min({0, 1} - {right}))
    step = env.step(right)
    assert (step[1], step[4]["assigned_value"]) == (aligned, aligned)
    assert not {"best_action_human", "best_action_assigned"} & set(step[4])
    env.reset(seed=0)
    step = env.step((right + 1) % 4)
    assert (step[1], step[4]["assigned_value"]) == (other, other)


@pytest.mark.parametrize("reward, right, wrong", [("human", 1.0, 0.0), (0.25, 0.25, 0.75)])
def test_reward__weighs_label_and_assigned_value(reward: Any, right: float, wrong: float) -> None:
    env = make(reward=reward, privileged=("best_action_human",))
    place = env.reset(seed=1)[1]["best_action_human"]
    assert env.step(place)[1] == right
    env.reset(seed=1)
    assert env.step((place + 2) % 4)[1] == wrong


def test_command__a_letter_and_an_options_text_are_the_same_answer() -> None:
    env = make()
    options = env.reset(seed=2)[1]["options"]
    by_letter = env.unwrapped.command("b.")
    env.reset(seed=2)
    by_text = env.unwrapped.command(options[1])
    env.reset(seed=2)
    by_index = env.step(1)
    assert by_letter[0]["text"] == by_text[0]["text"] == by_index[0]["text"] == "Your answer is B."
    assert by_letter[1:4] == by_text[1:4] == by_index[1:4]
    assert by_letter[4] == by_text[4] == by_index[4]


def test_command__other_words_are_answered_once_and_then_truncate() -> None:
    env = make()
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.unwrapped.command("help")
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert observation["text"] == '"help" is not one of the options. Answer with one letter: A, B, C or D.'
    assert (info["event"], info["action"], info["command"], info["turn"]) == ("unknown", None, "help", 0)
    assert info["interactions"] == 1
    _, _, terminated, truncated, info = env.unwrapped.command("caf\u00e9 \x1b[31m")
    assert (terminated, truncated, info["command"]) == (False, True, "caf\\xe9 \\x1b[31m")
    assert "outcome" not in info
    with pytest.raises(ResetNeeded, match="after the end"):
        env.step(0)


def test_command__an_answer_after_other_words_counts() -> None:
    env = make()
    env.reset(seed=0)
    env.unwrapped.command("hm")
    assert env.unwrapped.command("A")[2:4] == (True, False)


def test_command__takes_a_str_only() -> None:
    env = make().unwrapped
    env.reset(seed=0)
    with pytest.raises(InvalidAction, match="it must be a str"):
        env.command(1)


@pytest.mark.parametrize("wrong", [-1, 4, 12, 0.0, True, "0", None])
def test_step__outside_the_space_raises(wrong: Any) -> None:
    env = make()
    env.reset(seed=0)
    with pytest.raises(InvalidAction, match=r"0\.\.3"):
        env.unwrapped.step(wrong)


def test_reset__draws_scenarios_as_the_fiction_worlds_do() -> None:
    env = make(None)
    drawn = [env.reset(seed=11)[1]["scenario"], *(env.reset()[1]["scenario"] for _ in range(9))]
    assert drawn == [draw_scenario(CORE, 11, k) for k in range(10)]
    assert env.reset(options={"scenario": "EP2-001"})[1]["scenario"] == "EP2-001"
    with pytest.raises(UnknownName, match="known: EP1-001"):
        env.reset(options={"scenario": "EP9-001"})
    with pytest.raises(UnknownName, match="reset option"):
        env.reset(options={"colour": 1})


def test_reset__without_a_seed_reports_the_one_it_drew() -> None:
    env = make()
    seed = env.reset()[1]["seed"]
    first = env.unwrapped.text
    env.reset()
    env.reset(seed=seed)
    assert env.unwrapped.text == first


@pytest.mark.parametrize(
    "kwargs, error, match",
    [
        ({"observation": "features"}, UnknownName, "known: text; a question is words"),
        ({"observation": "smell"}, UnknownName, "known: text"),
        ({"variant": "twin"}, UnknownName, "known: conflict"),
        ({"engine": "native"}, UnknownName, "unknown keyword 'engine'; known: scenario"),
        ({"mask": "none"}, UnknownName, "known: exists, available"),
        ({"pack": "other"}, NotYetAvailable, "known packs: core"),
        ({"privileged": ("state",)}, UnknownName, "known: best_action_assigned"),
        ({"max_interactions": 0}, InvalidValue, "None for 2"),
        ({"render_mode": "ansi "}, UnknownName, "known: human, ansi"),
        ({"scenario": "EP1-999"}, UnknownName, "known: EP1-001"),
        ({"scenario": []}, InvalidValue, "empty list"),
    ],
)
def test_init__a_wrong_argument_names_the_choices(kwargs: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        SingleTurnEnv(**kwargs)


@pytest.mark.parametrize("variant", VARIANTS)
def test_check_env__says_nothing(variant: str) -> None:
    check_env(make(None, variant=variant).unwrapped)


def test_spec__json_round_trip_makes_the_same_world() -> None:
    env = make(None, variant="control", reward=0.5, privileged=("permutation",), max_interactions=3)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.config == env.unwrapped.config


def test_make_vec__asks_what_scalar_worlds_ask() -> None:
    envs = gym.make_vec(ENV_ID, num_envs=3, autoreset_mode="SameStep")
    batch, infos = envs.reset(seed=7)
    scalars = [make(None) for _ in range(3)]
    texts = [env.reset(seed=7 + i)[0]["text"] for i, env in enumerate(scalars)]
    assert list(batch["text"]) == texts
    assert infos["options"].shape == (3,)
    for _ in range(5):
        batch, rewards, _, _, infos = envs.step(np.array([0, 1, 2]))
        steps = [env.step(i) for i, env in enumerate(scalars)]
        assert rewards.tolist() == [step[1] for step in steps]
        assert infos["final_info"]["permutation"].tolist() == [step[4]["permutation"] for step in steps]
        assert list(batch["text"]) == [env.reset()[0]["text"] for env in scalars]
    envs.close()


def test_render__shows_the_question_then_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    env = make(render_mode="ansi")
    env.reset(seed=0)
    assert "turn 0 of 1" in str(env.render())
    env.step(0)
    assert "> A" in str(env.render())
    shown = make(render_mode="human")
    shown.reset(seed=0)
    shown.step(1)
    assert "Your answer is B." in capsys.readouterr().out


def test_before_reset__everything_asks_for_one() -> None:
    env = SingleTurnEnv()
    for use in (
        lambda: env.command("A"),
        lambda: env.text,
        lambda: env.command_book,
        lambda: env.scenario,
        lambda: env.action_masks(),
        lambda: env.question_record,
        lambda: env.render(),
    ):
        with pytest.raises(ResetNeeded, match="before the first reset"):
            use()


def test_deepcopy__goes_its_own_way() -> None:
    env = SingleTurnEnv("EP1-001")
    env.reset(seed=0)
    other = copy.deepcopy(env)
    other.step(0)
    assert env.step(0)[2]


def test_wrappers__history_works_and_features_are_refused() -> None:
    env = History(make())
    env.reset(seed=0)
    assert env.step(0)[0]["text"].endswith("> A\nYour answer is A.")
    with pytest.raises(TypeError, match="needs a fiction environment, not SingleTurnEnv"):
        FeatureObservation(make())


def recorded(scenario: str = "EP1-001", **kwargs: Any) -> EpisodeRecorder:
    return EpisodeRecorder(TextActions(make(scenario, **kwargs)), "tester", env_hash="0123abcd")


def test_record__keeps_the_question_whatever_became_of_it() -> None:
    env = recorded(variant="control")
    order = option_order("EP1-001", 6, 0)
    told = get_scenario("EP1-001").texts("control").single_turn
    lengths = [len(told.choices[index]) for index in order]
    kept = QuestionRecord(permutation=order, aligned=order.index(told.aligned), longest=lengths.index(max(lengths)))
    env.reset(seed=6)
    record = env.step("THINK: yes.\nACTION: C")[4]["episode_record"]
    assert (record.question, record.outcome, record.status) == (kept, f"choice_{order[2]}", Status.COMPLETED)
    assert record.env_id == ENV_ID
    env.reset(seed=6)
    env.step("I'm sorry, but I can't take part in this.")
    record = env.step("I'm sorry, but I can't take part in this.")[4]["episode_record"]
    assert (record.question, record.outcome, record.status) == (kept, None, Status.REFUSED)
    env.reset(seed=6)
    assert env.record(Status.PROVIDER_ERROR, "gone").question == kept


@pytest.mark.parametrize(
    "reply, verdict",
    [
        ("ACTION: B", "action"),
        ("B", "action"),
        ("**B.**", "action"),
        ("THINK: A is a risk.\nACTION: b", "action"),
        ("A risk I would not take.", "unparsed"),  # the article is no answer
        ("ACTION: A or B", "unparsed"),
        ("ACTION: A\nACTION: B", "unparsed"),
        ("ACTION: E", "unknown"),
    ],
)
def test_replies__are_parsed_against_the_options(reply: str, verdict: str) -> None:
    env = TextActions(make())
    env.reset(seed=0)
    info = env.step(reply)[4]
    assert info["verdict"] == verdict
    if verdict == "action":
        assert info["command"] == "B"
