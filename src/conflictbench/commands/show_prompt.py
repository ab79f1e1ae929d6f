"""`conflictbench show-prompt`: what a language model is sent before its first reply, to the byte. Own design."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.commands.output import print_json

if TYPE_CHECKING:
    from conflictbench.types import Message, ToolSpec


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
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the episode; it permutes options.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Show what a language model is sent.

    The messages before its first reply and the functions on offer, word for word; of the regret test also what each
    stage says.
    """
    import gymnasium as gym

    from conflictbench.errors import UnknownName
    from conflictbench.wrappers import ChatEnv, TextActions
    from conflictbench.wrappers.regret_test import RegretTest

    spec = scenario_called(scenario).spec
    env_id = env or f"ConflictBench/{spec.category}-v0"
    ours = sorted(name for name in gym.registry if name.startswith("ConflictBench/"))
    if env_id not in ours:  # others know no scenario
        raise UnknownName("environment", env_id, ours)
    world = gym.make(env_id, scenario=spec.id, variant=variant)
    chat = ChatEnv(TextActions(world), protocol)
    try:
        observation, info = chat.reset(seed=seed)
    finally:
        chat.close()
    stages = chat.unwrapped.stage_texts if isinstance(chat.unwrapped, RegretTest) else ()
    if as_json:
        told = {"stages": [dict(zip(("stage", "outcome", "content"), text, strict=True)) for text in stages]}
        print_json({"protocol": info["protocol"]} | as_plain(**observation) | (told if stages else {}))
    else:
        typer.echo(page(info["protocol"], **observation, stages=stages))


def as_plain(messages: tuple[Message, ...], tools: tuple[ToolSpec, ...]) -> dict[str, Any]:
    """The observation as plain values, as a program reads it."""
    return {
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "tools": [asdict(tool) for tool in tools],
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
        parts += [f"=== {message.role}", message.content]
    for tool in tools:
        parts += [f"=== tool {tool.name}", json.dumps(asdict(tool), indent=2, ensure_ascii=False)]
    for stage, outcome, text in stages:
        parts += [f"=== stage {stage} after {outcome}", text]
    return "\n".join(parts)
