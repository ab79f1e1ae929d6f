"""Replays: the same episode again, or a clear word on why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from conflictbench.agents import RecordedEpisodes, ReplayAgent, make_agent
from conflictbench.errors import AgentError
from conflictbench.protocols import Agent, ChecksTheEnd
from conflictbench.seeds import agent_seed
from conflictbench.types import (
    Decision,
    EpisodeKey,
    EpisodeRecord,
    Label,
    Reply,
    Status,
    StepRecord,
    Task,
    ToolCall,
)
from conflictbench.wrappers import EpisodeRecorder, TextActions

EP1 = "ConflictBench/EP1-v0"


def a_task(scenario: str = "EP1-001", variant: str = "conflict", seed: int = 0) -> Task:
    return Task(env_id=EP1, seed=seed, n_actions=12, scenario=scenario, variant=variant)


def play(agent: Agent, name: str = "replay", seed: int = 0) -> EpisodeRecord:
    env = EpisodeRecorder(TextActions(gym.make(EP1, scenario="EP1-001")), name, env_hash="0123abcd")
    observation, info = env.reset(seed=seed)
    agent.reset(a_task(seed=seed))
    ended = False
    while not ended:
        decision = agent.act(observation, info)
        env.note(decision)
        observation, _, terminated, truncated, info = env.step(
            decision.text if decision.action is None else decision.action
        )
        ended = terminated or truncated
    if isinstance(agent, ChecksTheEnd):
        agent.finish(info)
    return env.record()


class Scripted:
    """Decides from a list of replies and indices."""

    name = "scripted"

    def __init__(self, entries: list[str | Reply | int]) -> None:
        self._entries = entries

    def reset(self, task: Task) -> None:
        self._waiting = iter(self._entries)

    def act(self, observation: Any, info: Any) -> Decision:
        entry = next(self._waiting)
        return Decision(action=entry) if isinstance(entry, int) else Decision(text=entry)


def call(*arguments: str, **fields: Any) -> Reply:
    calls = tuple(ToolCall(name="act", arguments=text, id=f"call_{place}") for place, text in enumerate(arguments))
    return Reply(tool_calls=calls, finish_reason="tool_calls", **fields)


EPISODES: dict[str, list[str | Reply | int]] = {
    "refused at last": [
        "ACTION: look",
        "Hm, what now.",
        "THINK: because.\nACTION: whistle loudly",
        0,
        11,
        Reply(text="<think>so", finish_reason="length"),
        "I'm sorry, but I can't take part in this.",
    ],
    "unparsed at last": [3, "ACTION: caf\u00e9 \ud800 now", "Hm.", "Hm, hm."],
    "cut off at last": ["Hm.", Reply(text="", finish_reason="length")],
    "at the cap": ["ACTION: status"] * 14,
    "filtered by the provider": [Reply(text="", finish_reason="content_filter")] * 2,
    "filtered in mid-sentence": ["Hm.", Reply(text="<think>so\nACTION: look", finish_reason="content_filter")],
    "tool calls": [
        call('{"action": "look"}'),
        call('{"action": "stop jet fans"}', text="THINK: smoke.", reasoning="The smoke."),
        call('{"action": "look"}', '{"action": "status"}'),
        call('{"action": "status"}{"action": "status"}'),
        call('{}""'),
        call('{"thought": "I cannot", "act'),
    ],
    "cut, with an action": [
        Reply(text="ACTION: look\nBecause the", finish_reason="length"),
        Reply(text="ACTION: whistle", finish_reason="length"),
        Reply(text="ACTION: whistle", finish_reason="stop"),
        *[Reply(text="ACTION: whistle", finish_reason="length")] * 2,
    ],
    "words that look like a stored reply": [Reply(text="I decline.", finish_reason="length").stored()] * 2,
    "lone surrogates": ["ACTION: \ud800", Reply(text="\udfff", reasoning="\ud800"), "\udfff"],
    "an index that is refused a turn": [3, 11, *["ACTION: status"] * 12],
}


@pytest.mark.parametrize("entries", EPISODES.values(), ids=EPISODES)
def test_replay__of_a_record_is_the_episode_again(entries: list[str | Reply | int]) -> None:
    record = play(Scripted(entries))
    again = play(ReplayAgent(record))

    in_words = {step.index for step in record.steps if step.reply is not None}

    def facts(record: EpisodeRecord) -> Any:
        # what was done by index then is done in words now; everything else is equal
        steps = [
            step.model_dump(exclude=None if step.index in in_words else {"reply", "verdict"}) for step in record.steps
        ]
        # the course is made of commands and replies: by index there was none
        by_index = set() if len(in_words) == len(record.steps) else {"course"}
        return record.model_dump(exclude={"key", "steps"} | by_index), steps

    assert facts(again) == facts(record)


def test_replay__a_refusal_stays_a_refusal() -> None:
    record = play(Scripted(EPISODES["filtered by the provider"]))
    again = play(ReplayAgent(record))
    assert (record.status, again.status) == (Status.REFUSED, Status.REFUSED)
    assert [step.verdict for step in again.steps] == ["refused", "refused"]


def test_replay__of_a_random_episode_from_a_file_is_the_episode_again(tmp_path: Path) -> None:
    records = [play(make_agent("random"), name="random", seed=seed) for seed in (0, 1)]
    (tmp_path / "episodes.jsonl").write_text("".join(record.model_dump_json() + "\n" for record in records))
    agent = make_agent(f"replay:{tmp_path}")
    for record in records:
        again = play(agent, seed=record.key.seed)
        assert (again.outcome, again.status, again.turns) == (record.outcome, record.status, record.turns)
        assert [step.action for step in again.steps] == [step.action for step in record.steps]


def test_act__says_when_the_replay_runs_out() -> None:
    agent = ReplayAgent([0])
    agent.reset(a_task())
    agent.act({}, {})
    with pytest.raises(AgentError, match="the replay has 1 step and the episode goes on"):
        agent.act({}, {})


def test_act__says_where_the_replay_does_not_fit() -> None:
    record = play(Scripted(["ACTION: status"] * 14))
    agent = ReplayAgent(record)
    agent.reset(a_task())
    agent.act({}, {})
    with pytest.raises(AgentError, match=r"does not fit at step 0 \('status'\): then event=free.*; now event=rejected"):
        agent.act({}, {"event": "rejected", "action": "open_shaft", "turn": 0})


def to_the_end(*indices: int) -> EpisodeRecord:
    """EP1-001 by index: actions until an outcome, `indices` first, then the best for people."""
    env = gym.make(EP1, scenario="EP1-001", privileged=("best_action_human",))
    recorder = EpisodeRecorder(TextActions(env), "tester", env_hash="0123abcd")
    info = recorder.reset(seed=0)[1]
    waiting, ended = list(indices), False
    while not ended:
        action = waiting.pop(0) if waiting else info["best_action_human"]
        _, _, terminated, truncated, info = recorder.step(action)
        ended = terminated or truncated
    return recorder.record()


def altered(record: EpisodeRecord, place: int, **fields: Any) -> EpisodeRecord:
    steps = list(record.steps)
    steps[place] = steps[place].model_copy(update=fields)
    return record.model_copy(update={"steps": tuple(steps)})


def test_finish__the_episode_as_recorded_passes() -> None:
    record = to_the_end()
    assert isinstance(ReplayAgent(record), ChecksTheEnd)
    again = play(ReplayAgent(record))
    assert (again.outcome, again.label) == (record.outcome, Label.HUMAN)


@pytest.mark.parametrize(
    "fields, said",
    [
        ({"action": "other"}, "action=other"),
        ({"turn": 99}, "turn=99"),
        ({"event": "rejected"}, "event=rejected"),
        ({"event": None}, "event=none"),
        ({"verdict": "refused"}, "verdict=refused"),
    ],
    ids=str,
)
@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_finish__an_altered_step_is_named_be_it_the_last(place: int, fields: dict[str, Any], said: str) -> None:
    record = to_the_end()
    number = range(len(record.steps))[place]
    with pytest.raises(AgentError, match=rf"does not fit at step {number} .*: then .*{said}.*; now event=accepted"):
        play(ReplayAgent(altered(record, place, **fields)))


@pytest.mark.parametrize(
    "fields, said",
    [
        ({"outcome": "other"}, "then status=completed, outcome=other, label=human; now status=completed, outcome="),
        ({"label": Label.AGENT_BY_CHOICE}, "then .*label=agent_by_choice; now .* label=human"),
        ({"status": Status.TRUNCATED}, "then status=truncated"),
    ],
    ids=str,
)
def test_finish__another_end_is_named(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(AgentError, match=f"does not fit at the end: {said}"):
        play(ReplayAgent(to_the_end().model_copy(update=fields)))


def test_finish__an_end_before_the_replays_is_named() -> None:
    record = to_the_end()
    length = len(record.steps)
    longer = record.model_copy(update={"steps": (*record.steps, record.steps[-1])})
    with pytest.raises(AgentError, match=f"the episode ended after {length} steps and the replay has {length + 1}"):
        play(ReplayAgent(longer))
    with pytest.raises(AgentError, match="the episode ended after 14 steps and the replay has 15"):
        play(ReplayAgent(["status"] * 15))


def test_finish__a_verdict_that_comes_out_otherwise_is_named() -> None:
    record = altered(play(Scripted(EPISODES["filtered by the provider"])), -1, reply="Hm.")
    with pytest.raises(AgentError, match=r"does not fit at step 1 .*verdict=refused; now .*verdict=unparsed"):
        play(ReplayAgent(record))


def test_reset__says_when_the_replay_is_of_another_episode() -> None:
    agent = ReplayAgent(play(Scripted(["ACTION: status"] * 14)))
    with pytest.raises(AgentError, match=r"is of EP1-001 \(conflict\), this episode is EP1-001 \(control\)"):
        agent.reset(a_task(variant="control"))


@pytest.mark.parametrize("entry", [True, 1.5, None, ("look",)])
def test_init__an_entry_of_another_kind_is_refused(entry: Any) -> None:
    with pytest.raises(AgentError, match="entry 1 of the replay is"):
        ReplayAgent([0, entry])


def a_record(seed: int = 0, attempt: int = 1, epoch: int = 0, status: Status = Status.BUDGET) -> EpisodeRecord:
    key = EpisodeKey(scenario="EP1-001", variant="conflict", env_hash="e", agent="a", seed=seed, epoch=epoch)
    return EpisodeRecord(key=key, attempt=attempt, status=status, env_id=EP1)


def by(agent: str) -> EpisodeRecord:
    record = a_record()
    return record.model_copy(update={"key": record.key.model_copy(update={"agent": agent})})


def test_find__the_last_attempt_stands() -> None:
    records = [a_record(attempt=1), a_record(attempt=2, status=Status.TRUNCATED), a_record(seed=1)]
    episodes = RecordedEpisodes(records)
    assert len(episodes) == 2
    assert episodes.find(a_task()).attempt == 2


def test_find__lists_what_there_is_when_nothing_fits() -> None:
    with pytest.raises(
        AgentError, match=r"no episode of EP1-001 \(conflict\), seed 9; it holds: EP1-001 \(conflict\), seed 0"
    ):
        RecordedEpisodes([a_record()]).find(a_task(seed=9))
    with pytest.raises(AgentError, match="it holds: nothing"):
        RecordedEpisodes([]).find(a_task())


def test_find__lists_what_fits_when_more_than_one_does() -> None:
    with pytest.raises(AgentError, match=r"2 episodes fit .*agent one,.*; .*agent two,"):
        RecordedEpisodes([by("two"), by("one")]).find(a_task())


def test_find__an_epoch_is_found_by_the_seed_that_its_agent_had() -> None:
    episodes = RecordedEpisodes([a_record(seed=3, epoch=epoch) for epoch in (0, 1, 2)])
    for epoch, seed in ((0, 3), (1, agent_seed(3, 1)), (2, agent_seed(3, 2))):
        assert episodes.find(a_task(seed=seed)).key.epoch == epoch


def test_act__a_record_of_a_conversation_needs_the_same_one() -> None:
    record = play(Scripted(["ACTION: look"] * 14), "scripted").model_copy(update={"protocol": "tools-v1-00000000"})
    with pytest.raises(
        AgentError, match=r"given in the prompt protocol tools-v1-00000000, .* is held in none: put Chat"
    ):
        play(ReplayAgent(record))


def test_protocol__of_a_file_is_one() -> None:
    step = StepRecord(index=0)
    records = [
        a_record(seed=seed).model_copy(update={"protocol": protocol, "steps": (step,)})
        for seed, protocol in enumerate(["paper-v1-0", "paper-v1-0", "tools-v1-0"])
    ]
    assert RecordedEpisodes([]).protocol == ""
    assert RecordedEpisodes([a_record()]).protocol == ""
    assert RecordedEpisodes([*records[:2], a_record(seed=9)]).protocol == "paper-v1-0"  # one never began
    with pytest.raises(AgentError, match=r"several prompt protocols \(paper-v1-0, tools-v1-0\)"):
        RecordedEpisodes(records).protocol  # noqa: B018


def test_read__names_the_line_that_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_text(a_record().model_dump_json() + "\n{}\n")
    with pytest.raises(AgentError, match=r"some\.jsonl:2: not an episode record \(key: Field required\)"):
        RecordedEpisodes.read(file)
    file.write_text(a_record().model_dump_json()[:-5])
    with pytest.raises(AgentError, match=r"some\.jsonl:1: not an episode record \(the line as a whole"):
        RecordedEpisodes.read(file)


def test_read__names_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"cannot read recorded episodes from .*missing"):
        RecordedEpisodes.read(tmp_path / "missing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(AgentError, match=r"cannot read recorded episodes from .*binary"):
        RecordedEpisodes.read(tmp_path / "binary")
