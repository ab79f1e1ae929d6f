"""Every error this package raises, as one tree. Own design, after httpx's drawn tree.

ConflictBenchError
├── SpecError          a scenario file is not valid (carries one `Fault` a line)
├── UnknownName        a name or value outside a closed list; the message holds the valid ones
├── InvalidValue       a value of the wrong type or out of range; the message says what would be right
├── NotYetAvailable    declared in the architecture, not built or not installed; names the extra or feature
├── ResetNeeded        `step`, `command` or `render` before the first `reset`, or after an ending
├── InvalidAction      an action index outside the action space
├── AgentError         an agent cannot act (no input left, a replay that does not fit, information it was not given)
├── ModelError         a language model gave no answer
│   ├── ProviderError      the provider failed for good: retries spent, key refused, garbage returned (provider_error)
│   │   └── TransientError     it may do better at once: rate limited, overloaded, timed out, connection lost
│   ├── ContextOverflow    the conversation no longer fits the model (context_overflow, a result; never retried)
│   └── BudgetExceeded     a limit on tokens, money or time is spent (budget)
├── ClipStoreError     the folder of clips cannot be used (not writable, gives back other bytes, no locks)
│   └── ClipStoreFull      its disk is full; an episode may go on without an image if its caller asked for that
└── RunError           a run directory cannot be used
    ├── RunMismatch    it belongs to another run, or to another version
    ├── RunLocked      another process is writing it
    └── BrokenRecord   a line in it cannot be read (a truncated last line is repaired instead)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import gymnasium as gym

MAX_SHOWN = 80  # characters of a bad value in a message: who gave it knows the rest


class ConflictBenchError(Exception):
    """Base of everything raised on purpose by conflictbench."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing wrong with one scenario file: printed as one line by `conflictbench verify`."""

    file: str  # path as given by the caller
    key: str  # full path of the key, "actions.open_shaft.help"; "" for the file as a whole
    rule: str  # "yaml", "schema", "expression", "reference", "text", "twins", "visual", "picture", "1".."10", "suite.X"
    message: str  # what is wrong, with the bad value and the valid ones
    fix: str = ""  # nearest change that would mend it, where one is known
    line: int | None = None  # 1-based line in the file, where known
    severity: str = "error"  # "error" | "warning"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        key = f" {self.key}" if self.key else ""
        fix = f" (nearest fix: {self.fix})" if self.fix else ""
        return f"{place}{key}: {self.severity} [{self.rule}] {self.message}{fix}"


class SpecError(ConflictBenchError, ValueError):
    """A scenario file is not valid. `faults` has one entry per thing wrong, in file order."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def shown(value: object, most: int = MAX_SHOWN) -> str:
    """A bad value as a message has it: as Python writes it, in one line, cut behind `most` characters."""
    text = repr(value[: most + 1] if isinstance(value, str | bytes) else value)
    text = " ".join(text.split()) if "\n" in text else text  # arrays are written in lines
    return text if len(text) <= most else f"{text[: most - 3]}..."


class UnknownName(ConflictBenchError, ValueError):
    """A name or value outside a closed list."""

    def __init__(self, kind: str, value: object, known: Iterable[object], *, hint: str = "") -> None:
        self.kind, self.value, self.known = kind, value, tuple(known)
        names = [str(name) for name in self.known]
        close = get_close_matches(value, names, n=1) if isinstance(value, str) and len(value) <= MAX_SHOWN else []
        listed = ", ".join(names) if len(names) <= 40 else ", ".join(names[:40]) + f", ... ({len(names)} in all)"
        message = f"unknown {kind} {shown(value)}; known: {listed or 'none'}"
        if close:
            message += f" (did you mean {close[0]!r}?)"
        super().__init__(message + (f"; {hint}" if hint else ""))


class InvalidValue(ConflictBenchError, ValueError):
    """A value of the wrong type, or out of its range."""


class NotYetAvailable(ConflictBenchError, NotImplementedError):
    """A part of the design that is not in this version, or needs an extra that is not installed."""

    def __init__(self, what: str, needs: str) -> None:
        self.what, self.needs = what, needs
        super().__init__(f"{what} is not available yet: it needs {needs}")


class ResetNeeded(ConflictBenchError, gym.error.ResetNeeded):
    """The environment has no running episode."""


class InvalidAction(ConflictBenchError, gym.error.InvalidAction):
    """An action index outside the action space."""


class AgentError(ConflictBenchError):
    """An agent cannot act."""


class ModelError(ConflictBenchError):
    """A language model gave no answer; `calls` requests were sent for it, for the record's usage."""

    def __init__(self, message: str, *, calls: int = 0) -> None:
        self.calls = calls
        super().__init__(message)


class ProviderError(ModelError):
    """The provider failed: the episode is no result (status provider_error).

    `hopeless`: any other call would fail the same way (the key is refused, no such model, nobody listens).
    """

    def __init__(self, message: str, *, calls: int = 0, hopeless: bool = False) -> None:
        self.hopeless = hopeless
        super().__init__(message, calls=calls)


class TransientError(ProviderError):
    """The provider may answer if asked again; `retry_after_s` is its own wish, where it named one.

    `remedy`: what to do if it never does, in the words of the command line; said when it is given up.
    """

    def __init__(
        self,
        message: str,
        *,
        calls: int = 0,
        retry_after_s: float | None = None,
        hopeless: bool = False,
        remedy: str = "",
    ) -> None:
        self.retry_after_s, self.remedy = retry_after_s, remedy
        super().__init__(message, calls=calls, hopeless=hopeless)


class ContextOverflow(ModelError):
    """The conversation no longer fits the model: a result (status context_overflow), never retried."""


class BudgetExceeded(ModelError):
    """A limit on tokens, money or wall time is spent (status budget)."""


class ClipStoreError(ConflictBenchError):
    """The folder of clips cannot be used; the message names it, and what to do."""


class ClipStoreFull(ClipStoreError):
    """The disk under the folder of clips is full, or its quota is spent."""


class RunError(ConflictBenchError):
    """A run directory cannot be used."""


class RunMismatch(RunError):
    """The directory belongs to another run, or was written by another version."""


class RunLocked(RunError):
    """Another process is writing the directory."""


class BrokenRecord(RunError):
    """A line of a run directory cannot be read."""
