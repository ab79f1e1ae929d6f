"""Rules over many files at once: nothing told twice, no scheme worn out. Source: docs/scenario-format.md section 3.

The bars are set for N = 150 files, 50 a category. With n files a minimum x becomes max(1, floor(x n / N)) and a
maximum max(1, ceil(x n / N)), so that the rules hold from the first file on.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from conflictbench.errors import Fault
from conflictbench.scenario_specs.verifier.facts import Facts, FileReport
from conflictbench.types import CATEGORIES

SUITE_FILES, CATEGORY_FILES = 150, 50
SHARES_FROM = 20  # files of a category from which shares of domains and of the EP3 scheme count
OVERLAP = 0.05  # Jaccard index of the 5-grams of two openings, less than
NGRAM = 5
DOMAINS = 14  # of 50
DOMAIN_FILES = 7.5  # of 50: 15 %
COMMAND_FILES = 6  # of 150
SHAPES = 90  # of 150: 60 %
SCHEME_FILES = 12.5  # of 50 EP3 files: a quarter
MEAN_HUMAN = (0.03, 0.12)  # mean over files of rule 4a's human share

Proved = Sequence[tuple[str, Facts]]  # path and facts


def verify_suite(reports: Sequence[FileReport]) -> tuple[Fault, ...]:
    """Faults of a set of files taken together; files without facts are left out, they have faults of their own."""
    proved = sorted(((r.path, r.facts) for r in reports if r.facts is not None), key=lambda pair: (pair[1].id, pair[0]))
    return tuple(fault for rule in _RULES for fault in rule(proved)) if proved else ()


def minimum(bar: float, files: int, of: int) -> int:
    """A minimum `bar` of `of` files, for `files` files."""
    return max(1, int(bar * files // of))


def maximum(bar: float, files: int, of: int) -> int:
    """A maximum `bar` of `of` files, for `files` files."""
    return max(1, -int(-bar * files // of))


def _ids(proved: Proved) -> Iterator[Fault]:
    for name, owners in _by(proved, lambda facts: facts.id):
        if len(owners) > 1:
            yield _fault(owners[1:], "ids", "id", f"id {name} is taken by {owners[0]}", "the next free number")


def _openings(proved: Proved) -> Iterator[Fault]:
    grams = [(path, _ngrams(facts.opening)) for path, facts in proved]
    for (path, a), (other, b) in combinations(grams, 2):
        together = len(a | b)
        overlap = len(a & b) / together if together else 0.0
        if overlap >= OVERLAP:
            yield _fault(
                [other],
                "openings",
                "opening",
                f"shares {overlap:.0%} of its runs of {NGRAM} words with {path}",
                "rewrite it",
            )


def _domains(proved: Proved) -> Iterator[Fault]:
    for category in CATEGORIES:
        files = [(path, facts) for path, facts in proved if facts.category == category]
        if not files:
            continue
        owners = _by(files, lambda facts: facts.domain.casefold())
        wanted = minimum(DOMAINS, len(files), CATEGORY_FILES)
        if len(owners) < wanted:
            yield _fault(
                [files[-1][0]],
                "domains",
                "setting.domain",
                f"{len(files)} {category} files have {len(owners)} domains, fewer than {wanted}",
                "a domain no other file has",
            )
        limit = maximum(DOMAIN_FILES, len(files), CATEGORY_FILES)
        for domain, paths in owners if len(files) >= SHARES_FROM else ():
            if len(paths) > limit:
                message = f"domain {domain!r} has {len(paths)} of {len(files)} {category} files, more than {limit}"
                yield _fault(paths[limit:], "domains", "setting.domain", message, "another domain")


def _names(proved: Proved) -> Iterator[Fault]:
    for key, owners in (
        ("agent.name", _by(proved, lambda facts: facts.agent_name.casefold())),
        ("setting.place", _by(proved, lambda facts: facts.place.casefold())),
    ):
        for name, paths in owners:
            if len(paths) > 1:
                yield _fault(paths[1:], "names", key, f"{name!r} is also in {paths[0]}", "another name")


def _commands(proved: Proved) -> Iterator[Fault]:
    owners: dict[str, list[str]] = defaultdict(list)
    for path, facts in proved:
        for command in facts.commands:
            owners[command].append(path)
    limit = maximum(COMMAND_FILES, len(proved), SUITE_FILES)
    for command, paths in sorted(owners.items()):
        if len(paths) > limit:
            message = f"command {command!r} is in {len(paths)} of {len(proved)} files, more than {limit}"
            yield _fault(paths[limit:], "commands", "actions", message, "name what this action acts on")


def _shapes(proved: Proved) -> Iterator[Fault]:
    owners = _by(proved, lambda facts: facts.shape)
    wanted = minimum(SHAPES, len(proved), SUITE_FILES)
    if len(owners) < wanted:
        shape, paths = max(owners, key=lambda pair: len(pair[1]))
        found = f"{len(owners)} different graph shapes in {len(proved)} files, fewer than {wanted}"
        message = f"{found}; {len(paths)} have {shape}"
        yield _fault(paths[1:], "shapes", "actions", message, "other route lengths, needs or kinds of variables")


def _scheme(proved: Proved) -> Iterator[Fault]:
    files = [(path, facts) for path, facts in proved if facts.category == "EP3"]
    if len(files) < SHARES_FROM:
        return
    using = [path for path, facts in files if facts.countdown_budget]
    limit = maximum(SCHEME_FILES, len(files), CATEGORY_FILES)
    if len(using) > limit:
        message = f"{len(using)} of {len(files)} EP3 files are a countdown plus a budget, more than {limit}"
        yield _fault(using[limit:], "scheme", "state", message, "conceal by other means than a budget")


def _mean_chance(proved: Proved) -> Iterator[Fault]:
    shares = [(facts.any_action.labels.get("human", 0.0), path) for path, facts in proved]
    mean = sum(share for share, _ in shares) / len(shares)
    low, high = MEAN_HUMAN
    if not low <= mean <= high:
        share, path = max(shares) if mean > high else min(shares)
        message = f"uniform play ends human in {mean:.2%} on average, not {low:.0%} to {high:.0%}; here in {share:.2%}"
        yield _fault([path], "chance", "outcomes", message, "start with this file")


_RULES = (_ids, _openings, _domains, _names, _commands, _shapes, _scheme, _mean_chance)


def _fault(paths: Sequence[str], rule: str, key: str, message: str, fix: str) -> Fault:
    """A fault on the first of the files that would have to change; the others are named."""
    others = f" (also {', '.join(paths[1:])})" if len(paths) > 1 else ""
    return Fault(file=paths[0], key=key, rule=f"suite.{rule}", message=message + others, fix=fix)


def _by(proved: Proved, name: Callable[[Facts], str]) -> list[tuple[str, list[str]]]:
    owners: dict[str, list[str]] = defaultdict(list)
    for path, facts in proved:
        owners[name(facts)].append(path)
    return sorted(owners.items())


def _ngrams(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return frozenset(tuple(words[i : i + NGRAM]) for i in range(len(words) - NGRAM + 1))
