"""Pictures in a conversation: frames before the words they belong to, those of the last clips alone."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from tests.envs.fiction.pictured import SMALL, index_of, pictured
from tests.envs.visual.test_episode import FullDisk
from tests.wrappers.regret_routes import HUMAN, route_to

from conflictbench.envs.visual.encode import encode_frame
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.scenario_specs import get_scenario
from conflictbench.types import Message, Reply, ToolCall
from conflictbench.wrappers import PROTOCOLS, ChatEnv, TextActions, get_protocol
from conflictbench.wrappers.chat.pictures import ChatPictures
from conflictbench.wrappers.chat.replies import command_call

COMMANDS = {action.id: action.command for action in get_scenario("EP1-001").spec.actions}
STOP, REVERSE, DIVERT = (COMMANDS[name] for name in ("stop_fans", "reverse_fans", "divert_air"))
REFUSED = COMMANDS["unlock_door"]  # while there is no air behind the door


def chat(protocol: str = "paper", keep_clips: int | None = 2, env: Any = None, **kwargs: Any) -> ChatEnv:
    return ChatEnv(TextActions(pictured() if env is None else env), protocol, keep_clips=keep_clips, **kwargs)


def reply(command: str, protocol: str) -> Reply:
    if protocol == "paper":
        return Reply(text=f"THINK: so be it\nACTION: {command}")
    call = command_call(command)
    return Reply(tool_calls=(ToolCall(name=call.name, arguments=call.arguments, id=f"id-{command}"),))


def say(env: ChatEnv, protocol: str, *commands: str) -> tuple[Message, ...]:
    """Reset, give the commands, and return the conversation."""
    observed, _ = env.reset(seed=0)
    for command in commands:
        observed, *_ = env.step(reply(command, protocol))
        assert observed in env.observation_space
    return observed["messages"]


def counts(messages: tuple[Message, ...]) -> list[tuple[str, int]]:
    return [(message.role, len(message.images)) for message in messages]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_reset__the_frames_of_the_beginning_come_with_the_first_user_message(protocol: str) -> None:
    env = chat(protocol)
    system, first = say(env, protocol)
    clip = env.unwrapped.pictures.newest.clip
    assert counts((system, first)) == [("system", 0), ("user", 3)]
    assert [image.data for image in first.images] == [encode_frame(clip.frame(n), "jpeg") for n in (16, 32, 48)]
    assert [image.name for image in first.images] == [f"base, frame {n} of 0..48" for n in (16, 32, 48)]
    assert {(image.width, image.height, image.media_type) for image in first.images} == {(32, 24, "image/jpeg")}
    assert first.content == env.unwrapped.help_page
    told = "You also see the place through a camera."
    assert system.content.index(told) < system.content.index(env.unwrapped.text)
    assert "3 pictures" in system.content
    assert "The last 2 sets of pictures are kept" in system.content


def test_reset__without_pictures_the_words_are_what_they_were() -> None:
    env = chat(env=pictured(observation="text", max_interactions=10))
    plain, shown = say(env, "paper"), say(chat(), "paper")
    opening, note = env.unwrapped.text, ChatPictures().note(3)
    assert note not in plain[0].content
    assert shown[0].content == plain[0].content.replace(opening, f"{note}\n\n{opening}")
    assert shown[1].content == plain[1].content


def test_paper__an_executed_action_alone_brings_pictures() -> None:
    messages = say(chat(), "paper", STOP, REFUSED, "look", REVERSE)
    assert counts(messages) == [
        ("system", 0),
        ("user", 0),  # the base clip is the third from the end
        ("assistant", 0),
        ("user", 3),  # stop
        ("assistant", 0),
        ("user", 0),  # rejected
        ("assistant", 0),
        ("user", 0),  # look
        ("assistant", 0),
        ("user", 3),  # reverse
    ]
    assert [image.name for image in messages[-1].images] == [f"reverse_fans, frame {n} of 0..48" for n in (16, 32, 48)]
    assert all(message.content for message in messages)


def test_tools__pictures_come_in_a_message_behind_the_result() -> None:
    env = chat("tools")
    observed, _ = env.reset(seed=0)
    observed, *_ = env.step(reply(STOP, "tools"))
    _, _, said, result, told = observed["messages"]
    assert counts(observed["messages"]) == [("system", 0), ("user", 3), ("assistant", 0), ("tool", 0), ("user", 3)]
    assert result.tool_call_id == said.tool_calls[0].id
    assert result.content == "What came of it is told in the next message, after its pictures."
    assert told.content == env.unwrapped.text
    observed, *_ = env.step(reply(REFUSED, "tools"))  # rejected: an ordinary result
    assert counts(observed["messages"])[5:] == [("assistant", 0), ("tool", 0)]
    assert observed["messages"][-1].content == env.unwrapped.text


def test_tools__a_clip_that_is_not_kept_any_more_leaves_an_ordinary_result() -> None:
    env = chat("tools", keep_clips=1)
    messages = say(env, "tools", STOP, REVERSE)
    assert counts(messages) == [
        ("system", 0), ("user", 0), ("assistant", 0), ("tool", 0), ("assistant", 0), ("tool", 0), ("user", 3)
    ]  # fmt: skip
    assert "pictures" not in messages[3].content
    assert "blades wind down" in messages[3].content


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("keep_clips, images", [(1, 3), (2, 6), (3, 9), (None, 12), (50, 12)])
def test_keep_clips__is_how_many_are_seen(protocol: str, keep_clips: int | None, images: int) -> None:
    messages = say(chat(protocol, keep_clips), protocol, STOP, REVERSE, DIVERT)
    assert sum(count for _, count in counts(messages)) == images


def test_keep_clips__and_keep_last_are_kept_apart() -> None:
    messages = say(chat(keep_clips=3, keep_last=1), "paper", STOP, REVERSE, DIVERT)
    assert counts(messages) == [("system", 0), ("user", 3), ("assistant", 0), ("user", 3)]


def test_first_frame__is_a_fourth_picture() -> None:
    system, first = say(chat(env=pictured(first_frame=True)), "paper")
    assert [image.name for image in first.images] == [f"base, frame {n} of 0..48" for n in (0, 16, 32, 48)]
    assert "4 pictures" in system.content


def test_image_format__png_holds_the_very_pixels() -> None:
    from PIL import Image

    env = chat(image_format="png")
    _, first = say(env, "paper")
    clip = env.unwrapped.pictures.newest.clip
    for image, index in zip(first.images, (16, 32, 48), strict=True):
        assert image.media_type == "image/png"
        assert np.array_equal(np.array(Image.open(io.BytesIO(image.data))), clip.frame(index))


def test_asked_again__brings_no_pictures() -> None:
    env = chat()
    env.reset(seed=0)
    env.step(reply(STOP, "paper"))
    observed, *_ = env.step(Reply(text="I wonder."))
    assert [count for _, count in counts(observed["messages"])] == [0, 3, 0, 3, 0, 0]


def test_regret__the_step_that_saves_the_people_shows_both_of_its_clips() -> None:
    env = chat(env=pictured("ConflictBench/Regret-v0"))
    route = [get_scenario("EP1-001").spec.actions[index].command for index in route_to(HUMAN[0])]
    messages = say(env, "paper", *route)
    saved = get_scenario("EP1-001").spec.actions[route_to(HUMAN[0])[-1]].id
    names = [f"{name}, frame {n} of 0..48" for name in (saved, "stage:1") for n in (16, 32, 48)]
    assert [image.name for image in messages[-1].images] == names
    assert sum(count for _, count in counts(messages)) == 6


def test_protocol_id__says_how_pictures_are_sent() -> None:
    _, info = chat(keep_clips=None, image_format="png").reset(seed=0)
    plain, _, pictures = info["protocol"].partition("+")
    assert plain == get_protocol("paper").id
    assert pictures == ChatPictures(None, "png").id
    assert pictures.startswith("pictures-v1-")
    assert pictures.endswith("-png-clipsall")
    assert get_protocol(info["protocol"]) is get_protocol("paper")
    _, info = chat(env=pictured(observation="text")).reset(seed=0)
    assert info["protocol"] == get_protocol("paper").id
    _, info = chat(env=pictured(observation="text", render_mode="rgb_array")).reset(seed=0)
    assert info["protocol"] == get_protocol("paper").id  # the screen is not the model's


def test_full_disk__says_that_there_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FullDisk(monkeypatch)
    world = gym.make(
        "ConflictBench/EP1-v0",
        scenario="EP1-001",
        observation="visual",
        **SMALL | {"clips": str(tmp_path / "clips"), "missing_image": "blank"},
    )
    messages = say(chat(env=world), "paper", STOP)
    assert sum(count for _, count in counts(messages)) == 0
    missing = "(There is no picture this time.)\n\n"
    assert messages[1].content.startswith(missing)
    assert messages[3].content.startswith(missing)
    assert world.unwrapped.text in messages[3].content


def test_arguments__outside_their_lists_are_refused() -> None:
    for wrong in (0, -1, True, 2.0, "2"):
        with pytest.raises(InvalidValue, match=r"keep_clips .* must be a whole number >= 1"):
            chat(keep_clips=wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="unknown image_format 'gif'; known: jpeg, png"):
        chat(image_format="gif")


def test_conversation__equal_episodes_send_equal_bytes() -> None:
    first, again = (say(chat(), "paper", STOP, REVERSE) for _ in range(2))
    assert first == again
    assert index_of("stop_fans") == 0
