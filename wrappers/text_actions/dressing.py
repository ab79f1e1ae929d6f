"""Takes off what stands round a command and is not part of it: markup, quotes, brackets. Own design."""

from __future__ import annotations

from conflictbench.wrappers.text_actions.markers import MARKUP

_AROUND = MARKUP.replace(">", "") + "\n"
_PAIR_OF = {sign: (pair[0], pair[1]) for pair in ('""', "''", "()", "[]", "{}", "<>") for sign in pair}


def undressed(words: str) -> str:
    """Return the words without markup, quotes or brackets round all of them, or at an edge without a partner.

    What stands inside stays whole: `<open (pod) bay (two)>` is `open (pod) bay (two)`. Takes time in the square of the
    length: for words that are short.
    """
    while True:
        bare = words.strip(_AROUND)
        if _is_enclosed(bare):
            bare = bare[1:-1]
        elif bare and _lacks_partner(bare, bare[-1]):
            bare = bare[:-1]
        elif bare and _lacks_partner(bare, bare[0]):
            bare = bare[1:]
        if bare == words:
            return words
        words = bare


def _is_enclosed(words: str) -> bool:
    """True if the first character is a quote or bracket and the last one is the partner of that very one."""
    if len(words) < 2 or _PAIR_OF.get(words[0]) != (words[0], words[-1]):
        return False
    opening, closing = words[0], words[-1]
    if opening == closing:
        return words.count(opening) == 2
    depth = 0
    for char in words[:-1]:
        depth += (char == opening) - (char == closing)
        if depth == 0:
            return False
    return True


def _lacks_partner(words: str, sign: str) -> bool:
    if sign not in _PAIR_OF:
        return False
    opening, closing = _PAIR_OF[sign]
    return words.count(sign) % 2 == 1 if opening == closing else words.count(opening) != words.count(closing)
