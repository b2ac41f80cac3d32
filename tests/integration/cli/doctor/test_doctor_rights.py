"""``mergecast doctor`` asks GitHub what the credential may read, and says which right is missing, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.integration.cli.doctor.conftest import READS, TOKEN, Doctor, with_app, with_token
from tests.servers.github import GitHubServer


@pytest.mark.parametrize(
    ("right", "code", "mend"),
    [
        ("pull_requests", 1, "«Pull requests: Read-only»"),
        ("contents", 1, "«Contents: Read-only»"),
        ("checks", 0, "App"),
    ],
)
def test_a_right_that_a_token_lacks(doctor: Doctor, github: GitHubServer, right: str, code: int, mend: str) -> None:
    answer = doctor(**with_token(github, **{right: ""}))

    assert answer.returncode == code
    assert mend in answer.stdout


@pytest.mark.parametrize(("right", "code"), [("pull_requests", 1), ("contents", 1), ("checks", 0), ("issues", 0)])
def test_a_right_that_an_installation_lacks(doctor: Doctor, github: GitHubServer, right: str, code: int) -> None:
    answer = doctor(**with_app(github, **{right: ""}))

    assert answer.returncode == code
    assert (
        "Read-only»: in the App's settings, then accept it: https://github.com/organizations/lumen-labs"
        in answer.stdout
    )


def test_an_app_that_may_write_is_a_warning(doctor: Doctor, github: GitHubServer) -> None:
    answer = doctor(**with_app(github, contents="write"))

    assert answer.returncode == 0
    assert "may write contents, which no analysis needs" in answer.stdout


def test_a_classic_token_that_may_write_is_a_warning(doctor: Doctor, github: GitHubServer) -> None:
    github.world.token("reader", scopes=("repo",), value="ghp_canary")

    answer = doctor(token="ghp_canary")

    assert answer.returncode == 0
    assert "ghp_canary" not in answer.stdout
    assert "may write, which no analysis needs" in answer.stdout


def test_a_revoked_token_says_what_to_give(doctor: Doctor, github: GitHubServer) -> None:
    settings = with_token(github)
    github.world.revoke("reader")

    answer = doctor(**settings)

    assert answer.returncode == 1
    assert "does not accept the credential" in answer.stdout
    assert "github.token" in answer.stdout


def test_a_repository_out_of_sight_says_how_to_show_it(doctor: Doctor, github: GitHubServer) -> None:
    github.world.token("reader", READS, repositories=["lumen-labs/other"], value=TOKEN)

    answer = doctor(token=TOKEN)

    assert answer.returncode == 1
    assert "Repository access" in answer.stdout


def test_an_app_that_is_not_installed_or_suspended_says_where(doctor: Doctor, github: GitHubServer) -> None:
    settings = with_app(github)
    [installation] = github.world.app.installations.values()
    installation.suspend()
    suspended = doctor(**settings)
    installation.delete()
    removed = doctor(**settings)

    assert (suspended.returncode, removed.returncode) == (1, 1)
    assert "Unsuspend it: https://github.com/organizations/lumen-labs" in suspended.stdout
    assert "Install it: https://github.com/apps/mergecast-test/installations/new" in removed.stdout


def test_a_key_that_is_none_or_of_another_app(doctor: Doctor, github: GitHubServer, here: Path) -> None:
    (here / "app.pem").write_text("none")
    none = doctor(app_id="1", private_key_file="app.pem")
    missing = doctor(app_id="1", private_key_file="missing.pem")
    other = doctor(app_id=str(github.world.app.id), private_key=foreign_key())

    assert [none.returncode, missing.returncode, other.returncode] == [1, 1, 1]
    assert "cannot be read" in none.stdout
    assert "chmod 600" in none.stdout
    assert "missing.pem" in missing.stdout
    assert "401" in other.stdout


def foreign_key() -> str:
    """The private key of another App."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    form, bare = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, form, bare).decode()
