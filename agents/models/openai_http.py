"""OpenAI-compatible servers over aiohttp: one request, one answer, every fault named. Own design.

The openai client and litellm spend 2 to 6 ms of CPU a call and fall behind at 128 concurrent calls; this spends about
0.3 ms. Nothing is retried here (see `retry.py`), nothing is streamed, redirects are not followed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

import aiohttp
from yarl import URL

from conflictbench.agents.models.endpoint import Endpoint, parse_base_url
from conflictbench.agents.models.error_body import status_inside
from conflictbench.agents.models.keys import Redactor, Secret
from conflictbench.agents.models.labels import current_labels
from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.openai_errors import Fault, ServerError, context_length, read_error, retry_after_s
from conflictbench.agents.models.openai_remedies import about_status, why_not_connected
from conflictbench.agents.models.openai_reply import ErrorInside, UnreadableAnswer, read_completion, unnamed_counts
from conflictbench.agents.models.openai_request import Dialect, encode_body, request_body
from conflictbench.agents.models.proxy import find_proxy
from conflictbench.agents.models.retry import MORE_GENTLY, MORE_TIME
from conflictbench.agents.models.tally import count_request, request_adjusted, tallied
from conflictbench.errors import ContextOverflow, ModelError, ProviderError, TransientError
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, Reply, ToolSpec, Usage

CONNECT_TIMEOUT_S = 15.0
LARGEST_BODY = 16 * 2**20  # bytes, decompressed; an answer of 2048 tokens has some thousand
# What is noted when a server refuses a parameter.
_ADJUSTED = {
    "max_tokens": "takes no max_tokens: sent as max_completion_tokens",
    "temperature": "takes no temperature: it samples with its own",
    "seed": "takes no seed: its replies are not set by it",
}


class OpenAIHTTPModel:
    """One model of one OpenAI-compatible server.

    Belongs to the event loop of its first call until it is closed; after `close` it may be used again.

    Args:
        model: the name the server knows.  base_url: where `/chat/completions` is added.
        key: sent as a bearer token, if it is not empty.  key_source: what is said of it where it is refused.
        name: what the model is called here, `model` by default.
        episode_headers: send `CallLabels` as headers; by default to a server on this machine only.
        notes: where it says what it had to adjust.
    Raises:
        ModelError: the base URL is none, or the environment's proxy.
    """

    takes_images = True

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        key: Secret | None = None,
        key_source: str = "",
        name: str | None = None,
        episode_headers: bool | None = None,
        notes: Notes | None = None,
    ) -> None:
        self.name = name or model
        self.endpoint: Endpoint = parse_base_url(base_url)
        self.notes = notes if notes is not None else Notes()
        self._model = model
        self._key = key if key is not None else Secret("")
        self._key_source = key_source
        self._redactor = Redactor(self._key)
        self._episode_headers = self.endpoint.loopback if episode_headers is None else episode_headers
        self._dialect = Dialect()
        try:
            URL(self.endpoint.chat_url)  # what aiohttp would make of it at the first call
        except ValueError as error:
            raise ModelError(f"not a base URL: {base_url[:100]!r}: {error}") from None
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._proxy = None if self.endpoint.loopback else find_proxy(self.endpoint)
        if self._key and self.endpoint.scheme == "http" and not self.endpoint.loopback:
            self.notes.add(f"the key for {self.endpoint.host} travels unencrypted: its base URL is http")

    def __repr__(self) -> str:
        return f"OpenAIHTTPModel({self._model!r}, host={self.endpoint.host!r})"

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """Send the conversation once (and once more for each parameter the server turns out not to take).

        Raises:
            TransientError: rate limited, overloaded, timed out, cut off, or an answer that is no chat completion.
            ContextOverflow: the server says it is too long.  ProviderError: anything else the server refuses.
        """
        with tallied() as tally:
            try:
                async with asyncio.timeout(limits.timeout_s):  # the one outer wall clock of the attempt
                    while True:
                        dialect = self._dialect
                        body = request_body(self._model, messages, tools, limits, dialect)
                        status, headers, raw = await self._post(body, limits)
                        if 200 <= status < 300:
                            try:
                                return self._read(raw, tally.sent)
                            except ErrorInside as inside:
                                refused = read_error(status_inside(inside.error), json.dumps({"error": inside.error}))
                        else:
                            refused = read_error(status, raw.decode("utf-8", "replace"))
                        if refused.fault is not Fault.UNSUPPORTED or not self._adjust(dialect, refused.parameter):
                            break
                        request_adjusted()
            except aiohttp.ConnectionTimeoutError:
                within_s = min(CONNECT_TIMEOUT_S, limits.timeout_s)
                message = f"{self.endpoint.host} could not be reached within {within_s:g} s"
                raise TransientError(message, calls=tally.sent, hopeless=True) from None
            except TimeoutError:
                message = f"{self.endpoint.host} did not answer within {limits.timeout_s:g} s"
                raise TransientError(message, calls=tally.sent, remedy=MORE_TIME) from None
            except (aiohttp.ClientError, OSError) as error:
                nobody = isinstance(error, aiohttp.ClientConnectorError)
                message = why_not_connected(error, self.endpoint, self._redactor)
                raise TransientError(message, calls=tally.sent, hopeless=nobody) from None
        return self._fail(status, headers, refused, tally.sent, limits)

    async def close(self) -> None:
        """Close the connections; a second call does nothing."""
        session, self._session, self._loop = self._session, None, None
        if session is not None:
            await session.close()

    async def _post(self, body: dict[str, Any], limits: Limits) -> tuple[int, Any, bytes]:
        data = encode_body(body)
        headers = current_labels().headers() if self._episode_headers else {}
        by_proxy: dict[str, Any] = {}
        if self._proxy is not None:
            by_proxy = {"proxy": self._proxy.url}
            if self.endpoint.scheme == "http":  # the request itself is the proxy's to read; else the one for a tunnel
                headers = {**headers, **self._proxy.headers}
            else:
                by_proxy["proxy_headers"] = self._proxy.headers
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=min(CONNECT_TIMEOUT_S, limits.timeout_s), sock_read=limits.timeout_s
        )
        async with self._open().post(
            self.endpoint.chat_url,
            data=data,
            headers=headers,
            timeout=timeout,
            allow_redirects=False,
            **by_proxy,
        ) as response:
            return response.status, response.headers, await _read_capped(response)

    def _open(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        if self._session is None:
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key.reveal()}"
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # as many connections as there are calls in flight
                cookie_jar=aiohttp.DummyCookieJar(),  # one episode must not follow another by a cookie
                headers=headers,
                trace_configs=[_counting()],
            )
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError(f"{self!r} belongs to another event loop: close it there before using it here")
        return self._session

    def _read(self, raw: bytes, calls: int) -> Completion:
        """The completion of a status 200. Raises ErrorInside if it is an error all the same."""
        try:
            answer = json.loads(raw)
            completion = read_completion(answer, calls=calls, redactor=self._redactor)
        except ErrorInside:
            raise
        except UnreadableAnswer as error:
            message = f"{self.endpoint.host} sent no chat completion: {error}"
        except (ValueError, RecursionError):
            message = f"{self.endpoint.host} sent {len(raw)} bytes that are no JSON"
        else:
            if missing := unnamed_counts(answer):
                self.notes.add(f"{self.name} names no {missing}: limits go by estimates, cost is not known")
            return completion
        raise TransientError(message, calls=calls) from None

    def _adjust(self, sent: Dialect, parameter: str) -> bool:
        """Send a refused parameter differently from now on; False if it had been sent differently already."""
        adjusted = sent.without(parameter)
        if adjusted is None:
            return False
        if self._dialect.without(parameter):  # not yet found out by a call beside this one
            self._dialect = self._dialect.without(parameter) or adjusted
            self.notes.add(f"{self.name} {_ADJUSTED[parameter]}")
        return True

    def _fail(self, status: int, headers: Any, error: ServerError, calls: int, limits: Limits) -> Completion:
        said = self._redactor.one_line(error.message) or "(nothing)"
        about = about_status(status, self.endpoint, self._key_source, headers, self._redactor)
        message = f"{self.endpoint.host} answered {status}{about}: {said}"
        match error.fault:
            case Fault.REFUSAL:
                text = self._redactor.clean(error.message)
                return Completion(reply=Reply(text=text, finish_reason="content_filter"), usage=Usage(calls=calls))
            case Fault.OVERFLOW:
                if (held := context_length(error.message)) and held <= limits.max_tokens:
                    raise ProviderError(
                        f"--max-tokens {limits.max_tokens} leaves no room for a prompt: {message}", calls=calls
                    )
                raise ContextOverflow(message, calls=calls)
            case Fault.TRANSIENT:
                wish_s = retry_after_s(headers, now=time.time())
                remedy = MORE_GENTLY if status == 429 else ""
                raise TransientError(message, calls=calls, retry_after_s=wish_s, remedy=remedy)
            case _:
                raise ProviderError(message, calls=calls, hopeless=error.hopeless)


def _counting() -> aiohttp.TraceConfig:
    """Counts a request when it has a connection and is being written: one that never gets so far is none."""

    async def count(*of_the_request: object) -> None:
        count_request()

    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(count)
    return trace


async def _read_capped(response: aiohttp.ClientResponse) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > LARGEST_BODY:
            raise aiohttp.ClientPayloadError(f"the answer is longer than {LARGEST_BODY} bytes")
        chunks.append(chunk)
    return b"".join(chunks)
