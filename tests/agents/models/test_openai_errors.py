"""What an error means: a table of what servers really send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.agents.models.openai_errors import Fault, context_length, read_error, retry_after_s


def body(message: Any, code: str | None = None, **more: Any) -> str:
    return json.dumps({"error": {"message": message, "code": code, **more}})


OVERFLOWS = [
    (400, body("Too many.", "context_length_exceeded")),
    (413, body("Too many.", "context_length_exceeded")),
    (400, body("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.")),
    (400, body("the request exceeds the available context size. try increasing it", type="exceed_context_size_error")),
    (400, body("prompt is too long: 210000 tokens > 200000 maximum")),
    (400, body("Prompt contains 40000 tokens, too large for model with 32768 maximum context length")),
    (400, body("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).")),
    (422, body("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens")),
    (400, '{"object":"error","message":"This model\'s maximum context length is 4096 tokens.","code":400}'),
    (400, body("Please reduce the length of the messages or completion.")),
    (400, '{"detail": [{"loc": ["body", "messages"], "msg": "prompt is too long"}]}'),
    (500, body("the request exceeds the available context size", type="server_error")),
]
REFUSALS = [
    (400, body("The response was filtered due to the prompt triggering Azure's policy.", "content_filter")),
    (400, body("Rejected.", None, innererror={"code": "ResponsibleAIPolicyViolation"})),
    (400, body("Your request was rejected as a result of our safety system.", "content_policy_violation")),
    (400, body("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", "invalid_prompt")),
    (403, body("openai/x requires moderation. Your input was flagged for violence.", None)),
    (400, body("The response was blocked by our content filters.")),
    # a code is believed before the status
    (451, body("Unavailable.", "content_filter")),
    (500, body("Filtered.", "content_filter")),
]
TRANSIENTS = [
    (429, body("Rate limit reached for x on tokens per min (TPM): Limit 30000", "rate_limit_exceeded")),
    (429, ""),
    (408, ""),
    (500, body("The server had an error while processing your request.")),
    (502, "<html><title>502 Bad Gateway</title></html>"),
    (503, body("That model is currently overloaded")),
    (529, body("Overloaded", type="overloaded_error")),
    # words of pages and texts are not about the conversation
    (500, "<html>maximum context length of the request context exceeded</html>"),
    (500, "Internal error: context window too large"),
    # neither is anything beside a rate limit
    (429, body("Filtered.", "content_filter")),
    (429, body("maximum context length is 99999 tokens")),
]
FATALS = [
    (400, body("'messages' is too short", "invalid_request_error")),
    (401, body("Incorrect API key provided", "invalid_api_key")),
    (403, body("You are not allowed to sample from this model", "permission_denied")),
    (404, body("The model `x` does not exist", "model_not_found")),
    (404, ""),
    (
        413,
        body(
            "Request too large on tokens per minute (TPM): please reduce the length of the prompt",
            "rate_limit_exceeded",
        ),
    ),
    (413, "<html>413 Request Entity Too Large</html>"),
    (429, body("You exceeded your current quota", "insufficient_quota")),
    (302, ""),
    (403, body("Your account was flagged for violations of our usage policies", "account_deactivated")),
    (403, body("This organization violated our policies; requests are flagged")),
    (403, "<html>Request blocked: your request was flagged by our content policy</html>"),
    (400, "Please reduce the length of the messages or completion."),
    (403, body("Your request was flagged as automated traffic")),
    (403, body("Request violates the network policy")),
    (403, body("You must agree to the usage policies", "terms_required")),
    (403, body("You must agree to the usage policies")),
    (400, body("Rejected: you must accept our usage policies first")),
    (400, body("Invalid safety setting")),
    (400, body("Request rejected: unknown safety setting 'BLOCK'")),
    (404, body("No such model; its context window is too small", "model_not_found")),
    (400, body("No such model; its context window is too small", "model_not_found")),
    (401, body("Filtered.", "content_filter")),
    (400, body("Unsupported model: seed-oss-36b")),
    (400, body("Unsupported model seed", "model_not_found")),
    (400, "<html>seed is not supported</html>"),
    (400, body("Invalid 'user': string too long. context length exceeded", "string_above_max_length")),
]


@pytest.mark.parametrize(
    "fault, status, text",
    [
        *((Fault.OVERFLOW, *case) for case in OVERFLOWS),
        *((Fault.REFUSAL, *case) for case in REFUSALS),
        *((Fault.TRANSIENT, *case) for case in TRANSIENTS),
        *((Fault.FATAL, *case) for case in FATALS),
    ],
)
def test_read_error__is_taken_for_what_it_is(fault: Fault, status: int, text: str) -> None:
    assert read_error(status, text).fault is fault


@pytest.mark.parametrize(
    "parameter, message, code, param",
    [
        ("max_tokens", "'max_tokens' is not supported with this model.", "unsupported_parameter", "max_tokens"),
        ("temperature", "'temperature' does not support 0.0 with this model.", "unsupported_value", "temperature"),
        ("seed", "Extra inputs are not permitted: seed", None, None),
        ("seed", [{"loc": ["body", "seed"], "msg": "extra fields not permitted"}], None, None),
    ],
)
def test_read_error__names_a_parameter_that_is_not_taken(
    parameter: str, message: Any, code: str | None, param: str | None
) -> None:
    error = read_error(400, body(message, code, param=param))
    assert (error.fault, error.parameter) == (Fault.UNSUPPORTED, parameter)


@pytest.mark.parametrize(
    "hopeless, status, text",
    [
        (True, 401, ""),
        (True, 402, ""),
        (True, 403, body("You are not allowed to sample from this model", "permission_denied")),
        (True, 404, body("The model `x` does not exist", "model_not_found")),
        (True, 405, ""),
        (True, 308, ""),
        (True, 429, body("You exceeded your current quota", "insufficient_quota")),
        (False, 400, body("'messages' is too short", "invalid_request_error")),  # another conversation may be taken
        (False, 413, ""),
        (False, 429, ""),
        (False, 503, ""),
    ],
)
def test_read_error__says_whether_any_other_call_would_fail_too(hopeless: bool, status: int, text: str) -> None:
    assert read_error(status, text).hopeless is hopeless


def test_read_error__a_parameter_that_is_never_sent_is_fatal() -> None:
    assert read_error(400, body("Unsupported parameter", "unsupported_parameter", param="tools")).fault is Fault.FATAL


def test_context_length__is_read_where_it_is_named() -> None:
    assert context_length("This model's maximum context length is 4096 tokens, you asked for 5000") == 4096
    assert context_length("prompt is too long") is None


NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    "headers, seconds",
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"}, 30.0),
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:00 GMT"}, 0.0),
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:50"}, 30.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After-Ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After-Ms": "?", "Retry-After": "9"}, 9.0),
    ],
)
def test_retry_after_s__reads_seconds_and_dates(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=NOW) == seconds


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.integers(300, 599), st.text(max_size=80) | st.builds(body, st.text(max_size=40), st.text(max_size=9)), st.text()
)
def test_read_error__any_body_is_taken_for_something(status: int, text: str, header: str) -> None:
    assert read_error(status, text).fault in set(Fault)
    wish = retry_after_s({"Retry-After": header}, now=NOW)
    assert wish is None or wish >= 0.0
