"""What an exception in the middle of an episode makes of it: a status, and one line of reason. Own design."""

from __future__ import annotations

import logging

from conflictbench.benchmarks.own_code import place_in_own_code
from conflictbench.errors import BudgetExceeded, ConflictBenchError, ContextOverflow, ModelError
from conflictbench.types import Status

_LOG = logging.getLogger(__name__)
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
    """An exception as one line of printable ASCII: its type, its message, and the first cause inside a group.

    Behind one that nobody raised on purpose stands where in the user's own code it came from, if it came from there.
    The traceback goes to the log, at the level of debugging.
    """
    error = first_cause(error)
    _LOG.debug("an episode ended by %s", type(error).__name__, exc_info=error)
    place = "" if isinstance(error, ConflictBenchError) else place_in_own_code(error)
    return _one_line(error, f" ({place})" if place else "")


def _one_line(error: BaseException, behind: str) -> str:
    words = " ".join(f"{type(error).__name__}: {error}".split())
    printable = words.encode("ascii", "backslashreplace").decode("ascii")
    printable = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in printable)
    most = MAX_REASON - len(behind)
    return (printable if len(printable) <= most else printable[: most - 3] + "...") + behind


def calls_of(error: BaseException) -> int:
    """Requests that were sent for a model call that failed."""
    cause = first_cause(error)
    return cause.calls if isinstance(cause, ModelError) else 0


def first_cause(error: BaseException) -> BaseException:
    """The first exception inside a group, which by itself only says that there was one."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
