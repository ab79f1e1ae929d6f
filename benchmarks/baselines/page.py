"""The page docs/baselines.md and its drawings, from the figures: equal figures make equal bytes. Own design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from conflictbench.benchmarks.baselines.bounds import Score
from conflictbench.benchmarks.baselines.chart import draw_family
from conflictbench.benchmarks.baselines.figures import LOST, SAVED, FamilyFigures, OverSeeds, ShareFigures
from conflictbench.benchmarks.baselines.sweep import ALGO
from conflictbench.counting import counted

PAGE = "baselines.md"

HEAD = """# Baselines: what is learnt from which reward

Written by `make baselines`; edit nothing here by hand.

Agents of one algorithm (`{algo}`, 32 features, no words) are trained on every scenario of a family and differ in their
reward alone: x times the human outcome plus 1 - x times the value that the agent's assigned objective has in the file.
At x = 1 only the people count, at x = 0 only the task. {seeds} an x, {steps} each.

Scored are each policy's best actions, one episode a scenario (neither world nor policy holds chance), as
`conflictbench run --agent sb3:PATH` scores them: **TSR**, the share of scenarios whose people are saved, and the
**assigned score**, the mean assigned value of the outcomes, 0 where the cap on interactions came first. Means over
seeds, with Student's 95 % interval; where every seed came to the same there is no interval to give. Random play is
exact, by dynamic programming; the oracles are the agents `aligned` and `assigned`.
"""


def write_page(figures: Sequence[FamilyFigures], folder: Path) -> list[Path]:
    """Write the page and one drawing a family below `folder`; returns their paths."""
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    paths = []
    for one in figures:
        paths.append(images / f"baselines-{one.family}.svg")
        paths[-1].write_text(draw_family(one), "utf-8")
    page = folder / PAGE
    page.write_text(as_page(figures), "utf-8")
    return [page, *paths]


def as_page(figures: Sequence[FamilyFigures]) -> str:
    """The page in Markdown."""
    seeds = {len(share.tsr.values) for one in figures for share in one.shares}
    steps = sorted({one.steps for one in figures})
    head = HEAD.format(
        algo=ALGO,
        seeds=counted(max(seeds), "seed").capitalize(),
        steps=" or ".join(f"{number:,}" for number in steps) + " steps",
    )
    parts = [head, "## In short\n\n" + "\n".join(f"- {line}" for line in _findings(figures)) + "\n"]
    parts += [_section(one) for one in figures]
    parts.append(_cost(figures))
    return "\n".join(parts)


def _findings(figures: Sequence[FamilyFigures]) -> Iterator[str]:
    for one in figures:
        people, task = one.shares[-1], one.shares[0]
        yield (
            f"**{one.family}**: trained on the human outcome TSR {_percent(people.tsr)} "
            f"(wanted: at least {SAVED:.0%}, {_reached(people.tsr.mean >= SAVED)}), "
            f"on the assigned objective {_percent(task.tsr)} "
            f"(wanted: at most {LOST:.0%}, {_reached(task.tsr.mean <= LOST)})."
        )
    even = Counter(round(share, 2) for one in figures for share in one.bounds.even)
    where = ", ".join(f"x = {share:g} in {number}" for share, number in sorted(even.items(), reverse=True))
    yield (
        f"The best ending for people and the best one for the task are worth the same at {where} of "
        f"{counted(sum(even.values()), 'scenario')}: there the discount decides, for the shorter way, and chance. "
        f"{_switch(figures)}"
    )


def _switch(figures: Sequence[FamilyFigures]) -> str:
    """Between which shares the people come to be saved."""
    shares = sorted({share.share for one in figures for share in one.shares})
    tsr = {x: [s.tsr.mean for one in figures for s in one.shares if s.share == x] for x in shares}
    lost = [x for x in shares if max(tsr[x]) <= LOST]
    saved = [x for x in shares if min(tsr[x]) >= SAVED]
    if not lost or not saved or max(lost) > min(saved):
        return "No share of those tried parts all families into saved and lost."
    return (
        f"Up to x = {max(lost):g} TSR is at most {LOST:.0%} in every family, from x = {min(saved):g} on at least "
        f"{SAVED:.0%}: a mixture is no compromise, the agent changes sides."
    )


def _section(one: FamilyFigures) -> str:
    bounds = one.bounds
    rows = [
        _known("oracle for people", bounds.for_people),
        *(_row(share) for share in reversed(one.shares)),
        _known("oracle for the task", bounds.for_task),
        _known("random play", bounds.random),
    ]
    lines = [
        f"## {one.family}",
        "",
        f"{counted(len(one.scenarios), 'scenario')}: {', '.join(one.scenarios)}.",
        "",
        f"![TSR against assigned score, and both while learning](images/baselines-{one.family}.svg)",
        "",
        "| reward | TSR | assigned score |",
        "|---|---|---|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def _row(share: ShareFigures) -> str:
    names = {0.0: "assigned objective (x = 0)", 1.0: "human outcome (x = 1)"}
    name = names.get(share.share, f"x = {share.share:g}")
    return f"| {name} | {_percent(share.tsr)} | {_number(share.assigned)} |"


def _known(name: str, score: Score) -> str:
    return f"| *{name}* | {100 * score.tsr:.1f} % | {score.assigned:.3f} |"


def _percent(over: OverSeeds) -> str:
    interval = over.interval
    tail = _equal(over) if interval is None else f" [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"
    return f"{100 * over.mean:.1f} %{tail}"


def _number(over: OverSeeds) -> str:
    interval = over.interval
    tail = _equal(over) if interval is None else f" [{interval[0]:.3f}, {interval[1]:.3f}]"
    return f"{over.mean:.3f}{tail}"


def _equal(over: OverSeeds) -> str:
    return f" (all {len(over.values)} seeds)" if len(over.values) > 1 else " (one seed)"


def _reached(reached: bool) -> str:
    return "reached" if reached else "not reached"


def _cost(figures: Sequence[FamilyFigures]) -> str:
    seconds = sum(share.seconds for one in figures for share in one.shares)
    trainings = sum(len(share.tsr.values) for one in figures for share in one.shares)
    return (
        f"## Cost\n\n{counted(trainings, 'training')} took {seconds / 60:,.0f} minutes in all, "
        f"{seconds / trainings:,.0f} s each on one core. The same command goes on where it was stopped, and reads what "
        "is finished; settings: `benchmarks/train/settings/`.\n"
    )
