"""What is known of providers without litellm, held against litellm."""

from __future__ import annotations

import pytest

from conflictbench.agents.models.endpoint import parse_base_url
from conflictbench.agents.models.litellm_model import litellm_providers, load_litellm
from conflictbench.agents.models.providers import (
    HOMES,
    LITELLM_KEYS,
    SELF_HOSTED,
    at_home,
    key_variable,
    names_known_to_litellm,
)

# litellm imports parts of itself when they are first needed, and pydantic warns of some of them.
pytestmark = pytest.mark.filterwarnings("ignore:.*using the `ReadOnly` qualifier:UserWarning")


def test_names_known_to_litellm__are_those_it_knows() -> None:
    assert tuple(sorted(names_known_to_litellm())) == litellm_providers()


@pytest.mark.parametrize("provider", LITELLM_KEYS)
def test_litellm_keys__each_is_enough_for_it(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> set[str]:
        return set(load_litellm().validate_environment(f"{provider}/any")["missing_keys"])

    assert set() < missing() <= set(LITELLM_KEYS[provider])
    for name in LITELLM_KEYS[provider]:
        with monkeypatch.context() as only:
            only.setenv(name, "any")
            assert missing() == set()


def test_homes__every_key_that_litellm_looks_for_has_one() -> None:
    assert {name for names in LITELLM_KEYS.values() for name in names} <= set(HOMES)
    assert {key_variable(provider) for provider in LITELLM_KEYS} - {"TOGETHER_AI_API_KEY", *HOMES} == set()


def test_self_hosted__each_has_a_base_url_on_this_machine_and_no_key_at_stake() -> None:
    for provider, base_url in SELF_HOSTED.items():
        assert parse_base_url(base_url).loopback
        assert at_home(key_variable(provider), "gpu-box")
