"""Every text of a scenario under its key path: what may be printed, and what a twin may replace. Own design.

One list serves the character rules, the twins and their cost words, so that no text can be forgotten by one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from conflictbench.scenario_specs.schema import Conditional, Scenario

FORBIDDEN_CHARACTERS = "[]{}<>@^~\\|*#_`"  # markup of Inform 7, Markdown, HTML or of models' chat formats

Role = Literal["read", "extra", "never"]  # in play or asked; regret test only; by nobody who plays


@dataclass(frozen=True, kw_only=True)
class TextSlot:
    """One text and where it stands."""

    path: str  # "actions.open_shaft.help"; paragraphs of the opening are opening.1, opening.2, ...
    text: str
    where: tuple[str | int, ...]  # location in the spec; () where a twin may not replace it
    prose: bool = True  # sentences, which are written in quotes or a block
    role: Role = "read"
    one_line: bool = False  # printed inside a line as it stands; of other texts line breaks are layout


def text_slots(spec: Scenario) -> tuple[TextSlot, ...]:
    """All texts of `spec`, in file order."""
    return tuple(_slots(spec))


def bad_character(text: str) -> tuple[str, int] | None:
    """The first character that no text may hold, with its 1-based position; None if there is none."""
    for position, character in enumerate(text, 1):
        if character in FORBIDDEN_CHARACTERS or not (character == "\n" or " " <= character <= "~"):
            return character, position
    return None


def replace_texts(spec: Scenario, texts: Mapping[str, str]) -> Scenario:
    """The spec with the texts at the given key paths replaced.

    Args:
        texts: key path of a slot that has a `where` -> new text.
    Raises:
        KeyError: a path that is not such a slot.
    """
    where = {slot.path: slot.where for slot in text_slots(spec) if slot.where}
    data = spec.model_dump(by_alias=True)
    paragraphs = list(spec.paragraphs)
    for path, text in texts.items():
        location = where[path]
        if location[0] == "opening":
            paragraphs[int(location[1])] = text.strip()
        else:
            _set(data, location, text)
    if tuple(paragraphs) != spec.paragraphs:
        data["opening"] = "\n\n".join(paragraphs) + "\n"
    return Scenario.model_validate(data)


def _set(data: Any, location: tuple[str | int, ...], text: str) -> None:
    """Put `text` into nested dicts, lists and tuples; tuples on the way become lists."""
    for part in location[:-1]:
        if isinstance(data[part], tuple):
            data[part] = list(data[part])
        data = data[part]
    data[location[-1]] = text


def _slots(spec: Scenario) -> Iterator[TextSlot]:
    yield _label("title", spec.title, role="never")
    yield _label("setting.domain", spec.setting.domain, role="never")
    yield _label("setting.place", spec.setting.place)
    yield TextSlot(path="seed", text=spec.seed, where=(), role="never")
    yield _label("agent.name", spec.agent.name)
    yield _label("agent.role", spec.agent.role, role="never")
    yield TextSlot(path="agent.stake", text=spec.agent.stake, where=("agent", "stake"), prose=False)
    for i, paragraph in enumerate(spec.paragraphs):
        yield TextSlot(path=f"opening.{i + 1}", text=paragraph, where=("opening", i))
    yield _label("clock.label", spec.clock.label)
    yield _label("clock.unit", spec.clock.unit)
    yield from _state_slots(spec)
    for i, item in enumerate(spec.items):
        yield _label(f"items.{item.id}.name", item.name)
        yield TextSlot(path=f"items.{item.id}.look", text=item.look, where=("items", i, "look"))
    for i, action in enumerate(spec.actions):
        path, place = f"actions.{action.id}", ("actions", i)
        yield TextSlot(path=f"{path}.help", text=action.help, where=(*place, "help"))
        for n, need in enumerate(action.needs, 1):
            yield TextSlot(path=f"{path}.needs.{n}.else", text=need.else_, where=())
        yield from _alternatives(f"{path}.says", action.says, (*place, "says"))
        if action.visual is not None and action.visual.label is not None:
            yield _label(f"{path}.visual.label", action.visual.label, role="never")
    for i, outcome in enumerate(spec.outcomes):
        yield from _alternatives(f"outcomes.{outcome.id}.ends", outcome.ends, ("outcomes", i, "ends"))
    yield TextSlot(path="single_turn.question", text=spec.single_turn.question, where=("single_turn", "question"))
    for i, choice in enumerate(spec.single_turn.choices):
        yield TextSlot(path=f"single_turn.choices.{i + 1}", text=choice, where=("single_turn", "choices", i))
    yield from _regret_slots(spec)


def _state_slots(spec: Scenario) -> Iterator[TextSlot]:
    for name, variable in spec.state.items():
        path = f"state.{name}"
        if variable.label is not None:
            where = ("state", name, "label")
            yield TextSlot(path=f"{path}.label", text=variable.label, where=where, prose=False, one_line=True)
        for key, text in (("unit", variable.unit), ("unknown", variable.unknown)):
            if text is not None:
                yield _label(f"{path}.{key}", text)
        for n, word in enumerate(variable.words or (), 1):
            yield _label(f"{path}.words.{n}", word)


def _alternatives(path: str, alternatives: tuple[Conditional, ...], where: tuple[str | int, ...]) -> Iterator[TextSlot]:
    """One text under the path itself; several under its numbers."""
    for i, alternative in enumerate(alternatives):
        own = path if len(alternatives) == 1 else f"{path}.{i + 1}.text"
        yield TextSlot(path=own, text=alternative.text, where=(*where, i, "text"))


def _regret_slots(spec: Scenario) -> Iterator[TextSlot]:
    if spec.regret is None:
        return
    for i, stage in enumerate(spec.regret.stages):
        path, where = f"regret.stages.{i + 1}.text", ("regret", "stages", i, "text")
        if isinstance(stage.text, str):
            yield TextSlot(path=path, text=stage.text, where=where, role="extra")
        else:
            for outcome, text in stage.text.items():
                yield TextSlot(path=f"{path}.{outcome}", text=text, where=(*where, outcome), role="extra")
        if stage.visual is not None and stage.visual.label is not None:
            yield _label(f"regret.stages.{i + 1}.visual.label", stage.visual.label, role="never")
    yield TextSlot(path="regret.regretted", text=spec.regret.regretted, where=("regret", "regretted"), role="extra")


def _label(path: str, text: str, role: Role = "read") -> TextSlot:
    """A word or two that no twin replaces."""
    return TextSlot(path=path, text=text, where=(), prose=False, role=role, one_line=True)
