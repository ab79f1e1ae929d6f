"""The wheel holds the package, whole and alone, whether built from the checkout or from the source archive."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.checkout import ROOT, kept_files

DATA = {".yaml", ".j2", ".html", ".css", ".js", ".svg", ".txt", ".ttf"}


def package_files() -> set[str]:
    """What must be in a wheel: every module and data file below src, links followed."""
    found = set()
    for folder, folders, names in os.walk(ROOT / "src" / "conflictbench", followlinks=True):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            if Path(name).suffix in {".py", *DATA} or name == "py.typed":
                found.add(str((Path(folder) / name).relative_to(ROOT / "src")))
    return found


def copy_checkout(target: Path) -> Path:
    """What git keeps or would keep, links as links, so that a build leaves nothing in the checkout."""
    for path in kept_files():
        copy = target / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy, follow_symlinks=False)
    return target


def run(*arguments: str | Path, cwd: Path, **environment: str) -> str:
    """The output of a Python process; a failure shows what it said."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A wheel from the checkout, and one from the source archive of the same checkout."""
    checkout = copy_checkout(tmp_path_factory.mktemp("checkout"))
    built = {"checkout": tmp_path_factory.mktemp("direct"), "archive": tmp_path_factory.mktemp("archive")}
    run("-m", "build", "--no-isolation", "--wheel", "--outdir", built["checkout"], checkout, cwd=checkout)
    shutil.rmtree(checkout / "build")
    run("-m", "build", "--no-isolation", "--outdir", built["archive"], checkout, cwd=checkout)
    return {name: next(folder.glob("*.whl")) for name, folder in built.items()}


@pytest.mark.parametrize("source", ["checkout", "archive"])
def test_wheel__holds_every_module_and_data_file_and_nothing_else(wheels: dict[str, Path], source: str) -> None:
    with zipfile.ZipFile(wheels[source]) as wheel:
        names = set(wheel.namelist())
    assert {name for name in names if not name.split("/")[0].endswith(".dist-info")} == package_files()
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_wheel__what_it_must_hold_is_not_empty() -> None:
    files = package_files()
    assert {"conflictbench/py.typed", "conflictbench/envs/fiction/env.py", "conflictbench/cli.py"} <= files
    assert sum(name.endswith(".yaml") for name in files) >= 3
    assert any(name.endswith(".j2") for name in files)


def test_wheel__plays_once_installed_elsewhere(wheels: dict[str, Path], tmp_path: Path) -> None:
    place = tmp_path / "site"
    run(
        "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", place, wheels["archive"], cwd=tmp_path
    )
    program = (
        "import conflictbench, gymnasium\n"
        "env = gymnasium.make('ConflictBench/EP1-v0')\n"
        "observation, info = env.reset(seed=0)\n"
        "print(conflictbench.__file__, conflictbench.__version__, info['scenario'], len(observation['text']) > 500)\n"
    )
    shown = run("-c", program, cwd=tmp_path, PYTHONPATH=str(place), CONFLICTBENCH_CACHE="off").split()
    assert shown == [str(place / "conflictbench" / "__init__.py"), "0.1.0", "EP1-001", "True"]
