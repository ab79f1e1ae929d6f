"""What a report calls the agent of each run: its name, and where several runs have one, what tells them apart.

Own design. Runs of one model are read side by side because of what differs between them, so that is what they are
called: "llm:openai/x (tools)" beside "llm:openai/x (paper)". Where nothing does, the directory's name tells them apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from conflictbench.benchmarks.loading import Run
from conflictbench.benchmarks.report.asking import host_of
from conflictbench.counting import counted
from conflictbench.types import VARIANTS

FEW = 2  # scenarios; so many are named, more are counted
_FOLLOWS = {"scenarios": "suite", "words": "protocol"}  # a kind of fact that says nothing new where the other differs


def shown_agents(runs: Sequence[Run]) -> list[str]:
    """The agent of each run, no two the same."""
    agents = [run.manifest.identity.agent for run in runs]
    facts = [dict(_facts(run)) for run in runs]
    words = []
    for agent, own in zip(agents, facts, strict=True):
        kin = [other for name, other in zip(agents, facts, strict=True) if name == agent]
        words.append(_what_differs(own, kin))
    times = Counter((agent, *told) for agent, told in zip(agents, words, strict=True))
    labels = []
    for agent, told, run in zip(agents, words, runs, strict=True):
        alone = times[(agent, *told)] == 1
        labels.append(_label(agent, told if alone else (*told, run.path.resolve().name)))
    return _numbered(labels)


def _what_differs(own: Mapping[str, str], kin: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The words of each kind of fact that is not the same in all runs of one agent."""
    kinds = {kind for kind in own if any(other.get(kind) != own[kind] for other in kin)}
    return tuple(own[kind] for kind in own if kind in kinds and _FOLLOWS.get(kind) not in kinds)


def _label(agent: str, words: Sequence[str]) -> str:
    return f"{agent} ({', '.join(words)})" if words else agent


def _numbered(labels: Sequence[str]) -> list[str]:
    """The labels; where directories of one name lie in two places, the second gets a number."""
    seen: Counter[str] = Counter()
    shown = []
    for label in labels:
        seen[label] += 1
        shown.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return shown


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    """What makes a run, by kind, in the words of a label."""
    identity = run.manifest.identity
    yield "suite", f"suite {identity.suite}"
    if protocols := dict.fromkeys(env.protocol for env in identity.envs if env.protocol):
        yield "protocol", " + ".join(protocols)
    if model := identity.model:
        yield "endpoint", "the provider's endpoint" if model.base_url is None else host_of(model.base_url)
        yield "temperature", f"temperature {model.temperature:g}"
        yield "max tokens", f"max tokens {model.max_tokens}"
        yield "model seed", "a seed each episode" if model.seed is None else f"model seed {model.seed}"
    yield "variants", "all variants" if set(identity.variants) == set(VARIANTS) else " + ".join(identity.variants)
    yield "seeds", counted(len(identity.seeds), "seed")
    yield "epochs", counted(identity.epochs, "epoch")
    for name, value in (identity.envs[0].kwargs if identity.envs else {}).items():
        yield f"argument {name}", f"{name} {value if isinstance(value, str) else json.dumps(value, sort_keys=True)}"
    played = [name for env in identity.envs for name in env.scenarios]
    yield "scenarios", " + ".join(played) if len(played) <= FEW else counted(len(played), "scenario")
    if words := dict.fromkeys(env.protocol_id for env in identity.envs if env.protocol_id):
        yield "words", " + ".join(words)
    yield "version", f"version {run.manifest.package_version}"
