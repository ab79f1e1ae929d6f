"""What to say where a server cannot be reached, or refuses every call: the fact, and what may mend it. Own design."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Mapping

import aiohttp

from conflictbench.agents.models.endpoint import Endpoint
from conflictbench.agents.models.keys import Redactor


def why_not_connected(error: aiohttp.ClientError | OSError, endpoint: Endpoint, redactor: Redactor) -> str:
    """What a connection failed by, in words; that of the library for anything but a connection never made."""
    host = endpoint.host
    if not isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientConnectorCertificateError):
        return f"{host}: {type(error).__name__}: {redactor.one_line(str(error))}"
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        return f"the proxy to {host}, which the environment names, cannot be reached: {_os_words(error.os_error)}"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return f"the certificate of {host} is not trusted: {redactor.one_line(str(error.certificate_error), limit=120)}"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"no host is named {endpoint.hostname!r}: is the base URL right?"
    if isinstance(error, aiohttp.ClientConnectorSSLError):
        reason = error.os_error.reason if isinstance(error.os_error, ssl.SSLError) else ""
        return f"{host} speaks no TLS ({reason or 'handshake failed'}): is its base URL http:// rather than https://?"
    if isinstance(error.os_error, ConnectionRefusedError):
        return f"nothing listens at {host}: is the server running?"
    return f"{host} cannot be reached: {_os_words(error.os_error)}"


def about_status(
    status: int, endpoint: Endpoint, key_source: str, headers: Mapping[str, str], redactor: Redactor
) -> str:
    """What a status of the address or of the key needs beside the server's own words; begins with a blank, or is ""."""
    if status in (401, 403) and key_source:
        return f" ({key_source})"
    if 300 <= status < 400:
        target = redactor.one_line(headers.get("Location", "").removesuffix("/chat/completions"), limit=100)
        return f", pointing to {target or 'nowhere'} (redirects are not followed: give that base URL)"
    if status in (404, 405):
        ends = "" if re.search(r"/v\d", endpoint.base_url) else " (base URLs usually end in /v1)"
        return f" at {redactor.one_line(endpoint.chat_url, limit=120)}{ends}"
    return ""


def _os_words(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else type(error).__name__
