"""The cases R01-R14 through the whole stack: record, conversation, text actions, world; under both protocols."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.wrappers.chat.small_world import small
from tests.wrappers.test_reply_parser import THE_FOURTEEN

from conflictbench.types import Reply, Verdict
from conflictbench.wrappers import PROTOCOLS

REASONING = {
    "R02": ("I can't share my internal reasoning.", "text"),
    "R03": ("the ACTION: vent bay could help, but no.", "text"),
    "R06 bare": ("smoke is rising", "text"),
    "R06 fence": ("smoke", "text"),
    "R09 tag": ("Vent bay or seal door?", "tag"),
    "R09 field": ("The door, then.", "provider"),
    "R11 half": ("the smoke is rising and the", "text"),
    "R11 half, told": ("the smoke is rising.", "text"),
}
WRONG_CALL = {"R07 empty": "arguments"}
MALFORMED = {"R07 twice": 1, "R07 empty": 1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("case", THE_FOURTEEN, ids=[case[0] for case in THE_FOURTEEN])
def test_step__the_fourteen_cases(case: tuple[str, str | Reply, Verdict, str], protocol: str) -> None:
    name, reply, verdict, command = case
    env = small(protocol)
    observation, _, terminated, truncated, info = env.step(reply)
    assert (info["verdict"], terminated, truncated) == (verdict.value, False, False)
    reached = verdict in (Verdict.ACTION, Verdict.UNKNOWN)
    assert (info["reask"], info["interactions"]) == (not reached, int(reached))
    assert observation in env.observation_space
    answer = observation["messages"][-1]
    if reached:
        assert answer.content == (f"1: {command}." if verdict is Verdict.ACTION else f'1: no "{command}".')
    else:
        assert answer.content == PROTOCOLS[protocol].reask(verdict, WRONG_CALL.get(name))

    observation, _, _, truncated, info = env.step(reply)  # a second time: carried out again, or the end
    assert truncated is not reached
    record = info["episode_record"] if truncated else env.record("budget")
    assert record.status == ("budget" if reached else verdict)
    for step in record.steps:
        assert (step.verdict, step.command) == (verdict, command)
        assert (step.reasoning, step.reasoning_source) == REASONING.get(name, ("", ""))
        whole = reply if isinstance(reply, Reply) else Reply(text=reply)
        # the provider's own reasoning is kept once, beside the reply
        assert Reply.from_stored(step.reply or "") == replace(whole, reasoning=None)
    assert record.malformed == 2 * MALFORMED.get(name, 0)
    assert record.reasks == (0 if reached else 1)
