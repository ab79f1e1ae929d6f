"""Policies: they see a task, observations and info, nothing else. Own design (style guide, habit 4)."""

from conflictbench.agents.baseline import FirstAgent, LongestAgent
from conflictbench.agents.human import HumanAgent
from conflictbench.agents.llm import LLMAgent
from conflictbench.agents.oracle import OracleAgent
from conflictbench.agents.random import RandomAgent
from conflictbench.agents.recorded import RecordedEpisodes
from conflictbench.agents.registry import AGENTS, AgentEntry, get_agent_entry, make_agent, make_async_agent
from conflictbench.agents.replay import ReplayAgent

__all__ = [
    "AGENTS",
    "AgentEntry",
    "FirstAgent",
    "HumanAgent",
    "LLMAgent",
    "LongestAgent",
    "OracleAgent",
    "RandomAgent",
    "RecordedEpisodes",
    "ReplayAgent",
    "get_agent_entry",
    "make_agent",
    "make_async_agent",
]
