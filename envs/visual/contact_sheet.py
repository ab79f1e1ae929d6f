"""One picture that shows a scenario: how it begins, what each action does, how pressing it can get. Own design.

For a person who looks at pictures and mends them: a row for each clip, with the frames that a model sees and the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from conflictbench.envs.visual.clip import Clip, Frame, sample_indices
from conflictbench.envs.visual.model import WorldModel
from conflictbench.envs.visual.registry import extra_missing
from conflictbench.envs.visual.scene import STAGES, Scene, stage_name
from conflictbench.types import Label

_TILE = 416  # greatest width of a tile in pixels
_MARGIN, _LINE = 8, 22
_FONT = "DejaVuSans.subset.ttf"
_BACK, _WORDS = (24, 26, 30), (222, 226, 232)
LEVELS = (0, 1, 2, 3)  # of urgency


@dataclass(frozen=True)
class Row:
    """A line of tiles under a title; None for a tile that cannot be shown."""

    title: str
    tiles: tuple[Frame | None, ...]
    words: tuple[str, ...]  # under each tile


def routes(scene: Scene) -> dict[int, tuple[str, ...]]:
    """A shortest chain of actions to every state that can be reached, breadth first, in the order found."""
    tables, actions = scene.loaded.tables, [action.id for action in scene.loaded.spec.actions]
    found: dict[int, tuple[str, ...]] = {0: ()}
    waiting = [0]
    for state in waiting:
        for index, action in enumerate(actions):
            after = int(tables.next_state[state, index])
            if tables.accepted[state, index] and after not in found:
                found[after] = (*found[state], action)
                waiting.append(after)
    return found


def showing_chains(scene: Scene) -> dict[str, tuple[str, ...] | None]:
    """For every action a short chain that ends with it, if possible before an end; None for one never accepted."""
    tables, known = scene.loaded.tables, routes(scene)
    chains: dict[str, tuple[str, ...] | None] = {}
    for index, action in enumerate(scene.loaded.spec.actions):
        allowed = [state for state in known if tables.accepted[state, index]]
        going_on = [state for state in allowed if tables.outcome[int(tables.next_state[state, index])] < 0]
        best = (going_on or allowed)[:1]
        chains[action.id] = (*known[best[0]], action.id) if best else None
    return chains


def urgency_chains(scene: Scene) -> dict[int, tuple[str, ...] | None]:
    """For every level of urgency a shortest chain to a state that has it, before an end; None where none has."""
    tables, known = scene.loaded.tables, routes(scene)
    running = [state for state in known if tables.outcome[state] < 0]
    chains: dict[int, tuple[str, ...] | None] = {}
    for level in LEVELS:
        states = [state for state in running if scene.urgency(state) == level][:1]
        chains[level] = known[states[0]] if states else None
    return chains


def stage_chain(scene: Scene) -> tuple[str, ...] | None:
    """A shortest chain to a human end and through the stages of the regret test; None where there are none."""
    if not scene.stages:
        return None
    outcomes, labels = scene.loaded.tables.outcome, [outcome.label for outcome in scene.loaded.spec.outcomes]
    for state, chain in routes(scene).items():
        if outcomes[state] >= 0 and labels[int(outcomes[state])] == Label.HUMAN:
            return (*chain, *(stage_name(stage) for stage in STAGES))
    return None


def clips_of(scene: Scene, model: WorldModel, chain: Sequence[str], seed: int = 0) -> list[tuple[str, Clip]]:
    """The clips of a chain with their names, the base clip first.

    Raises:
        UnknownName, InvalidValue: as `Scene.follow`.
    """
    clips = [("base", model.base(scene, seed))]
    for transition in scene.follow(chain):
        clips.append((transition.chain[-1], model.step(scene, clips[-1][1].last, transition, seed)))
    return clips


def whole_sheet(scene: Scene, model: WorldModel, seed: int = 0) -> Iterator[Row]:
    """Rows of the base clip, of every action, of the stages of a regret test, and of the levels of urgency."""
    yield clip_row("base", clips_of(scene, model, (), seed)[-1][1])
    for action, chain in showing_chains(scene).items():
        if chain is None:
            yield Row(f"{action}: accepted nowhere", (None,), ("",))
            continue
        behind = f" (after {', '.join(chain[:-1])})" if chain[:-1] else ""
        yield clip_row(f"{action}{behind}", clips_of(scene, model, chain, seed)[-1][1])
    if (through := stage_chain(scene)) is not None:
        for name, clip in clips_of(scene, model, through, seed)[-len(STAGES) :]:
            yield clip_row(name, clip)
    tiles, words = [], []
    for level, chain in urgency_chains(scene).items():
        tiles.append(None if chain is None else clips_of(scene, model, chain, seed)[-1][1].last)
        words.append(
            f"{level}: no state has it" if chain is None else f"{level}: after {', '.join(chain) or 'nothing'}"
        )
    yield Row("urgency", tuple(tiles), tuple(words))


def clip_row(title: str, clip: Clip) -> Row:
    """The first frame of a clip and those that a model sees."""
    indices = sample_indices(clip.geometry, include_first=True)
    return Row(title, tuple(clip.frame(index) for index in indices), tuple(f"frame {index}" for index in indices))


def draw_sheet(heading: str, rows: Sequence[Row]) -> Frame:
    """Rows as one picture, uint8 (height, width, 3).

    Raises:
        NotYetAvailable: the extra `visual` is not installed.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError as error:
        raise extra_missing("a contact sheet", error) from error
    shape = next(tile.shape for row in rows for tile in row.tiles if tile is not None)
    scale = min(1.0, _TILE / shape[1])
    wide, high = max(1, round(shape[1] * scale)), max(1, round(shape[0] * scale))
    columns = max(len(row.tiles) for row in rows)
    width = _MARGIN + columns * (wide + _MARGIN)
    row_high = 2 * _LINE + high + _MARGIN
    sheet = Image.new("RGB", (width, 2 * _LINE + len(rows) * row_high), _BACK)
    with as_file(files("conflictbench.envs.visual.procedural") / "fonts" / _FONT) as path:
        fonts = {size: ImageFont.truetype(path, size) for size in (13, 15)}
    pen = ImageDraw.Draw(sheet)
    pen.text((_MARGIN, 8), _fitting(heading, fonts[15], width - 2 * _MARGIN), _WORDS, fonts[15])
    for number, row in enumerate(rows):
        top = 2 * _LINE + number * row_high
        pen.text((_MARGIN, top), _fitting(row.title, fonts[15], width - 2 * _MARGIN), _WORDS, fonts[15])
        for place, (tile, words) in enumerate(zip(row.tiles, row.words, strict=True)):
            left = _MARGIN + place * (wide + _MARGIN)
            if tile is not None:
                small = Image.fromarray(tile).resize((wide, high), Image.Resampling.LANCZOS)
                sheet.paste(small, (left, top + _LINE))
            pen.text((left, top + _LINE + high + 2), _fitting(words, fonts[13], wide), _WORDS, fonts[13])
    return np.array(sheet)


def _fitting(words: str, font: Any, room: int) -> str:
    """The words, or as many of their letters as have room."""
    if font.getlength(words) <= room:
        return words
    while words and font.getlength(words + "...") > room:
        words = words[:-1]
    return words + "..."
