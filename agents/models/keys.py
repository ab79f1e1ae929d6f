"""Keys of providers: read from the environment only, and kept out of everything that is shown or written. Own design.

The one way to a key's characters is `Secret.reveal()`; a `Redactor` takes every known key out of a provider's texts.
Which key goes to which server is `key_choice.py`'s: the key of a hosted provider to that provider alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import unquote

from conflictbench.agents.models.hidden import without_hidden
from conflictbench.errors import ModelError

_REMOVED = "[key]"
_SHORTEST = 8  # a value below this is no key, and removing it would eat ordinary words
_SECRET_NAME = re.compile(r"(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_CREDENTIALS)$")
# What looks like a key wherever it came from: an OpenAI-style one (masked ones too), what follows "Bearer", and the
# user of a URL (of a proxy; a password may hold a slash or an @).
_KEY_LIKE = re.compile(
    r"\bsk-[A-Za-z0-9_*.-]{6,}|(?<=\b[Bb]earer )[A-Za-z0-9_*.~+/=-]{8,}|(?<=://)[^\s'\"<>]{1,500}(?=@)"
)
# Longer than any word of a path, and begun as providers begin their keys.
_KEY_IN_A_PATH = re.compile(r"(?<![A-Za-z0-9])(?:sk-|gsk_|hf_|xai-|pplx-|nvapi-|r8_|AIza)[A-Za-z0-9_-]{16,}")
_PROXY_NAME = re.compile(r"_proxy$", re.IGNORECASE)


class Secret:
    """A key that does not show itself: not in `repr`, `str`, `format`, nor in a pickle."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself, for the one header that carries it."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return _REMOVED if self._value else "[no key]"

    def __reduce__(self) -> str:
        raise TypeError("a key is not to be pickled")


def read_secret(name: str, environ: Mapping[str, str] | None = None) -> Secret:
    """The key in an environment variable; an empty one where it is not set.

    Raises:
        ModelError: it holds something that cannot stand in a header.
    """
    value = (os.environ if environ is None else environ).get(name, "").strip()
    if not value.isascii() or not value.isprintable():
        raise ModelError(f"the environment variable {name} holds characters that no key has (a quote, a line break?)")
    return Secret(value)


def is_secret_name(name: str) -> bool:
    """True for a variable whose value is taken out of every text, by its name: it ends in `_KEY`, `_TOKEN`, ..."""
    return bool(_SECRET_NAME.search(name))


def secrets_of(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Every secret of the environment, longest first: by the name of its variable, or the password of a proxy."""
    values: set[str] = set()
    for name, value in (os.environ if environ is None else environ).items():
        if _SECRET_NAME.search(name):
            values.add(value.strip())
        elif _PROXY_NAME.search(name):
            values |= _credentials(value)
    return tuple(sorted((one for one in values if len(one) >= _SHORTEST), key=lambda one: (-len(one), one)))


def holds_key(path: str, environ: Mapping[str, str] | None = None) -> bool:
    """True if the path of a URL holds a secret of the environment, or what is a key by its looks."""
    return bool(_KEY_IN_A_PATH.search(path)) or any(secret in path for secret in secrets_of(environ))


def _credentials(url: str) -> set[str]:
    """`user:password` and the password of a URL, as written and decoded."""
    pair = url.rpartition("@")[0].rpartition("://")[2]
    password = pair.partition(":")[2]
    return {pair, unquote(pair), password, unquote(password)}


class Redactor:
    """Takes secrets out of a provider's texts; like `Secret`, it does not show them itself.

    Args:
        key: of the provider at hand; the secrets of the environment are taken out as well.
    """

    __slots__ = ("_secrets",)

    def __init__(self, key: Secret | None = None, environ: Mapping[str, str] | None = None) -> None:
        own = key.reveal() if key else ""
        self._secrets = tuple(filter(None, dict.fromkeys((own, *secrets_of(environ)))))

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} secrets)"

    def clean(self, text: str) -> str:
        """A text fit to be kept: without secrets, and without half characters (lone surrogates); else as it is.

        A secret is found also where its characters are escaped, or have invisible ones between them.
        """
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, _REMOVED)
        if self._secrets:
            text = without_hidden(text, self._secrets, _REMOVED)
        if not text.isascii():
            text = text.encode("utf-8", "replace").decode("utf-8")
        return text

    def one_line(self, text: str, *, limit: int = 300) -> str:
        """A message for an error: one printable line, cleaned, whatever looks like a key removed, cut."""
        text = _KEY_LIKE.sub(_REMOVED, self.clean(text))
        text = "".join(char if char.isprintable() else " " for char in text)
        text = " ".join(text.split())
        return text if len(text) <= limit else text[: limit - 3] + "..."
