"""Which key goes to which server. Own design.

The key of a hosted provider goes to that provider's own hosts and nowhere else: `llm:openai/MODEL` with a base URL of
another machine, this one included, is sent no OPENAI_API_KEY. In order:

    the variable that `key_env` names, wherever the server is: the user says so
    `<PROVIDER>_API_KEY`: at the provider's own hosts; anywhere for a name that is no hosted provider's (vllm, my-lab)
    CONFLICTBENCH_API_KEY: for any server that a base URL names
    none, which is enough on this machine
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from conflictbench.agents.models.endpoint import Endpoint
from conflictbench.agents.models.keys import Secret, is_secret_name, read_secret
from conflictbench.agents.models.providers import HOMES, LITELLM_KEYS, at_home, key_variable
from conflictbench.errors import ModelError

GENERAL_VARIABLE = "CONFLICTBENCH_API_KEY"
_ANY_VALUE = "any value, if the server wants none"


@dataclass(frozen=True, kw_only=True)
class KeyChoice:
    """A key, or none, and what to say where a server refuses it."""

    secret: Secret
    source: str  # "the key was read from X", "no key was sent: ..."


def choose_key(
    provider: str,
    endpoint: Endpoint,
    *,
    by_base_url: bool,
    key_env: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> KeyChoice:
    """Choose the key for a server.

    Args:
        by_base_url: the user has named the server.
        key_env: the variable that the user has named, in which case no other is looked at.
    Raises:
        ModelError: one is needed and none is set, or `key_env` names none; says which variables would do.
    """
    environ = os.environ if environ is None else environ
    if key_env is not None:
        return _read(checked_key_env(key_env, environ), environ)
    own = tuple(dict.fromkeys((key_variable(provider), *LITELLM_KEYS.get(provider, ()))))
    kept = tuple(name for name in own if not at_home(name, endpoint.hostname))
    names = tuple(name for name in own if name not in kept) + ((GENERAL_VARIABLE,) if by_base_url else ())
    for name in names:
        if (choice := _read(name, environ)).secret:
            return choice
    why = f"{kept[0]} goes to {HOMES[kept[0]][0]} alone" if kept else f"{' and '.join(names)} {_are(names)} not set"
    if kept:
        remedy = f"set {GENERAL_VARIABLE}, or name a variable by --key-env"
    else:
        remedy = f"set the environment variable {' or '.join(names)}"
    if endpoint.loopback:
        return KeyChoice(secret=Secret(""), source=f"no key was sent: {why}" + (f"; {remedy}" if kept else ""))
    if kept:
        raise ModelError(f"no key for {endpoint.host}: {why}; {remedy} ({_ANY_VALUE})")
    raise ModelError(f"no key for {provider!r}: {remedy}" + (f"; {_ANY_VALUE}" if by_base_url else ""))


def check_litellm_key(provider: str, environ: Mapping[str, str] | None = None) -> None:
    """See that a provider of litellm's has its key, where it is known which, before that library is loaded.

    Raises:
        ModelError: it has none.
    """
    environ = os.environ if environ is None else environ
    names = LITELLM_KEYS.get(provider, ())
    if names and not any(environ.get(name, "").strip() for name in names):
        raise ModelError(f"no key for {provider!r}: set the environment variable {' or '.join(names)}")


def litellm_key_source(provider: str, environ: Mapping[str, str] | None = None) -> str:
    """What to say of the key of a provider of litellm's that refuses it; "" where it is not known which it takes."""
    environ = os.environ if environ is None else environ
    found = [name for name in LITELLM_KEYS.get(provider, ()) if environ.get(name, "").strip()]
    return f"the key was read from {found[0]}" if found else ""


def checked_key_env(name: str, environ: Mapping[str, str] | None = None) -> str:
    """The name of a variable that holds a key.

    Raises:
        ModelError: it is no such name (and is not shown: it may be the key itself), or is not set.
    """
    environ = os.environ if environ is None else environ
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,60}", name) or not is_secret_name(name):
        raise ModelError(
            "key_env wants the name of an environment variable, in capitals, that ends in _KEY or _TOKEN (so that what "
            "it holds is kept out of every file); what was given is not shown: it may be a key"
        )
    if not environ.get(name, "").strip():
        raise ModelError(f"the environment variable {name} (key_env) is not set")
    return name


def _read(name: str, environ: Mapping[str, str]) -> KeyChoice:
    return KeyChoice(secret=read_secret(name, environ), source=f"the key was read from {name}")


def _are(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"
