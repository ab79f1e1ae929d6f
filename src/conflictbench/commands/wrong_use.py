"""What is wrong with an option, in the package's own words whichever library reads the command line. Own design."""

from __future__ import annotations

import typer

_KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no"}


def in_own_words(error: typer.BadParameter) -> str:
    """The message of a value that was not taken: the value, and what would have been right.

    The command line is read through pydantic, whose errors speak of inputs and parsing; any other message stays.
    """
    errors = getattr(error.__cause__, "errors", None)
    if not callable(errors) or not (found := errors()):
        return error.message
    value, kind, limits = found[0]["input"], found[0]["type"], found[0].get("ctx", {})
    if wanted := _KINDS.get(kind.partition("_")[0]):
        return f"{value!r} is not {wanted}"
    if "ge" in limits:
        return f"{value!r} is less than {limits['ge']}"
    return str(found[0]["msg"]).removeprefix("Value error, ")
