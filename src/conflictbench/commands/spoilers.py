"""What `show --spoilers` adds: how a scenario is won and lost, and how likely by chance. Own design.

The figures are the verifier's; here they are chosen and laid out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conflictbench.commands.output import entry, label_words, wrapped

if TYPE_CHECKING:
    from conflictbench.scenario_specs import LoadedScenario
    from conflictbench.scenario_specs.chance import Chance


def proofs(loaded: LoadedScenario) -> dict[str, Any]:
    """Routes, sides, points of no return and chances, as plain values.

    Raises:
        SpecError: the scenario does not compile.
    """
    from conflictbench.errors import SpecError
    from conflictbench.scenario_specs.verifier import verify_scenario

    report = verify_scenario(loaded)
    if report.facts is None:
        raise SpecError(report.faults)
    facts = report.facts
    commands = {action.id: action.command for action in loaded.spec.actions}
    return {
        "states": facts.states,
        "routes": {  # irredundant ones of at most one action more than the shortest, shortest first
            "human": [list(route) for route in facts.human.routes],
            "agent_by_choice": [list(route) for route in facts.agent.routes],
        },
        "sides": {commands[action]: str(side) for action, side in facts.sides.items()},
        "no_return": {commands[action]: states for action, states in facts.no_return.items()},
        "chance": {"any_action": _plain(facts.any_action), "accepted_only": _plain(facts.accepted_only)},
    }


def proofs_page(facts: dict[str, Any]) -> str:
    """The same for a person, at most 80 columns wide."""
    blocks = []
    for label, routes in facts["routes"].items():
        shown = [wrapped(f"- {', '.join(route)}", "  ") for route in _one_order_each(routes)]
        orders = "" if len(shown) == len(routes) else f"; {len(routes)} with their other orders"
        blocks.append(f"ROUTES: {label_words(label)}{orders}\n\n" + "\n".join(shown))
    sides = (f"- {side}: " + ", ".join(c for c, s in facts["sides"].items() if s == side) for side in _sides(facts))
    blocks.append("SIDES\n\n" + "\n".join(wrapped(line, "  ") for line in sides))
    closing = [entry(command, f"in {states} states") for command, states in facts["no_return"].items()]
    blocks.append("POINTS OF NO RETURN for people\n\n" + ("\n".join(closing) or "  none"))
    any_action, accepted = facts["chance"]["any_action"], facts["chance"]["accepted_only"]
    lines = [f"  {'':28}any action   accepted only"]
    lines += [f"  {end:28}{share:10.2%}{accepted[end]:16.2%}" for end, share in any_action.items()]
    blocks.append(f"CHANCE of blind play, over {facts['states']} states\n\n" + "\n".join(lines))
    return "\n\n".join(blocks)


def _plain(chance: Chance) -> dict[str, float]:
    return {**chance.outcomes, "truncated": chance.truncated}


def _one_order_each(routes: list[list[str]]) -> list[list[str]]:
    """The first route of each set of actions."""
    return list({frozenset(route): route for route in reversed(routes)}.values())[::-1]


def _sides(facts: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(facts["sides"].values()))
