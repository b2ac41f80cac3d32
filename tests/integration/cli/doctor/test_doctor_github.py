"""``mergecast doctor`` asks GitHub about hooks, deliveries, names and hosts; each fault says what to change."""

from __future__ import annotations

import time

import pytest

from tests.integration.cli.doctor.conftest import HOOK, NAME, TOKEN, Doctor, with_app, with_token
from tests.servers.github import Fault, GitHubServer


def test_a_good_token_and_hook(doctor: Doctor, github: GitHubServer) -> None:
    repository = github.world.repository_named(NAME)
    assert repository is not None
    repository.add_hook(HOOK, "a-secret", events=("pull_request", "repository"))

    answer = doctor(**with_token(github))

    assert answer.returncode == 0, answer.stdout
    assert "token of reader" in answer.stdout
    assert "of 5,000 requests left until" in answer.stdout
    assert "private; reads pull requests, contents, checks" in answer.stdout
    assert f"{HOOK}: active, JSON, with a secret, sends pull_request and repository" in answer.stdout
    assert "!" not in "".join(line for line in answer.stdout.splitlines() if "lumen" in line or "credential" in line)
    assert len(github.log) == 8


def test_a_good_app(doctor: Doctor, github: GitHubServer) -> None:
    answer = doctor(**with_app(github))

    assert answer.returncode == 0, answer.stdout
    assert "GitHub App mergecast-test, installed on 1 account" in answer.stdout
    assert "reads metadata, pull requests, contents, checks, commit statuses, issues" in answer.stdout
    assert f"{HOOK}: JSON, with a secret, sends pull_request and repository" in answer.stdout
    assert "none in the last three days" in answer.stdout
    assert "PRIVATE KEY" not in answer.stdout
    assert len(github.log) == 8


@pytest.mark.parametrize(
    ("changes", "told", "mend"),
    [
        ({"content_type": "form"}, "sends content type 'form'", "application/json"),
        ({"events": ("push",)}, "does not send pull_request events", "«Pull requests»"),
        ({"secret": ""}, "has no secret", "webhook.secrets"),
        ({"active": False}, "is switched off", "Tick Active"),
    ],
)
def test_a_wrong_hook_says_what_to_change(
    doctor: Doctor, github: GitHubServer, changes: dict[str, object], told: str, mend: str
) -> None:
    repository = github.world.repository_named(NAME)
    assert repository is not None
    hook = repository.add_hook(HOOK, "a-secret")
    for name, value in changes.items():
        setattr(hook, name, value)

    answer = doctor(**with_token(github))

    assert answer.returncode == 1
    assert told in answer.stdout
    assert mend in answer.stdout


def test_an_app_that_does_not_hear_of_renames_is_a_warning(doctor: Doctor, github: GitHubServer) -> None:
    settings = with_app(github)
    github.world.app.events = ("pull_request",)

    answer = doctor(**settings)

    assert answer.returncode == 0, answer.stdout
    assert "does not send repository events: a new name is learned late" in answer.stdout
    assert "Tick «Repositories» among the events in the App's settings." in answer.stdout


def test_failed_deliveries_are_told_with_their_status(doctor: Doctor, github: GitHubServer) -> None:
    repository = github.world.repository_named(NAME)
    assert repository is not None
    repository.add_hook(HOOK, "a-secret")
    github.world.deliver_pending()

    answer = doctor(**with_token(github))

    assert answer.returncode == 1
    assert "0 of the last 1 arrived; failed: 1 × 502" in answer.stdout
    assert "DNS, TLS, firewall and proxy" in answer.stdout


def test_no_hook_of_ours_is_a_warning_with_the_place_to_add_one(doctor: Doctor, github: GitHubServer) -> None:
    answer = doctor(**with_token(github))

    assert answer.returncode == 0
    assert f"Add webhook: https://github.com/{NAME}/settings/hooks" in answer.stdout


def test_without_the_right_to_list_hooks_it_says_where_to_look(doctor: Doctor, github: GitHubServer) -> None:
    answer = doctor(**with_token(github, hooks=False))

    assert answer.returncode == 0
    assert f"Look there yourself: https://github.com/{NAME}/settings/hooks" in answer.stdout


def test_an_app_without_a_hook_hears_nothing(doctor: Doctor, github: GitHubServer) -> None:
    settings = with_app(github)
    github.world.app.hook_url = ""

    answer = doctor(**settings)

    assert answer.returncode == 1
    assert "nothing is delivered" in answer.stdout


def test_a_renamed_repository_says_its_new_name(doctor: Doctor, github: GitHubServer) -> None:
    repository = github.world.repository_named(NAME)
    assert repository is not None
    repository.rename("lumen-labs/lantern")

    answer = doctor(**with_token(github))

    assert answer.returncode == 1
    assert 'Set full_name = "lumen-labs/lantern".' in answer.stdout


def test_an_api_of_another_host_is_told(doctor: Doctor, github: GitHubServer) -> None:
    github.world.html_host = "https://github.elsewhere.example"

    answer = doctor(**with_token(github))

    assert answer.returncode == 1
    assert "tells of github.elsewhere.example, and github.host is github.com" in answer.stdout


def test_a_repository_of_another_host_is_not_asked_about(doctor: Doctor, github: GitHubServer) -> None:
    answer = doctor(host="github.elsewhere.example", **with_token(github))

    assert answer.returncode == 0
    assert "its host is github.com, and github.host is github.elsewhere.example" in answer.stdout


def test_without_any_credential(doctor: Doctor, github: GitHubServer) -> None:
    off, anonymous = doctor(), doctor(anonymous="true")

    assert off.returncode == 0
    assert "Set github.token, or github.app_id" in off.stdout
    assert "60 requests an hour, about 15 merges" in anonymous.stdout


def test_a_host_that_hangs_is_told_within_seconds(doctor: Doctor, github: GitHubServer) -> None:
    github.faults.add(Fault(path=".*", kind="hang", times=None))
    begun = time.monotonic()

    answer = doctor(**with_token(github))

    assert time.monotonic() - begun < 25
    assert answer.returncode == 1
    assert "does not serve: no answer in time" in answer.stdout
    assert len(github.log) <= 1


def test_a_host_that_is_away_is_told(doctor: Doctor, github: GitHubServer) -> None:
    answer = doctor(api_url="http://127.0.0.1:9/api/v3", token=TOKEN)

    assert answer.returncode == 1
    assert "no connection" in answer.stdout
    assert "api_url" in answer.stdout
