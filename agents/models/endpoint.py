"""Where an OpenAI-compatible server is: its address taken apart and checked once. Own design."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from conflictbench.errors import ModelError

OPENAI_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One server."""

    base_url: str  # without a slash at its end
    host: str  # host[:port], what errors and the cache name
    hostname: str  # without the port
    scheme: str
    loopback: bool  # on this machine: needs no key

    @property
    def chat_url(self) -> str:
        """Where conversations are sent."""
        return f"{self.base_url}/chat/completions"


def parse_base_url(base_url: str) -> Endpoint:
    """Take a base URL apart.

    Raises:
        ModelError: it is no http(s) URL with a host, or carries a user, a query or a fragment.
    """
    wanted = "wanted: http://HOST[:PORT]/v1 or https://..., without user, query and fragment"
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError as error:
        raise ModelError(f"the base URL cannot be read; {wanted}") from error
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ModelError(f"the base URL carries more than an address (not shown: it may hold a key); {wanted}")
    if parts.scheme not in ("http", "https") or not parts.hostname or not base_url.isprintable() or " " in base_url:
        raise ModelError(f"not a base URL: {base_url[:100]!r}; {wanted}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Endpoint(
        base_url=base_url.rstrip("/"),
        host=host if port is None else f"{host}:{port}",
        hostname=parts.hostname,
        scheme=parts.scheme,
        loopback=_is_loopback(parts.hostname),
    )


def _is_loopback(hostname: str) -> bool:
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(hostname).is_loopback
    except ValueError:
        return False
