"""Where an OpenAI-compatible server is: its address taken apart and checked once. Own design."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from conflictbench.agents.models.keys import holds_key
from conflictbench.errors import ModelError

OPENAI_BASE_URL = "https://api.openai.com/v1"
_OF_ONE_CALL = re.compile(r"(?:/chat)?/(?:completions|responses)/*$")  # the end of a path that is no base URL


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One server."""

    base_url: str  # without a slash at its end
    host: str  # host[:port], what errors name
    hostname: str  # without the port
    port: int | None  # None: that of the scheme
    scheme: str
    loopback: bool  # on this machine: needs no key

    @property
    def identity(self) -> str:
        """The base URL by which it is told from others: `localhost` and 127.0.0.1 are one server."""
        if self.hostname != "localhost":
            return self.base_url
        parts = urlsplit(self.base_url)
        return parts._replace(netloc="127.0.0.1" if self.port is None else f"127.0.0.1:{self.port}").geturl()

    @property
    def chat_url(self) -> str:
        """Where conversations are sent."""
        return f"{self.base_url}/chat/completions"


def parse_base_url(base_url: str) -> Endpoint:
    """Take a base URL apart.

    Raises:
        ModelError: it is no http(s) URL with a host there can be, carries a user, a query, a fragment or a key, or is
            that of one call.
    """
    wanted = "wanted: http://HOST[:PORT]/v1 or https://..., without user, query, fragment and key"
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError as error:
        raise ModelError(f"the base URL cannot be read; {wanted}") from error
    if "@" in parts.netloc or "?" in base_url or "#" in base_url or holds_key(unquote(parts.path)):
        raise ModelError(f"the base URL carries more than an address (not shown: it may hold a key); {wanted}")
    if parts.scheme not in ("http", "https") or not parts.hostname or not base_url.isprintable() or " " in base_url:
        raise ModelError(f"not a base URL: {base_url[:100]!r}; {wanted}")
    try:
        check_host(parts.hostname)
    except ValueError as error:
        raise ModelError(f"not a base URL: {base_url[:100]!r}: {error}; {wanted}") from None
    if port == 0:
        raise ModelError(f"not a base URL: {base_url[:100]!r}: nobody listens at port 0; {wanted}")
    if found := _OF_ONE_CALL.search(base_url):
        raise ModelError(
            f"the base URL ends in {found[0].rstrip('/')}, which is added to it for each call: "
            f"give {base_url[: found.start()][:100]!r}"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Endpoint(
        base_url=base_url.rstrip("/"),
        host=host if port is None else f"{host}:{port}",
        hostname=parts.hostname,
        port=port,
        scheme=parts.scheme,
        loopback=_is_loopback(parts.hostname),
    )


def check_host(hostname: str) -> None:
    """See that a host of this name can exist: an address, or labels of 1 to 63 characters.

    Raises:
        ValueError: it cannot; says why.
    """
    if ":" in hostname:
        ipaddress.ip_address(hostname.partition("%")[0])
        return
    try:
        name = hostname.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError("no host can have this name: a part between its dots is empty or too long") from error
    if len(name) > 253 or not re.fullmatch(r"[A-Za-z0-9_.-]+", name) or not name.strip("."):
        raise ValueError("no host can have this name: it is too long, or has characters that no name has")


def _is_loopback(hostname: str) -> bool:
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(hostname).is_loopback
    except ValueError:
        return False
