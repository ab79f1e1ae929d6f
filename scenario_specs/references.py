"""Names in a scenario file that must be names of something else in it, and values that must fit each other.

Source: docs/scenario-format.md, sections on keys and commands. Expressions are read by `machine.py`, pictures by
`references_visual.py`, twins by `twins.py`. Faults come without file and line; the loader adds both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.commands import ARTICLES, CommandBook, normalise
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.types import Label

RESERVED_FIRST_WORDS = ("again", "g", "oops", "o", "undo", "help", "look", "status", "examine", "x", "me")


def reference_faults(spec: Scenario) -> Iterator[Fault]:
    """Everything wrong between keys of one file, the machine, the twins and the pictures apart."""
    yield from _unique_ids(spec)
    yield from _commands(spec)
    yield from _items(spec)
    yield from _outcomes(spec)
    yield from assigned_keys("assigned", spec.assigned, spec)
    yield from _assigned_order(spec)
    yield from _oversight(spec)
    yield from _regret(spec)
    yield from _single_turn(spec)


def fault(key: str, rule: str, message: str, fix: str = "") -> Fault:
    """A fault that the loader will place in its file."""
    return Fault(file="", key=key, rule=rule, message=message, fix=fix)


def unknown(key: str, kind: str, name: object, known: Iterable[str]) -> Fault:
    """A name that is none of the known ones; the nearest is offered."""
    names = list(known)
    near = get_close_matches(str(name), names, n=1)
    shown = ", ".join(names) or "none"
    given = repr(str(name)) if len(str(name)) <= 60 else f"{str(name)[:57]!r}..."
    return fault(key, "reference", f"unknown {kind} {given}; known: {shown}", near[0] if near else "")


def _unique_ids(spec: Scenario) -> Iterator[Fault]:
    for block, entries in (("actions", spec.actions), ("items", spec.items), ("outcomes", spec.outcomes)):
        ids = [entry.id for entry in entries]
        yield from _repeated(f"{block}.", "id", ids)


def _repeated(prefix: str, kind: str, names: Sequence[str]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if name in first:
            yield fault(
                f"{prefix}{number}", "reference", f"{kind} {name!r} is taken by number {first[name]} of the list"
            )
        first.setdefault(name, number)


def _commands(spec: Scenario) -> Iterator[Fault]:
    places = []
    for action in spec.actions:
        places.append((action.command, f"actions.{action.id}.command"))
        places += [(also, f"actions.{action.id}.also.{n}") for n, also in enumerate(action.also, 1)]
    for command, key in places:
        words = command.split()
        if words[0] in RESERVED_FIRST_WORDS:
            valid = ", ".join(RESERVED_FIRST_WORDS)
            message = f"command {command!r} begins with a word that is taken; taken: {valid}"
            yield fault(key, "reference", message)
        if articles := [word for word in words if word in ARTICLES]:
            fix = " ".join(word for word in words if word not in ARTICLES)
            message = f"command {command!r} holds the article {articles[0]!r}, which matching ignores"
            yield fault(key, "reference", message, fix)
    # Sorted, everything that begins with a command stands right after it: neighbours tell.
    ordered = sorted((normalise(command), key) for command, key in places)
    for (shorter, first), (longer, second) in pairwise(ordered):
        if shorter == longer:
            message = f"command {shorter!r} is also that of {first}; commands and synonyms are unique in a file"
            yield fault(second, "reference", message)
        elif longer.startswith(shorter):
            message = f"command {shorter!r} is the beginning of {longer!r} ({second}); no command may begin another"
            yield fault(first, "reference", message)


def _items(spec: Scenario) -> Iterator[Fault]:
    """`examine` takes an item by name or id; each word must mean one item."""
    taken: dict[str, str] = {}
    for item in spec.items:
        articles = [word for word in item.name.split() if word in ARTICLES]
        if articles and normalise(item.name):
            message = f"name {item.name!r} holds the article {articles[0]!r}, which matching ignores"
            yield fault(f"items.{item.id}.name", "reference", message)
        for key, written in (("id", item.id), ("name", item.name)):
            word = normalise(written)
            if not word:
                message = f"{written!r} says nothing to `examine`, which ignores articles and marks"
                yield fault(f"items.{item.id}.{key}", "reference", message, "a noun")
            elif taken.setdefault(word, item.id) != item.id:
                message = f"{word!r} already means the item {taken[word]!r}"
                yield fault(f"items.{item.id}.{key}", "reference", message)


def command_faults(spec: Scenario) -> Iterator[Fault]:
    """What the command book itself refuses: nothing, once the checks above are quiet, or they have a gap."""
    try:
        CommandBook(spec)
    except SpecError as error:
        yield from error.faults


def _outcomes(spec: Scenario) -> Iterator[Fault]:
    labels = [outcome.label for outcome in spec.outcomes]
    for label in (Label.HUMAN, Label.AGENT_BY_CHOICE, Label.AGENT_BY_DEFAULT):
        if label not in labels:
            yield fault(
                "outcomes",
                "reference",
                f"no outcome is labelled {label}; human, agent_by_choice and agent_by_default are needed",
            )
    last = spec.outcomes[-1]
    if last.label is not Label.AGENT_BY_DEFAULT and Label.AGENT_BY_DEFAULT in labels:
        message = f"the last outcome is {last.label}; the deadline (agent_by_default) stands last"
        yield fault(f"outcomes.{last.id}.label", "reference", message)


def assigned_keys(path: str, assigned: dict[str, float], spec: Scenario) -> Iterator[Fault]:
    """`assigned` gives every outcome a value in 0..1."""
    ids = [outcome.id for outcome in spec.outcomes]
    for name, value in assigned.items():
        if name not in ids:
            yield unknown(f"{path}.{name}", "outcome", name, ids)
        elif not 0.0 <= value <= 1.0:
            yield fault(f"{path}.{name}", "reference", f"value {value} is outside 0..1", str(min(1.0, max(0.0, value))))
    for name in ids:
        if name not in assigned:
            yield fault(
                path,
                "reference",
                f"outcome {name!r} has no value; every outcome has one: {', '.join(ids)}",
                f"add {name}: ...",
            )


def _assigned_order(spec: Scenario) -> Iterator[Fault]:
    """In the conflict the task is against people: human <= by default < by choice."""
    values = {
        label: [(spec.assigned[o.id], o.id) for o in spec.outcomes if o.label is label and o.id in spec.assigned]
        for label in Label
    }
    human, default = values[Label.HUMAN], values[Label.AGENT_BY_DEFAULT]
    choice = values[Label.AGENT_BY_CHOICE]
    if human and default and max(human)[0] > min(default)[0]:
        (high, one), (low, other) = max(human), min(default)
        message = (
            f"human outcome {one} ({high}) is worth more than the deadline {other} ({low}); human <= default < choice"
        )
        yield fault(f"assigned.{one}", "reference", message)
    if choice and default and max(default)[0] >= min(choice)[0]:
        (high, one), (low, other) = max(default), min(choice)
        message = f"the deadline {one} ({high}) is not worth less than {other} ({low}); human <= default < choice"
        yield fault(f"assigned.{one}", "reference", message)


def _oversight(spec: Scenario) -> Iterator[Fault]:
    if spec.oversight is None:
        return
    for key in ("sees", "truth"):
        names: Sequence[str] = getattr(spec.oversight, key)
        for number, name in enumerate(names, 1):
            if name not in spec.state:
                yield unknown(f"oversight.{key}.{number}", "variable", name, spec.state)
        yield from _repeated(f"oversight.{key}.", "variable", names)


def _regret(spec: Scenario) -> Iterator[Fault]:
    if spec.regret is None:
        return
    human = [outcome.id for outcome in spec.outcomes if outcome.label is Label.HUMAN]
    for number, stage in enumerate(spec.regret.stages, 1):
        path = f"regret.stages.{number}.text"
        if isinstance(stage.text, str):
            continue
        for name in stage.text:
            if name not in human:
                yield unknown(f"{path}.{name}", "human outcome", name, human)
        if missing := [name for name in human if name not in stage.text]:
            yield fault(
                path,
                "reference",
                f"no text for {', '.join(missing)}; keyed texts name every human outcome: {', '.join(human)}",
            )


def _single_turn(spec: Scenario) -> Iterator[Fault]:
    yield from _repeated("single_turn.choices.", "choice", [normalise(choice) for choice in spec.single_turn.choices])
