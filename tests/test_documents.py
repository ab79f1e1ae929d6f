"""What the documents promise: their links lead somewhere, their Python runs, their commands exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.checkout import ROOT
from tests.servers.script import Script, human_routes
from tests.servers.started import server

from conflictbench import protocols
from conflictbench.agents.models import ModelOptions, make_model
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
    # beside other work it takes more than two seconds, and then says how far it is: nothing else may stand there
    said = [line for line in done.stderr.splitlines() if not re.match(r"[^:]+: [\d,]+/[\d,]+ episodes, ", line)]
    assert (done.returncode, said) == (0, [])
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["conflict", "control"]


def test_two_party__its_python_runs_as_it_stands(tmp_path: Path) -> None:
    done = run(block("two-party.md", "task_conflict_v0"), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[0] in {"both", "human", "task", "neither"}


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
    known = {command.name for command in (*app.registered_commands, *app.registered_groups)}
    used = re.findall(
        r"^(?:\$ )?(?:\.venv/bin/)?conflictbench ([a-z]+)", document.read_text("utf-8"), flags=re.MULTILINE
    )
    used += re.findall(r"`(?:\.venv/bin/)?conflictbench ([a-z]+)", document.read_text("utf-8"))
    assert set(used) - known == set()


def commands_in(document: Path) -> list[list[str]]:
    """The commands of a document's blocks: the command's name, then its words; a line that ends in `\\` goes on."""
    text = document.read_text("utf-8").replace("\\\n", " ")
    lines = re.findall(r"^(?:\$ )?(?:\.venv/bin/)?conflictbench (.*)$", text, flags=re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_options__in_documents_are_those_of_the_command(document: Path) -> None:
    group = typer.main.get_command(app)
    for words in commands_in(document):
        command = group.commands.get(words[0]) if words else None  # type: ignore[attr-defined]
        if command is not None:
            known = {name for parameter in command.params for name in parameter.opts} | {"--help"}
            used = {word.partition("=")[0] for word in words if word.startswith("--")}
            assert used - known == set(), f"{document.name}: {' '.join(words)}"


@pytest.mark.parametrize("provider", ["vllm", "ollama"])
def test_readme__a_server_on_this_machine_is_asked_as_it_stands(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    (words,) = [
        words for words in commands_in(ROOT / "README.md") if any(word.startswith(f"llm:{provider}/") for word in words)
    ]
    spec = words[words.index("--agent") + 1].removeprefix("llm:")
    model = make_model(spec, ModelOptions(base_url=words[words.index("--base-url") + 1]))  # no key, and no error
    assert model.name == spec
    served = re.findall(r"^(?:vllm serve|ollama pull) (\S+)", README, flags=re.MULTILINE)
    assert spec.partition("/")[2] in served


def test_make__targets_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    used = set()
    for document in DOCUMENTS:
        spans = re.findall(r"`make ([a-z -]+)`", document.read_text("utf-8"))
        spans += re.findall(r"^make ([a-z-]+)", document.read_text("utf-8"), flags=re.MULTILINE)
        used |= {target for span in spans for target in span.split()}
    assert used
    assert used - targets == set()


def blocks_of(page: str, heading: str) -> list[str]:
    """The blocks of Python below a heading of a page."""
    text = (ROOT / "docs" / page).read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def test_models__both_ways_of_ones_own_run_as_they_stand(tmp_path: Path) -> None:
    model, _, agent = blocks_of("models.md", "A model of your own")
    (tmp_path / "my_models.py").write_text(model + agent, "utf-8")
    text = (ROOT / "docs" / "models.md").read_text("utf-8")
    commands = re.findall(r"^conflictbench (run .*my_models:.*)$", text, flags=re.MULTILINE)
    assert [re.findall(r"--agent (\S+)", command) for command in commands] == [
        ["llm:my_models:Careful"],
        ["my_models:Converses"],
    ]
    printed = []
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "conflictbench", *command.split(), "--scenario", "EP1-001"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        printed.append(" ".join(done.stdout.split()))
    assert "answered as careful-2041-05" in printed[0]
    assert "answered as converses-1" in printed[1]


def test_models__a_model_of_ones_own_keeps_the_contract() -> None:
    model, contract, _ = blocks_of("models.md", "A model of your own")
    names: dict[str, Any] = {}
    exec(compile(model + contract, "docs/models.md", "exec"), names)
    held = names["TestCareful"]
    for name in [name for name in dir(held) if name.startswith("test_")]:
        getattr(held(), name)()


def test_models__a_run_from_python_runs_as_it_stands(tmp_path: Path) -> None:
    (code,) = blocks_of("models.md", "From Python")
    script = Script(routes=human_routes(["EP1-001", "EP3-001"], ["conflict", "control"]))
    with server("scripted_server", script, tmp_path, latency=0, models="served-2041", change=0) as scripted:
        assert code.count("http://127.0.0.1:8000/v1") == 1
        done = run(code.replace("http://127.0.0.1:8000/v1", scripted.base_url), tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.match(r"RunResult\('llm:vllm/MODEL' on 'quick': 4 of 4 episodes in '.*'\)\n", done.stdout)
    assert done.stdout.splitlines()[1:] == ["conflict 2/2", "control 2/2"]


def test_models__its_table_of_options_is_that_of_the_command_line() -> None:
    from conflictbench.commands.run_options import _OF_LIMITS, _OF_MODELS

    text = (ROOT / "docs" / "models.md").read_text("utf-8").partition("| option | field |")[2].partition("\n\n")[0]
    options, fields = (
        re.findall(r"`--([a-z-]+)`", text),
        [name.rpartition(".")[2] for name in re.findall(r"`([a-zA-Z_.]+)`", text)],
    )
    pairs = {name: typed.replace("_", "-") for name, typed in (_OF_MODELS | _OF_LIMITS).items()}
    assert set(options) == set(pairs.values())
    assert set(fields) == set(pairs)
