"""What an entry of the clip store says of itself; it proves its own key and its own bytes. Own design."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.store.node import Node, canonical
from conflictbench.errors import InvalidValue

SCHEMA_VERSION = 1
MAX_BYTES = 1_000_000  # of a manifest; chains are short

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Still(_Model):
    """One kept frame."""

    index: Annotated[int, Field(ge=0)]
    pixels: Digest
    file: Digest  # of the bytes of its file


class Manifest(_Model):
    """Everything but the pixels."""

    schema_version: int = SCHEMA_VERSION
    scenario: str
    scene: Digest
    backend: str
    seed: int
    geometry: Annotated[tuple[int, int, int, int], Field(strict=False)]  # width, height, frames, fps
    actions: Annotated[tuple[str, ...], Field(strict=False)]
    parent: Digest | None  # key of the clip that this one continues
    prompt: str  # what was asked of the world model in words
    stills: Annotated[tuple[Still, ...], Field(strict=False)]

    @property
    def node(self) -> Node:
        """The place that the entry claims."""
        return Node(
            scenario=self.scenario,
            scene=self.scene,
            backend=self.backend,
            seed=self.seed,
            geometry=Geometry(*self.geometry),
            actions=self.actions,
        )

    @property
    def digest(self) -> str:
        """64 hex digits over the pixels of the kept frames: equal clips agree in it."""
        return hashlib.sha256(canonical([[still.index, still.pixels] for still in self.stills])).hexdigest()


def manifest_for(node: Node, prompt: str, stills: tuple[Still, ...]) -> Manifest:
    """The manifest of a new entry."""
    size = node.geometry
    return Manifest(
        scenario=node.scenario,
        scene=node.scene,
        backend=node.backend,
        seed=node.seed,
        geometry=(size.width, size.height, size.frames, size.fps),
        actions=node.actions,
        parent=node.parent.key if node.parent is not None else None,
        prompt=prompt,
        stills=stills,
    )


def write_manifest(manifest: Manifest) -> bytes:
    """The manifest as a file: its fields, and a digest over them."""
    fields: dict[str, Any] = manifest.model_dump(mode="json")
    return canonical({"manifest": fields, "sha256": hashlib.sha256(canonical(fields)).hexdigest()}) + b"\n"


def read_manifest(data: bytes) -> Manifest:
    """A manifest from its file.

    Raises:
        ValueError: the bytes are not what `write_manifest` wrote of it.
    """
    try:
        manifest = _Sealed.model_validate_json(data).manifest
        manifest.node  # noqa: B018 - a geometry out of range is refused here
    except (ValidationError, InvalidValue) as error:
        raise ValueError(f"no manifest: {str(error).splitlines()[0]}") from error
    if write_manifest(manifest) != data:
        raise ValueError("the manifest does not agree with its own digest")
    return manifest


class _Sealed(_Model):
    manifest: Manifest
    sha256: Digest
