"""Names in a `parties` block that must be names of something else in the file. Own design.

Expressions are read by `game.py`. Faults come without file and line; the loader adds both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conflictbench.errors import Fault
from conflictbench.scenario_specs.commands import normalise
from conflictbench.scenario_specs.parties.block import HOLD, ROLES, Parties
from conflictbench.scenario_specs.parties.starts import may_start, valid_starts
from conflictbench.scenario_specs.references import RESERVED_FIRST_WORDS, fault, unknown
from conflictbench.scenario_specs.schema import Scenario, Variable
from conflictbench.scenario_specs.texts import FORBIDDEN_CHARACTERS, bad_character

PLACE = "parties"


def party_reference_faults(spec: Scenario) -> Iterator[Fault]:
    """Everything wrong between the block and the rest of its file, expressions apart."""
    block = spec.parties
    if block is None:
        return
    own = [action.id for action in spec.actions]
    added = [move.id for move in block.adds.moves]
    yield from _added(spec, block, own, added)
    yield from _moves(block, [*own, *added])
    yield from _commands(spec, block)
    yield from _changed(block, own)
    yield from _variables(block, {**block.adds.state, **spec.state})
    yield from _texts(block)


def _added(spec: Scenario, block: Parties, own: Sequence[str], added: Sequence[str]) -> Iterator[Fault]:
    """What is added must be new."""
    for name in block.adds.state:
        if name in spec.state:
            message = f"{name!r} is a variable of the file already; what is added has a name of its own"
            yield fault(f"{PLACE}.adds.state.{name}", "reference", message, f"{name}_of_two")
    for number, name in enumerate(added, 1):
        key = f"{PLACE}.adds.moves.{name}"
        if name == HOLD:
            yield fault(key, "reference", f"{HOLD!r} is the move that either party always has")
        elif name in own:
            message = (
                f"{name!r} is an action of the file already; further needs and effects go under `needs`, `effects`"
            )
            yield fault(key, "reference", message)
        elif name in added[: number - 1]:
            yield fault(f"{PLACE}.adds.moves.{number}", "reference", f"id {name!r} is taken by an earlier move")


def _moves(block: Parties, known: Sequence[str]) -> Iterator[Fault]:
    lists = {f"{role}.actions": block.own(role).actions for role in ROLES} | {"both": block.both}
    first: dict[str, str] = {}
    for place, names in lists.items():
        for number, name in enumerate(names, 1):
            key = f"{PLACE}.{place}.{number}"
            if name not in known:
                yield unknown(key, "action", name, known)
            elif name in first:
                message = f"{name!r} stands in {first[name]} already; a move that either may play goes under `both`"
                yield fault(key, "reference", message)
            first.setdefault(name, place)
    for number, move in enumerate(block.adds.moves, 1):
        if move.id not in first:
            message = f"nobody may play {move.id!r}: it stands in none of {', '.join(lists)}"
            yield fault(f"{PLACE}.adds.moves.{move.id or number}", "reference", message)
    for number, name in enumerate(block.yields, 1):
        if name not in (*block.incumbent.actions, *block.both):
            yield unknown(
                f"{PLACE}.yields.{number}", "move of the incumbent", name, (*block.incumbent.actions, *block.both)
            )
    for name in block.cost:
        if name not in first:
            yield unknown(f"{PLACE}.cost.{name}", "move", name, first)


def _commands(spec: Scenario, block: Parties) -> Iterator[Fault]:
    """Commands of moves are told apart as those of actions are: none may begin another."""
    taken = [(normalise(words), action.id) for action in spec.actions for words in (action.command, *action.also)]
    for move in block.adds.moves:
        for words in (move.command, *move.also):
            key = f"{PLACE}.adds.moves.{move.id}.command"
            plain = normalise(words)
            if plain.split()[0] in (*RESERVED_FIRST_WORDS, HOLD):
                yield fault(key, "reference", f"command {words!r} begins with a word that is taken")
            for other, owner in taken:
                if plain.startswith(other) or other.startswith(plain):
                    message = f"command {words!r} and {other!r} of {owner}: no command may begin another"
                    yield fault(key, "reference", message)
            taken.append((plain, move.id))


def _changed(block: Parties, own: Sequence[str]) -> Iterator[Fault]:
    """Further needs and effects belong to actions of the file that a party may play."""
    played = {*block.both, *(name for role in ROLES for name in block.own(role).actions)}
    inside = [name for name in own if name in played]
    for place, entries in (("needs", block.adds.needs), ("effects", block.adds.effects)):
        for name in entries:
            if name not in inside:
                yield unknown(f"{PLACE}.adds.{place}.{name}", "action of the file that a party plays", name, inside)


def _variables(block: Parties, state: Mapping[str, Variable]) -> Iterator[Fault]:
    for name, value in block.adds.start.items():
        yield from _start(f"{PLACE}.adds.start.{name}", name, [value], state)
    for role in ROLES:
        for number, name in enumerate(getattr(block.private, role), 1):
            key = f"{PLACE}.private.{role}.{number}"
            if name not in state:
                yield unknown(key, "variable", name, state)
            elif state[name].hidden:
                yield fault(key, "reference", f"{name!r} is hidden from both; a private variable is seen by one")
    private = (*block.private.incumbent, *block.private.requester)
    for name in sorted({name for name in private if private.count(name) > 1}):
        yield fault(f"{PLACE}.private", "reference", f"{name!r} is private to both: leave it out, or hide it")
    for name, values in block.types.items():
        key = f"{PLACE}.types.{name}"
        yield from _start(key, name, values, state)
        if name not in private:
            yield unknown(key, "private variable", name, private)
        if len(set(values)) < len(values):
            yield fault(key, "reference", f"start values {list(values)} are not all different")


def _start(key: str, name: str, values: Sequence[int | bool | str], state: Mapping[str, Variable]) -> Iterator[Fault]:
    if name not in state:
        yield unknown(key, "variable", name, state)
        return
    for value in values:
        if not may_start(state[name], value):
            valid = ", ".join(valid_starts(state[name]))
            yield fault(key, "reference", f"{name} cannot begin with {value!r}; valid: {valid}")


def _texts(block: Parties) -> Iterator[Fault]:
    """Every text of the block, by the character rules of the file."""
    texts = {**_labels(block), **_sentences(block)}
    for key, text in texts.items():
        if not text.strip():
            yield fault(key, "text", "the text is blank")
        if (bad := bad_character(text)) is not None:
            valid = f"valid: printable ASCII and newlines without {' '.join(FORBIDDEN_CHARACTERS)}"
            yield fault(key, "text", f"character {bad[0]!r} (position {bad[1]}) has no place in a text; {valid}")


def party_texts(block: Parties) -> dict[str, bool]:
    """Key path of every text -> whether it is prose, which is written in quotes."""
    return {**dict.fromkeys(_labels(block), False), **dict.fromkeys(_sentences(block), True)}


def _labels(block: Parties) -> dict[str, str]:
    """Texts that are printed inside a line."""
    texts: dict[str, str] = {}
    for name, variable in block.adds.state.items():
        place = f"{PLACE}.adds.state.{name}"
        parts = {"label": variable.label, "unit": variable.unit, "unknown": variable.unknown}
        texts |= {f"{place}.{key}": text for key, text in parts.items() if text is not None}
        texts |= {f"{place}.words.{n}": text for n, text in enumerate(variable.words or (), 1)}
    return texts


def _sentences(block: Parties) -> dict[str, str]:
    texts = {f"{PLACE}.{role}.task": block.own(role).task for role in ROLES}
    for key, text in (("requester.opening", block.requester.opening), ("both_ends", block.both_ends)):
        if text is not None:
            texts[f"{PLACE}.{key}"] = text
    for move in block.adds.moves:
        place = f"{PLACE}.adds.moves.{move.id}"
        texts[f"{place}.help"] = move.help
        several = len(move.says) > 1
        texts |= {
            f"{place}.says.{n}.text" if several else f"{place}.says": says.text for n, says in enumerate(move.says, 1)
        }
        texts |= {f"{place}.needs.{n}.else": need.else_ for n, need in enumerate(move.needs, 1)}
    for action, needs in block.adds.needs.items():
        texts |= {f"{PLACE}.adds.needs.{action}.{n}.else": need.else_ for n, need in enumerate(needs, 1)}
    return texts
