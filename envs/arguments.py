"""Checks of arguments that worlds share: names, lists of names, a cap. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from conflictbench.errors import InvalidValue, NotYetAvailable, UnknownName, shown
from conflictbench.scenario_specs import PACKS

RESET_OPTIONS = ("scenario",)
SCREENS = ("human", "ansi")  # render modes of every world: words, printed or returned
MAX_SEED = 2**63 - 1  # what a signed 64-bit number holds: infos, records and draws all take it whole


def whole_number(value: Any) -> int | None:
    """A Python or NumPy whole number as an int; None for anything else, bools and spans of time among it."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    # a timedelta64 calls itself an integer
    if isinstance(value, bool | np.timedelta64) or not isinstance(value, int | np.integer):
        return None
    return int(value)


def seed_of(value: Any) -> int | None:
    """Read a seed: a whole number in 0..2**63 - 1, or None. Raises InvalidValue."""
    if value is None:
        return None
    seed = whole_number(value)
    if seed is None or not 0 <= seed <= MAX_SEED:
        raise InvalidValue(f"seed {shown(value)} must be a whole number >= 0 and below 2**63, or None")
    return seed


def one_of(kind: str, value: Any, known: tuple[str, ...]) -> None:
    """Raise UnknownName unless `value` is one of `known`."""
    if not isinstance(value, str) or value not in known:
        raise UnknownName(kind, value, known)


def known_pack(value: Any) -> str:
    """Return the name of a pack that is there. Raises InvalidValue for no name, NotYetAvailable for another one."""
    if not isinstance(value, str):
        raise InvalidValue(f"pack {shown(value)} is a {type(value).__name__}; it must be a name, such as 'core'")
    if value not in PACKS:
        raise NotYetAvailable(f"pack={shown(value)}", f"an importer for it; known packs: {', '.join(sorted(PACKS))}")
    return value


def scenario_list(value: Any, known: tuple[str, ...], none_known: str) -> tuple[str, ...]:
    """Read `scenario`: an id, a list of ids, or None for all of `known`; sorted.

    Raises:
        InvalidValue: nothing is known (saying `none_known`) or asked for.  UnknownName: an id that is not there.
    """
    if not known:
        raise InvalidValue(none_known)
    if value is None:
        return known
    ids = name_list("scenario", (value,) if isinstance(value, str) else value, known)
    if not ids:
        raise InvalidValue(f"scenario is an empty list; leave it out for all, or name some of {', '.join(known)}")
    return tuple(sorted(ids))


def privileged_list(value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
    """Read `privileged`: a list or tuple of `known` names."""
    # a bare string would be read letter by letter
    if isinstance(value, str):
        raise InvalidValue(f"privileged {shown(value)} must be a list or tuple of names, such as ({shown(value)},)")
    return name_list("privileged", value, known)


def name_list(kind: str, value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of names as a tuple. Raises InvalidValue for another type or a repeated name, UnknownName."""
    if not isinstance(value, list | tuple):
        raise InvalidValue(f"{kind} {shown(value)} is a {type(value).__name__}; it must be a list or tuple of names")
    for name in value:
        one_of(kind, name, known)
    if twice := sorted({name for name in value if value.count(name) > 1}):
        raise InvalidValue(f"{kind} names {', '.join(twice)} more than once")
    return tuple(value)


def interaction_cap(value: Any, default: int) -> int:
    """Read `max_interactions`: a whole number >= 1, or None for `default`."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidValue(f"max_interactions {shown(value)} must be a whole number >= 1, or None for {default}")
    return value


def reset_options(value: Any) -> dict[str, Any]:
    """Return a copy of the `options` of a reset; None is an empty dict. Raises InvalidValue for anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidValue(
            f"options {shown(value)} is a {type(value).__name__}; it must be a dict, such as "
            '{"scenario": id}, or None'
        )
    return dict(value)


def picked_scenario(options: Any, known: tuple[str, ...]) -> str | None:
    """Read which scenario the `options` of a reset pick, if any.

    Raises:
        InvalidValue: no dict.  UnknownName: another option, or a scenario that is not one of `known`.
    """
    given = reset_options(options)
    for option in given:
        one_of("reset option", option, RESET_OPTIONS)
    if not given:
        return None
    one_of("scenario", given["scenario"], known)
    return str(given["scenario"])
