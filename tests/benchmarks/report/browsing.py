"""What the browser tests of the page share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><b>'\"&lt;<!-- javascript:alert(3)"


@dataclass
class Seen:
    """Everything a page did that a report must not do."""

    dialogs: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def nothing_but(self, address: str) -> bool:
        """True if it only loaded itself."""
        return not self.dialogs and not self.messages and self.requests == [address]


Open = Callable[..., tuple["Page", Seen, str]]
