"""`conflictbench verify --parties`: two-party games solved and held against their bars. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from conflictbench.commands.output import print_json
from conflictbench.counting import counted

if TYPE_CHECKING:
    from conflictbench.scenario_specs.parties.proof import Proof


def verify_games(paths: list[Path], *, full: bool, as_json: bool) -> int:
    """Prove every game in the files, print what was found, and give the exit code.

    Args:
        full: correlated equilibria too.
    """
    from conflictbench.scenario_specs.parties.report import legend, lines, plain
    from conflictbench.scenario_specs.parties.suite import quotas

    proofs, faults, without = [], [], []
    for path in paths:
        proof, found = _proved(path, full)
        faults.extend(found)
        if proof is None:
            without += [] if found else [path]
            continue
        proofs.append(proof)
        if not as_json:  # said at once: a folder of games takes a while
            for line in lines(proof):
                typer.echo(line)
    over_all = quotas(proofs)
    missed = sum(not proof.ok for proof in proofs) + len(faults)
    wrong = missed + sum(not quota.met for quota in over_all)
    if as_json:
        suite = [{"name": q.name, "count": q.count, "least": q.least, "most": q.most, "met": q.met} for q in over_all]
        plain_faults = [str(fault) for fault in faults]
        print_json({"games": [plain(proof) for proof in proofs], "suite": suite, "faults": plain_faults})
    else:
        summary = f"{counted(len(proofs), 'game')}, {missed} with something missed"
        skipped = f"{counted(len(without), 'file')} without a `parties` block"
        for line in (*faults, *over_all, *(legend() if proofs else ()), summary, *([skipped] if without else [])):
            typer.echo(line)
    return 1 if wrong else 0


def _proved(path: Path, full: bool) -> tuple[Proof | None, list[Any]]:
    """The proof of the game of one file, or the faults why there is none; neither where it has no such block."""
    from conflictbench.errors import SpecError
    from conflictbench.scenario_specs import load_scenario
    from conflictbench.scenario_specs.parties.joint import joint_of
    from conflictbench.scenario_specs.parties.proof import prove

    try:
        loaded = load_scenario(path)
        return (prove(joint_of(loaded), full=full), []) if loaded.spec.parties is not None else (None, [])
    except SpecError as error:
        return None, list(error.faults)
