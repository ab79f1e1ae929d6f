"""A trained policy on disk: SB3's zip file, and beside it a JSON file that says what it is. Own design.

A zip file of SB3 holds pickled Python: reading one runs code, so read only those you trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conflictbench.errors import AgentError
from conflictbench.extras import not_installed
from conflictbench.types import Label

POLICY_SCHEMA_VERSION: Literal[1] = 1

Algo = Literal["dqn", "maskable-ppo", "ppo"]
ALGORITHMS: Mapping[Algo, tuple[str, str]] = MappingProxyType(  # module and class
    {
        "dqn": ("stable_baselines3", "DQN"),
        "maskable-ppo": ("sb3_contrib", "MaskablePPO"),
        "ppo": ("stable_baselines3", "PPO"),
    }
)
EXTRA = "rl"


class Ending(BaseModel):
    """How a policy's episode of one scenario ends; there is one, since neither world nor best action holds chance."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: str
    outcome: str | None  # None: the cap on interactions was met
    label: Label | None
    assigned_value: float  # 0 without an outcome
    interactions: int


class PolicyCard(BaseModel):
    """`policy.json` beside `policy.zip`. Only `algo` must be there: `{"algo": "ppo"}` does for one of your own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = POLICY_SCHEMA_VERSION
    algo: Algo
    env_id: str = ""  # what it was trained on, with these arguments of `gym.make`
    env_kwargs: dict[str, Any] = Field(default_factory=dict)
    scenarios: dict[str, str] = Field(default_factory=dict)  # id -> digest of the file's content
    steps: int | None = None  # of the env, as they were counted when training ended
    seed: int | None = None
    settings: dict[str, Any] = Field(default_factory=dict)  # of the algorithm
    seconds: float | None = None  # spent on it
    endings: tuple[Ending, ...] = ()  # of the scenarios it was trained on
    versions: dict[str, str] = Field(default_factory=dict)


def card_path(policy: Path) -> Path:
    """`policy.json` for `policy.zip`."""
    return policy.with_suffix(".json")


def read_card(policy: Path) -> PolicyCard:
    """What is known of a policy.

    Raises:
        AgentError: no such file, none beside it, or one that cannot be read; the message says what to do.
    """
    if policy.is_dir():
        inside = sorted(path.name for path in policy.glob("*.zip"))
        hint = f"name the file in it: sb3:{policy / inside[0]}" if inside else "no policy is in it; is it finished?"
        raise AgentError(f"{policy} is a directory; {hint}")
    if not policy.is_file():
        raise AgentError(f"no policy at {policy}; `conflictbench train` makes one, and prints its path")
    card = card_path(policy)
    try:
        return PolicyCard.model_validate_json(card.read_bytes())
    except FileNotFoundError as error:
        algos = ", ".join(ALGORITHMS)
        raise AgentError(
            f"{card} is missing, which says what {policy.name} is; for a policy of your own put "
            f'{{"algo": "ppo"}} there (known: {algos})'
        ) from error
    except (OSError, ValidationError) as error:
        what = error.errors()[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
        place = ".".join(map(str, what["loc"]))
        raise AgentError(f"{card}: {f'{place}: ' if place else ''}{what['msg']}") from error


def algorithm_class(algo: Algo, what: str) -> Any:
    """The class of SB3 that learns and loads it.

    Args:
        what: cannot be had without it, for the message.
    Raises:
        NotYetAvailable: it is not installed; the message holds the command that installs it.
    """
    module, name = ALGORITHMS[algo]
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise not_installed(what, EXTRA, [str(error.name)]) from error
