"""Whatever stands in a file, loading ends in a scenario or in faults that print; never in another exception."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.scenario_specs.small import SMALL, small_data

from conflictbench.errors import SpecError
from conflictbench.scenario_specs import CommandBook, LoadedScenario, Narrator, load_data, load_scenario
from conflictbench.scenario_specs.key_paths import Location
from conflictbench.types import VARIANTS

WORDS: list[Any] = [
    "x", "", 3, -1, [], {}, {"a": 1}, ["x"], True, 1.5, float("nan"), 10**9, "\ud800", "[", "turns_left", "a" * 5_000,
    "tank", "not pump", "min(tank, 2)", {"when": "pump", "text": "x"}, "0", None, "\n", "the", {"\ud800": "\0"},
    "yield", "an", "tank_gauge_", "two\nlines", "9999-99-99 99:99", "1if pump", ["the"] * 50,
    [{"when": "pump", "text": "x"}] * 200,
]  # fmt: skip
PIECES = [b'"', b"[", b"{", b"\n", b": ", b"- ", b"&a ", b"*a ", b"!t ", b"#", b"|", b"'", b",", b"}", b"\\ud800"]


def places(data: Any, location: Location = ()) -> Iterator[Location]:
    """Every place in nested data, the root apart."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*location, key)
        yield from places(value, (*location, key))


def check_message(error: SpecError) -> None:
    text = str(error)
    text.encode("utf-8")  # a lone surrogate could not be printed
    assert error.faults
    assert text.count("\n") == len(error.faults) - 1  # one line each
    assert all(len(fault.message) < 3_100 for fault in error.faults)


def check_playable(loaded: LoadedScenario) -> None:
    """Whatever loads and compiles can be played in all four readings."""
    tables = loaded.tables
    for variant in VARIANTS:
        narrator = Narrator(loaded, variant)
        said = [narrator.opening(), narrator.help_page(), narrator.look(0), narrator.status(tables.n_states - 1)]
        assert all(text.isascii() and text.strip() for text in said)
        assert "\n" not in said[3]
    book = CommandBook(loaded.spec)
    for index, action in enumerate(loaded.spec.actions):
        assert book.match(action.command).action == index
    for item in loaded.spec.items:
        assert book.match(f"examine {item.name}").item == book.match(f"x {item.id}").item == item.id


@pytest.mark.parametrize("seed", range(8))
def test_load__any_value_anywhere_gives_faults_or_a_scenario(seed: int) -> None:
    rng = random.Random(seed)
    everywhere = list(places(small_data()))
    for _ in range(60):
        data = small_data()
        *outer, last = rng.choice(everywhere)
        block: Any = data
        for key in outer:
            block = block[key]
        if rng.random() < 0.2:
            del block[last]
        else:
            block[last] = rng.choice(WORDS)
        try:
            check_playable(load_data(data))
        except SpecError as error:
            check_message(error)


@pytest.mark.parametrize("seed", range(4))
def test_load__any_bytes_give_faults_or_a_scenario(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    whole = SMALL.read_bytes()
    for _ in range(20):
        raw = bytearray(whole)
        for _ in range(rng.choice([1, 2, 5])):
            at = rng.randrange(len(raw))
            match rng.randrange(3):
                case 0:
                    raw[at] = rng.randrange(256)
                case 1:
                    del raw[at : at + rng.randrange(1, 40)]
                case _:
                    raw[at:at] = rng.choice(PIECES)
        path = tmp_path / "EP2-900.yaml"
        path.write_bytes(raw)
        try:
            check_playable(load_scenario(path))
        except SpecError as error:
            check_message(error)
