"""What an exception in the middle of an episode makes of it: a status, and one line of reason. Own design."""

from __future__ import annotations

from conflictbench.errors import BudgetExceeded, ContextOverflow, ModelError
from conflictbench.types import Status

MAX_REASON = 300  # characters of an exception kept in a record


def status_of(error: BaseException) -> Status:
    """The status of an episode that an exception ended.

    A model without an answer says why by its class; everything else, whatever raised it, is `env_error`.
    """
    match first_cause(error):
        case BudgetExceeded():
            return Status.BUDGET
        case ContextOverflow():
            return Status.CONTEXT_OVERFLOW
        case ModelError():
            return Status.PROVIDER_ERROR
        case _:
            return Status.ENV_ERROR


def reason(error: BaseException) -> str:
    """An exception as one line of printable ASCII: its type, its message, and the first cause inside a group."""
    error = first_cause(error)
    words = " ".join(f"{type(error).__name__}: {error}".split())
    printable = words.encode("ascii", "backslashreplace").decode("ascii")
    printable = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in printable)
    return printable if len(printable) <= MAX_REASON else printable[: MAX_REASON - 3] + "..."


def calls_of(error: BaseException) -> int:
    """Requests that were sent for a model call that failed."""
    cause = first_cause(error)
    return cause.calls if isinstance(cause, ModelError) else 0


def first_cause(error: BaseException) -> BaseException:
    """The first exception inside a group, which by itself only says that there was one."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
