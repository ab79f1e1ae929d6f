"""The spaces of the two-party environment, for each party. Own design (docs/two-party.md, "As an environment")."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from conflictbench.envs.fiction.spaces import CHARSET, text_space
from conflictbench.envs.task_conflict.coding import ActionCoding
from conflictbench.envs.task_conflict.features import FeatureLayout
from conflictbench.envs.task_conflict.messages import MAX_MESSAGE
from conflictbench.errors import InvalidAction, shown

MAX_TEXT = 16_384  # characters of a briefing and a situation together; the longest of the core pack has about half


def action_space(coding: ActionCoding, talk: str) -> spaces.Space[Any]:
    """Discrete, or with messages a Dict of `act` and `message`."""
    act: spaces.Discrete = spaces.Discrete(coding.n)
    if talk != "text":
        return act
    return spaces.Dict({"act": act, "message": spaces.Text(MAX_MESSAGE, min_length=0, charset=CHARSET)})


def mask_key(observation: str, talk: str) -> str:
    """What the mask is called: `action_mask` only where a whole action can be masked, and PettingZoo's tools do so."""
    return "action_mask" if observation == "features" and talk != "text" else "move_mask"


def observation_space(layout: FeatureLayout, observation: str, talk: str) -> spaces.Dict:
    """A Dict of the features or the text, and the mask."""
    shown: dict[str, spaces.Space[Any]] = {mask_key(observation, talk): spaces.MultiBinary(layout.coding.n)}
    if observation == "features":
        shown["observation"] = spaces.Box(0.0, 1.0, (layout.n,), np.float32)
    else:
        shown["text"] = text_space(MAX_TEXT)
    return spaces.Dict(shown)


def action_of(action: Any, coding: ActionCoding, talk: str, agent: str) -> tuple[int, str]:
    """Read an action: its index, and its message.

    A message may be any string: it is hostile input, which no caller could be asked to have cleaned.

    Raises:
        InvalidAction: an index outside the space, or another type.
    """
    message = ""
    if talk == "text":
        if not isinstance(action, dict) or set(action) != {"act", "message"}:
            what = type(action).__name__
            if isinstance(action, dict):
                what = f"with the keys {shown(sorted(map(str, action)))}"
            raise InvalidAction(f'the action of {agent} must be a dict {{"act": index, "message": text}}, not {what}')
        action, message = action["act"], action["message"]
        if not isinstance(message, str):
            what = f"{shown(message)} is a {type(message).__name__}"
            raise InvalidAction(f"the message of {agent} {what}; it must be a str")
    return coding.index(action, f"the action of {agent}"), message
