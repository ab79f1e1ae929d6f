"""What becomes of a model that gives no answer, and of a chair that breaks: flagged holds, left-out plays, no move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.benchmarks.crossplay.games import core_facts

from conflictbench.agents.llm import LLMAgent
from conflictbench.agents.models import ScriptedModel
from conflictbench.agents.models.fake import Answer
from conflictbench.benchmarks.crossplay.chairs import BotChair, ModelChair, SoloChairs
from conflictbench.benchmarks.crossplay.directory import load_plays
from conflictbench.benchmarks.crossplay.match import PlayUnit, play_out
from conflictbench.benchmarks.crossplay.plan import PlayKey
from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.envs import task_conflict_v0
from conflictbench.errors import BudgetExceeded, ContextOverflow, ProviderError
from conflictbench.types import Reply, Status, Task
from conflictbench.wrappers.chat.party import PartyChat, SoloChat
from conflictbench.wrappers.kept_reply import MOST

GAME = "EP2-004"


def agent(answers: Sequence[Answer] | Callable[..., Answer]) -> tuple[LLMAgent, ScriptedModel]:
    model = ScriptedModel(answers)
    made = LLMAgent(model)
    made.reset(Task(env_id="task_conflict_v0", seed=0, n_actions=0))
    return made, model


def play(answers: Sequence[Answer]) -> tuple[PlayRecord, ScriptedModel]:
    """A scripted incumbent against `persist`."""
    facts = core_facts(GAME)
    env = task_conflict_v0.parallel_env(scenario=GAME)
    env.reset(seed=0, options={"start": 0})
    made, model = agent(answers)
    chat = PartyChat(env, env.possible_agents[0], "none")
    chairs = (ModelChair(env, 0, made, chat), BotChair(env, 1, facts.joint.bots.get("requester", "persist"), 0))
    key = PlayKey(scenario=GAME, start=0, incumbent="m", requester="persist", seed=0)
    return asyncio.run(play_out(env, chairs, PlayUnit(key=key, attempt=1), facts)), model


def test_overflow__is_a_flagged_hold_and_the_play_goes_on() -> None:
    record, _ = play(["ACTION: hold", ContextOverflow("too long", calls=1), *["ACTION: hold"] * 9])
    assert record.status is Status.COMPLETED
    assert [phase.incumbent.status for phase in record.phases][:3] == ["chosen", "context_overflow", "chosen"]
    assert record.phases[1].incumbent.error == "ContextOverflow: too long"
    assert record.outcome is not None
    assert record.outcome.incumbent.flagged == {"context_overflow": 1}
    assert record.outcome.incumbent.usage.calls == len(record.phases)  # the call in vain is counted


@pytest.mark.parametrize(
    "error, status",
    [(ProviderError("gone", calls=3), Status.PROVIDER_ERROR), (BudgetExceeded("spent"), Status.BUDGET)],
)
def test_no_answer__for_a_reason_not_its_own_ends_the_play_without_a_result(error: Exception, status: Status) -> None:
    record, model = play(["ACTION: hold", "mumble", error, *["ACTION: hold"] * 9])
    assert (record.status, record.outcome) == (status, None)
    assert not record.status.counts
    last = record.phases[-1]
    assert (last.turn, last.incumbent.status, last.incumbent.event) == (2, status.value, None)
    assert [reply.verdict for reply in last.incumbent.replies] == ["unparsed"]  # what was said before is kept
    assert len(model.calls) == 3


def test_a_reply_that_is_too_long_to_read__is_read_whole_and_kept_in_part() -> None:
    """1,000,020 characters with its action at the end: what is kept says how many are missing."""
    rambling = f"THINK: {'x' * 1_000_000}\nACTION: hold"
    record, model = play([rambling, *["ACTION: hold"] * 9])
    (kept,) = record.phases[0].incumbent.replies
    assert (record.phases[0].incumbent.status, kept.verdict) == ("chosen", "action")
    assert f"{len(rambling) - MOST} characters were not kept" in kept.reply and kept.reply.endswith("ACTION: hold")
    assert f"{1_000_000 - MOST} characters were not kept" in kept.reasoning
    assert max(len(kept.reply), len(kept.reasoning)) < MOST + 100
    assert [message.content for message in model.calls[1].messages if message.role == "assistant"] == ["ACTION: hold"]


def test_what_a_provider_calls_reasoning__is_kept_once() -> None:
    record, _ = play([Reply(text="ACTION: hold", reasoning="because"), *["ACTION: hold"] * 9])
    (kept,) = record.phases[0].incumbent.replies
    assert (kept.reply, kept.reasoning) == ("ACTION: hold", "because")


def test_move_that_is_not_possible__is_done_as_a_hold_and_counted_as_rejected() -> None:
    """The words are a move of the menu, and that move is illegal at the start."""
    facts = core_facts(GAME)
    moves = facts.joint.game.moves[0]
    illegal = next(n for n, legal in enumerate(facts.joint.tables.legal[0][facts.starts[0].state]) if not legal)
    action = moves[illegal].action
    assert action is not None
    record, _ = play([f"ACTION: {action.command}", *["ACTION: hold"] * 9])
    assert (record.phases[0].incumbent.move, record.phases[0].incumbent.event) == (moves[illegal].id, "rejected")
    assert record.outcome is not None and record.outcome.incumbent.rejected == 1
    assert record.outcome.incumbent.flagged == {}


def test_solo__a_choice_that_is_none_holds_for_that_party_alone() -> None:
    facts = core_facts(GAME)
    env = task_conflict_v0.parallel_env(scenario=GAME)
    env.reset(seed=0, options={"start": 0})
    claim = next(move.action for move in facts.joint.game.moves[1] if move.id == "claim_set")
    assert claim is not None
    turns = len(facts.joint.tables.layers) - 1
    made, _ = agent(["mumble", "mumble", f"ACTION: {claim.command}", *["ACTION: hold"] * (2 * turns)])
    chairs = SoloChairs(env, made, SoloChat(env, (env.possible_agents[0], env.possible_agents[1])))
    key = PlayKey(scenario=GAME, start=0, incumbent="m", requester="m", seed=0)
    record = asyncio.run(play_out(env, chairs, PlayUnit(key=key, attempt=1, solo=True), facts))
    first = record.phases[0]
    assert (first.incumbent.status, first.incumbent.move) == ("unparsed", "hold")
    assert (first.requester.status, first.requester.move, first.requester.event) == ("chosen", "claim_set", "done")
    assert record.outcome is not None
    assert (record.outcome.incumbent.flagged, record.outcome.requester.flagged) == ({"unparsed": 1}, {})


def test_a_chair_that_breaks__is_the_reason_of_its_plays_and_of_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: BotChair) -> None:
        raise RuntimeError("the chair broke")

    monkeypatch.setattr(BotChair, "choose", broken)
    result = run_crossplay(["llm:fake/silent", "keep"], scenarios=[GAME], out=tmp_path)
    by_pair = {(r.key.incumbent, r.key.requester): r for r in load_plays(tmp_path)}
    assert by_pair["llm:fake/silent", "llm:fake/silent"].status is Status.COMPLETED
    fault = by_pair["keep", "llm:fake/silent"]
    assert (fault.status, fault.outcome) == (Status.ENV_ERROR, None)
    assert (fault.error or "").startswith("RuntimeError: the chair broke")
    cell = result.found.cell("standoff", "keep", "llm:fake/silent")
    assert cell is not None and (cell.samples, dict(cell.left_out)) == (0, {"env_error": 2})
    assert result.left_out == 2
