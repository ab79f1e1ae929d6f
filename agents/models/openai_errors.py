"""What an error of an OpenAI-compatible server means for the episode: refused, overflowed, ask again, or failed.

Source: error codes of the OpenAI API reference and Azure's content filter; the overflow messages of vLLM, llama.cpp,
Anthropic, Google, Mistral and others as their servers word them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any


class Fault(StrEnum):
    """Kinds of failure."""

    REFUSAL = "refusal"  # the provider's content policy: a result
    OVERFLOW = "overflow"  # the conversation is too long: a result
    UNSUPPORTED = "unsupported"  # a parameter this model does not take: send it another way
    TRANSIENT = "transient"
    FATAL = "fatal"


_OVERFLOW_CODES = {"context_length_exceeded", "exceed_context_size_error", "model_max_prompt_tokens_exceeded"}
_OVERFLOW_WORDS = re.compile(
    r"maximum context length"  # OpenAI, vLLM, DeepSeek
    r"|context (?:length|window|size|limit)[^.]{0,40}(?:exceed|too (?:long|large|small))"
    r"|(?:exceed|larger than|longer than|greater than|too (?:long|large) for)[^.]{0,60}context"
    r"|prompt is too long"  # Anthropic
    r"|prompt contains \d+ tokens[^.]{0,40}too large"  # Mistral
    r"|input (?:is|was) too long"
    r"|input token count[^.]{0,40}exceeds"  # Google
    r"|exceeds the maximum number of (?:input )?tokens"
    r"|reduce the length of (?:the|your) (?:messages|prompt|input)"
    r"|`?inputs`? tokens \+ `?max_new_tokens",  # text-generation-inference
    re.IGNORECASE,
)
_POLICY_CODES = {
    "content_filter", "content_policy_violation", "responsibleaipolicyviolation", "content_filtered", "safety",
    "moderation_blocked",
}  # fmt: skip
_POLICY_WORDS = re.compile(
    r"content management policy|usage polic(?:y|ies)|content policy|violat\w+ our polic"
    r"|(?:input|prompt|request|content|messages?)\b[^.]{0,40}\bflagged\b"
    r"|safety (?:system|filter|setting)s?\b|input data may contain inappropriate",
    re.IGNORECASE,
)
_ABOUT_THE_USER = re.compile(r"\b(?:account|organi[sz]ation|project|api key)\b", re.IGNORECASE)
_TRANSIENT_STATUSES = {408, 409, 425, 429}
_FATAL_CODES = {"insufficient_quota", "billing_hard_limit_reached", "invalid_api_key", "account_deactivated"}
_UNSUPPORTED_CODES = {"unsupported_parameter", "unsupported_value"}
_PARAMETERS = ("max_tokens", "temperature", "seed")


@dataclass(frozen=True, kw_only=True)
class ServerError:
    """An error answer, taken apart."""

    fault: Fault
    message: str  # the server's own words, raw
    parameter: str = ""  # of UNSUPPORTED: one of max_tokens, temperature, seed


def read_error(status: int, body: str) -> ServerError:
    """Say what an error answer means. Any body will do: JSON of the usual shapes, text, HTML, nothing."""
    message, codes, param = _take_apart(body)
    if status in (400, 404, 413, 422, 500) and (codes & _OVERFLOW_CODES or _is_overflow(codes, message)):
        return ServerError(fault=Fault.OVERFLOW, message=message)
    if status in (400, 403, 422) and (codes & _POLICY_CODES or _is_policy(message)):
        return ServerError(fault=Fault.REFUSAL, message=message)
    if status in (400, 422) and (parameter := _unsupported(codes, param, message)):
        return ServerError(fault=Fault.UNSUPPORTED, message=message, parameter=parameter)
    spent = codes & _FATAL_CODES or "insufficient_quota" in message
    if (status in _TRANSIENT_STATUSES or status >= 500) and not spent:
        return ServerError(fault=Fault.TRANSIENT, message=message)
    return ServerError(fault=Fault.FATAL, message=message)


def context_length(message: str) -> int | None:
    """Tokens the model holds in all, where an overflow's message names them."""
    found = re.search(r"maximum context length (?:is|of) (\d{1,9})\b", message)
    return int(found[1]) if found else None


def retry_after_s(headers: Mapping[str, str], *, now: float) -> float | None:
    """Seconds the server asks to wait: `Retry-After-Ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).

    Args:
        headers: of the answer, names in any case.  now: seconds since the epoch.
    """
    for name, unit in (("Retry-After-Ms", 0.001), ("Retry-After", 1.0)):
        value = headers.get(name, "").strip()
        if not value:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            try:
                date = parsedate_to_datetime(value)
                date = date if date.tzinfo else date.replace(tzinfo=UTC)
                seconds = (date - datetime.fromtimestamp(now, UTC)).total_seconds()
            except (ValueError, OverflowError):
                continue
        if math.isfinite(seconds):
            return max(seconds, 0.0)
    return None


def _is_overflow(codes: set[str], message: str) -> bool:
    # "Request too large ... tokens per minute" is a rate limit in an overflow's clothes (Groq sends it as 413).
    return bool(_OVERFLOW_WORDS.search(message)) and not codes & {"rate_limit_exceeded", "string_above_max_length"}


def _is_policy(message: str) -> bool:
    # A suspended account is no refusal: it would be counted as a result.
    return bool(_POLICY_WORDS.search(message)) and not _ABOUT_THE_USER.search(message)


def _unsupported(codes: set[str], param: str, message: str) -> str:
    """The parameter a server refuses, if that is what it says."""
    if not (codes & _UNSUPPORTED_CODES or re.search(r"unsupported|not support|unrecognized|extra", message, re.I)):
        return ""
    if param:
        return param if param in _PARAMETERS else ""
    return next((name for name in _PARAMETERS if re.search(rf"\b{name}\b", message)), "")


def _take_apart(body: str) -> tuple[str, set[str], str]:
    """Message, every code and type (lower case), and the parameter named."""
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body, set(), ""
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if not isinstance(error, dict):
        return error if isinstance(error, str) else body, set(), ""
    codes: set[str] = set()
    level: Any = error
    for _ in range(3):  # Azure puts the real code one or two levels down
        if not isinstance(level, dict):
            break
        codes |= {str(level[key]).lower() for key in ("code", "type", "status") if isinstance(level.get(key), str)}
        level = level.get("innererror")
    message = next((error[key] for key in ("message", "detail", "msg") if isinstance(error.get(key), str)), body)
    param = error.get("param")
    return message, codes, param if isinstance(param, str) else ""
