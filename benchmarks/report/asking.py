"""How a run asks its language model: what a reader must know to put the same question again. Own design.

Of the address the host alone is shown: a path may hold what is nobody else's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from conflictbench.benchmarks.manifest import ModelEntry, RunIdentity

TITLES = ("Protocol", "Endpoint", "Temperature", "Max tokens", "Seed")
NOT_ASKED = "-"


@dataclass(frozen=True, kw_only=True)
class Asking:
    """Words and settings of one run; None: an agent that has a conversation but no model of ours."""

    protocols: tuple[str, ...]  # ids: name, version and digest of the words
    endpoint: str | None  # host[:port] of a server of the user's own; "default" for the provider's
    temperature: float | None
    max_tokens: int | None  # of one reply
    seed: str | None  # of the sampling: a number, or "each episode's"

    @property
    def cells(self) -> tuple[str, ...]:
        """Its values as tables print them, in the order of TITLES."""
        temperature = None if self.temperature is None else f"{self.temperature:g}"
        max_tokens = None if self.max_tokens is None else f"{self.max_tokens:,}"
        values = (", ".join(self.protocols), self.endpoint, temperature, max_tokens, self.seed)
        return tuple(value or NOT_ASKED for value in values)

    @property
    def words(self) -> str:
        """The same in one line: "protocol paper-v1-1a2b3c4d, endpoint default, temperature 0, ..."."""
        pairs = zip(TITLES, self.cells, strict=True)
        return ", ".join(f"{title.lower()} {cell}" for title, cell in pairs if cell != NOT_ASKED)


def asking_of(identity: RunIdentity) -> Asking | None:
    """How a run asks; None where its agent is sent no conversation and asks no model."""
    protocols = tuple(dict.fromkeys(env.protocol_id for env in identity.envs if env.protocol_id))
    return asking_with(protocols, identity.model)


def asking_with(protocols: tuple[str, ...], model: ModelEntry | None) -> Asking | None:
    """The same of ids of protocols and the settings of a model; None without either."""
    if model is None:
        if not protocols:
            return None
        return Asking(protocols=protocols, endpoint=None, temperature=None, max_tokens=None, seed=None)
    return Asking(
        protocols=protocols,
        endpoint="default" if model.base_url is None else host_of(model.base_url),
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        seed="each episode's" if model.seed is None else str(model.seed),
    )


def host_of(base_url: str) -> str:
    """`host[:port]` of an address, without user, path and query; "unreadable" for what is no address.

    A manifest may have been written by hand, so nothing is taken for granted.
    """
    try:
        parts = urlsplit(base_url)
        name, port = parts.hostname, parts.port
    except ValueError:
        return "unreadable"
    if not name:
        return "unreadable"
    name = f"[{name}]" if ":" in name else name
    return name if port is None else f"{name}:{port}"
