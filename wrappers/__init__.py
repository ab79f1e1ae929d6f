"""What is seen, done and kept around a world. Own design (architecture, "The house")."""

from __future__ import annotations

from conflictbench.wrappers.chat import PROTOCOLS, ChatEnv, get_protocol
from conflictbench.wrappers.episode_record import EpisodeRecorder
from conflictbench.wrappers.feature_observation import FeatureObservation
from conflictbench.wrappers.history import History
from conflictbench.wrappers.image_observation import ImageObservation
from conflictbench.wrappers.regret_test import RegretTest
from conflictbench.wrappers.text_actions import Parsed, ReplyParser, TextActions

__all__ = [
    "PROTOCOLS",
    "ChatEnv",
    "EpisodeRecorder",
    "FeatureObservation",
    "History",
    "ImageObservation",
    "Parsed",
    "RegretTest",
    "ReplyParser",
    "TextActions",
    "get_protocol",
]
