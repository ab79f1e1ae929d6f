"""`python -m conflictbench.benchmarks.crossplay.learners`: PPO in each chair against each bot, as a table. Own design.

Each training is kept below `runs/`, so the same command goes on where it was stopped. Beside what was learnt stands the
exact best reply to the same bot: how much of what could be had a learner of one agent finds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from conflictbench.benchmarks.crossplay.plan import Conditions, games_called
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.runner import RUNS
from conflictbench.benchmarks.train.party import plan_party, train_party
from conflictbench.errors import ConflictBenchError
from conflictbench.scenario_specs.parties.block import ROLES, Role
from conflictbench.scenario_specs.parties.bots import BOTS
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.policies import own_aim, play, reply
from conflictbench.scenario_specs.parties.worth import UNIT

SEEDS = 50  # plays of each start against a bot that mixes its moves


@dataclass(frozen=True, kw_only=True)
class Row:
    """One learner; payoffs are means over all starts, on the scale of the file."""

    scenario: str
    role: Role
    against: str
    learnt: float
    best: float  # exact best reply
    human: float
    both: float


def best_reply(joint: Joint, role: Role, against: str) -> float:
    """Mean payoff over all starts of the best reply to a bot."""
    party = ROLES.index(role)
    tables = joint.tables
    other = joint.bots.get(ROLES[1 - party], against)
    mine, _ = reply(tables, other, own_aim(tables, party), joint.bots.sure[party].value)
    values = play(tables, *((mine, other) if party == 0 else (other, mine)))
    return fmean(float(values[start.state, party]) for start in tables.starts) / UNIT


def learn(joint: Joint, role: Role, against: str, *, steps: int | None, runs: Path) -> Row | None:
    """Train one chair, let it meet the bot it was trained against; None where a signal ended it."""
    training = plan_party(joint.id, role, against, steps=steps)
    policy = train_party(training, runs / training.directory_name())
    if policy is None:
        return None
    name = f"sb3:{policy}"
    party = ROLES.index(role)
    found = run_crossplay(
        [name, against] if against in BOTS[role] else [name, against, BOTS[role][0]],
        games=[joint],
        conditions=Conditions(seeds=SEEDS),
        runs=runs,
    ).found
    pair = (name, against) if party == 0 else (against, name)
    (kind,) = found.games
    cell = found.cell(kind, *pair)
    assert cell is not None and cell.human.value is not None
    return Row(
        scenario=joint.id,
        role=role,
        against=against,
        learnt=cell.payoff[party].value or 0.0,
        best=best_reply(joint, role, against),
        human=cell.human.value,
        both=cell.both.value or 0.0,
    )


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Markdown."""
    yield "| game | chair | against | learnt | best reply | human | both |"
    yield "|---|---|---|---:|---:|---:|---:|"
    for row in rows:
        figures = " | ".join(f"{value + 0.0:.2f}" for value in (row.learnt, row.best, row.human, row.both))
        yield f"| {row.scenario} | {row.role} | `{row.against}` | {figures} |"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m conflictbench.benchmarks.crossplay.learners", description=__doc__)
    parser.add_argument("--scenario", action="append", default=[], help="this game alone; repeatable")
    parser.add_argument("--steps", type=int, help="of each training")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where all is kept (default: %(default)s)")
    given = parser.parse_args(arguments)
    rows = []
    try:
        for joint in games_called(given.scenario):
            for party, role in enumerate(ROLES):
                for against in BOTS[ROLES[1 - party]]:
                    row = learn(joint, role, against, steps=given.steps, runs=given.runs)
                    if row is None:
                        print("interrupted; give the same command again to go on", file=sys.stderr)
                        return 130
                    rows.append(row)
    except (ConflictBenchError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    print("\n".join(table(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
