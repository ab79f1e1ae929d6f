"""What a run is: the facts that make two commands the same run, and the file that holds them. Own design.

`RunIdentity` decides the directory's name and whether a rerun may continue it; the rest of the manifest is information.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from re import sub
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from conflictbench.types import RECORD_SCHEMA_VERSION, EpisodeKey


def digest(value: object, size: int) -> str:
    """blake2b of `value` as canonical JSON, as 2 x `size` hex digits."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return blake2b(canonical.encode("ascii"), digest_size=size).hexdigest()


def file_digest(path: str) -> str | None:
    """Digest of the file an agent was given, or None where `path` names no file: other content is another run."""
    file = Path(path)
    return blake2b(file.read_bytes(), digest_size=16).hexdigest() if path and file.is_file() else None


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PictureEntry(_Value):
    """Who makes the pictures of a run, and how a model is sent them."""

    backend: str  # id of the world model: another one makes other pictures
    keep_clips: int | None  # clips whose frames stay in a conversation; None: no conversation
    sent_as: str  # id of the words round them; "": no conversation


class EnvEntry(_Value):
    """One env of a run: `gym.make(env_id, scenario=..., variant=..., **kwargs)` over its scenarios."""

    env_id: str
    env_hash: str  # of the env id, the kwargs and the protocol
    kwargs: dict[str, Any]
    scenarios: dict[str, str]  # id -> digest of its file's content
    protocol: str = ""  # name of the prompt protocol, where the agent is sent a conversation
    protocol_id: str = ""  # its name, version and digest: other prompts are another run
    pictures: PictureEntry | None = None  # of a run that shows some

    @model_serializer(mode="wrap")
    def _without_pictures(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what a run in words does not have: it is the run that it was before there were pictures."""
        written: dict[str, Any] = plain(self)
        if written["pictures"] is None:
            del written["pictures"]
        return written


class ModelEntry(_Value):
    """How a run asks its language model; which one is part of the agent. What changes no reply is left out."""

    base_url: str | None  # None: where the provider is
    temperature: float
    max_tokens: int
    seed: int | None  # None: each episode its own


class RunIdentity(_Value):
    """Two commands with equal identities are one run."""

    suite: str
    agent: str  # as asked for: "random", "replay:FILE", "module:Class"
    agent_input: str | None = None  # digest of the file an agent was given, where it was given one
    model: ModelEntry | None = None  # of an agent that asks a language model of ours
    envs: tuple[EnvEntry, ...]
    variants: tuple[str, ...]
    seeds: tuple[int, ...]
    epochs: int

    def hash(self) -> str:
        """8 hex digits over every field."""
        return digest(self.model_dump(mode="json"), 4)

    def directory_name(self) -> str:
        """`<suite>-<agent>-<8 hex>`, safe as one path component."""
        agent = sub(r"[^A-Za-z0-9_]+", "-", self.agent).strip("-")[:40] or "agent"
        return f"{self.suite}-{agent}-{self.hash()}"

    def episodes(self) -> Iterator[EpisodeKey]:
        """Every episode of the run, each once, in the order in which they are played."""
        for epoch in range(self.epochs):
            for seed in self.seeds:
                for env in self.envs:
                    for scenario in env.scenarios:
                        for variant in self.variants:
                            yield EpisodeKey(
                                scenario=scenario,
                                variant=variant,
                                env_hash=env.env_hash,
                                agent=self.agent,
                                seed=seed,
                                epoch=epoch,
                            )


IdentityT = TypeVar("IdentityT", bound=BaseModel)


class ManifestOf(_Value, Generic[IdentityT]):
    """`manifest.json` of a run directory, whatever kind of run it is."""

    schema_version: int = RECORD_SCHEMA_VERSION
    package_version: str
    identity: IdentityT
    versions: dict[str, str] = Field(default_factory=dict)  # information: what it ran on when it was started
    notes: tuple[str, ...] = ()  # what was said about the run: repairs, seeds left out
    command: str = ""  # what to type to go on with it, in the directory where it began; "" for a run from Python
    sources: dict[str, str] = Field(default_factory=dict)  # digests of the agent's own files when it was started

    @classmethod
    def new(
        cls,
        identity: IdentityT,
        notes: tuple[str, ...] = (),
        *,
        command: str = "",
        sources: Mapping[str, str] | None = None,
    ) -> Self:
        """The manifest of a run that starts now, on the packages installed here."""
        versions = {"python": python_version()} | {name: version(name) for name in ("gymnasium", "numpy", "pydantic")}
        return cls(
            package_version=package_version(),
            identity=identity,
            versions=versions,
            notes=notes,
            command=command,
            sources=dict(sources or {}),
        )


class Manifest(ManifestOf[RunIdentity]):
    """That of a run of one agent on a suite."""


def package_version() -> str:
    """Version of conflictbench; "0+unknown" in a source tree that was never installed."""
    try:
        return version("conflictbench")
    except PackageNotFoundError:
        return "0+unknown"
