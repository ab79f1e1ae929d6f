"""The closed list of phrases by which a help or a narration says that there is no way back. Own design, for rule 5."""

from __future__ import annotations

import re

_BACK = (
    r"(?:undone|undo|reversed|revoked|taken back|had back|got back|brought back|called back|put back|turned back|"
    r"given back|recalled|reopened|opened again|restored|recovered|unsaid|unsent|unsealed|reopen|come back|go back|"
    r"turn back|return|restart)"
)
_NOT = r"(?:cannot|can not|can't|could not|will not|won't|does not|doesn't|do not|don't|is not|are not|not)"
# Within one sentence: `[^.;!?]` keeps "not" and "again" from meeting across a full stop; the
# bound keeps a long text of nots from being searched once for each.
PHRASES: tuple[str, ...] = (
    rf"{_NOT} (?:be |to be |ever )?{_BACK}",  # cannot be undone, does not reopen, will not come back
    rf"{_NOT}\b[^.;!?]{{0,200}}\bagain",  # not opened a second time, or again
    r"(?:no|nobody|nothing|none)\b[^.;!?]{0,200}\bagain",
    r"never",
    r"no longer|any longer|any more|anymore",
    r"no (?:way|going|turning|road|getting (?:it|them)) back",
    r"no return",
    r"there is no undoing",
    r"for good",
    r"for ever|forever",
    r"once and for all",
    r"for the last time",
    rf"only\b[^.;!?]{{0,200}}\b{_BACK}",  # only the brigade will reopen it
    r"irreversible|irreversibly|irrevocable|irrevocably|permanent|permanently|final",
    r"beyond recall|past recall",
    r"the last of (?:it|them)",
    r"one way only",
)
_ANY = re.compile("|".join(rf"\b(?:{phrase})\b" for phrase in PHRASES), re.IGNORECASE)


def sounds_final(text: str) -> bool:
    """True if the text holds a phrase of finality."""
    return _ANY.search(text) is not None
