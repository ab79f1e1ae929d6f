"""The writing side of `calls.jsonl`: no call that was paid for is lost to a kill. Own design.

A line is written by one `write` the moment its request is over, and not synced: what a killed process has written is
the kernel's to keep. The disk gets it with the next group of episodes, before them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from conflictbench.agents.models import PaidCall
from conflictbench.agents.models.keys import Redactor
from conflictbench.benchmarks.call_log import FILE_NAME, LOST, CallLine, Telling, read_calls
from conflictbench.benchmarks.closing import Closing
from conflictbench.benchmarks.json_lines import AppendFile
from conflictbench.benchmarks.units import episode_marker
from conflictbench.errors import RunError
from conflictbench.types import Usage

_NEW_NAME = f"{FILE_NAME}.new"
_LONGEST_ID = 200  # characters kept of a model's id: it is the provider's to choose
_FROM_RECORDS = (
    f"this run kept no {FILE_NAME}: it begins with what the attempts kept so far tell; calls for episodes that were "
    "dropped before are not in it"
)


class CallLedger(Closing):
    """Keeps the calls of a run whose directory is locked. Use it as a context manager, or call `close`.

    One thread adds (the event loop's), another may sync.
    """

    def __init__(self, directory: Path, records: Sequence[Telling], say: Callable[[str], None]) -> None:
        """Open the ledger of a run, making it if there is none, mending it if the run was killed.

        Args:
            records: every attempt kept in the run: what a new ledger begins with, and an old one is held against.
            say: told once what a reader of the run should know.
        Raises:
            BrokenRecord: a line cannot be read; nothing was changed.
            RunError: not an ordinary file, or not writable.
        """
        path = directory / FILE_NAME
        if not path.exists() and (told := [record for record in records if record.usage.calls]):
            say(_FROM_RECORDS)
            _begin(path, told)
        self._fault: OSError | None = None
        self._redactor = Redactor()
        self._file = AppendFile(path)
        try:
            sums, lines = read_calls(path)
            for note in (lines.note(LOST), sums.fault(records)):
                if note:
                    say(note)
            self._file.mend(lines)
        except BaseException:
            self.close()
            raise
        self._session = sums.sessions + 1
        self._sums = sums

    @property
    def total(self) -> Usage:
        """Of all calls, those of earlier processes included."""
        return self._sums.total

    def dropped(self, records: Sequence[Telling]) -> Usage:
        """As `CallSums.dropped`."""
        return self._sums.dropped(records)

    def add(self, call: PaidCall) -> None:
        """Keep a call: not lost when this process is killed. What cannot be written makes `check` and `sync` raise."""
        labels = call.labels
        model = self._redactor.clean(call.model)
        line = _line(self._session, labels.episode, labels.attempt, call.usage, model, call.outcome)
        self._sums.add(line)
        try:
            self._file.append(_encoded(line), sync=False)
        except OSError as error:  # told to the run, which stops; the episode that called is not to blame
            self._fault = self._fault or error

    def check(self) -> None:
        """Raise RunError if a call could not be written."""
        if self._fault is not None:
            raise _unwritable(self._file.path, self._fault) from self._fault

    def sync(self) -> None:
        """Wait until all calls so far are on disk. Raises RunError if they are not."""
        self.check()
        try:
            self._file.sync()
        except OSError as error:
            raise _unwritable(self._file.path, error) from error

    def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        self._file.close()


def _begin(path: Path, records: Sequence[Telling]) -> None:
    """Write what records tell, whole or not at all."""
    fresh = path.with_name(_NEW_NAME)
    try:
        with fresh.open("wb") as file:
            for record in records:
                marker = episode_marker(record.key)
                models = ", ".join(record.models)
                file.write(_encoded(_line(0, marker, record.attempt, record.usage, models, "recorded")))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError as error:
        raise _unwritable(path, error) from error


def _line(session: int, episode: str, attempt: int, usage: Usage, model: str, outcome: str) -> CallLine:
    return CallLine(
        session=session,
        episode=episode,
        attempt=attempt,
        requests=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
        model=model[:_LONGEST_ID].encode("utf-8", "replace").decode("utf-8"),  # a lone surrogate cannot be written
        outcome=outcome,
    )


def _encoded(line: CallLine) -> bytes:
    return line.model_dump_json().encode("utf-8") + b"\n"


def _unwritable(path: Path, error: OSError) -> RunError:
    return RunError(
        f"{path}: cannot be written ({error.strerror}); nothing that was kept is lost. Make room and give the same "
        "command again to go on"
    )
