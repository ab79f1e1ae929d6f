"""Keys: from the environment alone, and shown nowhere."""

from __future__ import annotations

import copy
import pickle

import pytest

from conflictbench.agents.models.keys import Redactor, Secret, key_variable, read_key, secrets_of
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


@pytest.mark.parametrize(
    "provider, name", [("openai", "OPENAI_API_KEY"), ("my-lab", "MY_LAB_API_KEY"), ("v.2", "V_2_API_KEY")]
)
def test_key_variable__is_named_after_the_provider(provider: str, name: str) -> None:
    assert key_variable(provider) == name


def test_read_key__takes_it_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    assert read_key("openai", required=True).reveal() == KEY


def test_read_key__a_missing_one_names_the_variable() -> None:
    with pytest.raises(ModelError, match=r"no key for 'openai': set the environment variable OPENAI_API_KEY"):
        read_key("openai", required=True, environ={})
    assert not read_key("openai", required=False, environ={"OPENAI_API_KEY": " "})


@pytest.mark.parametrize("value", ["a\nb-0123456789", "naïve-0123456789", "\x00-0123456789"])
def test_read_key__one_that_cannot_be_sent_is_refused_unshown(value: str) -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY holds characters") as error:
        read_key("openai", required=True, environ={"OPENAI_API_KEY": value})
    assert "0123456789" not in str(error.value)


def test_secrets_of__are_the_values_of_secret_names_longest_first() -> None:
    environ = {"OPENAI_API_KEY": "abcdefgh", "HF_TOKEN": "abcdefgh-longer", "HOME": "/home/someone", "A_KEY": "short"}
    assert secrets_of(environ) == ("abcdefgh-longer", "abcdefgh")


def test_redactor__removes_secrets_and_half_characters_and_nothing_else() -> None:
    redactor = Redactor(Secret(KEY), {"HF_TOKEN": "abcdefgh"})
    assert redactor.clean(f"a {KEY} abcdefgh b\x1b[31m\n\ud83d!") == "a [key] [key] b\x1b[31m\n?!"
    assert redactor.clean("naïve 😀") == "naïve 😀"
    assert repr(redactor) == "Redactor(2 secrets)"


def test_one_line__removes_what_looks_like_a_key_from_anywhere() -> None:
    said = "Incorrect API key provided: sk-abc***wxyz. Header was\n Bearer eyJhbGciOi.abc-def, http://a:b@proxy"
    line = Redactor(None, {}).one_line(said)
    assert line == "Incorrect API key provided: [key] Header was Bearer [key], http://[key]@proxy"


def test_one_line__is_one_short_printable_line() -> None:
    line = Redactor(None, {}).one_line("<b>\x1b[2Jno\r\n\tway</b> " + "x" * 1000)
    assert line.startswith("<b> [2Jno way</b> xxx")
    assert line.endswith("...")
    assert len(line) == 300
