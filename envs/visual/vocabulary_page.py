"""`python -m conflictbench.envs.visual.vocabulary_page FILE`: every word of a `visual` block, as a page. Own design.

Read from the closed lists and the glyph files themselves, so the page cannot lag behind them (a test compares them).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, get_args

from conflictbench.envs.visual.check_actions import AT_SOMETHING, BY_HAND
from conflictbench.envs.visual.names import (
    CAMERAS,
    Bad,
    Color,
    Enclosure,
    Floor,
    Marking,
    Overlay,
    Pose,
    Role,
    Wall,
    WallSide,
)
from conflictbench.envs.visual.procedural.glyph import PROP_KINDS, Glyph
from conflictbench.envs.visual.procedural.vocabulary import glyphs, prop_names
from conflictbench.scenario_specs.schema import ActionVisual

MOTIONS: Final = {
    "turn": "a hand goes to the target and turns it",
    "press": "a hand goes to the target and presses it",
    "pull": "a hand goes to the target and pulls it",
    "open": "the target opens, by itself or by a hand",
    "close": "the target closes, by itself or by a hand",
    "carry": "something is brought to the target, or a small thing is lifted and put down",
    "travel": "a thing that moves goes to the target, and back unless its `present` says that it has left",
    "digital": "nobody touches anything: the target lights up, and what the ripple runs through",
    "idle": "nothing but the caption",
}
_SHORT: Final = {"share": "", "signed": " (-1..1)", "degrees": " (degrees)", "count": " (count)", "pose": " (pose)"}


def vocabulary_page() -> str:
    """The whole page, in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The words of a `visual` block"
    yield ""
    yield "Written by `make pages` from the program itself; [visual worlds](visual.md) explains how to use them."
    yield ""
    yield "## Glyphs"
    yield ""
    yield "A property without a note is a share, 0..1. What acts may be an action's actor. Sizes: metres of one item."
    yield ""
    rows = []
    for glyph in {id(each): each for each in glyphs().values()}.values():
        ids = ", ".join(f"`{word}`" for word in (glyph.name, *glyph.alternatives))
        props = ", ".join(f"`{prop}`{_SHORT[kind]}" for prop, kind in sorted(glyph.props.items()))
        reads = ", ".join(f"`{name}`" for name in glyph.reads)
        rows.append((ids, glyph.summary, "; ".join(filter(None, (props, reads))), _placing(glyph), _acting(glyph)))
    yield from _table(("glyph", "what it is", "properties", "placed by", "acts"), rows)
    yield ""
    yield "## Properties"
    yield ""
    values = []
    for prop in prop_names():
        kinds = sorted({glyph.props[prop] for glyph in glyphs().values() if prop in glyph.props})
        values.append((f"`{prop}`", "; ".join(f"{kind}: {PROP_KINDS[kind]}" for kind in kinds)))
    yield from _table(("property", "values"), values)
    yield ""
    yield "## Motions"
    yield ""
    motions = get_args(ActionVisual.model_fields["motion"].annotation)
    yield from _table(
        ("motion", "what is seen", "needs"), [(f"`{name}`", MOTIONS[name], _needs(name)) for name in motions]
    )
    yield ""
    yield "Every motion is a closed loop: contact by frame 16, the effect by frame 32, everything at rest at frame 48."
    yield ""
    yield "## Closed lists"
    yield ""
    lists: Sequence[tuple[str, Iterable[str]]] = (
        ("`camera.preset`", CAMERAS), ("`room.floor`", _words(Floor)), ("`room.wall`", _words(Wall)),
        ("`overlay`", _words(Overlay)), ("`palette`, `color`", _words(Color)), ("zone `marking`", _words(Marking)),
        ("zone `enclosure`", _words(Enclosure)), ("`wall` of a thing", _words(WallSide)),
        ("`role` of people", _words(Role)), ("a pose", _words(Pose)), ("`bad` end of a gauge", _words(Bad)),
    )  # fmt: skip
    yield from _table(("key", "values"), [(key, ", ".join(f"`{word}`" for word in words)) for key, words in lists])


def _words(literal: Any) -> tuple[str, ...]:
    return get_args(literal)


def _placing(glyph: Glyph) -> str:
    if glyph.dock:
        return "`dock`, in `actors`"
    size = f", {glyph.footprint[0]:g} x {glyph.footprint[1]:g} x {glyph.height:.3g}" if "at" in glyph.places else ""
    return ", ".join("nowhere" if place == "" else f"`{place}`" for place in glyph.places) + size


def _acting(glyph: Glyph) -> str:
    return "from its dock" if glyph.dock else "yes" if glyph.movable else ""


def _needs(motion: str) -> str:
    if motion == "digital":
        return "`target` or `ripple`"
    return ", ".join(f"`{key}`" for key, motions in (("actor", BY_HAND), ("target", AT_SOMETHING)) if motion in motions)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m conflictbench.envs.visual.vocabulary_page FILE")
    Path(sys.argv[1]).write_text(vocabulary_page(), "utf-8")
    print(sys.argv[1])
