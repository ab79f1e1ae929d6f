"""Fixtures of the whole test tree: a cache of its own, and a real browser where there is one. Own design."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> Iterator[None]:
    """A shell has what it starts in the background ignore Ctrl-C, and children inherit that: tests interrupt theirs."""
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture(scope="session", autouse=True)
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor fill the user's caches, and see none of the user's settings for this package."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("CONFLICTBENCH_") and "REQUIRE" not in name]:
            patch.delenv(name)
        patch.setenv("CONFLICTBENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path_factory.mktemp("clips")))
        yield


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Path of an installed Chromium; without one the test is skipped, or fails where a browser is required."""
    for name in CHROMIUM_NAMES:
        if found := shutil.which(name):
            return Path(found)
    message = f"no browser: none of {', '.join(CHROMIUM_NAMES)} is installed"
    if os.environ.get("CONFLICTBENCH_REQUIRE_BROWSER") == "1":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    """A headless browser for a module; a test opens its own context and page in it.

    Not for the session: while it is open an event loop runs in this thread, and no test could call `asyncio.run`.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(chromium), headless=True, args=CHROMIUM_ARGUMENTS)
        yield opened
        opened.close()
