"""Which model a command is about, and to whom the key goes."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from services.cli.evaluation.chosen import chosen_model
from shared.domain.errors import InvalidInput
from shared.settings.language_model import ModelSettings

SETTINGS = ModelSettings(name="usual", strong_name="large", api_key=SecretStr("key-of-the-usual-server"))


def test_the_model_of_the_settings_is_the_default_and_reads_everything() -> None:
    chosen = chosen_model(SETTINGS, None)

    assert chosen.names == ("usual",)
    assert chosen.api_key == SETTINGS.api_key


def test_a_named_model_is_asked_on_the_same_server_with_the_same_key() -> None:
    chosen = chosen_model(SETTINGS, "other")

    assert (chosen.name, chosen.base_url) == ("other", SETTINGS.base_url)
    assert chosen.api_key == SETTINGS.api_key


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/v1", "https://api.openai.com.evil.example/v1"])
def test_the_key_goes_to_no_other_server(url: str) -> None:
    assert chosen_model(SETTINGS, None, url).api_key.get_secret_value() == ""


def test_the_same_server_by_another_path_gets_the_key() -> None:
    assert chosen_model(SETTINGS, None, "https://api.openai.com/v2").api_key == SETTINGS.api_key


def test_no_model_and_no_address_are_refused_without_the_key() -> None:
    with pytest.raises(InvalidInput, match="No language model is set"):
        chosen_model(ModelSettings(), None)
    with pytest.raises(InvalidInput, match="base_url") as refused:
        chosen_model(SETTINGS, None, "somewhere")
    assert "key-of" not in str(refused.value)
