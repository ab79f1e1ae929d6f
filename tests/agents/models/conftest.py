"""The tests of the models see no key of the user's."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_BASE", "_proxy", "_PROXY"))]:
        monkeypatch.delenv(name)
