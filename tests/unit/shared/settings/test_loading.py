"""Settings: the file, the environment above it, and one clear line for each fault."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from shared.domain.errors import InvalidInput
from shared.settings import load_settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_file_and_variables_the_embedded_defaults_hold() -> None:
    settings = load_settings()

    assert settings.embedded
    assert settings.database_url.startswith("sqlite:///")
    assert settings.webhook.secrets == ()
    assert settings.api.tokens == ()
    assert settings.watches("any/repository")


def test_the_environment_outranks_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mergecast.toml").write_text('[digest]\ntimezone = "Asia/Shanghai"\nfeatured = 12\n')
    monkeypatch.setenv("MERGECAST_DIGEST__FEATURED", "9")
    monkeypatch.setenv("MERGECAST_WEBHOOK__SECRETS", '["one", "two"]')

    settings = load_settings()

    assert (settings.digest.timezone, settings.digest.featured) == ("Asia/Shanghai", 9)
    assert [secret.get_secret_value() for secret in settings.webhook.secrets] == ["one", "two"]


def test_paths_in_the_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    file = tmp_path / "etc" / "mergecast.toml"
    file.write_text('data_folder = "data"\n[[repositories]]\nfull_name = "lumen/lumen"\nrecords = "week.jsonl"\n')

    settings = load_settings(file)

    assert settings.data_folder == tmp_path / "etc" / "data"
    assert settings.repository("LUMEN/lumen").records == tmp_path / "etc" / "week.jsonl"
    assert not settings.watches("lumen/other")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[digest\n", "not TOML"),
        ("colour = 1\n", "colour"),
        ('[digest]\ntimezone = "Mars/Olympus"\n', "digest.timezone"),
        ('[digest]\nlanguages = ["tlh"]\n', "digest.languages"),
        ("[digest]\nlanguages = []\n", "digest.languages"),
        ('[[repositories]]\nfull_name = "no-slash"\n', "repositories.0.full_name"),
        ("[broker]\nhard_time_limit = 900\nvisibility_timeout = 900\n", "visibility_timeout"),
        ('[[repositories]]\nfull_name = "a/b"\nrecords = "x"\nclone = "y"\n', "one of records, clone and keep_clone"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "mergecast.toml"
    file.write_text(text)

    with pytest.raises(InvalidInput) as caught:
        load_settings(file)

    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_named_file_that_is_missing_or_no_utf8_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_settings(tmp_path / "absent.toml")
    (tmp_path / "latin.toml").write_bytes(b"x = '\xe9'")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        load_settings(tmp_path / "latin.toml")


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MERGECAST_WEBHOOK__SECRETS", '["canary-secret"]')
    monkeypatch.setenv("MERGECAST_DATABASE__URL", "postgresql://u:canary-secret@h/d")

    assert "canary-secret" not in repr(load_settings())


@pytest.mark.parametrize("text", ["90", "PT90S", "90.0"])
def test_durations_in_the_environment_are_seconds_or_iso_8601(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("MERGECAST_WORKER__LEASE", text)

    assert load_settings().worker.lease == timedelta(seconds=90)


def test_durations_are_durations() -> None:
    waits = load_settings().worker.retry_waits

    assert waits == (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))


def test_clones_are_kept_of_listed_repositories_that_have_no_source_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "mergecast.toml").write_text(
        '[clones]\nkeep = true\nfolder = "git"\n[[repositories]]\nfull_name = "a/kept"\n'
        '[[repositories]]\nfull_name = "a/off"\nkeep_clone = false\n'
        '[[repositories]]\nfull_name = "a/own"\nclone = "own.git"\n'
        '[[repositories]]\nfull_name = "a/records"\nrecords = "a.jsonl"\n'
    )

    settings = load_settings()

    assert [(listed.full_name, listed.remote_url) for listed in settings.kept] == [
        ("a/kept", "https://github.com/a/kept.git")
    ]
    assert settings.clones_folder == tmp_path / "git"
    assert settings.repository("x/unlisted") not in settings.kept


def test_no_clone_is_kept_unless_somebody_says_so(tmp_path: Path) -> None:
    (tmp_path / "mergecast.toml").write_text(
        '[[repositories]]\nfull_name = "a/b"\n'
        '[[repositories]]\nfull_name = "a/c"\nkeep_clone = true\nclone_url = "file:///srv/c.git"\n'
    )

    assert [listed.remote_url for listed in load_settings().kept] == ["file:///srv/c.git"]


def test_one_detail_source_and_no_two(tmp_path: Path) -> None:
    (tmp_path / "mergecast.toml").write_text(
        '[[repositories]]\nfull_name = "a/b"\nkeep_clone = true\nclone = "b.git"\n'
    )

    with pytest.raises(InvalidInput, match="one of records, clone and keep_clone"):
        load_settings()


def test_tokens_of_clones_come_from_the_environment_and_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MERGECAST_CLONES__TOKENS", '{"github.com": "canary-token"}')

    settings = load_settings()

    assert settings.clones.tokens["github.com"].get_secret_value() == "canary-token"
    assert "canary-token" not in repr(settings)
