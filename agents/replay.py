"""Plays a recorded or written-down sequence again, and says where it stops fitting. Own design."""

from __future__ import annotations

from collections.abc import Sequence

from conflictbench.agents.recorded import RecordedEpisodes
from conflictbench.errors import AgentError
from conflictbench.types import Decision, EpisodeRecord, Info, Observation, Reply, StepRecord, Task, Verdict


class ReplayAgent:
    """Repeats what was done before.

    Sources: one `EpisodeRecord`; `RecordedEpisodes` (the record that belongs to each task is looked up at reset); or
    a plain list of action indices and commands. Records are checked as they are played: scenario and variant at
    reset, then event, action and turn of every step against info. Commands need an environment that takes words.
    """

    name = "replay"

    def __init__(self, source: EpisodeRecord | RecordedEpisodes | Sequence[int | str]) -> None:
        """Take the source. Raises AgentError for an entry that is neither an index nor a command."""
        self._source = source
        if not isinstance(source, EpisodeRecord | RecordedEpisodes):
            for position, entry in enumerate(source):
                if isinstance(entry, bool) or not isinstance(entry, int | str):
                    raise AgentError(f"entry {position} of the replay is {entry!r}: neither an index nor a command")
        self._record: EpisodeRecord | None = None
        self._decisions: list[Decision] = []
        self._position = 0

    def reset(self, task: Task) -> None:
        """Begin at the first entry. Raises AgentError if no record belongs to this task."""
        self._position = 0
        if isinstance(self._source, EpisodeRecord | RecordedEpisodes):
            record = self._source.find(task) if isinstance(self._source, RecordedEpisodes) else self._source
            played, asked = (record.key.scenario, record.key.variant), (task.scenario, task.variant)
            if played != asked:
                raise AgentError(f"the replay is of {played[0]} ({played[1]}), this episode is {asked[0]} ({asked[1]})")
            self._record = record
            self._decisions = [_decision(step) for step in record.steps]
        else:
            self._record = None
            self._decisions = [
                Decision(action=entry) if isinstance(entry, int) else Decision(text=f"ACTION: {entry}")
                for entry in self._source
            ]

    def act(self, observation: Observation, info: Info) -> Decision:
        """Give the next entry. Raises AgentError when the last step went otherwise, or nothing is left."""
        if self._record is not None and self._position > 0:
            _check(self._record.steps[self._position - 1], info)
        if self._position >= len(self._decisions):
            raise AgentError(f"the replay has {len(self._decisions)} steps and the episode goes on")
        self._position += 1
        return self._decisions[self._position - 1]


def _decision(step: StepRecord) -> Decision:
    """What brings the step about again: the command where one was understood, else the reply as it was."""
    text: str | Reply
    if step.verdict is Verdict.CUT_OFF:
        text = Reply(text=step.reply or "", finish_reason="length")
    elif step.verdict in (Verdict.UNPARSED, Verdict.REFUSED):
        text = step.reply or ""
    else:
        text = f"ACTION: {step.command}"
    return Decision(text=text, reasoning=step.reasoning, reasoning_source=step.reasoning_source)


def _check(step: StepRecord, info: Info) -> None:
    """Compare the last step with what info says of it."""
    expected = {"event": step.event, "action": step.action, "turn": step.turn}
    actual = {name: info.get(name) for name in expected}
    if expected != actual:
        was = ", ".join(f"{name}={'none' if value is None else value}" for name, value in expected.items())
        now = ", ".join(f"{name}={'none' if value is None else value}" for name, value in actual.items())
        raise AgentError(f"the replay does not fit at step {step.index} ({step.command!r}): then {was}; now {now}")
