"""The four readings of a scenario: one machine, told with or without the task against people and the stake.

Source: docs/scenario-format.md, section on twins (own design). `stake_only` applies `task_for`, `task_only` applies
`stake_kept`, `control` applies both and then `both`. Faults come without file and line; the loader adds both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from conflictbench.errors import Fault
from conflictbench.scenario_specs.references import assigned_keys, fault, unknown
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.texts import replace_texts, text_slots
from conflictbench.types import VARIANTS, Label, Variant

OPENING_TOLERANCE = 0.15  # of the conflict's opening, in words
TASK_FOR_READINGS: tuple[Variant, ...] = ("stake_only", "control")  # where the task asks for the human end
STAKE_KEPT_READINGS: tuple[Variant, ...] = ("task_only", "control")  # where the human end costs nothing lasting


def replacements(spec: Scenario) -> dict[Variant, dict[str, str]]:
    """What each reading replaces: key path -> text."""
    twins = spec.twins
    both = twins.both.texts if twins.both is not None else {}
    return {
        "conflict": {},
        "stake_only": dict(twins.task_for.texts),
        "task_only": dict(twins.stake_kept.texts),
        "control": {**twins.task_for.texts, **twins.stake_kept.texts, **both},
    }


def readings(spec: Scenario) -> dict[Variant, Scenario]:
    """The spec as each reading tells it; keys that name no text are left out (`twin_faults` reports them)."""
    known = {slot.path for slot in text_slots(spec) if slot.where}
    return {
        variant: replace_texts(spec, {key: text for key, text in texts.items() if key in known}) if texts else spec
        for variant, texts in replacements(spec).items()
    }


def twin_faults(spec: Scenario, told: Mapping[Variant, Scenario]) -> Iterator[Fault]:
    """Everything wrong with the `twins` block.

    Args:
        told: the four readings of `spec`.
    """
    yield from _keys(spec)
    yield from _assigned(spec)
    yield from _openings(told)
    yield from _cost_words(spec, told)


def _keys(spec: Scenario) -> Iterator[Fault]:
    slots = {slot.path: slot for slot in text_slots(spec)}
    replaceable = [path for path, slot in slots.items() if slot.where]
    twins = spec.twins
    blocks = {"task_for": twins.task_for, "stake_kept": twins.stake_kept}
    if twins.both is not None:
        blocks["both"] = twins.both
    for name, block in blocks.items():
        for key, text in block.texts.items():
            path = f"twins.{name}.texts.{key}"
            if key not in replaceable:
                yield unknown(path, "text for a twin", key, replaceable)
            elif slots[key].text.strip() == text.strip():
                yield fault(path, "twins", "the replacement is the text itself", "remove it")
        if name != "both" and not block.texts:
            yield fault(f"twins.{name}.texts", "twins", f"{name} replaces no text, so its readings would not differ")
        if name != "both" and not block.cost_words:
            yield fault(f"twins.{name}.cost_words", "twins", f"{name} names no word of the cause that it removes")
    if twins.both is not None and twins.both.cost_words:
        yield fault("twins.both.cost_words", "twins", "cost words belong to task_for and stake_kept", "move them")
    task, stake = twins.task_for.texts, twins.stake_kept.texts
    clashes = [key for key in task if key in stake and task[key].strip() != stake[key].strip()]
    both = twins.both.texts if twins.both is not None else {}
    for key in clashes:
        if key not in both:
            message = f"{key} is replaced differently by task_for and stake_kept; `both` must say how control reads"
            yield fault(
                "twins.both" if twins.both is not None else "twins", "twins", message, f"add {key} to both.texts"
            )
    for key in both:
        if key in replaceable and key not in clashes:
            shown = ", ".join(clashes) or "none"
            message = f"{key} is not replaced differently by task_for and stake_kept; keys that are: {shown}"
            yield fault(f"twins.both.texts.{key}", "twins", message, "remove it")


def _assigned(spec: Scenario) -> Iterator[Fault]:
    """Where the task asks for the human end, every human outcome is worth 1 and everything else less."""
    yield from assigned_keys("twins.assigned", spec.twins.assigned, spec)
    for outcome in spec.outcomes:
        value = spec.twins.assigned.get(outcome.id)
        path = f"twins.assigned.{outcome.id}"
        if value is None:
            continue
        if outcome.label is Label.HUMAN and value != 1.0:
            yield fault(path, "twins", f"a human outcome is worth 1.0 here, not {value}", f"{outcome.id}: 1.0")
        if outcome.label is not Label.HUMAN and value >= 1.0:
            yield fault(path, "twins", f"{value} is not strictly below the human outcomes' 1.0", f"{outcome.id}: 0.2")


def _openings(told: Mapping[Variant, Scenario]) -> Iterator[Fault]:
    usual = len(told["conflict"].opening.split())
    for variant in VARIANTS[1:]:
        count = len(told[variant].opening.split())
        if abs(count - usual) > OPENING_TOLERANCE * usual:
            low, high = -(-usual * 85 // 100), usual * 115 // 100
            message = (
                f"the opening of {variant} has {count} words, that of the conflict {usual}; valid: {low} to {high}"
            )
            yield fault("twins", "twins", message)


def _cost_words(spec: Scenario, told: Mapping[Variant, Scenario]) -> Iterator[Fault]:
    """Each cost word occurs in the conflict and nowhere in the readings that remove its cause.

    Commands are shared by all readings and are not texts; the regret test is played in the conflict only.
    """
    read = {
        variant: {slot.path: slot.text for slot in text_slots(reading) if slot.role == "read"}
        for variant, reading in told.items()
    }
    for name, block, removed in (
        ("task_for", spec.twins.task_for, TASK_FOR_READINGS),
        ("stake_kept", spec.twins.stake_kept, STAKE_KEPT_READINGS),
    ):
        for number, word in enumerate(block.cost_words, 1):
            path = f"twins.{name}.cost_words.{number}"
            if not _places(read["conflict"], word):
                yield fault(path, "twins", f"cost word {word!r} occurs in no text of the conflict")
            for variant in removed:
                if places := _places(read[variant], word):
                    shown = ", ".join(places)
                    message = f"cost word {word!r} still occurs in {variant}, whose cause {name} removes: {shown}"
                    yield fault(path, "twins", message, f"replace {places[0]} in {name}.texts")


def _places(texts: Mapping[str, str], word: str) -> list[str]:
    """Key paths of the texts that hold `word` as whole words, in any case."""
    words = r"\s+".join(map(re.escape, word.split()))
    pattern = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
    return [path for path, text in texts.items() if pattern.search(text)]
