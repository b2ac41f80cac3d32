"""What ``doctor`` finds, and that it changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from services.cli import checks
from services.cli.checks import Finding, examine_house
from services.cli.secret_checks import access
from shared.settings import BrokerSettings, PublisherSettings, RepositorySettings, Settings, WebhookSettings
from shared.settings.model import DatabaseSettings


def states(findings: object) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in findings:  # type: ignore[attr-defined]
        assert isinstance(finding, Finding)
        found.setdefault(finding.name, []).append(finding.state)
    return found


def test_a_fresh_machine_is_well_and_stays_untouched(tmp_path: Path) -> None:
    settings = Settings(data_folder=tmp_path / "data")

    found = states([*access(settings), *examine_house(settings)])

    assert {state for all_states in found.values() for state in all_states} == {"good"}
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_others_can_read_is_a_warning(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    [first, second] = checks.data_folder(Settings(data_folder=tmp_path))

    assert (first.state, second.state) == ("good", "warning")
    assert second.mend == f"Run: chmod 700 {tmp_path}"


def test_a_folder_that_is_a_file_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "published").write_text("")
    settings = Settings(data_folder=tmp_path, publisher=PublisherSettings(folder=tmp_path / "published"))

    [finding] = checks.published_folder(settings)

    assert finding.state == "wrong"
    assert finding.mend


def test_sources_that_are_not_there_are_wrong_and_none_is_a_warning(tmp_path: Path) -> None:
    settings = Settings(
        data_folder=tmp_path,
        repositories=(
            RepositorySettings(full_name="a/records", records=tmp_path / "no.jsonl"),
            RepositorySettings(full_name="a/none"),
        ),
    )

    found = [
        finding for finding in examine_house(settings) if "source" in finding.name or finding.name == "repositories"
    ]

    assert [finding.state for finding in found] == ["wrong", "warning"]
    assert "no.jsonl" in found[0].told


def test_no_secret_beside_a_broker_is_wrong_since_nothing_makes_one_there(tmp_path: Path) -> None:
    settings = Settings(data_folder=tmp_path, broker=BrokerSettings(url=SecretStr("redis://127.0.0.1:1/0")))

    assert states(access(settings)) == {"webhook secret": ["wrong"], "API token": ["wrong"]}


def test_a_short_secret_is_a_warning_and_never_shown(tmp_path: Path) -> None:
    settings = Settings(data_folder=tmp_path, webhook=WebhookSettings(secrets=(SecretStr("hunter2"),)))

    findings = list(access(settings))

    assert findings[0].state == "warning"
    assert "hunter2" not in "".join(finding.told + finding.mend for finding in findings)


@pytest.mark.parametrize("url", ["mysql://user:hunter2@host/db", "nonsense hunter2"])
def test_a_database_that_is_none_is_wrong_and_its_password_hidden(url: str, tmp_path: Path) -> None:
    settings = Settings(data_folder=tmp_path, database=DatabaseSettings(url=SecretStr(url)))

    [finding] = [finding for finding in examine_house(settings) if finding.name == "database"]

    assert finding.state == "wrong"
    assert "hunter2" not in finding.told


def test_an_old_git_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho git version 2.1.4\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    [finding] = checks.git(Settings(data_folder=tmp_path))

    assert (finding.state, finding.mend) == ("warning", "Install git 2.30.")


def test_a_missing_git_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    [finding] = checks.git(Settings(data_folder=tmp_path))

    assert finding.state == "warning"
