"""The matrices as one HTML page without a script, its drawings beside it, and the figures as JSON. Own design.

Names of agents come from whoever typed them: they reach the page escaped, and nothing on it is loaded or run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from conflictbench.benchmarks.crossplay.asked import Asked, asked_in
from conflictbench.benchmarks.crossplay.chart import draw_class, sentence_case
from conflictbench.benchmarks.crossplay.legend import LEGEND
from conflictbench.benchmarks.crossplay.matrix import Crossplay
from conflictbench.benchmarks.crossplay.plain import as_plain
from conflictbench.benchmarks.crossplay.terminal import counts_words, rate, short_names, two_places
from conflictbench.benchmarks.html_templates import hash_of, page_templates
from conflictbench.benchmarks.manifest import package_version
from conflictbench.benchmarks.report.visible import visible
from conflictbench.errors import RunError

PAGE, FIGURES = "crossplay.html", "crossplay.json"


def write_page(found: Crossplay, folder: Path) -> Path:
    """Write the page, one drawing a class and the figures into `folder`, each whole or not at all; return the page.

    It links the transcripts and the plays that lie there already, and says how the run in that folder asks its models.

    Raises:
        RunError, BrokenRecord: it cannot be written, or what it tells of the run cannot be read.
    """
    texts = {
        PAGE: to_html(found, asked_in(folder)),
        FIGURES: json.dumps(as_plain(found), indent=2, allow_nan=False) + "\n",
    }
    texts |= {f"crossplay-{_slug(kind)}.svg": draw_class(found, kind) for kind in found.games}
    try:
        for name, text in texts.items():
            fresh = folder / f"{name}.new"
            fresh.write_text(text, encoding="utf-8", newline="\n")
            fresh.replace(folder / name)
    except OSError as error:
        raise RunError(f"the page cannot be written to {folder}: {error.strerror or error}") from error
    return folder / PAGE


def to_html(found: Crossplay, asked: Asked | None = None) -> str:
    """The whole page; the same figures give the same bytes.

    Args:
        asked: what else it says of the run; None for figures alone.
    """
    css = (files("conflictbench.benchmarks.crossplay") / "templates" / "crossplay.css").read_text("utf-8")
    environment = page_templates("conflictbench.benchmarks.crossplay")
    environment.filters |= {
        "visible": visible,
        "rate": rate,
        "value": two_places,
        "counts": _counts,
        "sentence": sentence_case,
    }
    style = hash_of(css)
    return environment.get_template("crossplay.html.j2").render(
        # `Markup` marks what must not be escaped: a file of ours, and drawings whose texts are escaped already
        css=Markup(css),
        drawings={kind: Markup(draw_class(found, kind, headed=False)) for kind in found.games},
        policy=f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'",
        names=short_names(found.agents),
        found=found,
        played={cell.kind for cell in found.cells if not cell.exact},
        asked=asked or Asked(),
        legend=LEGEND,
        counts_words=counts_words,
        version=package_version(),
    )


def _slug(kind: str) -> str:
    return kind.replace(", ", "-")


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in found.items())
