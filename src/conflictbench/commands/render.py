"""`conflictbench render`: a scenario as a video, a picture, or a sheet of all that can happen in it. Own design."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.counting import counted

if TYPE_CHECKING:
    from conflictbench.envs.visual.clip import Geometry
    from conflictbench.scenario_specs import LoadedScenario

SHEET = "sheet.png"  # a file of this name is a sheet without being asked for


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("render", epilog="Example:  conflictbench render EP1-001 --actions 'stop jet fans' --out fans.mp4")(
        render
    )


def render(
    scenario: Annotated[str, typer.Argument(metavar="ID|FILE", help="A scenario's id, such as EP1-001, or a file.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="x.mp4: every clip; x.png: the last frame; sheet.png.")],
    actions: Annotated[
        str | None,
        typer.Option(metavar="'A; B'", help="Commands or ids to carry out first, and stage:1 ... of a regret test."),
    ] = None,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="A contact sheet, whatever the file is called: a row for each clip.")
    ] = False,
    overlay: Annotated[
        str | None, typer.Option(metavar="NAME", help="Printed on the pictures: none, cctv or telemetry.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Of a picture in pixels.")] = "832x480",
    world_model: Annotated[str, typer.Option(metavar="NAME", help="procedural or fake.")] = "procedural",
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the world model.")] = 0,
) -> None:
    """Show a scenario in pictures.

    A video or picture is of the beginning, or of what the actions lead to. A sheet without actions has a row for the
    beginning, for each action where it is first accepted, for each stage of a regret test, and one for the levels of
    urgency.
    """
    from conflictbench.envs.visual.contact_sheet import clip_row, clips_of, draw_sheet, whole_sheet
    from conflictbench.envs.visual.encode import encode_frame
    from conflictbench.envs.visual.export import export_mp4
    from conflictbench.envs.visual.registry import make_world_model
    from conflictbench.envs.visual.scene import make_scene

    ending = out.suffix.lower()
    if ending not in (".mp4", ".png"):
        raise typer.BadParameter(f"a file ends in .mp4 or .png, not {out.suffix!r}", param_hint="--out")
    as_sheet = sheet or out.name.lower() == SHEET
    if as_sheet and ending != ".png":
        raise typer.BadParameter(f"a sheet is a picture: its file ends in .png, not {out.suffix!r}", param_hint="--out")
    loaded = _scenario(scenario)
    model, scene = make_world_model(world_model), make_scene(loaded, overlay, _geometry(size))
    chain = action_ids(loaded, actions or "")
    if as_sheet and not chain:
        rows = list(whole_sheet(scene, model, seed))
        frame, what = draw_sheet(_heading(loaded), rows), counted(len(rows), "row")
    else:
        clips = clips_of(scene, model, chain, seed)
        if ending == ".mp4":
            frames = (frame for _, clip in clips for frame in clip.frames())
            with _written(out):
                number = export_mp4(frames, out, scene.geometry.fps)
            typer.echo(f"{out}: {counted(number, 'frame')}")
            return
        rows = [clip_row(name, clip) for name, clip in clips] if as_sheet else []
        frame = draw_sheet(_heading(loaded), rows) if as_sheet else clips[-1][1].last
        newest = clips[-1][0] if chain else "the beginning"
        what = counted(len(rows), "row") if as_sheet else f"the last frame of {newest}"
    with _written(out):
        out.write_bytes(encode_frame(frame, "png"))
    typer.echo(f"{out}: {what}")


def action_ids(loaded: LoadedScenario, words: str) -> list[str]:
    """Read "command; command" as ids of actions; ids, and names of stages, are taken as they are.

    Raises:
        UnknownName: what is no action of the scenario.
    """
    from conflictbench.errors import UnknownName
    from conflictbench.scenario_specs import CommandBook

    book, actions = CommandBook(loaded.spec), loaded.spec.actions
    ids = [action.id for action in actions]
    chain = []
    for part in filter(None, map(str.strip, words.split(";"))):
        match = book.match(part)
        if part in ids or part.startswith("stage:"):
            chain.append(part)
        elif match.kind == "action" and match.action is not None:
            chain.append(ids[match.action])
        else:
            raise UnknownName("action", part, [action.command for action in actions])
    return chain


def _scenario(name: str) -> LoadedScenario:
    from conflictbench.scenario_specs import load_scenario

    return load_scenario(name) if name.endswith((".yaml", ".yml")) else scenario_called(name)


def _geometry(size: str) -> Geometry:
    from conflictbench.envs.visual.clip import MAX_SIDE, Geometry
    from conflictbench.envs.visual.settings import MIN_SIDE

    found = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", size.lower())
    if found is None:
        raise typer.BadParameter(f"{size!r} is no size; valid: WIDTHxHEIGHT, as in 832x480", param_hint="--size")
    width, height = int(found[1]), int(found[2])
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in (width, height)):
        raise typer.BadParameter(
            f"{size!r} is out of range; valid: sides from {MIN_SIDE} to {MAX_SIDE:,} pixels", param_hint="--size"
        )
    return Geometry(width, height)


@contextmanager
def _written(out: Path) -> Iterator[None]:
    """Say what keeps a file from being written as a fault of the option that names it."""
    try:
        yield
    except OSError as error:
        raise typer.BadParameter(f"{out} cannot be written: {error.strerror or error}", param_hint="--out") from error


def _heading(loaded: LoadedScenario) -> str:
    return f"{loaded.id}: {loaded.spec.title}"
