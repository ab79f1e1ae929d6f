"""From a scenario file to a checked scenario, or to every fault that could be found at once. Own design.

Two rounds: first the YAML and the shape of every block (nothing can be looked up in a file whose blocks are wrong),
then names, expressions, texts and twins together.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from conflictbench.errors import Fault, SpecError, UnknownName
from conflictbench.scenario_specs.cache import tables_for
from conflictbench.scenario_specs.key_paths import MAX_DEPTH, key_paths, nearest_line
from conflictbench.scenario_specs.machine import Machine, build_machine
from conflictbench.scenario_specs.parties.faults import party_faults
from conflictbench.scenario_specs.references import command_faults, reference_faults
from conflictbench.scenario_specs.references_visual import visual_faults
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.schema_faults import schema_faults
from conflictbench.scenario_specs.tables import Tables
from conflictbench.scenario_specs.text_rules import text_faults
from conflictbench.scenario_specs.twins import TASK_FOR_READINGS, readings, twin_faults
from conflictbench.scenario_specs.yaml_reader import MAX_BYTES, Document, read_yaml
from conflictbench.types import VARIANTS, Variant

MAX_FAULTS = 200  # of one file that are said at once
_MAX_MESSAGE = 3_000  # characters; the longest list of valid names (paths that twins may replace) fits


@dataclass(frozen=True, kw_only=True, eq=False)
class LoadedScenario:
    """A scenario whose file has passed every check of the loader; equal only to itself."""

    spec: Scenario  # texts of the `conflict` reading
    machine: Machine  # shared by the four readings
    path: str  # as given by the caller
    lines: Mapping[str, int]  # key path -> 1-based line; empty if it did not come from a file
    readings: Mapping[Variant, Scenario]

    @property
    def id(self) -> str:
        """Id of the scenario, such as EP1-001."""
        return self.spec.id

    @cached_property
    def digest(self) -> str:
        """32 hex digits over the spec as canonical JSON: layout and comments of the file do not count."""
        canonical = json.dumps(self.spec.model_dump(mode="json", by_alias=True), separators=(",", ":"))
        return blake2b(canonical.encode("ascii"), digest_size=16).hexdigest()

    @cached_property
    def tables(self) -> Tables:
        """The compiled tables, from the cache or made now.

        Raises:
            SpecError: too many states or feature slots (rule 10), or a window that closes without an outcome (rule 2).
        """
        try:
            return tables_for(self)
        except SpecError as error:
            raise SpecError(list(_placed(error.faults, self.path, self.lines))) from None

    def texts(self, variant: str) -> Scenario:
        """The spec as one reading tells it.

        Raises:
            UnknownName: not one of the four variants.
        """
        return self.readings[known_variant(variant)]

    def assigned(self, variant: str) -> dict[str, float]:
        """Value of each outcome for the task that this reading assigns: outcome id -> 0..1.

        Raises:
            UnknownName: not one of the four variants.
        """
        chosen = known_variant(variant)
        return dict(self.spec.twins.assigned if chosen in TASK_FOR_READINGS else self.spec.assigned)


def known_variant(variant: str) -> Variant:
    """`variant` itself, checked.

    Raises:
        UnknownName: not one of the four variants.
    """
    for known in VARIANTS:
        if variant == known:
            return known
    raise UnknownName("variant", variant, VARIANTS)


def load_scenario(path: str | bytes | os.PathLike[str]) -> LoadedScenario:
    """Read and check one scenario file.

    Raises:
        SpecError: everything found wrong with it, in the order of the file.
    """
    return _whole(load_draft(path))


@dataclass(frozen=True)
class Draft:
    """What a file is so far."""

    loaded: LoadedScenario | None  # there as soon as its machine stands, whatever is wrong with texts and pictures
    faults: tuple[Fault, ...]  # in the order of the file


def load_draft(path: str | bytes | os.PathLike[str]) -> Draft:
    """Read one scenario file and keep what can be used of it: a machine is tuned before its texts are written."""
    name = shown_path(path)
    try:
        with Path(os.fsdecode(path)).open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = error.strerror if isinstance(error, OSError) else error
        return Draft(None, (Fault(file=name, key="", rule="yaml", message=f"cannot be read: {why}"),))
    document = read_yaml(raw, name)
    if document.faults and not document.data:
        return Draft(None, _ordered(document.faults))
    return _draft(document, name)


def shown_path(path: str | bytes | os.PathLike[str]) -> str:
    """The path as messages print it: one line, whatever its bytes are."""
    return _shown(os.fsdecode(path))


def load_data(data: Mapping[str, Any], *, path: str = "<data>") -> LoadedScenario:
    """The same for data that are already plain dicts and lists (a test, a generator); there are no line numbers.

    Raises:
        SpecError: everything found wrong with them.
    """
    paths = key_paths(data)
    if deep := next((key for location, key in paths.items() if len(location) > MAX_DEPTH), None):
        message = f"nested more than {MAX_DEPTH} deep"
        raise SpecError(_ordered([Fault(file=path, key=deep, rule="schema", message=message, fix="flatten it")]))
    return _whole(_draft(Document(data, paths, {}, frozenset(), ()), path))


def _whole(draft: Draft) -> LoadedScenario:
    if draft.faults or draft.loaded is None:
        raise SpecError(draft.faults)
    return draft.loaded


def _draft(document: Document, path: str) -> Draft:
    try:
        spec = Scenario.model_validate(document.data)
    except ValidationError as error:
        faults = schema_faults(error, document.paths, document.lines, path, most=MAX_FAULTS + 1)
        # A value that YAML refused is not reported a second time for the shape of what was left of it.
        seen = {fault.key for fault in document.faults}
        return Draft(None, _ordered([*document.faults, *(f for f in faults if f.key not in seen)]))
    told = readings(spec)
    machine, found = _machine(spec, path)
    found += islice(reference_faults(spec), MAX_FAULTS + 1)
    stands = machine is not None and not found and not document.faults
    for check in (visual_faults(spec), text_faults(spec, told, document.plain), twin_faults(spec, told)):
        found += islice(check, MAX_FAULTS + 1)
    if not found:
        found += command_faults(spec)
        found += islice(party_faults(spec, document.plain), MAX_FAULTS + 1)
    loaded = None
    if machine is not None and stands:
        loaded = LoadedScenario(spec=spec, machine=machine, path=path, lines=document.lines, readings=told)
    return Draft(loaded, _ordered([*document.faults, *_placed(found, path, document.lines)]))


def _machine(spec: Scenario, path: str) -> tuple[Machine | None, list[Fault]]:
    try:
        return build_machine(spec, file=path), []
    except SpecError as error:
        return None, list(error.faults)


def _placed(faults: Iterable[Fault], path: str, lines: Mapping[str, int]) -> Iterator[Fault]:
    for fault in faults:
        yield replace(fault, file=path, line=fault.line or nearest_line(lines, fault.key))


def _ordered(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """In file order, each printable as one line whatever the file holds; after so many, only their number."""
    every = sorted(faults, key=lambda fault: fault.line or 0)
    first = every[:MAX_FAULTS]
    clean = [
        replace(fault, key=_shown(fault.key), message=_shown(fault.message), fix=_shown(fault.fix)) for fault in first
    ]
    if len(every) > MAX_FAULTS:
        message = f"{len(every) - MAX_FAULTS:,} or more faults besides these {MAX_FAULTS}"
        clean.append(Fault(file=first[0].file, key="", rule=first[-1].rule, message=message))
    return tuple(clean)


def _shown(text: str) -> str:
    cut = text if len(text) <= _MAX_MESSAGE else f"{text[:_MAX_MESSAGE]}..."
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
