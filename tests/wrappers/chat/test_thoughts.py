"""What was thought in a reply that is asked again does not go back to its model; what was said and given does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wrappers.chat.small_world import assistant, said, small

from conflictbench.types import Reply, ToolCall
from conflictbench.wrappers import PROTOCOLS
from conflictbench.wrappers.chat.thoughts import without_thoughts

NOTHING = "(no words)"
R08 = "ACTION: seal door, then vent bay"
KEPT = {
    "R03 without its command": ("THINK: the ACTION: vent bay could help, but no.", NOTHING),
    "R08 with THINK": (f"THINK: smoke.\nIt rises.\n{R08}", R08),
    "R08 with prose": (f"The smoke rises.\n{R08}\nSo be it.", R08),
    "R08 behind a sentence": (f"Smoke rises. {R08}", R08),
    "R11 half": ("THINK: the smoke is rising and the", NOTHING),
    "R11 half, told": (Reply(text="THINK: the smoke is rising.", finish_reason="length"), NOTHING),
    "R11 empty": (Reply(text="", finish_reason="length"), NOTHING),
    "THINK over a blank line": ("Reasoning: smoke.\n\nMore smoke.", NOTHING),
    "THINK, then announced": ("THINK: enough.\nACTION:", "ACTION:"),
    "two lines": ("THINK: either.\nACTION: seal door\nACTION: vent bay", "ACTION: seal door\nACTION: vent bay"),
    "heading": ("Thought: a.\n## Action\nseal door or vent bay", "## Action\nseal door or vent bay"),
    "JSON index": ('{"thought": "smoke is rising", "action": 0}', '{"action": 0}'),
    "JSON fence": ('```json\n{"action": 0, "Thought": "smoke"}\n```', '```json\n{"action": 0}\n```'),
    "JSON pretty": ('{\n  "thought": "smoke",\n  "action": [1]\n}', '{"action": [1]\n}'),
    "JSON two thoughts": ('{"analysis": "a", "thought": "b, \\"c\\"", "action": null}', '{"action": null}'),
    "JSON thought alone": ('{"thought": "smoke"}', NOTHING),
    "JSON nested thought": ('{"thought": {"action": "vent bay"}, "action": 1}', '{"action": 1}'),
    "JSON in a call": (
        '{"name": "act", "arguments": {"thought": "a", "action": 1}}',
        '{"name": "act", "arguments": {"action": 1}}',
    ),
    "JSON two objects": (
        'I waver: {"thought": "a", "action": "seal door"} {"thought": "b", "action": "vent bay"}',
        '{"action": "seal door"}\n{"action": "vent bay"}',
    ),
    "JSON cut in its thought": (Reply(text='{"thought": "smoke is ri', finish_reason="length"), NOTHING),
    "JSON cut behind it": (Reply(text='{"thought": "smoke", "act', finish_reason="length"), '{"act'),
    "JSON behind the marker": ('ACTION: {"thought": "smoke", "action": 0}', 'ACTION: {"action": 0}'),
    "JSON after THINK": ('THINK: smoke.\n{"thought": "more", "action": 2}', '{"action": 2}'),
    "tag": ("<think>vent bay?</think>Let me see.", "Let me see."),
    "tag never closed": (Reply(text="<think>so\nACTION: seal door", finish_reason="length"), NOTHING),
    "tag never closed, declined": (Reply(text="<think>so\nACTION: seal door", finish_reason="content_filter"), NOTHING),
    "tag and THINK": ("<think>a</think>THINK: b\nACTION: seal door or vent bay", "ACTION: seal door or vent bay"),
    "prose alone": ("Let me think.\n\nIt is dark.", "Let me think.\n\nIt is dark."),
    "refusal": ("I'm sorry, but I can't take part in this.", "I'm sorry, but I can't take part in this."),
    "refusal after THINK": ("THINK: I refuse.\nACTION: I refuse to choose", "ACTION: I refuse to choose"),
    "signs": ("...", NOTHING),
}  # fmt: skip


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("reply, kept", KEPT.values(), ids=KEPT)
def test_step__a_reply_that_is_asked_again_goes_back_without_its_thoughts(
    reply: str | Reply, kept: str, protocol: str
) -> None:
    env = small(protocol)
    assert said(env, reply)[0] == assistant(kept)
    assert env.record("budget").reasks == 1  # each of these is asked again


CONFLICTING = Reply(
    text="THINK: smoke. Perhaps both of them.",
    tool_calls=(
        ToolCall(name="act", arguments='{"thought": "smoke", "command": "seal door"}', id="a"),
        ToolCall(name="act", arguments='{"command": "vent bay", "thought": "smoke"}', id="b"),
    ),
)


def test_step__beside_conflicting_calls_neither_text_nor_thoughts_go_back() -> None:
    called = 'act({"command": "seal door"})\nact({"command": "vent bay"})'
    for text in (CONFLICTING.text, "I think of the smoke, and of both.", "<think>smoke</think>"):
        reply = Reply(text=text, tool_calls=CONFLICTING.tool_calls)
        assert said(small("paper"), reply)[0] == assistant(called)
        back = said(small("tools"), reply)[0]
        assert back.content == ""
        assert [call.arguments for call in back.tool_calls] == ['{"command": "seal door"}', '{"command": "vent bay"}']


def test_step__a_call_that_is_written_out_is_written_without_its_thought() -> None:
    for arguments in ('{"thought": "smoke", "action": 3}', '"{\\"thought\\": \\"smoke\\"}"', '{"thought": "smo'):
        reply = Reply(tool_calls=(ToolCall(name="act", arguments=arguments),))
        assert said(small("paper"), reply)[0] == assistant("act({})")
        assert said(small("tools"), reply)[0].tool_calls[0].arguments == "{}"


def test_step__calls_stand_behind_the_words_they_contradict() -> None:
    reply = Reply(text="THINK: a.\nACTION: vent bay", tool_calls=CONFLICTING.tool_calls[:1])
    assert said(small("paper"), reply)[0] == assistant('ACTION: vent bay\nact({"command": "seal door"})')


SECRET = "xyzzy"
PLACES = st.sampled_from(
    [
        f"THINK: {SECRET}",
        f"**Reasoning:** {SECRET}",
        f"<think>{SECRET}</think>",
        f'{{"thought": "{SECRET}", "action": 0}}',
        f'{{"action": 0, "a": {{"rationale": ["{SECRET}"]}}}}',
        f'```\n{{"thinking": "\\"{SECRET}"}}\n```',
        f'{{"thought" : "{SECRET}',
    ]
)
OTHERS = st.sampled_from(
    ["ACTION: seal door", "ACTION: vent bay", "", "## Action", '{"action": "seal door"}', "{}", "["]
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    lines=st.lists(PLACES | OTHERS, max_size=6),
    finish=st.sampled_from(["stop", "length", "content_filter"]),
)
def test_without_thoughts__keeps_none_wherever_they_stand(lines: list[str], finish: str) -> None:
    assert SECRET not in without_thoughts(Reply(text="\n".join(lines), finish_reason=finish))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(text=st.text(alphabet='{}[]",:\\ \nathoughtk0-9', max_size=60))
def test_without_thoughts__takes_any_text(text: str) -> None:
    assert isinstance(without_thoughts(Reply(text=text)), str)


@pytest.mark.parametrize("unit", ['{"thought": "a", ', '{"thought": {"thought": ', '{"thought":', '{"thought": "a"}, '])
def test_without_thoughts__ends_soon_on_a_flood(unit: str) -> None:
    assert "a" not in without_thoughts(Reply(text=unit * 20_000)).replace("thought", "")
