"""One screen of a fiction world for a person at a terminal, 80 columns wide. Own design."""

from __future__ import annotations

from textwrap import wrap

WIDTH = 80


def screen(
    *, title: str, turn: int, window: int, interactions: int, max_interactions: int, command: str | None, text: str
) -> str:
    """Return title, place in the episode, last command and answer, as lines of at most 80 printable characters."""
    place = f"turn {turn} of {window}, {interactions} of {max_interactions} commands"
    lines = [*wrap(title, WIDTH), place, "-" * WIDTH]
    if command is not None:
        lines += [*wrap(f"> {command}", WIDTH, subsequent_indent="  "), ""]
    for paragraph in text.split("\n"):
        lines += wrap(paragraph, WIDTH) or [""]
    return "\n".join(lines) + "\n"
