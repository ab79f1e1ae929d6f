"""What makes two episodes one trajectory."""

from __future__ import annotations

from dataclasses import replace

from conflictbench.types import Reply, StepRecord, ToolCall
from conflictbench.wrappers.course import course_of

CALL = ToolCall(name="act", arguments='{"command": "look"}', id="call-1")


def step(command: str, reply: str | None = None, **fields: object) -> StepRecord:
    return StepRecord(index=0, command=command, reply=reply, **fields)  # type: ignore[arg-type]


def test_course__follows_commands_and_their_order() -> None:
    a, b = step("open"), step("shut")
    assert len({course_of(steps) for steps in ([a], [b], [a, b], [b, a], [a, a])}) == 5
    assert course_of([a, b]) == course_of([a.model_copy(update={"text": "It creaks.", "reward": 1.0}), b])
    assert len(course_of([a])) == 16
    assert course_of([]) == ""


def test_course__follows_what_was_said_for_the_same_command() -> None:
    assert course_of([step("open", "ACTION: open")]) != course_of([step("open", "THINK: well\nACTION: open")])
    thought = replace(Reply(text="ACTION: open"), reasoning="well")
    assert course_of([step("open", thought.stored())]) != course_of([step("open", Reply(text="ACTION: open").stored())])


def test_course__does_not_follow_the_ids_that_a_provider_draws_for_tool_calls() -> None:
    first, second = (Reply(tool_calls=(replace(CALL, id=name),)).stored() for name in ("call-1", "call-2"))
    assert first != second
    assert course_of([step("look", first)]) == course_of([step("look", second)])
    other = Reply(tool_calls=(replace(CALL, arguments='{"command": "wait"}'),)).stored()
    assert course_of([step("look", first)]) != course_of([step("look", other)])
