"""World models by name, none of them imported before it is asked for. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from conflictbench.envs.visual.model import WorldModel
from conflictbench.errors import NotYetAvailable, UnknownName
from conflictbench.extras import not_installed

DEFAULT_WORLD_MODEL = "procedural"

# name -> module and class or function that makes one
WORLD_MODELS: Mapping[str, str] = MappingProxyType(
    {
        "fake": "conflictbench.envs.visual.fake:FakeWorldModel",
        "procedural": "conflictbench.envs.visual.procedural.model:ProceduralWorldModel",
    }
)

_OF_THE_EXTRA = frozenset({"PIL", "av", "skia", "zstandard"})


def make_world_model(name: str = DEFAULT_WORLD_MODEL) -> WorldModel:
    """A new world model.

    Raises:
        UnknownName: there is none of this name.
        NotYetAvailable: it needs the extra `visual`.
    """
    if name not in WORLD_MODELS:
        raise UnknownName("world model", name, sorted(WORLD_MODELS))
    module, _, factory = WORLD_MODELS[name].partition(":")
    try:
        model: WorldModel = getattr(import_module(module), factory)()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _OF_THE_EXTRA:
            raise
        raise extra_missing(f"the world model {name!r}", error) from error
    return model


def extra_missing(what: str, error: ModuleNotFoundError) -> NotYetAvailable:
    """The error for a part of the extra `visual` that is not installed."""
    return not_installed(what, "visual", [str(error.name)])
