"""Plays a recorded or written-down sequence again, and says where it stops fitting. Own design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conflictbench.agents.recorded import RecordedEpisodes
from conflictbench.counting import counted
from conflictbench.errors import AgentError
from conflictbench.types import Decision, EpisodeRecord, Info, Observation, Reply, Status, StepRecord, Task


class ReplayAgent:
    """Repeats what was done before.

    Sources: one `EpisodeRecord`; `RecordedEpisodes` (the record that belongs to each task is looked up at reset); or
    a plain list of action indices and commands. A step taken in words is repeated with the very reply that was given
    then, one taken by index as its command; both need an environment that takes words.

    Records are checked as they are played: scenario and variant at reset, prompt protocol, then command, verdict,
    event, action and turn of every step against info, and at the end (`finish`) the last step, the length, the status
    and the outcome.
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
        if self._record is not None:
            if self._position > 0:
                _check(self._record.steps[self._position - 1], info)
            else:
                _check_protocol(self._record, info)
        if self._position >= len(self._decisions):
            raise AgentError(f"the replay has {counted(len(self._decisions), 'step')} and the episode goes on")
        self._position += 1
        return self._decisions[self._position - 1]

    def finish(self, info: Info) -> None:
        """Check the end of the episode. Raises AgentError when it came early, or is not the recorded one."""
        if self._record is not None and self._position > 0:
            _check(self._record.steps[self._position - 1], info)
        if self._position < len(self._decisions):
            raise AgentError(
                f"the episode ended after {counted(self._position, 'step')} and the replay has {len(self._decisions)}"
            )
        if self._record is not None:
            _compare(
                "at the end",
                {"status": self._record.status, "outcome": self._record.outcome, "label": self._record.label},
                {"status": _status(info), "outcome": info.get("outcome"), "label": info.get("label")},
            )


def _decision(step: StepRecord) -> Decision:
    """What brings the step about again: the reply as it was, or the command of a step that was taken by index."""
    text = f"ACTION: {step.command}" if step.reply is None else Reply.from_stored(step.reply)
    return Decision(text=text, reasoning=step.reasoning, reasoning_source=step.reasoning_source)


def _check_protocol(record: EpisodeRecord, info: Info) -> None:
    """What a reply is taken for depends on how the conversation was held: a call of no tool on offer is no command."""
    given, held = (_without_pictures(text) for text in (record.protocol, info.get("protocol", "")))
    if given and given != held:
        raise AgentError(
            f"the replies were given in the prompt protocol {given}, this episode is held in "
            f"{held or 'none'}: put ChatEnv(env, {given!r}) round the environment"
        )


def _without_pictures(protocol: str) -> str:
    """The id of a protocol without what is said of pictures, which change no reply's reading."""
    return protocol.partition("+")[0]


def _check(step: StepRecord, info: Info) -> None:
    """Compare the last step with what info says of it."""
    expected = {"event": step.event, "action": step.action, "turn": step.turn, "command": step.command}
    if step.verdict is not None:  # a step taken by index had none
        expected["verdict"] = step.verdict
    actual = {name: info.get(name) for name in expected} | {"command": info.get("command", "")}
    _compare(f"at step {step.index} ({step.command!r})", expected, actual)


def _compare(place: str, expected: Mapping[str, object], actual: Mapping[str, object]) -> None:
    if expected != actual:
        was, now = (", ".join(f"{name}={_shown(value)}" for name, value in of.items()) for of in (expected, actual))
        raise AgentError(f"the replay does not fit {place}: then {was}; now {now}")


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _status(info: Info) -> Status:
    """How the episode that info is the last of has ended."""
    return Status.COMPLETED if "outcome" in info else Status(info.get("status", Status.TRUNCATED))
