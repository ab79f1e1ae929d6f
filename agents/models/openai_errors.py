"""What an error of an OpenAI-compatible server means for the episode: refused, overflowed, ask again, or failed.

Source: error codes of the OpenAI API reference and Azure's content filter; the overflow messages of vLLM, llama.cpp,
Anthropic, Google, Mistral and others as their servers word them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from conflictbench.agents.models.error_body import ErrorBody, read_error_body


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
    "moderation_blocked", "data_inspection_failed",
}  # fmt: skip
# That something was done to this prompt or reply, and why: a policy merely named (to be agreed to, say) is no refusal.
_POLICY_WORDS = re.compile(
    r"violat\w+[^.]{0,60}\b(?:our|usage|content|safety)\b[^.]{0,30}\b(?:polic(?:y|ies)|guidelines)"
    r"|\b(?:input|prompt|request|content|messages?|response)\b[^.]{0,40}\bflagged\b"
    r"|\b(?:blocked|filtered|rejected|refused|declined)\b[^.]{0,80}\b(?:safety(?! settings?\b)|moderation"
    r"|content (?:management polic|polic|filter)|usage polic)"
    r"|input data may contain inappropriate",
    re.IGNORECASE,
)
_ABOUT_THE_USER = re.compile(
    r"\b(?:account|organi[sz]ation|project|api key|ip|agree|accept(?:ed)?"
    r"|bots?|traffic|automated|suspicious|firewall)\b",
    re.IGNORECASE,
)
# Codes that name no fault of their own, beside which the words count: invalid_request_error, BadRequestError, 400.
_SAYS_NOTHING = re.compile(
    r"|\d+|error|server_?error|internal_server_error|internal"
    r"|(?:invalid|bad)[ _]?(?:request|argument|input|prompt|parameter|value)\w*|\w*validation\w*|value_?error"
    r"|unprocessable\w*"
)
_TRANSIENT_STATUSES = {408, 409, 425, 429}
_FATAL_CODES = {
    "insufficient_quota", "billing_hard_limit_reached", "invalid_api_key", "account_deactivated", "model_not_found",
    "terms_required",
}  # fmt: skip
_HOPELESS_STATUSES = {401, 402, 403, 404, 405, *range(300, 400)}  # key, money, address or model: none of one call
_NOT_OF_THE_CALL = {401, 429}  # the key and the rate: whatever else is said, the prompt is not the matter
_UNSUPPORTED_CODES = {"unsupported_parameter", "unsupported_value"}
_PARAMETERS = ("max_tokens", "temperature", "seed")


@dataclass(frozen=True, kw_only=True)
class ServerError:
    """An error answer, taken apart."""

    fault: Fault
    message: str  # the server's own words, raw
    parameter: str = ""  # of UNSUPPORTED: one of max_tokens, temperature, seed
    hopeless: bool = False  # of FATAL: any other call would be answered the same


def read_error(status: int, body: str) -> ServerError:
    """Say what an error answer means. Any body will do: JSON of the usual shapes, text, HTML, nothing.

    A code is believed before the status and before any words. Words count in a JSON error's message alone, and not
    beside a code that names another fault: a proxy's page or a missing model is not the model's behaviour.
    """
    error = read_error_body(body)
    message = error.message
    fault = _of_the_conversation(status, error)
    if fault is not None:
        return ServerError(fault=fault, message=message)
    if status in (400, 422) and (parameter := _unsupported(error)):
        return ServerError(fault=Fault.UNSUPPORTED, message=message, parameter=parameter)
    spent = bool(error.codes & _FATAL_CODES) or "insufficient_quota" in message
    if (status in _TRANSIENT_STATUSES or status >= 500) and not spent:
        return ServerError(fault=Fault.TRANSIENT, message=message)
    return ServerError(fault=Fault.FATAL, message=message, hopeless=spent or status in _HOPELESS_STATUSES)


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


def _of_the_conversation(status: int, error: ErrorBody) -> Fault | None:
    """REFUSAL or OVERFLOW, if the error is about what was said: a result of the episode, so never a mere guess."""
    if status in _NOT_OF_THE_CALL:
        return None
    if error.codes & _OVERFLOW_CODES:
        return Fault.OVERFLOW
    if error.codes & _POLICY_CODES:
        return Fault.REFUSAL
    if not error.has_message or not _say_nothing(error.codes):
        return None
    if status in (400, 413, 422, 500) and _OVERFLOW_WORDS.search(error.message):
        return Fault.OVERFLOW
    # A suspended account, terms not agreed to or a firewall's suspicion are no refusal.
    if status in (400, 403, 422) and _POLICY_WORDS.search(error.message) and not _ABOUT_THE_USER.search(error.message):
        return Fault.REFUSAL
    return None


def _say_nothing(codes: Set[str]) -> bool:
    return all(_SAYS_NOTHING.fullmatch(code) for code in codes)


def _unsupported(error: ErrorBody) -> str:
    """The parameter a server refuses, if that is what it says."""
    if error.codes & _UNSUPPORTED_CODES:
        pass
    elif not (
        error.has_message
        and _say_nothing(error.codes)
        and re.search(r"unsupported|not support|unrecognized|extra", error.message, re.IGNORECASE)
    ):
        return ""
    if error.parameter:
        return error.parameter if error.parameter in _PARAMETERS else ""
    # a whole word: a model may be called seed-oss-36b
    return next((name for name in _PARAMETERS if re.search(rf"(?<![\w/-]){name}(?![\w/-])", error.message)), "")
