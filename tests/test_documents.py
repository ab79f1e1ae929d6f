"""What the documents promise: their links lead somewhere, their Python runs, their commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.checkout import ROOT

from conflictbench.cli import app

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def names(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_links__lead_to_a_file(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    local = [target for target in targets if "://" not in target and not target.startswith("mailto:")]
    assert [target for target in local if not (document.parent / target).exists()] == []


def test_index__names_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")]
    assert [page for page in pages if page != "index.md" and f"]({page})" not in index] == []


def test_readme__its_python_runs_as_it_stands() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), flags=re.DOTALL)
    assert blocks
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("You are MARLOW")


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_commands__in_documents_exist(document: Path) -> None:
    known = {command.name for command in app.registered_commands}
    used = re.findall(
        r"^(?:\$ )?(?:\.venv/bin/)?conflictbench ([a-z]+)", document.read_text("utf-8"), flags=re.MULTILINE
    )
    used += re.findall(r"`(?:\.venv/bin/)?conflictbench ([a-z]+)", document.read_text("utf-8"))
    assert set(used) - known == set()


def test_make__targets_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    used = set()
    for document in DOCUMENTS:
        spans = re.findall(r"`make ([a-z -]+)`", document.read_text("utf-8"))
        spans += re.findall(r"^make ([a-z-]+)", document.read_text("utf-8"), flags=re.MULTILINE)
        used |= {target for span in spans for target in span.split()}
    assert used
    assert used - targets == set()
