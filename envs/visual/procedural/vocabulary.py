"""The words a `visual` block may use: every file of glyphs/, read without skia. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType

from conflictbench.envs.visual.procedural.glyph import PROP_KINDS, Glyph
from conflictbench.errors import UnknownName

_PACKAGE = "conflictbench.envs.visual.procedural.glyphs"


@cache
def glyphs() -> Mapping[str, Glyph]:
    """Every id, alternatives included -> its glyph, sorted by id.

    Raises:
        ValueError: two files claim one id, or a glyph declares a property of no kind.
    """
    found: dict[str, Glyph] = {}
    names = sorted(file.name.removesuffix(".py") for file in files(_PACKAGE).iterdir() if file.name.endswith(".py"))
    for name in names:
        if name == "__init__":
            continue
        glyph: Glyph = import_module(f"{_PACKAGE}.{name}").GLYPH
        if glyph.name != name:
            raise ValueError(f"glyphs/{name}.py holds the glyph {glyph.name!r}; file and glyph bear one name")
        if bad := sorted(set(glyph.props.values()) - set(PROP_KINDS)):
            raise ValueError(f"glyph {name!r}: property kinds {bad} are none of {', '.join(PROP_KINDS)}")
        for word in (glyph.name, *glyph.alternatives):
            if word in found:
                raise ValueError(f"glyph id {word!r} is claimed by {found[word].name} and by {name}")
            found[word] = glyph
    return MappingProxyType(dict(sorted(found.items())))


def glyph_for(name: str) -> Glyph:
    """The glyph of an id.

    Raises:
        UnknownName: there is none.
    """
    known = glyphs()
    if name not in known:
        raise UnknownName("glyph", name, known)
    return known[name]


def prop_names() -> tuple[str, ...]:
    """Every property that some glyph has, sorted."""
    return tuple(sorted({prop for glyph in glyphs().values() for prop in glyph.props}))
