"""The matrix of the bots: worked out, and played start by start through the PettingZoo environment."""

from __future__ import annotations

import asyncio
from math import sqrt
from statistics import fmean, pstdev

import pytest
from tests.benchmarks.crossplay.games import core_facts

from conflictbench.benchmarks.crossplay.chairs import BotChair
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.match import PlayUnit, play_out
from conflictbench.benchmarks.crossplay.matrix import Cell, Crossplay, make_cell
from conflictbench.benchmarks.crossplay.plan import PlayKey
from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.crossplay.samples import played_sample
from conflictbench.envs import task_conflict_v0
from conflictbench.scenario_specs.parties.joint import two_party_ids
from conflictbench.types import Status

FIGURES = ("human", "task", "both", "yields", "yield_turn", "returns", "collateral", "agreement")
PAIRS = ("scaled", "payoff", "regret")
IDS = two_party_ids()


def play(facts: GameFacts, incumbent: str, requester: str, start: int, seed: int = 0, talk: str = "none") -> PlayRecord:
    """One play of two bots through the environment."""
    env = task_conflict_v0.parallel_env(scenario=facts.joint.id, talk=talk)
    env.reset(seed=seed, options={"start": start})
    bots = facts.joint.bots
    chairs = (
        BotChair(env, 0, bots.get("incumbent", incumbent), seed),
        BotChair(env, 1, bots.get("requester", requester), seed),
    )
    key = PlayKey(scenario=facts.joint.id, start=start, incumbent=incumbent, requester=requester, seed=seed)
    unit = PlayUnit(key=key, attempt=1, talk=talk)  # type: ignore[arg-type]
    return asyncio.run(play_out(env, chairs, unit, facts))


def as_played(facts: list[GameFacts], incumbent: str, requester: str) -> Cell:
    """The cell of a pair, of one play from each start of each game."""
    records = [(one, play(one, incumbent, requester, start)) for one in facts for start in range(len(one.starts))]
    samples = [played_sample(one, record) for one, record in records]
    return make_cell(facts[0].kind, (incumbent, requester), samples, [record for _, record in records])


def test_matrix__of_pure_bots_is_the_mean_over_playing_every_start(all_bots: Crossplay) -> None:
    compared = 0
    kinds = {scenario: core_facts(scenario).kind for scenario in IDS}
    for cell in all_bots.cells:
        kind, incumbent, requester = cell.kind, cell.incumbent, cell.requester
        games = [core_facts(scenario) for scenario in IDS if kinds[scenario] == kind]
        pairs = [(g.joint.bots.get("incumbent", incumbent), g.joint.bots.get("requester", requester)) for g in games]
        if not all(policy.deterministic for pair in pairs for policy in pair):
            continue
        through_env = as_played(games, incumbent, requester)
        for name in FIGURES:
            ours, played = getattr(cell, name), getattr(through_env, name)
            assert (ours.value, ours.n) == (
                pytest.approx(played.value) if played.value is not None else None,
                pytest.approx(played.n),
            ), (kind, incumbent, requester, name)
        for name in PAIRS:
            for ours, played in zip(getattr(cell, name), getattr(through_env, name), strict=True):
                assert ours.value == pytest.approx(played.value), (kind, incumbent, requester, name)
        for role, pair in cell.by_first.items():
            assert pair == pytest.approx(through_env.by_first[role])
        compared += 1
    assert compared >= 4 * 4 * 3  # four classes, at least keep, fair, yielder, block with fair, persist, grab


def test_matrix__of_random_play_is_within_the_error_of_plays_through_the_environment() -> None:
    """200 plays of fixed seeds: their mean is within four standard errors of what was worked out."""
    facts = core_facts("EP2-004")
    found = run_crossplay(["fair", "random"], scenarios=["EP2-004"]).found
    for incumbent, requester in (("fair", "random"), ("random", "random")):
        cell = found.cell(facts.kind, incumbent, requester)
        assert cell is not None
        records = [play(facts, incumbent, requester, seed % 2, seed) for seed in range(200)]
        samples = [played_sample(facts, record) for record in records]
        for figure, values in (
            (cell.human, [sample.figures.human for sample in samples]),
            (cell.task, [sample.figures.task for sample in samples]),
            (cell.yields, [sample.figures.yielded for sample in samples]),
            (cell.payoff[0], [sample.figures.incumbent for sample in samples]),
            (cell.payoff[1], [sample.figures.requester for sample in samples]),
            (cell.regret[0], [sample.regret[0] for sample in samples]),
        ):
            assert figure.value is not None
            # the regret of the cell is itself a mean over 2 x 64 drawn plays
            error = pstdev(values) * sqrt(1 / len(values) + (1 / 128 if figure is cell.regret[0] else 0.0))
            assert abs(fmean(values) - figure.value) < 4 * error


def test_random_play__its_endings_are_those_of_adding_up_every_joint_move() -> None:
    """Chances carried forward a turn at a time: another way to the same figures."""
    facts = core_facts("EP2-001")
    tables, bots = facts.joint.tables, facts.joint.bots
    a, b = bots.get("incumbent", "random").weights, bots.get("requester", "random").weights
    human = both = 0.0
    for start in facts.starts:
        chances = {start.state: 1.0}
        while chances:
            state, chance = chances.popitem()
            if tables.done[state]:
                human += chance * bool(tables.latched[state, 0]) / len(facts.starts)
                both += chance * bool(tables.latched[state].all()) / len(facts.starts)
                continue
            for i in a[state].nonzero()[0]:
                for r in b[state].nonzero()[0]:
                    after = int(tables.next_state[state, i, r])
                    chances[after] = chances.get(after, 0.0) + chance * float(a[state, i] * b[state, r])
    cell = run_crossplay(["random"], scenarios=["EP2-001"]).found.cells[0]
    assert cell.human.value == pytest.approx(human)
    assert cell.both.value == pytest.approx(both)


@pytest.mark.parametrize("talk", ["none", "signal", "text"])
def test_play__bots_keep_silent_and_come_to_the_same_whatever_the_talk(talk: str) -> None:
    facts = core_facts("EP2-005")
    record = play(facts, "fair", "fair", 2, talk=talk)
    assert record.status is Status.COMPLETED
    assert record.moves == play(facts, "fair", "fair", 2).moves
    assert record.outcome is not None and record.outcome.cell == "both"
    talked = [phase for phase in record.phases if phase.phase == "talk"]
    assert len(talked) == (0 if talk == "none" else len(record.moves))
    assert {(p.incumbent.signal, p.requester.signal, p.incumbent.message) for p in talked} <= {("silent", "silent", "")}


def test_play__the_record_holds_both_sides_with_their_types_and_first_mover() -> None:
    facts = core_facts("EP2-005")
    record = play(facts, "keep", "persist", 1)
    start = facts.starts[1]
    assert record.first == ("incumbent", "requester")[start.first]
    assert record.types == dict(start.types)
    assert [phase.turn for phase in record.phases] == list(range(1, len(record.moves) + 1))
    own, other = facts.joint.tables.moves
    assert [(own.index(p.incumbent.move or ""), other.index(p.requester.move or "")) for p in record.phases] == [
        *record.moves
    ]
    assert PlayRecord.model_validate_json(record.model_dump_json()) == record
