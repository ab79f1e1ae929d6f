"""Players and models for tests of runs."""

from __future__ import annotations

import pytest

from conflictbench.agents import make_agent
from conflictbench.agents.models import OnCall, PaidModel, ScriptedModel, UsageModel
from conflictbench.agents.models.fake import Script
from conflictbench.benchmarks.limits import NO_LIMITS, EpisodeMeter, Spending
from conflictbench.benchmarks.player import Player
from conflictbench.benchmarks.units import Unit
from conflictbench.types import Decision, EpisodeRecord

LLM = "llm:fake/look"


class Nobody:
    """Watches players and does nothing about it."""

    def begin_episode(self, unit: Unit) -> EpisodeMeter:
        return Spending(NO_LIMITS).begin_episode(unit.key.scenario)

    def decided(self, decision: Decision) -> None: ...

    def ended(self, record: EpisodeRecord, meter: EpisodeMeter) -> None: ...


def a_player(agent: str = "random") -> Player:
    """A player on the caller's thread, as a run of one agent at a time has it."""
    return Player(lambda: make_agent(agent), Nobody(), lambda: None)


def ask(monkeypatch: pytest.MonkeyPatch, script: Script) -> None:
    """Let every `llm` agent ask a scripted model."""

    def make(spec: str, options: object, *, spent: object = None, on_call: OnCall | None = None) -> UsageModel:
        model = ScriptedModel(script, model=spec)
        return UsageModel(model if on_call is None else PaidModel(model, on_call))

    monkeypatch.setattr("conflictbench.benchmarks.cast.make_model", make)
