"""How git gets in: tokens travel in its environment, and nowhere that others can read."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from shared.domain.errors import InvalidInput
from shared.settings import RepositorySettings, Settings
from shared.settings.model import ClonesSettings
from shared.sources.git_history import GitHistory, commands, fetch_clone
from shared.sources.git_history.remote import basic_authorization, remote_of
from shared.sources.kept_clones import kept_clone
from tests.git_repository import MONDAY, NEXT_MONDAY, GitRepository
from tests.integration.clones.remotes import calls, recording_git, refused, web_server

TOKEN = "canary-0123456789"


def kept(tmp_path: Path, url: str | None = None, **tokens: str):
    repository = RepositorySettings(full_name="lumen/lumen", keep_clone=True, clone_url=url)
    clones = ClonesSettings(tokens={host: SecretStr(token) for host, token in tokens.items()})
    settings = Settings(data_folder=tmp_path / "data", clones=clones, repositories=(repository,))
    return kept_clone(settings, repository, lambda: datetime.now(UTC))


def test_credentials_open_a_door_over_http_and_no_process_shows_them(repository: GitRepository, tmp_path: Path) -> None:
    wanted = basic_authorization("ada", TOKEN)
    with web_server(repository.path, wanted) as web:
        place = fetch_clone(f"http://ada:{TOKEN}@{web.url}", tmp_path / "cache")
        fetch_clone(f"http://ada:{TOKEN}@{web.url}", tmp_path / "cache")
        with pytest.raises(InvalidInput, match="cannot be fetched"):
            fetch_clone(f"http://{web.url}", tmp_path / "other")

    found = [one.number for one in GitHistory(place, "lumen/lumen").merged_between(MONDAY, NEXT_MONDAY)]
    assert found == [1, 2, 3]
    assert web.authorizations == {wanted, None}
    assert [shown for shown in web.arguments if "remote-http" in shown], "the list of processes was seen"
    assert not [shown for shown in web.arguments if TOKEN in shown or wanted in shown]
    for file in [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]:
        assert TOKEN.encode() not in file.read_bytes()


def test_a_token_is_sent_to_its_own_host_over_https_and_to_no_other(tmp_path: Path) -> None:
    remote = kept(tmp_path, **{"github.com": TOKEN}).remote
    assert remote.url == "https://github.com/lumen/lumen.git"
    assert remote.access == {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.https://github.com/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: {basic_authorization('x-access-token', TOKEN)}",
    }
    assert remote.env["GIT_ALLOW_PROTOCOL"] == "https:ssh"
    assert TOKEN not in repr(remote)
    for url in ("https://git.example/lumen/lumen.git", "ssh://git@github.com/lumen/lumen", "git@github.com:lumen/l"):
        assert kept(tmp_path, url, **{"github.com": TOKEN}).remote.access == {}


def test_git_is_given_no_token_among_its_arguments_and_an_away_remote_tells_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = recording_git(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    commands.git.cache_clear()
    clone = kept(tmp_path, "https://127.0.0.1:9/lumen/lumen.git", **{"127.0.0.1:9": TOKEN})

    told = refused(lambda: clone.keep(30))

    assert "https://127.0.0.1:9/lumen/lumen.git cannot be fetched" in told
    [call] = calls(folder)
    assert " clone --bare --no-tags " in call
    assert "fetch.fsckObjects=true" in call
    assert "core.hooksPath=/dev/null" in call
    assert TOKEN not in call + told + clone.state().model_dump_json()
    assert basic_authorization("x-access-token", TOKEN) not in call


@pytest.mark.parametrize(
    "url",
    [
        "http://github.com/lumen/lumen",
        "git://github.com/lumen/lumen",
        "ext::sh -c true",
        "-u",
        f"https://a:{TOKEN}@github.com/x/y",
    ],
)
def test_addresses_that_no_clone_is_kept_of(url: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        kept(tmp_path, url)
    assert TOKEN not in str(caught.value)


def test_a_user_name_alone_is_left_to_the_credential_helper() -> None:
    remote = remote_of("https://ada@git.example/lumen/lumen.git")
    assert remote.url == "https://git.example/lumen/lumen.git"
    assert remote.access["GIT_CONFIG_KEY_0"] == "credential.https://git.example/.username"
    assert remote.access["GIT_CONFIG_VALUE_0"] == "ada"


def test_a_history_with_a_harmful_object_is_refused(repository: GitRepository, tmp_path: Path) -> None:
    blob = repository.git("hash-object", "-w", "a.py")
    tree = _dotgit_tree(repository, blob)
    commit = repository.git("commit-tree", "-m", "Harm", tree)
    repository.git("update-ref", "refs/heads/main", commit)

    told = refused(lambda: kept(tmp_path, f"file://{repository.path}").keep(60))

    assert "hasDotgit" in told or "fsck" in told


def _dotgit_tree(repository: GitRepository, blob: str) -> str:
    """A tree that would write into ``.git``, which git itself refuses to make."""
    content = b"100644 .git\0" + bytes.fromhex(blob)
    file = repository.path.parent / "tree"
    file.write_bytes(content)
    return repository.git("hash-object", "-t", "tree", "-w", "--literally", str(file))
