"""The shape of the repository: who imports whom, what is never imported early, how files look. Own design.

The walk is over the syntax tree, so an import inside a function is seen as well.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.checkout import ROOT, kept_files

PACKAGE = ROOT / "src" / "conflictbench"
LINKED = ("agents", "benchmarks", "envs", "scenario_specs", "wrappers")

FOUNDATION = {"types", "errors", "protocols", "counting", "seeds", "saying", "extras"}
EVERYTHING = FOUNDATION | set(LINKED) | {"", "registration"}  # "": the package itself, for its version
ALLOWED = {
    "types": FOUNDATION,
    "errors": FOUNDATION,
    "protocols": FOUNDATION,
    "counting": set(),
    "saying": set(),
    "extras": {"errors"},
    "seeds": set(),
    "registration": FOUNDATION,
    "": EVERYTHING,  # but early only `registration` and the foundation, below
    "scenario_specs": FOUNDATION | {"scenario_specs"},
    "envs": FOUNDATION | {"scenario_specs", "envs"},
    "wrappers": FOUNDATION | {"scenario_specs", "envs", "wrappers"},
    "agents": FOUNDATION | {"agents"},
    "benchmarks": EVERYTHING,
    "cli": EVERYTHING | {"cli", "commands"},
    "commands": EVERYTHING | {"commands"},
    "__main__": {"cli"},
}
HEAVY = {
    "accelerate", "av", "docker", "inspect_ai", "krippendorff", "litellm", "matplotlib", "openai", "pandas",
    "playwright", "ray", "sb3_contrib", "skia", "sklearn", "stable_baselines3", "statsmodels", "torch",
    "transformers", "zstandard",
}  # fmt: skip
# What subclasses a heavy package imports it early, and nobody imports such a module early.
ADAPTERS = {
    "benchmarks.train.callback": {"stable_baselines3"},
    "wrappers.sb3_vec_env": {"stable_baselines3"},
}
NEVER_IN_ENVS = {"aiohttp", "anthropic", "httpx", "litellm", "openai", "requests", "sb3_contrib", "stable_baselines3"}


@dataclass(frozen=True)
class Import:
    """One imported module, with where it stands."""

    name: str  # dotted; a relative import starts with "."
    line: int
    early: bool  # runs when the module is imported: not in a function, not under TYPE_CHECKING


def modules() -> dict[str, Path]:
    """Every module of the package: dotted name below `conflictbench` ("" is the package itself) -> file."""
    found: dict[str, Path] = {}
    for top in [PACKAGE, *sorted(path for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__")]:
        for path in sorted(top.glob("*.py") if top == PACKAGE else top.resolve().rglob("*.py")):
            parts = (*path.relative_to(top.resolve()).with_suffix("").parts,)
            parts = parts if top == PACKAGE else (top.name, *parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(source: str) -> list[Import]:
    """Every import of a module's source, in file order."""
    found: list[Import] = []

    def walk(node: ast.AST, early: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend(Import(alias.name, node.lineno, early) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            if base == "conflictbench":
                names = [alias.name for alias in node.names]
                found.extend(Import(f"{base}.{n}" if n in MODULES else base, node.lineno, early) for n in names)
            else:
                found.append(Import(base, node.lineno, early))
        for child in ast.iter_child_nodes(node):
            late = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and child in node.body
            walk(child, early and not late and not typing_only)

    walk(ast.parse(source), True)
    return found


def faults(module: str, source: str) -> list[str]:
    """What is wrong with the imports of one module, one sentence each."""
    layer = module.split(".")[0]
    wrong = []
    for item in imports(source):
        root = item.name.split(".")[0]
        place = f"{module or 'conflictbench'}:{item.line}"
        if item.name.startswith(".") or root in LINKED:
            wrong.append(f"{place}: import {item.name} through the package: from conflictbench.{layer}...")
        elif root == "conflictbench":
            target = item.name.split(".")[1] if "." in item.name else ""
            if target not in ALLOWED[layer] or (layer == "" and item.early and target in LINKED):
                wrong.append(f"{place}: {layer or 'the package'} must not import {item.name}")
            if item.early and target and item.name.removeprefix("conflictbench.") in ADAPTERS:
                wrong.append(f"{place}: {item.name} loads something heavy: import it in the function that needs it")
        elif root in HEAVY - ADAPTERS.get(module, set()) and item.early:
            wrong.append(f"{place}: {root} is heavy: import it in the function that needs it")
        if layer == "envs" and root in NEVER_IN_ENVS:
            wrong.append(f"{place}: envs never import {root}")
    return wrong


def test_imports__run_one_way() -> None:
    wrong = [fault for module, path in MODULES.items() for fault in faults(module, path.read_text("utf-8"))]
    assert wrong == []


def test_imports__every_layer_is_seen() -> None:
    assert {name.split(".")[0] for name in MODULES} >= FOUNDATION | set(LINKED) | {"", "cli", "registration"}


@pytest.mark.parametrize(
    "module, source",
    [
        ("envs.fiction.env", "from conflictbench.agents.registry import AGENTS"),
        ("envs.fiction.env", "def f():\n    import httpx"),
        ("envs.fiction.env", "from conflictbench.benchmarks import suites"),
        ("wrappers.history", "import conflictbench.agents"),
        ("agents.oracle", "from conflictbench.envs import FictionEnv"),
        ("agents.oracle", "def f():\n    from conflictbench import scenario_specs"),
        ("scenario_specs.loader", "from conflictbench.envs.fiction.env import FictionEnv"),
        ("scenario_specs.loader", "from .tables import Tables"),
        ("scenario_specs.loader", "from scenario_specs.tables import Tables"),
        ("types", "from conflictbench.scenario_specs import tables"),
        ("benchmarks.runner", "from conflictbench.cli import main"),
        ("", "from conflictbench.envs import FictionEnv"),
        ("benchmarks.runner", "import torch"),
        ("benchmarks.runner", "class A:\n    import matplotlib.pyplot as plt"),
        ("benchmarks.runner", "try:\n    import ray\nexcept ImportError:\n    pass"),
        ("wrappers.sb3_vec_env", "import torch"),
        ("wrappers.history", "from stable_baselines3.common.vec_env import VecEnv"),
        ("benchmarks.train.course", "from conflictbench.wrappers.sb3_vec_env import SB3VecEnv"),
        ("wrappers", "import conflictbench.wrappers.sb3_vec_env"),
    ],
)
def test_imports__a_planted_one_is_seen(module: str, source: str) -> None:
    assert len(faults(module, source)) == 1


@pytest.mark.parametrize(
    "module, source",
    [
        ("benchmarks.train", "def train():\n    import torch"),
        ("benchmarks.train", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch"),
        ("benchmarks.runner", "from conflictbench import __version__"),
        ("wrappers.sb3_vec_env", "from stable_baselines3.common.vec_env import VecEnv"),
        ("benchmarks.train.course", "def f():\n    from conflictbench.wrappers.sb3_vec_env import SB3VecEnv"),
        ("wrappers.history", "from conflictbench.envs import FictionEnv"),
        ("", "def __getattr__(name):\n    from conflictbench.envs import FictionEnv"),
    ],
)
def test_imports__an_allowed_one_passes(module: str, source: str) -> None:
    assert faults(module, source) == []


def test_links__are_relative_and_lead_to_the_top_folders() -> None:
    links = {path.name: str(path.readlink()) for path in PACKAGE.iterdir() if path.is_symlink()}
    assert links == {name: f"../../{name}" for name in LINKED}


def test_folders__each_with_modules_is_a_package() -> None:
    bare = sorted(
        {str(p.parent.relative_to(ROOT)) for p in MODULES.values() if not (p.parent / "__init__.py").exists()}
    )
    assert bare == []


def test_modules__begin_with_a_docstring() -> None:
    without = [name for name, path in MODULES.items() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))]
    assert without == []


def test_files__stay_small_and_are_named_after_an_idea() -> None:
    files = [*MODULES.values(), *sorted((ROOT / "tests").rglob("*.py"))]
    long = {str(p.relative_to(ROOT)): n for p in files if (n := len(p.read_text("utf-8").splitlines())) > 500}
    assert long == {}
    vague = re.compile(r"^(utils?|helpers?|misc|common)\.py$")
    assert [str(p.relative_to(ROOT)) for p in files if vague.match(p.name)] == []


def test_texts__name_no_machine_and_no_registry_host() -> None:
    words = re.compile(
        r"(?<![\w.])/(?:work|root)/|\bsub-?agents?\b|pypi\.org|pythonhosted|registry\.npmjs|deb\.debian", re.I
    )
    found = []
    for path in kept_files():
        if path == Path(__file__).resolve() or path.suffix in {".jpg", ".png", ".ttf"} or path.is_symlink():
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if hit := words.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {hit.group()}")
    assert found == []
