"""Which key goes to which server: a hosted provider's to that provider, and nowhere else unasked."""

from __future__ import annotations

import pytest

from conflictbench.agents.models.endpoint import OPENAI_BASE_URL, parse_base_url
from conflictbench.agents.models.key_choice import KeyChoice, check_litellm_key, choose_key
from conflictbench.errors import ModelError

REAL = "real-key-0123456789"
OWN = "own-key-0123456789"
GENERAL = "general-0123456789"
HERE, THERE = "http://127.0.0.1:8000/v1", "http://gpu-box:8000/v1"


def choose(provider: str, base_url: str | None, environ: dict[str, str], key_env: str | None = None) -> KeyChoice:
    endpoint = parse_base_url(base_url or OPENAI_BASE_URL)
    return choose_key(provider, endpoint, by_base_url=base_url is not None, key_env=key_env, environ=environ)


@pytest.mark.parametrize(
    "provider, base_url, variable",
    [
        ("openai", None, "OPENAI_API_KEY"),
        ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("openai", "https://eu.API.OpenAI.com./v1", "OPENAI_API_KEY"),
        ("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        ("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
        ("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GOOGLE_API_KEY"),
        ("together_ai", "https://api.together.xyz/v1", "TOGETHERAI_API_KEY"),
        ("azure", "https://my-lab.openai.azure.com/openai/v1", "AZURE_API_KEY"),
        ("vllm", HERE, "VLLM_API_KEY"),
        ("vllm", THERE, "VLLM_API_KEY"),
        ("my-lab", "https://my-lab.example/v1", "MY_LAB_API_KEY"),
        ("v.2", "https://my-lab.example/v1", "V_2_API_KEY"),
    ],
)
def test_choose__a_provider_gets_its_own_key_at_home(provider: str, base_url: str | None, variable: str) -> None:
    choice = choose(provider, base_url, {variable: REAL, "CONFLICTBENCH_API_KEY": GENERAL})
    assert (choice.secret.reveal(), choice.source) == (REAL, f"the key was read from {variable}")


HOSTED = [
    ("openai", "OPENAI_API_KEY", "openai.com"),
    ("anthropic", "ANTHROPIC_API_KEY", "anthropic.com"),
    ("google", "GOOGLE_API_KEY", "googleapis.com"),
    ("mistral", "MISTRAL_API_KEY", "mistral.ai"),
]
ELSEWHERE = [
    THERE,
    "https://openrouter.ai/api/v1",
    "https://openai.com.example.org/v1",
    "https://notopenai.com/v1",
    "https://api-openai.com/v1",
    "https://vm.eastus.cloudapp.azure.com/v1",
]


@pytest.mark.parametrize("provider, variable, home", HOSTED)
@pytest.mark.parametrize("base_url", [HERE, "http://localhost:8000/v1", "http://[::1]:8000/v1"])
def test_choose__the_key_of_a_hosted_provider_stays_away_from_this_machine(
    provider: str, variable: str, home: str, base_url: str
) -> None:
    choice = choose(provider, base_url, {variable: REAL})
    assert not choice.secret
    assert choice.source == (
        f"no key was sent: {variable} goes to {home} alone; set CONFLICTBENCH_API_KEY, or name a variable by --key-env"
    )


@pytest.mark.parametrize("provider, variable, home", HOSTED)
@pytest.mark.parametrize("base_url", ELSEWHERE)
def test_choose__the_key_of_a_hosted_provider_goes_to_no_other_host(
    provider: str, variable: str, home: str, base_url: str
) -> None:
    host = parse_base_url(base_url).host
    with pytest.raises(ModelError) as error:
        choose(provider, base_url, {variable: REAL})
    assert str(error.value) == (
        f"no key for {host}: {variable} goes to {home} alone; set CONFLICTBENCH_API_KEY, or name a variable by "
        "--key-env (any value, if the server wants none)"
    )


@pytest.mark.parametrize("base_url", [HERE, *ELSEWHERE])
def test_choose__the_general_key_goes_to_whatever_the_base_url_names(base_url: str) -> None:
    choice = choose("openai", base_url, {"OPENAI_API_KEY": REAL, "CONFLICTBENCH_API_KEY": GENERAL})
    assert choice.secret.reveal() == GENERAL


def test_choose__without_a_base_url_the_general_key_goes_nowhere() -> None:
    with pytest.raises(ModelError, match=r"no key for 'openai': set the environment variable OPENAI_API_KEY$"):
        choose("openai", None, {"CONFLICTBENCH_API_KEY": GENERAL})


@pytest.mark.parametrize("base_url", [None, HERE, THERE])
def test_choose__a_variable_that_the_user_names_is_sent_anywhere(base_url: str | None) -> None:
    environ = {"OPENAI_API_KEY": REAL, "LAB_TOKEN": OWN, "CONFLICTBENCH_API_KEY": GENERAL}
    assert choose("openai", base_url, environ, key_env="LAB_TOKEN").secret.reveal() == OWN
    assert choose("openai", base_url, environ, key_env="OPENAI_API_KEY").secret.reveal() == REAL


def test_choose__a_server_of_ones_own_elsewhere_says_that_any_value_will_do() -> None:
    with pytest.raises(ModelError) as error:
        choose("vllm", THERE, {})
    assert str(error.value) == (
        "no key for 'vllm': set the environment variable VLLM_API_KEY or CONFLICTBENCH_API_KEY; "
        "any value, if the server wants none"
    )


def test_choose__on_this_machine_none_is_needed() -> None:
    choice = choose("vllm", HERE, {})
    assert not choice.secret
    assert choice.source == "no key was sent: VLLM_API_KEY and CONFLICTBENCH_API_KEY are not set"


@pytest.mark.parametrize("given", ["sk-0123456789abcdef", "gsk_0123456789abcdef", "lower_key", "HOME", "A B_KEY", ""])
def test_choose__what_names_no_key_is_refused_unshown(given: str) -> None:
    with pytest.raises(ModelError, match="key_env wants the name of an environment variable") as error:
        choose("vllm", HERE, {given: OWN}, key_env=given)
    assert not given or given not in str(error.value)


def test_choose__a_named_variable_that_is_not_set_is_an_error_on_this_machine_too() -> None:
    with pytest.raises(ModelError, match=r"the environment variable LAB_KEY \(key_env\) is not set"):
        choose("vllm", HERE, {"VLLM_API_KEY": OWN, "LAB_KEY": " "}, key_env="LAB_KEY")


def test_check_litellm_key__one_of_the_variables_is_enough() -> None:
    with pytest.raises(ModelError, match="set the environment variable GEMINI_API_KEY or GOOGLE_API_KEY"):
        check_litellm_key("gemini", {"OPENAI_API_KEY": REAL})
    check_litellm_key("gemini", {"GOOGLE_API_KEY": REAL})
    check_litellm_key("bedrock", {})  # litellm knows what it needs
