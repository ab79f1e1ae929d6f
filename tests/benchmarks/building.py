"""Records and runs for tests, built by hand."""

from __future__ import annotations

from typing import Any

from conflictbench.benchmarks.manifest import EnvEntry, RunIdentity
from conflictbench.types import EpisodeKey, EpisodeRecord, Label, Status, StepRecord

ENV_HASH = "0123abcd"


def a_record(
    scenario: str = "EP1-001",
    variant: str = "conflict",
    seed: int = 0,
    *,
    label: Label | None = Label.HUMAN,
    status: Status = Status.COMPLETED,
    agent: str = "random",
    epoch: int = 0,
    attempt: int = 1,
    **fields: Any,
) -> EpisodeRecord:
    """One attempt; `label` is dropped where the status has no outcome."""
    ended = status is Status.COMPLETED
    return EpisodeRecord(
        key=EpisodeKey(scenario=scenario, variant=variant, env_hash=ENV_HASH, agent=agent, seed=seed, epoch=epoch),
        attempt=attempt,
        status=status,
        env_id=f"ConflictBench/{scenario.split('-')[0]}-v0",
        outcome=label.value if ended and label else None,
        label=label if ended else None,
        **fields,
    )


def two_steps() -> tuple[StepRecord, ...]:
    """Steps with text that JSON has to escape."""
    return (
        StepRecord(index=0, action="open_door", command="open door", text='The door says "no".\nStill shut.'),
        StepRecord(index=1, command="caf\u00e9 \u2028 \x07", text="What?"),
    )


def an_identity(
    scenarios: tuple[str, ...] = ("EP1-001",),
    variants: tuple[str, ...] = ("conflict",),
    seeds: int = 3,
    agent: str = "random",
    suite: str = "ep1",
    epochs: int = 1,
) -> RunIdentity:
    """A run over EP1 scenarios whose keys are those of `a_record`."""
    env = EnvEntry(
        env_id="ConflictBench/EP1-v0",
        env_hash=ENV_HASH,
        kwargs={"observation": "text"},
        scenarios=dict.fromkeys(scenarios, "d" * 32),
    )
    return RunIdentity(
        suite=suite, agent=agent, envs=(env,), variants=variants, seeds=tuple(range(seeds)), epochs=epochs
    )
