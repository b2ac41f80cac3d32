"""Whose repository it is that answers, and the files in which it says how it is to be read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from shared.code_host import open_code_host
from shared.domain.errors import Absent, Parked
from shared.domain.pull_request import RepositoryRef
from shared.settings import RepositorySettings
from shared.settings.code_host import GitHubSettings
from shared.sources.convention_texts import ConventionTexts
from shared.sources.github_api import GitHubApi
from tests.integration.github_api.asked import (
    MERGED_AT,
    NAME,
    NOW,
    TOKEN,
    KeptAnswers,
    NoLimits,
    asked,
    facts_of,
    open_api,
    open_host,
)
from tests.servers.github import GitHubServer
from tests.servers.github.repositories import Repository

FILES = {
    ".github/labeler.yml": "core:\n  - src/**\n",
    ".github/labeler.yaml": "never: read\n",
    "CODEOWNERS": "/src/ @acme/core\n",
    "docs/CODEOWNERS": "* @acme/docs\n",
    ".github/mergecast.toml": 'timezone = "UTC"\n',
    "README.md": "# Engine\n",
}
OWN = {".github/mergecast.toml": FILES[".github/mergecast.toml"]}
READ = {".github/labeler.yml", "CODEOWNERS", ".github/mergecast.toml"}


@pytest.mark.parametrize("token", [True, False])
def test_of_each_kind_of_convention_file_the_first_is_read(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    repository.files |= FILES

    assert open_api(github, token=token).conventions() == {path: FILES[path] for path in READ}
    assert len(github.log) == (1 if token else 4)


@pytest.mark.parametrize("token", [True, False])
def test_missing_convention_files_are_none(github: GitHubServer, repository: Repository, token: bool) -> None:
    found = open_api(github, token=token).conventions()

    assert isinstance(found, ConventionTexts)
    assert (found, found.unreadable) == ({}, {})
    assert {entry.status for entry in github.log} == ({200} if token else {200, 404})


@pytest.mark.parametrize(
    ("token", "content", "why"),
    [
        (True, b"\x00\x01", "it is binary"),
        (True, "* @acme/core\n" * 50_000, "it is so large that the host gives only a part of it"),
        (False, b"\x00\x01", "it is binary"),
        (False, b"/caf\xe9/ @acme/core\n", "it is not written in UTF-8"),
        (False, "* @acme/core\n" * 250_000, "it is larger than 3 MB"),
    ],
    ids=["binary", "truncated", "binary openly", "undecodable openly", "oversized openly"],
)
def test_a_convention_file_that_gives_no_text_is_there_and_unreadable(
    github: GitHubServer, repository: Repository, token: bool, content: str | bytes, why: str
) -> None:
    repository.files |= {".github/CODEOWNERS": content, "CODEOWNERS": "* @acme/never\n", **OWN}
    found = open_api(github, token=token).conventions()

    assert isinstance(found, ConventionTexts)
    assert (found, found.unreadable) == (OWN, {".github/CODEOWNERS": why})


def test_conventions_that_the_credential_may_not_read_are_not_known(
    github: GitHubServer, repository: Repository
) -> None:
    repository.private = True
    repository.files |= FILES
    api = open_api(github)
    github.world.tokens[TOKEN].permissions.pop("contents")

    with pytest.raises(Parked):
        api.conventions()


def test_conventions_of_a_repository_that_is_hidden_are_not_known(github: GitHubServer, repository: Repository) -> None:
    repository.files |= FILES
    api = open_api(github, token=False)
    repository.private = True

    with pytest.raises(Absent):
        api.conventions()


def test_conventions_of_a_repository_that_is_gone_are_absent(github: GitHubServer, repository: Repository) -> None:
    repository.delete()

    with pytest.raises(Absent):
        open_api(github).conventions()


def test_c25_a_renamed_repository_is_read_by_its_id(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Moved").merge(at=MERGED_AT)
    facts = facts_of(pull)
    repository.rename("acme/motor")

    assert len(open_api(github).details(facts).files or ()) == 1
    assert {entry.status for entry in github.log} == {200}


def test_another_repository_that_took_the_name_is_never_read(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Ours").merge(at=MERGED_AT)
    facts = facts_of(pull)
    repository.rename("acme/motor")
    stranger = github.world.add_repository(NAME, id=5_000_000_002)
    stranger.open_pull("Theirs").merge(at=MERGED_AT)
    stranger.pulls[1].review("mallory")

    details = open_api(github).details(facts)

    assert details.reviews == ()
    assert asked(github) == [
        "POST /graphql",
        f"GET /repositories/{repository.id}",
        "POST /graphql",
        f"GET /repositories/{repository.id}/pulls/1/files",
    ]


def test_a_repository_that_is_gone_is_not_the_one_that_took_its_name(
    github: GitHubServer, repository: Repository
) -> None:
    facts = facts_of(repository.open_pull("Ours").merge(at=MERGED_AT))
    repository.delete()
    github.world.add_repository(NAME, id=5_000_000_002).open_pull("Theirs").merge(at=MERGED_AT)

    with pytest.raises(Absent):
        open_api(github).details(facts)


def test_a_revoked_token_parks(github: GitHubServer, repository: Repository) -> None:
    facts = facts_of(repository.open_pull("Closed to us").merge(at=MERGED_AT))
    api = open_api(github)
    github.world.revoke("reader")

    with pytest.raises(Parked):
        api.details(facts)


def test_an_app_reads_with_the_rights_of_its_installation(github: GitHubServer, repository: Repository) -> None:
    repository.private = True
    pull = repository.open_pull("Ours").merge(at=MERGED_AT)
    installation = github.world.app.install("acme")
    settings = GitHubSettings(
        api_url=github.api_url,
        app_id=github.world.app.client_id,
        private_key=SecretStr(github.world.app.private_key_pem),
    )
    host = open_code_host(settings, NoLimits(), KeptAnswers(), lambda: datetime.now(UTC))
    api = GitHubApi(host, NAME, RepositorySettings(full_name=NAME), lambda: NOW)

    assert len(api.details(facts_of(pull)).files or ()) == 1
    installation.suspend()
    with pytest.raises(Parked):
        api.details(facts_of(pull))


def test_the_id_may_be_given_from_the_beginning(github: GitHubServer, repository: Repository) -> None:
    known = RepositoryRef(full_name=NAME, id=repository.id)
    api = GitHubApi(open_host(github), known, RepositorySettings(full_name=NAME), lambda: NOW)

    assert api.refresh().id == repository.id
    assert asked(github) == [f"GET /repositories/{repository.id}"]
    assert api.sources(facts_of(repository.open_pull("Any").merge(at=MERGED_AT))) == {}
