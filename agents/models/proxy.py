"""The proxy of the environment for a server: found and checked before anything is sent. Own design.

Not aiohttp's `trust_env`: that would read `.netrc` as well. The user and the password of a proxy are kept apart from
its address, so that no error can show them.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from conflictbench.agents.models.endpoint import Endpoint, check_host
from conflictbench.errors import ModelError

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True)
class Proxy:
    """Where requests are sent instead."""

    url: str  # http(s)://HOST[:PORT]
    headers: dict[str, str] = field(default_factory=dict, repr=False)  # for the proxy alone: who asks


def find_proxy(endpoint: Endpoint) -> Proxy | None:
    """The proxy for this server by `<scheme>_proxy` or else `all_proxy`; None where `no_proxy` excepts it.

    Raises:
        ModelError: the variable holds no address of an HTTP proxy.
    """
    proxies = getproxies()
    name = next((name for name in (endpoint.scheme, "all") if name in proxies), None)
    if name is None or _excepted(endpoint):
        return None
    return _read(f"{name}_proxy", proxies[name])


def _excepted(endpoint: Endpoint) -> bool:
    port = endpoint.port or _PORTS[endpoint.scheme]  # an exception may name the port, or leave it out
    return bool(proxy_bypass(endpoint.hostname) or proxy_bypass(f"{endpoint.hostname}:{port}"))


def _read(name: str, value: str) -> Proxy:
    wanted = f"the environment variable {name} holds no proxy (not shown: it may hold a password); wanted: "
    wanted += "http://[USER:PASSWORD@]HOST[:PORT] or https://..."
    address = value if "://" in value else f"http://{value}"
    try:
        parts = urlsplit(address)
        port, hostname = parts.port, parts.hostname
        if parts.scheme not in _PORTS or not hostname or port == 0 or not address.isprintable():
            raise ValueError
        check_host(hostname)
        headers = {}
        if "@" in parts.netloc:
            user, password = unquote(parts.username or ""), unquote(parts.password or "")
            if ":" in user:  # RFC 7617: it would be read as a part of the password
                raise ValueError
            headers["Proxy-Authorization"] = "Basic " + b64encode(f"{user}:{password}".encode()).decode()
    except ValueError:
        raise ModelError(wanted) from None
    host = f"[{hostname}]" if ":" in hostname else hostname
    return Proxy(url=f"{parts.scheme}://{host}" + (f":{port}" if port else ""), headers=headers)
