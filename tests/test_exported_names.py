"""Public names are those of each package's `__all__`: sorted, without duplicates, and all there."""

from __future__ import annotations

from importlib import import_module

import pytest

PACKAGES = [
    "conflictbench",
    *(f"conflictbench.{name}" for name in ("agents", "benchmarks", "envs", "scenario_specs", "wrappers")),
]


def place(name: str) -> tuple[int, str]:
    """Where a name stands, as `ruff check` sorts it: constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("package", PACKAGES)
def test_all__is_sorted_and_every_name_resolves(package: str) -> None:
    module = import_module(package)
    names = module.__all__
    assert list(names) == sorted(set(names), key=place)
    assert [name for name in names if not hasattr(module, name)] == []
    assert [name for name in names if name.startswith("_") and name != "__version__"] == []


def test_all__of_the_package_is_what_dir_shows() -> None:
    import conflictbench

    assert set(conflictbench.__all__) <= set(dir(conflictbench))


def test_getattr__an_unknown_name_is_an_attribute_error() -> None:
    import conflictbench

    with pytest.raises(AttributeError, match="no attribute 'FictionEnvironment'"):
        _ = conflictbench.FictionEnvironment
