"""Entry points of ids that are registered but not built: making one says what it waits for. Own design."""

from __future__ import annotations

from typing import Any, NoReturn

from conflictbench.errors import NotYetAvailable


def make_planned(*, what: str, needs: str, **kwargs: Any) -> NoReturn:
    """Refuse to make `what`.

    Raises:
        NotYetAvailable: always.
    """
    raise NotYetAvailable(what, needs)
