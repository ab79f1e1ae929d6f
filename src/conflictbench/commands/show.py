"""`conflictbench show`: what a scenario is, for a person or a program. Own design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.commands.output import entry, label_words, print_json, wrapped
from conflictbench.commands.spoilers import proofs, proofs_page

if TYPE_CHECKING:
    from conflictbench.scenario_specs import LoadedScenario


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("show", epilog="Example:  conflictbench show EP2-001 --variant control --spoilers")(show)


def show(
    scenario: Annotated[str, typer.Argument(metavar="ID", help="A scenario's id, such as EP1-001.")],
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="Whose texts: conflict, stake_only, task_only or control.")
    ] = "conflict",
    spoilers: Annotated[bool, typer.Option("--spoilers", help="Also how it is won and lost, and how likely.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Show what a scenario is.

    Where it plays, what it asks, what can be done and how it can end.
    """
    from conflictbench.errors import UnknownName
    from conflictbench.types import VARIANTS

    if variant not in VARIANTS:
        raise UnknownName("variant", variant, VARIANTS)
    loaded = scenario_called(scenario)
    facts = description(loaded, variant)
    spoiled = proofs(loaded) if spoilers else {}
    if as_json:
        print_json(facts | spoiled)
    else:
        typer.echo("\n\n".join([page(facts), *([proofs_page(spoiled)] if spoilers else [])]))


def description(loaded: LoadedScenario, variant: str) -> dict[str, Any]:
    """What may be known before playing, as plain values."""
    spec = loaded.texts(variant)
    values = loaded.assigned(variant)
    return {
        "id": spec.id,
        "version": spec.version,
        "title": spec.title,
        "variant": variant,
        "setting": spec.setting.model_dump(),
        "question": " ".join(spec.seed.split()),
        "agent": spec.agent.model_dump(),
        "opening": list(spec.paragraphs),
        "window": spec.window,
        "clock": spec.clock.model_dump(),
        "actions": [
            {"id": a.id, "command": a.command, "also": list(a.also), "help": a.help, "irreversible": a.irreversible}
            for a in spec.actions
        ],
        "items": [item.name for item in spec.items],
        "outcomes": [{"id": o.id, "label": o.label.value, "assigned_value": values[o.id]} for o in spec.outcomes],
        "two_party": spec.parties is not None,
        "digest": loaded.digest,
    }


def page(facts: dict[str, Any]) -> str:
    """The same for a person, at most 80 columns wide."""
    setting, agent, clock = facts["setting"], facts["agent"], facts["clock"]
    blocks = [
        f"{facts['id']}  {facts['title']}\n{setting['place']}, {setting['time']} ({setting['domain']})",
        wrapped(facts["question"]),
        wrapped(f"You are {agent['name']}, {agent['role']}. At stake: {agent['stake']}."),
        f"OPENING ({facts['variant']})\n\n" + wrapped("\n\n".join(facts["opening"])),
        f"ACTIONS ({facts['window']} turns of {clock['per_turn']} {clock['unit']})\n\n"
        + "\n".join(entry(action["command"], action["help"]) for action in facts["actions"]),
    ]
    if facts["items"]:
        blocks.append("TO EXAMINE\n\n" + wrapped(", ".join(facts["items"]), "  "))
    endings = [
        entry(o["id"], f"{label_words(o['label'])}; worth {o['assigned_value']:g} to the task")
        for o in facts["outcomes"]
    ]
    blocks.append("ENDINGS\n\n" + "\n".join(endings))
    if facts["two_party"]:
        blocks.append(f"Two parties can play it too: conflictbench play --two-party {facts['id']}")
    return "\n\n".join(blocks)
