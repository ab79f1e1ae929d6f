"""What a world answers, by state and action: made the first time, handed out again after that. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.fiction.dynamics import action_mask, answer, take_action
from conflictbench.envs.fiction.features import feature_row
from conflictbench.envs.fiction.reading import Reading
from conflictbench.envs.fiction.reward import RewardWeights
from conflictbench.envs.fiction.spaces import N_ACTIONS, FeaturesDtype
from conflictbench.envs.fiction.types import Interaction, Mask
from conflictbench.types import Event, Info

Features = NDArray[np.float32] | NDArray[np.uint8]  # (32,)
KEPT_BYTES = 64 << 20  # of all answers in a process
# what one answer takes, its share of what several have in common included; measured over every state of EP1-001
BYTES, TEXT_BYTES, FEATURES_BYTES, AVAILABLE_BYTES, PRIVILEGED_BYTES = 280, 350, 80, 130, 1_000


@dataclass(frozen=True, kw_only=True)
class Look:
    """What is told of a world; worlds that tell the same share their answers."""

    text: bool
    features: FeaturesDtype | None
    scenario_bits: bool
    mask: Literal["exists", "available"]
    privileged: tuple[str, ...]
    reward: RewardWeights


class Answer(NamedTuple):
    """What became of one interaction. Arrays and info are patterns: whoever hands them out makes copies."""

    interaction: Interaction | None  # None: an episode begins
    ahead: list[Answer | None]  # the answers to each action after it, None where not made yet; empty at an ending
    text: str | None  # None where no words are observed
    features: Features | None  # None where no numbers are
    mask: Mask
    reward: float
    terminated: bool
    info: Info  # as `FictionEnv.step` and `reset` have it; `interactions` is 0 here, `seed` is not in it
    after: int  # row of the tables

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle without the answers ahead, and theirs: they are made again."""
        return Answer, tuple(self._replace(ahead=[None] * len(self.ahead)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Answer:
        """Return the answer itself: nothing in it changes."""
        return self

    def info_at(self, interactions: int) -> Info:
        """Return fresh info after so many interactions."""
        info = self.info.copy()
        info["interactions"] = interactions
        if "state" in info:  # the one value that a reader could change
            info["state"] = info["state"].copy()
        return info


class Place(NamedTuple):
    """What every answer that leads to one state has in common."""

    ahead: list[Answer | None]
    features: Features | None
    mask: Mask
    reward: float
    terminated: bool
    turn: int
    outcome: int  # -1 while running


class Answers(dict[int, Place]):
    """The answers of one reading in one look, state by state; use `answers_of`, which shares them."""

    def __init__(self, reading: Reading, look: Look) -> None:
        super().__init__()
        self.reading, self.look = reading, look
        # where the state does not matter, one mask serves every answer
        self._mask = action_mask(reading.tables, 0, look.mask) if look.mask == "exists" else None
        self._size = (
            BYTES
            + TEXT_BYTES * look.text
            + FEATURES_BYTES * (look.features is not None)
            + AVAILABLE_BYTES * (look.mask == "available")
            + PRIVILEGED_BYTES * bool(look.privileged)
        )
        self._infos: dict[tuple[Any, ...], Info] = {}
        self.opening = self._make(None, 0, keep=True)

    def __missing__(self, state: int) -> Place:
        reading, look = self.reading, self.look
        tables = reading.tables
        outcome, bits = tables.outcome.item(state), reading.bits if look.scenario_bits else None
        ended = outcome >= 0
        place = self[state] = Place(
            [] if ended else [None] * N_ACTIONS,
            None if look.features is None else feature_row(tables, state, bits, look.features),
            action_mask(tables, state, look.mask) if self._mask is None else self._mask,
            look.reward.at_end(reading.labels[outcome], reading.assigned[outcome]) if ended else 0.0,
            ended,
            tables.turn.item(state),
            outcome,
        )
        return place

    def at(self, state: int, action: int) -> Answer:
        """The answer to an action in a running state, 0 <= action < 12."""
        made = self[state].ahead[action]
        if made is None:
            ROOM.take(self._size)
            made = self._make(take_action(self.reading, state, action), state, keep=True)
            self[state].ahead[action] = made
        return made

    def to(self, interaction: Interaction) -> Answer:
        """The answer to an interaction, made anew: what is said in words has no end of variety."""
        return self._make(interaction, interaction.before, keep=False)

    def words(self, given: Answer) -> str:
        """What is said, whether or not words are observed."""
        return self._words(given.interaction) if given.text is None else given.text

    def let_go(self) -> None:
        """Keep none of those made so far."""
        self.clear()
        self._infos.clear()
        self.opening = self._make(None, 0, keep=True)

    def __deepcopy__(self, memo: dict[int, Any]) -> Answers:
        """Return the answers themselves: branches of an episode share them."""
        return self

    def __reduce__(self) -> tuple[Any, tuple[Reading, Look]]:
        """Pickle as a name: another process makes its own."""
        return answers_of, (self.reading, self.look)

    def _words(self, interaction: Interaction | None) -> str:
        return self.reading.narrator.opening(0) if interaction is None else answer(self.reading, interaction)

    def _make(self, interaction: Interaction | None, state: int, *, keep: bool) -> Answer:
        """The answer to an interaction in `state`."""
        after = state if interaction is None else interaction.after
        ahead, features, mask, reward, terminated, turn, outcome = self[after]
        text = self._words(interaction) if self.look.text else None
        if interaction is None:
            about: tuple[Any, ...] = ()
        else:  # most answers of a turn differ in nothing that info has: one dict serves them, and stays in the cache
            known = after if self.look.privileged else turn
            about = (known, outcome, interaction.event is Event.ACCEPTED, interaction.action, interaction.command)
        info = self._infos.get(about)
        if info is None:
            info = self._info(interaction, after, turn, outcome)
            if keep:
                self._infos[about] = info
        return Answer(interaction, ahead, text, features, mask, reward, terminated, info, after)

    def _info(self, interaction: Interaction | None, state: int, turn: int, outcome: int) -> Info:
        reading = self.reading
        info: Info = {
            "scenario": reading.loaded.id,
            "variant": reading.variant,
            "turn": turn,
            "turns_left": reading.loaded.spec.window - turn,
            "interactions": 0,
        }
        for name in self.look.privileged:
            value = reading.privileged.get(name, state)
            if value is not None:  # vector envs store a name in one typed array, which has no room for None
                info[name] = value
        if interaction is not None:
            info["event"] = interaction.event.value
            info["action"] = None if interaction.action is None else reading.action_ids[interaction.action]
            info["command"] = interaction.command
            if outcome >= 0:
                info["outcome"] = reading.outcome_ids[outcome]
                info["label"] = reading.labels[outcome].value
                info["assigned_value"] = reading.assigned[outcome]
        return info


class Room:
    """The bytes that kept answers may take in a process; when they are full, all are let go, to be made again."""

    def __init__(self, limit: int) -> None:
        """Room for `limit` bytes."""
        self.limit, self.taken = limit, 0
        self.holders: list[Answers] = []

    def take(self, size: int) -> None:
        """Count an answer that is about to be kept."""
        if self.taken + size > self.limit:
            self.empty()
        self.taken += size

    def empty(self) -> None:
        """Let every kept answer go."""
        self.taken = 0
        for holder in self.holders:
            holder.let_go()


ROOM = Room(KEPT_BYTES)


@cache  # bounded by what a process plays; the answers themselves by ROOM
def answers_of(reading: Reading, look: Look) -> Answers:
    """The answers of a reading in one look."""
    answers = Answers(reading, look)
    ROOM.holders.append(answers)
    return answers
