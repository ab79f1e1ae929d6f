"""The command that goes on with a run, from the one that began it. Own design."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from conflictbench.agents.models.keys import Redactor

PROGRAM = "conflictbench"
LONGEST = 2000  # characters kept
_PLAIN_PATHS = ("", "/", "/v1", "/v1/")


def going_on(typed: Sequence[str], *, agent: str = "", out: Path | None = None) -> str:
    """What to type, in the same directory; "" where nothing was typed (a run from Python).

    Args:
        typed: the words behind the program's name: `run` or `plan` and its options.
        agent, out: of a run that was begun beside another one (`--fresh`): the directory takes that option's place.
    Returns:
        One line for a shell, with every secret of the environment taken out.
    """
    if not typed:
        return ""
    words = ["run" if place == 0 and word == "plan" else word for place, word in enumerate(typed)]
    if out is not None:
        kept = (word for word in _without(words, "--agent") if word != "--fresh")
        words = [*kept, "--agent", agent, "--out", str(out)]
    return Redactor().one_line(shlex.join([PROGRAM, *words]), limit=LONGEST)


def to_be_shown(command: str) -> str:
    """The command for a report: of an address only what `Asking` shows, unless its path says nothing."""
    try:
        words = shlex.split(command)
    except ValueError:  # cut off, or written by hand
        return ""
    return shlex.join(_hosts_only(words))


def shown_path(path: Path) -> str:
    """A path as a person can use it from anywhere: absolute, `~` for the home directory."""
    absolute = Path(os.path.abspath(path))  # not resolve(): a link keeps the name that was given
    try:
        return f"~/{absolute.relative_to(Path.home())}"
    except (ValueError, RuntimeError):  # elsewhere, or nobody's home
        return str(absolute)


def from_here(path: Path) -> Path:
    """A path below the current directory as seen from there, another as it is."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _without(words: Sequence[str], option: str) -> Iterator[str]:
    """The words without an option that takes a value, in either of its forms."""
    rest = iter(words)
    for word in rest:
        if word == option:
            next(rest, None)
        elif not word.startswith(f"{option}="):
            yield word


def _hosts_only(words: Sequence[str]) -> Iterator[str]:
    before = ""
    for word in words:
        option, equals, value = word.partition("=")
        if option == "--base-url" and equals:
            yield f"{option}={_host_only(value)}"
        else:
            yield _host_only(word) if before == "--base-url" else word
        before = word


def _host_only(url: str) -> str:
    parts = urlsplit(url)
    return url if parts.path in _PLAIN_PATHS else f"{parts.scheme}://{parts.netloc}/..."
