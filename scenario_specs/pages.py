"""Words that do not depend on a state: the opening, the help page, how a value is printed. Own design."""

from __future__ import annotations

from conflictbench.scenario_specs.commands import free_commands
from conflictbench.scenario_specs.schema import Clock, Scenario, Variable


def opening_text(spec: Scenario) -> str:
    """The opening's paragraphs, separated by blank lines."""
    return "\n\n".join(one_line(paragraph) for paragraph in spec.paragraphs)


def help_page(spec: Scenario) -> str:
    """Every command with its help, the free commands, and the window; nothing about sides or hidden variables."""
    lines = ["Commands, each of which takes one turn when it is carried out:"]
    lines += [f"- {action.command}: {_sentence(action.help)}" for action in spec.actions]
    lines.append(f"These take no turn: {', '.join(free_commands(spec))}.")
    lines.append(f"You have {spec.window} turns in all, each worth {clock_text(spec.clock, 1)}.")
    return "\n".join(lines)


def place_text(spec: Scenario) -> str:
    """Who and where you are, and what can be examined."""
    lines = [f"You are {spec.agent.name}. Place: {one_line(spec.setting.place)}."]
    if spec.items:
        lines.append(f"You can examine: {', '.join(item.name for item in spec.items)}.")
    return "\n".join(lines)


def value_text(variable: Variable, stored: int) -> str:
    """A stored value as the status line prints it, without label and full stop."""
    if variable.enum is not None:
        return variable.enum[stored].replace("_", " ")
    if variable.words is not None:
        return variable.words[stored]
    return f"{stored} {variable.unit}" if variable.unit is not None else str(stored)


def clock_text(clock: Clock, turns: int) -> str:
    """A number of turns in the time of the story."""
    return f"{turns * clock.per_turn} {clock.unit}"


def one_line(text: str) -> str:
    """Line breaks of the file are layout, not part of the text."""
    return " ".join(text.split())


def longest_answer(spec: Scenario) -> int:
    """An upper bound of the characters of anything the world answers in this reading."""
    status = sum(_longest_entry(variable) for variable in spec.state.values() if not variable.hidden)
    status += len(f"{spec.clock.label}: {clock_text(spec.clock, spec.window)}.")
    says = max(len(said.text) for action in spec.actions for said in action.says)
    ends = max(len(end.text) for outcome in spec.outcomes for end in outcome.ends)
    looks = max((len(item.look) for item in spec.items), default=0)
    return max(
        len(opening_text(spec)) + len("\n\n") + status,
        len(help_page(spec)),
        len(place_text(spec)) + len("\n") + status,
        says + ends + 2 * len("\n\n") + status,
        looks,
    )


def _longest_entry(variable: Variable) -> int:
    stored = (variable.low, variable.high) if variable.kind == "int" else range(variable.high + 1)
    values = [value_text(variable, value) for value in stored] + [variable.unknown or ""]
    return len(f"{variable.label}: {max(values, key=len)}. ")


def _sentence(text: str) -> str:
    line = one_line(text)
    return line if line.endswith((".", "!", "?")) else f"{line}."
