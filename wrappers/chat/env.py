"""`ChatEnv`: the environment as a language model meets it. ConflictBench 5.1 and B.1; API own design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsFloat

import gymnasium as gym

from conflictbench.types import Reply, Verdict
from conflictbench.wrappers.chat.conversation import Conversation
from conflictbench.wrappers.chat.pictures import KEEP_CLIPS, SEPARATOR, ChatPictures
from conflictbench.wrappers.chat.protocols import get_protocol
from conflictbench.wrappers.chat.replies import MAX_CALLS, command_call, readable, wrong_call
from conflictbench.wrappers.chat.space import ChatObservation, ChatSpace
from conflictbench.wrappers.text_actions import REASK_SENTENCES, TextActions

if TYPE_CHECKING:
    from conflictbench.envs.visual.episode import EpisodePictures, Shown


class ChatEnv(gym.Wrapper[ChatObservation, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Observes the conversation so far, takes the next reply: `EpisodeRecorder(ChatEnv(TextActions(gym.make(...))))`.

    The conversation begins with the opening and, where the world has one, its help page, which costs no interaction.
    A command that was carried out comes back as such, without the thoughts round it; the world's answer follows. A
    reply without a command comes back harmless, cut and without its thoughts, then the sentence that asks again. The
    last observation holds the last answer; after a reply that ended the episode without one it ends with that reply.

    Where the world shows pictures, the help page and each answer that comes with new clips have the clips' frames
    before their words, those a model is meant to see, one a second (ConflictBench B.1).

    Info gains `protocol`: name, version and digest of the words a model is shown, with `-last<k>` under `keep_last`,
    and with what `ChatPictures.id` says where there are pictures.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        protocol: str = "paper",
        keep_last: int | None = None,
        keep_clips: int | None = KEEP_CLIPS,
        image_format: str = "jpeg",
    ) -> None:
        """Wrap `env`.

        Args:
            env: a `TextActions`, wrapped or not, over a world that has `text` and, unless its `offers_help` is False,
                `help_page`.
            protocol: a name of `PROTOCOLS`, or the id of one.
            keep_last: exchanges shown beside the first two messages, >= 1; None for all.
            keep_clips: clips whose frames stay in the conversation, >= 1; None for all.
            image_format: "jpeg" or "png".
        Raises:
            TypeError: no `TextActions` beneath.  UnknownName: no such protocol.  ValueError: `keep_last` too small.
        """
        gym.utils.RecordConstructorArgs.__init__(
            self, protocol=protocol, keep_last=keep_last, keep_clips=keep_clips, image_format=image_format
        )
        gym.Wrapper.__init__(self, env)
        if not _takes_replies(env):
            raise TypeError(f"ChatEnv needs TextActions beneath it, ChatEnv(TextActions(gym.make(...))), not {env}")
        if keep_last is not None and (type(keep_last) is not int or keep_last < 1):  # True is an int, and no number
            raise ValueError(f"keep_last {keep_last!r} must be a whole number >= 1, or None for all")
        self._protocol = get_protocol(protocol)
        self._keep_last = keep_last
        chat_pictures = ChatPictures(keep_clips, image_format)
        shown = _pictures_of(env)
        self._chat_pictures = None if shown is None or not shown.told else chat_pictures
        self._conversation: Conversation | None = None
        self._is_question = False
        self._text = ""
        self.observation_space = ChatSpace()

    @property
    def text(self) -> str:
        """The last answer as the model is given it; the opening after a reset, "" where nothing was answered."""
        return self._text

    @property
    def protocol_id(self) -> str:
        """What `info["protocol"]` says."""
        last = "" if self._keep_last is None else f"-last{self._keep_last}"
        pictures = "" if self._chat_pictures is None else f"{SEPARATOR}{self._chat_pictures.id}"
        return self._protocol.id + last + pictures

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ChatObservation, dict[str, Any]]:
        """Reset the world and begin a conversation."""
        _, info = self.env.reset(seed=seed, options=options)
        self._text = str(self.env.get_wrapper_attr("text"))
        self._is_question = not getattr(self.unwrapped, "offers_help", True)
        help_page = None if self._is_question else str(self.env.get_wrapper_attr("help_page"))
        max_commands = 1 if self._is_question else int(self.env.get_wrapper_attr("max_interactions"))
        if self._chat_pictures is None:
            self._conversation = Conversation(self._protocol, self._text, help_page, max_commands, self._keep_last)
        else:
            assert help_page is not None  # a question has no pictures
            clips = self._new_clips()
            self._conversation = Conversation(
                self._protocol,
                self._text,
                self._with_word_of_missing(help_page, clips),
                max_commands,
                self._keep_last,
                note=self._chat_pictures.note(len(clips[0].sampled)),
                clips=[self._chat_pictures.images(shown) for shown in clips],
                keep_clips=self._chat_pictures.keep_clips,
                answer_follows=self._chat_pictures.texts["answer_follows"],
            )
        return self._observe(), {**info, "protocol": self.protocol_id}

    def step(self, action: Any) -> tuple[ChatObservation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Carry out one reply, or one action index.

        Args:
            action: `str`, `Reply`, or an index.
        Returns:
            As `TextActions.step`, with the conversation as the observation.
        Raises:
            ResetNeeded: before the first `reset`, or after the episode has ended.
        """
        given = readable(action) if isinstance(action, Reply) and self._protocol.uses_tool else action
        _, reward, terminated, truncated, info = self.env.step(given)
        assert self._conversation is not None  # TextActions has refused a step before the first reset
        verdict = str(info.get("verdict", ""))
        calls = action.tool_calls[:MAX_CALLS] if isinstance(action, Reply) else ()
        if verdict in REASK_SENTENCES:
            reply = action if isinstance(action, Reply) else Reply(text=action)
            # at the last of them nobody is asked any more
            sentence = self._protocol.reask(Verdict(verdict), wrong_call(reply)) if info["reask"] else None
            self._text = sentence or ""
            self._conversation.asked_again(reply, sentence)
        else:
            self._text = str(self.env.get_wrapper_attr("text"))
            if not isinstance(action, str | Reply):  # an index has no words of its own
                calls = (command_call(info["command"]),)
            new = self._new_clips()
            images = [self._chat_pictures.images(shown) for shown in new] if self._chat_pictures is not None else []
            self._conversation.carried_out(info["command"], calls, self._with_word_of_missing(self._text, new), images)
        return self._observe(), reward, terminated, truncated, {**info, "protocol": self.protocol_id}

    def _new_clips(self) -> tuple[Shown, ...]:
        """The clips of the last interaction."""
        pictures = None if self._chat_pictures is None else _pictures_of(self.env)
        return () if pictures is None else pictures.new

    def _with_word_of_missing(self, words: str, clips: Sequence[Shown]) -> str:
        if self._chat_pictures is None or all(shown.clip is not None for shown in clips):
            return words
        return f"{self._chat_pictures.texts['missing']}\n\n{words}"

    def _observe(self) -> ChatObservation:
        assert self._conversation is not None
        tools = self._protocol.tools(question=self._is_question)
        return {"messages": self._conversation.messages(), "tools": tools}


def _pictures_of(env: gym.Env[Any, Any]) -> EpisodePictures | None:
    """The clips of the world beneath; None where it shows none."""
    return getattr(env.unwrapped, "pictures", None)


def _takes_replies(env: gym.Env[Any, Any]) -> bool:
    while isinstance(env, gym.Wrapper):
        if isinstance(env, TextActions):
            return True
        env = env.env
    return False
