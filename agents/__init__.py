"""Policies: they see a task, observations and info, nothing else. Own design (style guide, habit 4)."""

from conflictbench.agents.human import HumanAgent
from conflictbench.agents.oracle import OracleAgent
from conflictbench.agents.random import RandomAgent
from conflictbench.agents.recorded import RecordedEpisodes
from conflictbench.agents.registry import AGENTS, AgentEntry, get_agent_entry, make_agent
from conflictbench.agents.replay import ReplayAgent

__all__ = [
    "AGENTS",
    "AgentEntry",
    "HumanAgent",
    "OracleAgent",
    "RandomAgent",
    "RecordedEpisodes",
    "ReplayAgent",
    "get_agent_entry",
    "make_agent",
]
