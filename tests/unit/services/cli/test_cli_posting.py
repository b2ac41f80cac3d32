"""Where deliveries are posted to, and with which secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.cli.deliver import SECRET_VARIABLE, deliveries_of, secret_of
from services.cli.posting import Answer, Poster
from shared.domain.errors import InvalidInput


@pytest.fixture(autouse=True)
def _a_world_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in (SECRET_VARIABLE, "MERGECAST_WEBHOOK__SECRETS", "MERGECAST_CONFIG"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("url", ["ftp://host", "http://", "http://host:port", "http://[::1", "http://host:99999"])
def test_an_address_that_cannot_be_posted_to_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="is not an"):
        Poster(url, b"x")


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8080", "http://127.0.0.1:8080", "https://host/webhooks/github", "http://[::1]:1"]
)
def test_addresses_may_be_short(url: str) -> None:
    assert Poster(url, b"x").url.endswith(url)


@pytest.mark.parametrize(("status", "accepted"), [(202, True), (200, True), (401, False), (503, False), (None, False)])
def test_only_2xx_is_accepted(status: int | None, accepted: bool) -> None:
    delivery = deliveries_of(None)[0]

    assert Answer(delivery, status, "").accepted is accepted


def test_the_secret_file_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, "of the environment")
    file = tmp_path / "secret"
    file.write_bytes(b"of the file\n")

    assert secret_of(file, None) == b"of the file"
    assert secret_of(None, None) == b"of the environment"


def test_the_configured_secret_is_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MERGECAST_WEBHOOK__SECRETS", '["first-of-all", "second"]')

    assert secret_of(None, None) == b"first-of-all"


def test_no_secret_at_all_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no webhook secret"):
        secret_of(None, None)


@pytest.mark.parametrize("content", [b"", b"\n"])
def test_an_empty_secret_file_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(content)

    with pytest.raises(InvalidInput, match="no webhook secret"):
        secret_of(tmp_path / "secret", None)


def test_a_missing_secret_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nowhere cannot be read"):
        secret_of(tmp_path / "nowhere", None)


def test_a_bad_line_of_the_records_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"\n{broken\n")

    with pytest.raises(InvalidInput, match="2"):
        deliveries_of(tmp_path / "bad.jsonl")
