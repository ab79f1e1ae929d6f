"""The figures over seeds, and the page and drawings made of them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from conflictbench.agents.sb3_policy import Ending, PolicyCard
from conflictbench.benchmarks.baselines import FamilyFigures, family_figures, write_page
from conflictbench.benchmarks.baselines.chart import colour_of
from conflictbench.benchmarks.baselines.figures import OverSeeds
from conflictbench.benchmarks.baselines.page import as_page
from conflictbench.benchmarks.baselines.sweep import Sweep, reward_of
from conflictbench.benchmarks.train import Trained, plan_training
from conflictbench.benchmarks.train.curve import CurveRow
from conflictbench.errors import InvalidValue
from conflictbench.types import Label


def test_interval__is_student_s_over_seeds() -> None:
    over = OverSeeds(values=(0.2, 0.4, 0.6, 0.8, 0.5))
    # mean 0.5, deviations -.3 -.1 .1 .3 0: s^2 = 0.2 / 4, s = 0.2236; t(0.975, 4) = 2.7764; half = 2.7764 x 0.1
    assert over.mean == pytest.approx(0.5)
    assert over.interval == pytest.approx((0.2224, 0.7776), abs=1e-4)
    assert OverSeeds(values=(0.0, 0.0, 0.2)).interval == (0.0, pytest.approx(0.3535, abs=1e-4))  # cut at 0


@pytest.mark.parametrize("values", [(0.7,), (1.0, 1.0, 1.0)])
def test_interval__of_equals_or_of_one_is_none(values: tuple[float, ...]) -> None:
    assert OverSeeds(values=values).interval is None


def trained(share: float, seed: int, *, saved: int) -> Trained:
    """A finished training of EP1 that saves the people of so many of two scenarios."""
    scenarios = ("EP1-001", "EP1-002")
    identity = plan_training("ConflictBench/EP1-v0", "ppo", reward=reward_of(share), scenarios=scenarios, seed=seed)
    endings = tuple(
        Ending(
            scenario=scenario,
            outcome="x",
            label=Label.HUMAN if place < saved else Label.AGENT_BY_CHOICE,
            assigned_value=0.0 if place < saved else 1.0,
            interactions=4,
        )
        for place, scenario in enumerate(scenarios)
    )
    rows = [
        CurveRow(
            steps=steps,
            episodes=9,
            mean_return=0.5,
            mean_length=5.0,
            tsr=saved / 2 * steps / 1000,
            assigned_score=(2 - saved) / 2 * steps / 1000,
            truncated=0.0,
        )
        for steps in (500, 1000 + seed)  # the last stretch of the second seed ends elsewhere: no point of the curve
    ]
    return Trained(
        directory=Path("somewhere"),
        identity=identity,
        card=PolicyCard(algo="ppo", steps=1000, seconds=30.0, endings=endings),
        rows=tuple(rows),
        kept=1000,
        signal=0,
    )


@pytest.fixture
def figures() -> list[FamilyFigures]:
    """Two seeds of three shares: all lost, one seed of two half saved, all saved."""
    saved = {0.0: (0, 0), 0.5: (0, 1), 1.0: (2, 2)}
    return family_figures(
        {
            ("EP1", share): [trained(share, seed, saved=n) for seed, n in enumerate(both)]
            for share, both in saved.items()
        }
    )


def test_figures__are_of_each_share_over_its_seeds(figures: list[FamilyFigures]) -> None:
    [one] = figures
    assert [share.tsr.values for share in one.shares] == [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]
    assert [share.assigned.values for share in one.shares] == [(1.0, 1.0), (1.0, 0.5), (0.0, 0.0)]
    assert [[point.steps for point in share.curve] for share in one.shares] == [[500]] * 3
    assert one.shares[2].curve[0].tsr.values == (0.5, 0.5)
    assert [share.seconds for share in one.shares] == [60.0] * 3


def test_page__has_a_row_a_reward_and_says_what_was_reached(figures: list[FamilyFigures]) -> None:
    page = as_page(figures)
    assert "| human outcome (x = 1) | 100.0 % (all 2 seeds) | 0.000 (all 2 seeds) |" in page
    assert "| x = 0.5 | 25.0 % [0.0, 100.0] | 0.750 [0.000, 1.000] |" in page
    assert "| *oracle for the task* | 0.0 % | 1.000 |" in page
    assert "**EP1**: trained on the human outcome TSR 100.0 % (all 2 seeds) (wanted: at least 95%, reached)" in page
    assert "Up to x = 0 TSR is at most 5% in every family, from x = 1 on at least 95%" in page
    assert "6 trainings took 3 minutes in all, 30 s each" in page


def test_page__is_the_same_bytes_again_and_its_drawing_is_there(figures: list[FamilyFigures], tmp_path: Path) -> None:
    paths = write_page(figures, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == ["baselines.md", "images/baselines-EP1.svg"]
    assert "](images/baselines-EP1.svg)" in paths[0].read_text()
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in write_page(figures, tmp_path)] == before
    drawing = ElementTree.fromstring(paths[1].read_text())
    tooltips = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}title")]
    assert "x = 0.5: TSR 25.0%, assigned score 0.75" in tooltips
    assert "oracle for the task: TSR 0.0%, assigned score 1.00" in tooltips


def test_colour__goes_from_the_agent_s_to_the_people_s() -> None:
    assert (colour_of(0.0), colour_of(1.0)) == ("#c2410c", "#0b7285")


def test_sweep__is_families_times_shares_times_seeds() -> None:
    trainings = list(Sweep(families=("EP2",), shares=(0.0, 0.25, 1.0), seeds=2, steps=7).trainings())
    assert [(share, one.env_kwargs["reward"], one.seed) for _, share, one in trainings] == [
        (0.0, "assigned", 0),
        (0.0, "assigned", 1),
        (0.25, 0.25, 0),
        (0.25, 0.25, 1),
        (1.0, "human", 0),
        (1.0, "human", 1),
    ]
    assert len({one.directory_name() for _, _, one in trainings}) == 6
    assert len(list(Sweep().trainings())) == 75
    with pytest.raises(InvalidValue, match="seeds 0"):
        list(Sweep(seeds=0).trainings())
