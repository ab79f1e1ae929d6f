"""The games of the core scenarios: every bar cleared, every quota met, and texts as long as the format wants them."""

from __future__ import annotations

from functools import cache

import pytest

from conflictbench.scenario_specs.parties.joint import get_joint, two_party_ids
from conflictbench.scenario_specs.parties.proof import Proof, prove
from conflictbench.scenario_specs.parties.suite import quotas

NAMES = two_party_ids()


@cache
def proof(name: str) -> Proof:
    return prove(get_joint(name))


@pytest.mark.parametrize("name", NAMES)
def test_bars__are_cleared(name: str) -> None:
    made = proof(name)

    # Bar 1 holds processor time to a limit as well; here its sizes alone are looked at.
    assert [miss for bar in made.bars for miss in bar.misses if " s of processor time" not in miss] == []
    assert made.breaches == ()
    assert [bar.number for bar in made.bars] == list(range(1, 15))


def test_quotas__are_met_and_each_class_is_there() -> None:
    made = [proof(name) for name in NAMES]

    assert [str(quota) for quota in quotas(made) if not quota.met] == []
    assert {"sacrifice", "standoff"} <= {item.kind for item in made}
    assert any(item.hard for item in made)


@pytest.mark.parametrize("name", NAMES)
def test_payoff_sets__are_exact(name: str) -> None:
    mixed, thinned, _ = proof(name).approximations

    assert (mixed, thinned) == (0, 0)


@pytest.mark.parametrize("name", NAMES)
def test_texts__have_the_lengths_of_the_format(name: str) -> None:
    block = get_joint(name).game.block
    lengths: dict[str, tuple[int, tuple[int, int]]] = {}
    for move in block.adds.moves:
        lengths[f"{move.id}.help"] = (len(move.help.split()), (4, 30))
        lengths |= {f"{move.id}.says.{n}": (len(s.text.split()), (12, 30)) for n, s in enumerate(move.says)}
        lengths |= {f"{move.id}.needs.{n}": (len(s.else_.split()), (4, 25)) for n, s in enumerate(move.needs)}
    for action, needs in block.adds.needs.items():
        lengths |= {f"{action}.needs.{n}": (len(s.else_.split()), (4, 25)) for n, s in enumerate(needs)}
    if block.both_ends is not None:
        lengths["both_ends"] = (len(block.both_ends.split()), (50, 100))

    assert [(key, n) for key, (n, (low, high)) in lengths.items() if not low <= n <= high] == []


@pytest.mark.parametrize("name", NAMES)
def test_tables__are_the_same_object_and_read_only(name: str) -> None:
    joint = get_joint(name)

    assert get_joint(name) is joint
    assert joint.tables is joint.tables
    assert not any(array.flags.writeable for _, array in joint.tables.arrays())
