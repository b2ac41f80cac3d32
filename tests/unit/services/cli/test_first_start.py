"""The credentials of a first start: made once, kept private, never in the way of what the operator set."""

from __future__ import annotations

import json

import pytest
from pydantic import SecretStr

from services.cli.embedded_lock import FolderLock
from services.cli.first_start import credentials_file, ensure_credentials, stored_credentials
from shared.domain.errors import InvalidInput
from shared.settings import ApiSettings, Settings, WebhookSettings


def secret(settings: Settings) -> str:
    """The webhook secret in force."""
    return settings.webhook.secrets[0].get_secret_value()


def test_the_first_start_makes_them_and_the_next_one_finds_them(tmp_path):
    settings = Settings(data_folder=tmp_path)
    first, made = ensure_credentials(settings)
    second, none = ensure_credentials(settings)

    assert made is not None
    assert none is None
    assert secret(first) == secret(second) == made.webhook_secret.get_secret_value()
    assert first.api.tokens == second.api.tokens == (made.api_token,)
    assert len(secret(first)) >= 43
    assert secret(first) != made.api_token.get_secret_value()
    assert secret(first) not in repr(made) + repr(first)


def test_the_file_is_private_from_its_first_moment(tmp_path):
    settings = Settings(data_folder=tmp_path)
    ensure_credentials(settings)

    assert credentials_file(settings).stat().st_mode & 0o777 == 0o600


def test_what_the_operator_set_stays_in_force(tmp_path):
    settings = Settings(data_folder=tmp_path, webhook=WebhookSettings(secrets=(SecretStr("mine"),)))
    filled, made = ensure_credentials(settings)

    assert secret(filled) == "mine"
    assert filled.api.tokens == (made.api_token,)


def test_with_both_set_no_file_is_made(tmp_path):
    settings = Settings(
        data_folder=tmp_path,
        webhook=WebhookSettings(secrets=(SecretStr("mine"),)),
        api=ApiSettings(tokens=(SecretStr("token"),)),
    )

    assert ensure_credentials(settings) == (settings, None)
    assert not credentials_file(settings).exists()


def test_an_empty_secret_counts_as_none(tmp_path):
    filled, made = ensure_credentials(Settings(data_folder=tmp_path, webhook=WebhookSettings(secrets=(SecretStr(""),))))

    assert made is not None
    assert secret(filled)


def test_looking_them_up_makes_none(tmp_path):
    settings = Settings(data_folder=tmp_path)
    assert stored_credentials(settings) == settings
    made = ensure_credentials(settings)[0]

    assert stored_credentials(settings) == made


@pytest.mark.parametrize("content", ["", "[]", "null", "{}", '{"webhook_secret": "", "api_token": "x"}', "{'", "\xff"])
def test_a_file_that_holds_none_is_one_clear_line(tmp_path, content):
    settings = Settings(data_folder=tmp_path)
    path = credentials_file(settings)
    path.write_bytes(content.encode("latin-1"))
    path.chmod(0o600)

    with pytest.raises(InvalidInput, match="does not hold credentials"):
        ensure_credentials(settings)


def test_a_file_that_others_can_read_is_refused(tmp_path):
    settings = Settings(data_folder=tmp_path)
    ensure_credentials(settings)
    credentials_file(settings).chmod(0o644)

    with pytest.raises(InvalidInput, match="chmod 600"):
        ensure_credentials(settings)


def test_the_file_is_json_that_a_person_can_read(tmp_path):
    settings = Settings(data_folder=tmp_path)
    ensure_credentials(settings)

    assert set(json.loads(credentials_file(settings).read_text("utf-8"))) == {"webhook_secret", "api_token"}


def test_one_service_a_data_folder(tmp_path):
    first, second = FolderLock(tmp_path), FolderLock(tmp_path)
    first.acquire()

    with pytest.raises(InvalidInput, match="Another `mergecast serve`"):
        second.acquire()
    first.release()
    second.acquire()
    second.release()


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be used"):
        FolderLock(tmp_path / "missing").acquire()
