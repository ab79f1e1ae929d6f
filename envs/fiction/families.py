"""What the registered ids make: worlds whose family the id has fixed. Own design.

`category` is an argument of the classes, not of the ids: a world of another family under the id of this one would be
recorded as what it is not.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from conflictbench.envs.fiction.config import KEYWORDS
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.loop_vector import FictionLoopVectorEnv
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.envs.fiction.tables.vector_env import OBSERVATIONS
from conflictbench.errors import UnknownName
from conflictbench.types import CATEGORIES

FAMILIES = {f"ConflictBench/{category}-v0": category for category in CATEGORIES}  # by registered id


def make_world(family: str, /, **kwargs: Any) -> FictionEnv:
    """Make a world of a family; arguments as `FictionEnv` without `category`, which raises UnknownName."""
    _refuse_category(family, kwargs)
    return FictionEnv(family, **kwargs)


def make_vector(family: str, /, **kwargs: Any) -> FictionVectorEnv | FictionLoopVectorEnv:
    """Make many worlds of a family; arguments as `FictionVectorEnv` without `category`, which raises UnknownName.

    Pictures and screens are drawn world by world: with them it is a `FictionLoopVectorEnv`.
    """
    _refuse_category(family, kwargs)
    shows_pictures = kwargs.get("render_mode") is not None or kwargs.get("clip_info")
    if kwargs.get("observation", "text") in OBSERVATIONS and not shows_pictures:
        return FictionVectorEnv(category=family, **kwargs)
    return FictionLoopVectorEnv(category=family, **kwargs)


make_ep1, make_ep2, make_ep3 = (partial(make_world, family) for family in ("EP1", "EP2", "EP3"))
make_ep1_vector, make_ep2_vector, make_ep3_vector = (partial(make_vector, f) for f in ("EP1", "EP2", "EP3"))


def _refuse_category(family: str, kwargs: dict[str, Any]) -> None:
    if "category" in kwargs:
        hint = f"this id plays {family} and nothing else; every family has an id of its own"
        raise UnknownName("keyword", "category", KEYWORDS, hint=hint)
