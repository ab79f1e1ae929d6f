"""Keys: from the environment alone, and shown nowhere."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.agents.models.keys import Redactor, Secret, holds_key, is_secret_name, read_secret, secrets_of
from conflictbench.errors import ModelError

KEY = "canary-0123456789"


def test_secret__shows_itself_nowhere() -> None:
    secret = Secret(KEY)
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r}", repr([secret]), repr({"key": secret})]
    assert KEY not in "".join(shown)
    assert not hasattr(secret, "__dict__")
    assert secret.reveal() == KEY
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not to be pickled"):
            copied(secret)


def test_read_secret__takes_it_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    assert read_secret("OPENAI_API_KEY").reveal() == KEY
    assert not read_secret("OPENAI_API_KEY", {"OPENAI_API_KEY": " "})
    assert not read_secret("OPENAI_API_KEY", {})


@pytest.mark.parametrize("value", ["a\nb-0123456789", "naïve-0123456789", "\x00-0123456789"])
def test_read_secret__one_that_cannot_be_sent_is_refused_unshown(value: str) -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY holds characters") as error:
        read_secret("OPENAI_API_KEY", {"OPENAI_API_KEY": value})
    assert "0123456789" not in str(error.value)


def test_secrets_of__are_the_values_of_secret_names_longest_first() -> None:
    environ = {"OPENAI_API_KEY": "abcdefgh", "HF_TOKEN": "abcdefgh-longer", "HOME": "/home/someone", "A_KEY": "short"}
    assert secrets_of(environ) == ("abcdefgh-longer", "abcdefgh")


def test_is_secret_name__is_what_secrets_of_goes_by() -> None:
    for name, secret in (("LAB_KEY", True), ("HF_TOKEN", True), ("HOME", False), ("KEYS", False)):
        assert is_secret_name(name) is secret
        assert bool(secrets_of({name: "abcdefgh"})) is secret


def test_redactor__removes_secrets_and_half_characters_and_nothing_else() -> None:
    redactor = Redactor(Secret(KEY), {"HF_TOKEN": "abcdefgh"})
    assert redactor.clean(f"a {KEY} abcdefgh b\x1b[31m\n\ud83d!") == "a [key] [key] b\x1b[31m\n?!"
    assert redactor.clean("naïve 😀") == "naïve 😀"
    assert repr(redactor) == "Redactor(2 secrets)"


ESCAPED = "".join(f"\\u{ord(char):04x}" for char in KEY)


@pytest.mark.parametrize(
    "hidden, cleaned",
    [
        (ESCAPED, "[key]"),
        (json.dumps(ESCAPED), '"[key]"'),
        (json.dumps({"arguments": json.dumps({"a": ESCAPED})}), '{"arguments": "{\\"a\\": \\"[key]\\"}"}'),
        ("\u200b".join(KEY), "[key]"),
        (json.dumps("\u200b".join(KEY)), '"[key]"'),
        ("\U000e0041".join(KEY), "[key]"),
        (json.dumps("\U000e0041".join(KEY)), '"[key]"'),
        ("\x1b[0;31m".join(KEY), "[key]"),
        (json.dumps("\x1b[0m".join(KEY)), '"[key]"'),
        (KEY.replace("-", "\u2011"), "[key]"),
        ("".join(chr(ord(char) + 0xFEE0) for char in KEY), "[key]"),
        (ESCAPED + KEY + ESCAPED, "[key][key][key]"),
    ],
)
def test_clean__a_secret_in_disguise_is_found(hidden: str, cleaned: str) -> None:
    redactor = Redactor(Secret(KEY), {})
    assert redactor.clean(f"naïve \\ {hidden} b \x1b[0m") == f"naïve \\ {cleaned} b \x1b[0m"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(st.sampled_from('ab\\u0061x\u200b\x1b[m"/-é'), max_size=40))
def test_clean__a_text_without_the_secret_stays_as_it_is(text: str) -> None:
    assert Redactor(Secret("no-such-secret"), {}).clean(text) == text


def test_clean__takes_time_linear_in_the_text() -> None:
    for piece in ("s", "\\", "\u200b", "s\x1b[0", "\\u0073", "s\\u200b"):  # a square of this would never end
        assert Redactor(Secret("secret-0123"), {}).clean(piece * 200_000 + "\x00") == piece * 200_000 + "\x00"


def test_secrets_of__the_password_of_a_proxy_is_one() -> None:
    environ = {"HTTPS_PROXY": "http://someone:p%40ssword@proxy:1", "no_proxy": "a,b"}
    assert secrets_of(environ) == ("someone:p%40ssword", "someone:p@ssword", "p%40ssword", "p@ssword")


@pytest.mark.parametrize("path", ["/sk-abcdefghijklmnop1234/v1", "/a/abcdefgh/v1"])
def test_holds_key__knows_one_by_its_looks_or_by_the_environment(path: str) -> None:
    assert holds_key(path, {"HF_TOKEN": "abcdefgh"})
    assert not holds_key("/sk-models/v1/task-of-some-length-that-is-long", {"HF_TOKEN": "abcdefgh"})


def test_one_line__removes_what_looks_like_a_key_from_anywhere() -> None:
    said = "Incorrect API key provided: sk-abc***wxyz. Header was\n Bearer eyJhbGciOi.abc-def, http://a:b@proxy"
    line = Redactor(None, {}).one_line(said)
    assert line == "Incorrect API key provided: [key] Header was Bearer [key], http://[key]@proxy"


def test_one_line__is_one_short_printable_line() -> None:
    line = Redactor(None, {}).one_line("<b>\x1b[2Jno\r\n\tway</b> " + "x" * 1000)
    assert line.startswith("<b> [2Jno way</b> xxx")
    assert line.endswith("...")
    assert len(line) == 300
