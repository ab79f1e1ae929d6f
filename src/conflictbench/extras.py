"""How to install what an optional part of the package needs: one place for every message that says so. Own design.

In a checkout that is the checkout's own environment, with the versions it is tested with: the name in an index would
install another copy, or nothing at all.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from conflictbench.errors import NotYetAvailable

_PACKAGE = Path(__file__).resolve().parent


def not_installed(what: str, extra: str, packages: Iterable[str]) -> NotYetAvailable:
    """The error where packages of an extra are not installed.

    Args:
        what: cannot be had without them.
        packages: those that are missing.
    """
    return NotYetAvailable(what, f"{', '.join(packages)}, of the extra {extra!r}: {how_to_install(extra)}")


def how_to_install(extra: str) -> str:
    """The command that installs an extra, for a shell in the current directory."""
    root = checkout()
    if root is None:
        return f"{_pip(None)} 'conflictbench[{extra}]'"
    return f"{_pip(root)} -c constraints.txt -e '.[{extra}]'"


def how_to_install_alone(package: str) -> str:
    """The command that installs a package without what it asks for."""
    return f"{_pip(checkout())} --no-deps {package}"


def checkout() -> Path | None:
    """The checkout that this package is run from; None where it was installed like any other."""
    root = _PACKAGE.parents[1]
    return root if all((root / name).is_file() for name in ("pyproject.toml", "constraints.txt")) else None


def _pip(root: Path | None) -> str:
    """`pip install` of the interpreter at hand, after a step into the checkout where that is elsewhere."""
    if root is None or Path(sys.prefix).resolve() != (root / ".venv").resolve():
        pip = f"{shlex.quote(sys.executable)} -m pip install"
    else:
        pip = ".venv/bin/pip install"
    return pip if root is None or Path.cwd() == root else f"cd {shlex.quote(str(root))} && {pip}"
