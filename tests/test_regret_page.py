"""The code shown in docs/regret-and-single-turn.md runs as it stands there."""

from __future__ import annotations

import re

import pytest
from tests.checkout import ROOT

PAGE = (ROOT / "docs" / "regret-and-single-turn.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=("regret", "single_turn"))
def test_page__its_python_runs(block: str) -> None:
    exec(compile(block, "docs/regret-and-single-turn.md", "exec"), {})
