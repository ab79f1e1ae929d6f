"""What every text of a file must be: printable, without markup, written so that YAML cannot cut it.

Source: docs/scenario-format.md, "Text". Lengths and vocabulary are the verifier's. Faults come without file and line;
the loader adds both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conflictbench.errors import Fault
from conflictbench.scenario_specs.pages import longest_answer
from conflictbench.scenario_specs.references import fault
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.texts import FORBIDDEN_CHARACTERS, TextSlot, bad_character, text_slots
from conflictbench.types import Variant

MAX_ANSWER = 8_192  # characters of anything the world answers; the length of the text observation


def text_faults(spec: Scenario, told: Mapping[Variant, Scenario], plain: frozenset[str]) -> Iterator[Fault]:
    """Faults in the texts of one file, the replacements of its twins among them.

    Args:
        told: the four readings of `spec`.
        plain: key paths of values written without quotes or block.
    """
    slots = [*text_slots(spec), *_replacements(spec)]
    for slot in slots:
        yield from _characters(slot)
        place = "opening" if slot.path.startswith("opening.") else slot.path
        if slot.prose and place in plain:
            message = "prose without quotes: YAML would cut it at ' #' or ': '"
            yield fault(slot.path, "text", message, "put it in double quotes or a block")
        if slot.one_line and "\n" in slot.text:
            yield fault(slot.path, "text", "this text is printed inside one line", "remove the line break")
    for variant, reading in told.items():
        if (longest := longest_answer(reading)) > MAX_ANSWER:
            message = f"an answer in {variant} can have {longest} characters; the limit is {MAX_ANSWER:,}"
            yield fault("", "text", message, "shorten the help texts, the opening or the endings")


def _replacements(spec: Scenario) -> Iterator[TextSlot]:
    twins = spec.twins
    one_line = {slot.path for slot in text_slots(spec) if slot.one_line}
    for name, block in (("task_for", twins.task_for), ("stake_kept", twins.stake_kept), ("both", twins.both)):
        for key, text in block.texts.items() if block is not None else ():
            path, line = f"twins.{name}.texts.{key}", key in one_line
            yield TextSlot(path=path, text=text, where=(), prose=not key.startswith("state."), one_line=line)


def _characters(slot: TextSlot) -> Iterator[Fault]:
    if not slot.text.strip():
        yield fault(slot.path, "text", "the text is blank")
    if (bad := bad_character(slot.text)) is not None:
        character, position = bad
        around = slot.text[max(0, position - 12) : position + 11]
        message = (
            f"character {character!r} (position {position}, in {around!r}) has no place in a text; "
            f"valid: printable ASCII and newlines without {' '.join(FORBIDDEN_CHARACTERS)}"
        )
        yield fault(slot.path, "text", message, "spell it out")
