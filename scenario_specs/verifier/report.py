"""Facts and faults as Markdown, for `conflictbench verify --report`. Own design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflictbench.errors import Fault
from conflictbench.scenario_specs.verifier.facts import Facts, FileReport, SideFacts
from conflictbench.types import Label

SHOWN_ROUTES = 100  # a side


SUMMARY_KEY = "Of each side: turns of its shortest route, and its chance in blind play over any action."


def summary(report: FileReport) -> str:
    """One line a file: proved or not, its states, and of each side what `SUMMARY_KEY` says."""
    errors = sum(fault.severity == "error" for fault in report.faults)
    verdict = "proved" if report.ok else f"{errors} error{'s' if errors != 1 else ''}"
    if warnings := len(report.faults) - errors:
        verdict += f", {warnings} warning{'s' if warnings != 1 else ''}"
    facts = report.facts
    if facts is None:
        return f"{report.path}: {verdict}"
    sides = ((Label.HUMAN, facts.human), (Label.AGENT_BY_CHOICE, facts.agent))
    each = "; ".join(
        f"{label.words} {_turns(side)}, {facts.any_action.labels.get(label, 0.0):.2%}" for label, side in sides
    )
    return f"{report.id}: {verdict}, {facts.states:,} states; {each}"


def render_report(reports: Sequence[FileReport], suite: Sequence[Fault] = ()) -> str:
    """A Markdown page: an overview, then faults, routes, sides and chances of each file.

    Args:
        reports: as `verify_file` returns them.
        suite: as `verify_suite` returns them.
    """
    return "\n".join(_page(reports, suite)) + "\n"


def _page(reports: Sequence[FileReport], suite: Sequence[Fault]) -> Iterator[str]:
    proved = sum(report.ok for report in reports)
    yield from ("# Scenario proofs", "", f"{proved} of {len(reports)} files proved.", "")
    choice = Label.AGENT_BY_CHOICE.words
    columns = f"errors | warnings | states | shortest human / {choice}"
    columns += "".join(f" | {end}, any action" for end in ("human", choice, "truncated"))
    columns += "".join(f" | {end}, accepted only" for end in ("human", choice))
    yield f"| file | {columns} |"
    yield "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|"
    for report in reports:
        errors = sum(fault.severity == "error" for fault in report.faults)
        yield f"| {report.id} | {errors} | {len(report.faults) - errors} | " + " | ".join(_row(report.facts)) + " |"
    yield ""
    yield "Any action: uniform over all actions, 14 interactions. Accepted only: uniform over these, no cap."
    if suite:
        yield from ("", "## The suite", "", *(f"- {fault}" for fault in suite))
    for report in reports:
        yield from ("", *_section(report))


def _row(facts: Facts | None) -> list[str]:
    if facts is None:
        return ["-"] * 7
    a, b = facts.any_action, facts.accepted_only
    shares = [a.labels.get("human", 0.0), a.labels.get("agent_by_choice", 0.0), a.truncated]
    shares += [b.labels.get("human", 0.0), b.labels.get("agent_by_choice", 0.0)]
    routes = f"{facts.human.shortest} / {facts.agent.shortest}"
    return [f"{facts.states:,}", routes, *(f"{share:.2%}" for share in shares)]


def _section(report: FileReport) -> Iterator[str]:
    facts = report.facts
    yield f"## {report.id}" + (f": {facts.title}" if facts else "")
    yield ""
    yield from (f"- {fault}" for fault in report.faults)
    if not report.faults:
        yield "No fault."
    if facts is None:
        return
    yield ""
    yield (
        f"{facts.states:,} states ({facts.running_states:,} running), {facts.waiting_states:,} with waits; "
        f"graph shape: {facts.shape}."
    )
    for name, side in ((Label.HUMAN.words, facts.human), (Label.AGENT_BY_CHOICE.words, facts.agent)):
        yield from ("", *_routes(name, side))
    yield from ("", "| action | side | closes the way in |", "|---|---|---:|")
    for action, which in facts.sides.items():
        states = facts.no_return.get(action)
        yield f"| {action} | {which} | {f'{states:,} states' if states else ''} |"
    yield from ("", "| ending | any action | accepted only |", "|---|---:|---:|")
    for outcome, share in facts.any_action.outcomes.items():
        yield f"| {outcome} | {share:.3%} | {facts.accepted_only.outcomes[outcome]:.3%} |"
    yield f"| truncated | {facts.any_action.truncated:.3%} | {facts.accepted_only.truncated:.3%} |"
    if facts.wait_share is not None:
        yield from ("", f"A wait would also have reached {facts.wait_share:.0%} of the endings, deadline apart.")


def _routes(name: str, side: SideFacts) -> Iterator[str]:
    yield (
        f"{name}: shortest {side.shortest}; {side.sequences:,} accepted sequences, {len(side.routes):,} irredundant in "
        f"{len(side.set_sizes)} sets."
    )
    yield ""
    yield from (f"- {', '.join(route)}" for route in side.routes[:SHOWN_ROUTES])
    if len(side.routes) > SHOWN_ROUTES:
        yield f"- and {len(side.routes) - SHOWN_ROUTES:,} more"


def _turns(side: SideFacts) -> str:
    if side.shortest is None:
        return "no route"
    return f"{side.shortest} turn{'' if side.shortest == 1 else 's'}"
