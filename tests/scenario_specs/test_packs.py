"""Packs: ids from file names, the same scenario every time, and bits that tell scenarios apart."""

from __future__ import annotations

import shutil
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from tests.scenario_specs.small import SMALL

from conflictbench.errors import SpecError, UnknownName
from conflictbench.scenario_specs import get_scenario, packs, scenario_bits, scenario_ids
from conflictbench.scenario_specs.packs import Pack, index_folder


def test_ids__are_sorted_and_chosen_by_category() -> None:
    ids = scenario_ids()
    assert list(ids) == sorted(ids)
    assert {"EP1-001", "EP2-001", "EP3-001"} <= set(ids)
    assert scenario_ids(category="EP2") == tuple(name for name in ids if name.startswith("EP2"))
    assert sum((scenario_ids("core", category) for category in ("EP1", "EP2", "EP3")), ()) == ids


def test_get__every_core_scenario_loads_and_is_named_after_its_file() -> None:
    for name in scenario_ids():
        assert get_scenario(name).id == Path(get_scenario(name).path).stem == name


def test_get__gives_the_same_object_every_time() -> None:
    assert get_scenario("EP1-001") is get_scenario("EP1-001")


def test_get__an_unknown_id_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown scenario 'EP1-01'; known: .*EP1-001.*did you mean 'EP1-001'"):
        get_scenario("EP1-01")


@pytest.mark.parametrize("name", ["../EP1-001", "ep1/EP1-001", "EP1-001.yaml", "", "/etc/passwd"])
def test_get__a_path_is_not_an_id(name: str) -> None:
    with pytest.raises(UnknownName, match="unknown scenario"):
        get_scenario(name)


def test_ids__an_unknown_pack_or_category_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownName, match="unknown pack 'croe'; known: core"):
        scenario_ids("croe")
    with pytest.raises(UnknownName, match="unknown category 'EP4'; known: EP1, EP2, EP3"):
        scenario_ids(category="EP4")


def test_bits__are_those_of_the_digest_most_significant_first() -> None:
    bits = scenario_bits("EP1-001")
    high, low = blake2b(b"EP1-001", digest_size=2).digest()
    assert bits.dtype == np.uint8
    assert "".join(map(str, bits)) == f"{high:08b}{low:08b}"


def test_bits__are_unique_over_the_ids_that_a_category_of_fifty_would_use() -> None:
    ids = [f"EP{category}-{number:03d}" for category in (1, 2, 3) for number in range(1, 51)]
    assert len({scenario_bits(name).tobytes() for name in ids}) == 150


def test_index__two_ids_with_the_same_bits_are_refused(tmp_path: Path) -> None:
    seen: dict[bytes, str] = {}
    names = (f"EP2-{number:03d}" for number in range(1000))
    pair = next(
        (other, name) for name in names if (other := seen.setdefault(scenario_bits(name).tobytes(), name)) != name
    )
    folder = tmp_path / "ep2"
    folder.mkdir()
    for name in pair:
        (folder / f"{name}.yaml").touch()
    with pytest.raises(SpecError, match=f"{pair[1]} and {pair[0]} share their scenario bits"):
        index_folder(tmp_path)


@pytest.mark.parametrize("place", ["ep1/EP2-001.yaml", "ep2/EP2-01.yaml", "ep2/notes.yaml", "EP2-001.yaml"])
def test_index__a_misnamed_or_misplaced_file_is_refused(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    path.touch()
    with pytest.raises(SpecError, match=r"files are like ep1/EP1-001\.yaml"):
        index_folder(tmp_path)


def test_get__a_file_whose_id_is_not_its_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ep2").mkdir()
    shutil.copy(SMALL, tmp_path / "ep2" / "EP2-901.yaml")
    pack = Pack(name="other", folder=tmp_path, summary="a copy under another name")
    monkeypatch.setattr(packs, "PACKS", {"other": pack})
    with pytest.raises(SpecError, match=r"id EP2-900 stands in a file named EP2-901\.yaml"):
        get_scenario("EP2-901", pack="other")
    packs._files.cache_clear()


def test_get_scenario__is_one_object_whether_its_pack_is_named_or_not() -> None:
    assert get_scenario("EP1-001") is get_scenario("EP1-001", "core") is get_scenario("EP1-001", pack="core")
