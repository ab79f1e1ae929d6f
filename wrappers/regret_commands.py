"""The commands of a regret test: those of the scenario, and in a stage the two answers beside them. Own design."""

from __future__ import annotations

from dataclasses import dataclass

from conflictbench.scenario_specs.commands import CommandBook, Match, normalise
from conflictbench.wrappers.regret_stages import ANSWERS, Stage


@dataclass
class Progress:
    """Where a regret test stands; shared by the wrapper and the book it handed out."""

    stage: Stage | None = None  # the stage that waits for an answer
    others: int = 0  # answers in this stage that were neither of the two


class RegretCommands:
    """A command book that follows the episode: whoever keeps it (a reply parser) sees the stages begin and end.

    Until the first stage the answers are unknown words, as everything that is no command.
    """

    def __init__(self, book: CommandBook, n_actions: int, progress: Progress) -> None:
        """Take the scenario's book; `n_actions` is the size of its action space, where the answers' indices begin."""
        self._book = book
        self._progress = progress
        self._answers = {
            word: Match(kind="action", command=word, action=n_actions + place) for place, word in enumerate(ANSWERS)
        }

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands that can be carried out now."""
        return self._book.commands if self._progress.stage is None else ANSWERS

    @property
    def items(self) -> dict[str, str]:
        """Items that can be examined: id -> name."""
        return self._book.items

    def match(self, text: str) -> Match:
        """What `text` means now; `unknown` unless it is exactly one command after normalising."""
        if self._progress.stage is not None and (answer := self._answers.get(normalise(text))) is not None:
            return answer
        return self._book.match(text)
