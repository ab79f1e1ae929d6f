"""What makes two commands the same run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.building import an_identity

from conflictbench.benchmarks.manifest import Manifest, digest, file_digest


def test_identity__equal_runs_have_equal_names() -> None:
    assert an_identity().directory_name() == an_identity().directory_name()
    assert an_identity().directory_name().startswith("ep1-random-")
    assert len(an_identity().hash()) == 8


def test_identity__every_field_changes_the_hash() -> None:
    base = an_identity()
    env = base.envs[0]
    others = [
        base.model_copy(update=update)
        for update in (
            {"suite": "ep"},
            {"agent": "aligned"},
            {"agent_input": "0" * 32},
            {"envs": (env.model_copy(update={"kwargs": {"observation": "features"}}),)},
            {"envs": (env.model_copy(update={"scenarios": {"EP1-001": "e" * 32}}),)},
            {"variants": ("control",)},
            {"seeds": (0, 1)},
            {"epochs": 2},
        )
    ]
    assert len({identity.hash() for identity in [base, *others]}) == 9


def test_identity__a_hostile_agent_name_stays_one_path_component() -> None:
    name = an_identity(agent="replay:../../etc/passwd\n/x").directory_name()
    assert Path(name).name == name
    assert ".." not in name
    assert name.startswith("ep1-replay-etc-passwd-x-")


def test_identity__a_name_without_any_usable_character_still_has_one() -> None:
    assert an_identity(agent="../..").directory_name().startswith("ep1-agent-")


def test_identity__a_long_name_is_cut() -> None:
    assert len(an_identity(agent="a" * 500).directory_name()) == len("ep1-") + 40 + len("-01234567")


def test_identity__episodes_are_the_whole_product_each_once() -> None:
    identity = an_identity(("EP1-001", "EP1-002"), ("conflict", "control"), seeds=3, epochs=2)
    keys = list(identity.episodes())
    assert len(keys) == len(set(keys)) == 2 * 2 * 3 * 2
    assert (keys[0].seed, keys[0].epoch, keys[-1].seed, keys[-1].epoch) == (0, 0, 2, 1)


def test_manifest__survives_json() -> None:
    manifest = Manifest.new(an_identity(), ("a note",), command="conflictbench run", sources={"mine.py": "0" * 32})
    assert Manifest.model_validate_json(manifest.model_dump_json()) == manifest
    assert set(manifest.versions) == {"python", "gymnasium", "numpy", "pydantic"}


def test_digest__refuses_what_json_cannot_hold() -> None:
    with pytest.raises(TypeError):
        digest({"reward": object()}, 4)
    with pytest.raises(ValueError, match="not JSON compliant"):
        digest({"reward": float("nan")}, 4)


def test_file_digest__follows_the_content(tmp_path: Path) -> None:
    file = tmp_path / "episodes.jsonl"
    file.write_text("a")
    first = file_digest(str(file))
    file.write_text("b")
    assert first != file_digest(str(file))
    assert file_digest("") is file_digest("no.such") is file_digest(str(tmp_path)) is None
