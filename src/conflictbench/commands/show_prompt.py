"""`conflictbench show-prompt`: what a language model is sent before its first reply, to the byte. Own design."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.commands.output import print_json

if TYPE_CHECKING:
    from conflictbench.types import Image, Message, ToolSpec


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("show-prompt", epilog="Example:  conflictbench show-prompt EP1-001 --protocol tools")(show_prompt)


def show_prompt(
    scenario: Annotated[str, typer.Argument(metavar="ID", help="A scenario's id, such as EP1-001.")],
    protocol: Annotated[str, typer.Option(metavar="NAME", help="How a model is asked: paper or tools.")] = "paper",
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="The reading: conflict, stake_only, task_only or control.")
    ] = "conflict",
    env: Annotated[
        str | None, typer.Option(metavar="ID", help="Another environment, such as ConflictBench/SingleTurn-v0.")
    ] = None,
    observation: Annotated[
        str, typer.Option(metavar="NAME", help="text, or visual: what is sent with pictures.")
    ] = "text",
    world_model: Annotated[
        str | None, typer.Option(metavar="NAME", help="What makes the pictures: procedural (default) or fake.")
    ] = None,
    overlay: Annotated[
        str | None, typer.Option(metavar="NAME", help="Printed on the pictures: none, cctv or telemetry.")
    ] = None,
    keep_clips: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Clips whose frames are kept: 2 if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the episode; it permutes options.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Show what a language model is sent.

    The messages before its first reply and the functions on offer, word for word; of the regret test also what each
    stage says. Of a picture sent with a message: which frame it is, its size, and a digest of its bytes.
    """
    import gymnasium as gym

    from conflictbench.benchmarks.pictures import PictureOptions, plan_pictures
    from conflictbench.benchmarks.plan import CHAT_OBSERVATIONS
    from conflictbench.errors import UnknownName
    from conflictbench.wrappers import ChatEnv, TextActions
    from conflictbench.wrappers.chat.pictures import KEEP_CLIPS
    from conflictbench.wrappers.regret_test import RegretTest

    spec = scenario_called(scenario).spec
    env_id = env or f"ConflictBench/{spec.category}-v0"
    ours = sorted(name for name in gym.registry if name.startswith("ConflictBench/"))
    if env_id not in ours:  # others know no scenario
        raise UnknownName("environment", env_id, ours)
    if observation not in CHAT_OBSERVATIONS:
        raise UnknownName("observation", observation, CHAT_OBSERVATIONS)
    pictures = PictureOptions(world_model=world_model, overlay=overlay, keep_clips=keep_clips)
    has_pictures = plan_pictures(observation, pictures, in_chat=True) is not None
    asked = {"observation": observation, **pictures.env_kwargs()} if has_pictures else {}
    world = gym.make(env_id, scenario=spec.id, variant=variant, **asked)
    chat = ChatEnv(TextActions(world), protocol, keep_clips=KEEP_CLIPS if keep_clips is None else keep_clips)
    try:
        sent, info = chat.reset(seed=seed)
    finally:
        chat.close()
    stages = chat.unwrapped.stage_texts if isinstance(chat.unwrapped, RegretTest) else ()
    if as_json:
        told = {"stages": [dict(zip(("stage", "outcome", "content"), text, strict=True)) for text in stages]}
        head = {"scenario": spec.id, "variant": variant, "protocol": info["protocol"]}
        print_json(head | as_plain(**sent) | (told if stages else {}))
    else:
        typer.echo(f"=== scenario {spec.id}, variant {variant}")
        typer.echo(page(info["protocol"], **sent, stages=stages))


def as_plain(messages: tuple[Message, ...], tools: tuple[ToolSpec, ...]) -> dict[str, Any]:
    """The observation as plain values, as a program reads it."""
    return {
        "messages": [
            {"role": message.role, "content": message.content}
            | ({"images": [_facts(image) for image in message.images]} if message.images else {})
            for message in messages
        ],
        "tools": [asdict(tool) for tool in tools],
    }


def _facts(image: Image) -> dict[str, str | int]:
    """An image in words."""
    return {
        "name": image.name,
        "media_type": image.media_type,
        "width": image.width,
        "height": image.height,
        "bytes": len(image.data),
        "sha256": sha256(image.data).hexdigest(),
    }


def page(
    protocol: str,
    messages: tuple[Message, ...],
    tools: tuple[ToolSpec, ...],
    stages: tuple[tuple[int, str, str], ...] = (),
) -> str:
    """The same for a person: each text as it is sent, between lines that are not."""
    import json

    parts = [f"=== protocol {protocol}"]
    for message in messages:
        parts.append(f"=== {message.role}")
        for image in message.images:
            facts = _facts(image)
            size = f"{image.width}x{image.height}, {facts['bytes']:,} bytes, sha256 {str(facts['sha256'])[:16]}"
            parts.append(f"=== image: {image.name}; {image.media_type}, {size}")
        parts.append(message.content)
    for tool in tools:
        parts += [f"=== tool {tool.name}", json.dumps(asdict(tool), indent=2, ensure_ascii=False)]
    for stage, outcome, text in stages:
        parts += [f"=== stage {stage} after {outcome}", text]
    return "\n".join(parts)
