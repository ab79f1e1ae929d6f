"""What stands in a module outside the package, by `module:name`: an agent or a model of one's own. Own design."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from conflictbench.errors import ConflictBenchError

_SPEC = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")


def split_spec(text: str) -> tuple[str, str] | None:
    """`module:name` as its two parts, None for what is not of that form."""
    found = _SPEC.fullmatch(text)
    return (found[1], found[2]) if found else None


def import_own(module_name: str, what: str, error: type[ConflictBenchError]) -> ModuleType:
    """Import a module, with the current directory on the path as `python -m` would have it.

    Args:
        what: whose module it is, which begins the message.  error: what to raise.
    """
    try:
        with _current_directory_on_path():
            return import_module(module_name)
    except (Exception, SystemExit) as fault:  # whatever the other module raises: say which one it was, and why
        raise error(
            f"{what}: importing {module_name!r} failed: {type(fault).__name__}: {fault} "
            f"(searched {Path.cwd()} and the installed packages)"
        ) from fault


def is_module(name: str) -> bool:
    """True if a module of this name would be found; nothing is imported but the packages it is in."""
    try:
        with _current_directory_on_path():
            return find_spec(name) is not None
    except (Exception, SystemExit):
        return False


@contextmanager
def _current_directory_on_path() -> Iterator[None]:
    """Put the current directory first for one import: a console script does not have it, `python -m` does."""
    entry = str(Path.cwd())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path.remove(entry)
