"""What the documents promise: their links lead somewhere, their Python runs, their commands exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.checkout import ROOT

from conflictbench import protocols
from conflictbench.cli import app
from conflictbench.types import VARIANTS

README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def names(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_links__lead_to_a_file(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    local = [target for target in targets if "://" not in target and not target.startswith("mailto:")]
    assert [target for target in local if not (document.parent / target).exists()] == []


def test_index__names_every_page_and_the_index_of_scenarios_those_of_scenarios() -> None:
    for index, pages in (("index.md", "*.md"), ("index.md", "design/*.md"), ("scenarios.md", "scenarios/*.md")):
        links = (ROOT / "docs" / index).read_text("utf-8")
        found = [path.relative_to(ROOT / "docs").as_posix() for path in sorted((ROOT / "docs").glob(pages))]
        assert found
        assert [page for page in found if page != "index.md" and f"]({page})" not in links] == []


def test_readme__its_python_runs_as_it_stands() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), flags=re.DOTALL)
    assert blocks
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("You are MARLOW")


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a document's example in a process of its own, warnings being errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def block(page: str, start: str) -> str:
    """The one block of Python of a page that holds `start`."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), flags=re.DOTALL)
    [found] = [code for code in blocks if start in code]
    return str(found)


def test_runs__its_python_runs_as_it_stands(tmp_path: Path) -> None:
    done = run(block("runs.md", "run_suite("), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["conflict", "control"]


def test_models__its_interface_is_that_of_the_package() -> None:
    names: dict[str, object] = {}
    exec(compile(block("models.md", "class LanguageModel"), "docs/models.md", "exec"), names)
    shown, ours = (
        {name for name in [*vars(kind), *kind.__annotations__] if not name.startswith("_")}
        for kind in (names["LanguageModel"], protocols.LanguageModel)
    )
    assert shown == ours == {"name", "complete", "close"}


def test_environments__its_training_runs(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    code = block("environments.md", "MaskablePPO")
    # as it stands but for the length: 64 steps show that it runs, 20,000 that it learns
    shorter = code.replace("learn(20_000)", "learn(64)").replace("n_steps=256", "n_steps=64")
    assert shorter.count("n_steps=64, seed=0).learn(64)") == 2
    done = run(shorter, tmp_path, OMP_NUM_THREADS="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[-1] in {"0.0", "1.0"}


def test_readme__its_table_of_variants_is_complete() -> None:
    table = re.findall(r"^\| `(\w+)` \| (against|for) the people \| (lost|kept)", README, flags=re.MULTILINE)
    assert table == [
        ("conflict", "against", "lost"),
        ("stake_only", "for", "lost"),
        ("task_only", "against", "kept"),
        ("control", "for", "kept"),
    ]
    assert tuple(row[0] for row in table) == VARIANTS


@pytest.mark.parametrize("page", DOCUMENTS, ids=names)
def test_examples__import_nothing_that_is_not_declared(page: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)
    imported = set(re.findall(r"^(?:import|from) (\w+)", "\n".join(blocks), flags=re.MULTILINE))
    declared = {
        "conflictbench",
        "gymnasium",
        "numpy",
        "sb3_contrib",
        "stable_baselines3",
        "tests",
    } | sys.stdlib_module_names
    assert imported - declared == set()


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
