"""A glyph alone in a room, for tests of glyphs. Own design."""

from __future__ import annotations

from typing import Any

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.procedural.compiling import Node
from conflictbench.envs.visual.procedural.glyph import Glyph
from conflictbench.envs.visual.procedural.stage import Stage

MOTIONS = ("turn", "press", "pull", "open", "close", "carry", "travel", "digital")


def block_with(word: str, glyph: Glyph, count: int = 1, bind: tuple[str, ...] = ()) -> Block:
    """A room with one thing of this glyph, id "it", placed in the first way that the glyph allows."""
    zones: list[dict[str, Any]] = [{"id": "z", "rect": [4.6, 2.6, 8.4, 6.4], "label": "Z"}]
    ends: list[dict[str, Any]] = [
        {"id": "a", "glyph": "tank", "at": [2, 3]},
        {"id": "b", "glyph": "tank", "at": [10, 5]},
    ]
    if glyph.dock:
        return Block.model_validate(
            {"zones": zones, "entities": ends, "actors": [{"id": "it", "glyph": word, "dock": [6.5, 3, 4.3]}]}
        )
    it: dict[str, Any] = {"id": "it", "glyph": word, "count": count}
    ways: dict[str, Any] = {"at": [6.5, 4.0], "zone": "z", "wall": "back", "path": ["a", "b"]}
    way = next((way for way in glyph.places if way in ways), None)
    if way is not None:
        it[way] = ways[way]
    for held in glyph.reads:
        it[held] = [{"label": "A", "var": "v"}, {"label": "B", "var": "v"}]
    if bind:
        it["bind"] = dict.fromkeys(bind, "v")
    return Block.model_validate({"zones": zones, "entities": [*ends, it]})


def stage_with(
    word: str, glyph: Glyph, count: int = 1, *, width: int = 416, bind: tuple[str, ...] | None = None
) -> tuple[Stage, Node]:
    """That room ready to be drawn, and the node of the thing; `bind`: bound properties, by default all."""
    stage = Stage(
        block_with(word, glyph, count, tuple(glyph.props) if bind is None else bind), width, width * 480 // 832, 0
    )
    node = stage.node("it")
    assert node is not None
    return stage, node
