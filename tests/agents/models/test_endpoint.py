"""Base URLs: taken apart, checked, and never a place for a key."""

from __future__ import annotations

import pytest

from conflictbench.agents.models.endpoint import parse_base_url
from conflictbench.errors import ModelError


@pytest.mark.parametrize(
    "base_url, host, loopback",
    [
        ("http://127.0.0.1:8000/v1", "127.0.0.1:8000", True),
        ("http://127.8.8.8/v1/", "127.8.8.8", True),
        ("http://localhost:1/v1", "localhost:1", True),
        ("http://[::1]:8000/v1", "[::1]:8000", True),
        ("https://api.example.org/v1", "api.example.org", False),
        ("http://192.168.0.7:8000", "192.168.0.7:8000", False),
        ("http://127.0.0.1.example.org/v1", "127.0.0.1.example.org", False),
        ("http://localhost.example.org/v1", "localhost.example.org", False),
    ],
)
def test_parse_base_url__names_the_host_and_knows_this_machine(base_url: str, host: str, loopback: bool) -> None:
    endpoint = parse_base_url(base_url)
    assert (endpoint.host, endpoint.loopback) == (host, loopback)
    assert endpoint.chat_url == base_url.rstrip("/") + "/chat/completions"


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "http://",
        "http://example.org:port",
        "http://[::1",
        "http://a b/v1",
        "http://a..b/v1",
        f"http://{'a' * 300}/v1",
        f"http://{'a.' * 150}b/v1",
        "http://./v1",
        "http://a,b/v1",
        "http://h:0/v1",
    ],
)
def test_parse_base_url__anything_else_is_refused(base_url: str) -> None:
    with pytest.raises(ModelError, match="base URL"):
        parse_base_url(base_url)


@pytest.mark.parametrize(
    "place",
    [
        "http://user:canary@example.org",
        "https://e.org/v1?key=canary",
        "https://e.org#canary",
        "https://e.org/v1?",
        "https://e.org/v1#",
        "https://e.org/sk-canary0123456789abc/v1",
        "https://e.org/%73k-canary0123456789abc/v1",
    ],
)
def test_parse_base_url__one_with_a_secret_is_refused_unshown(place: str) -> None:
    with pytest.raises(ModelError, match="not shown") as error:
        parse_base_url(place)
    assert "canary" not in str(error.value)


@pytest.mark.parametrize("end", ["/chat/completions", "/chat/completions/", "/completions", "/responses"])
def test_parse_base_url__that_of_one_call_is_refused_with_the_right_one(end: str) -> None:
    with pytest.raises(ModelError) as error:
        parse_base_url(f"http://127.0.0.1:8000/v1{end}")
    cut = end.rstrip("/")
    assert str(error.value) == (
        f"the base URL ends in {cut}, which is added to it for each call: give 'http://127.0.0.1:8000/v1'"
    )
