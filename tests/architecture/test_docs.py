"""The documents and deployment files tell today's truth."""

from __future__ import annotations

import re

import yaml
from pydantic import BaseModel

from shared.settings import RepositorySettings, Settings
from tests.architecture.source_tree import ROOT

CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")


def _names(model: type[BaseModel], prefix: str = "") -> set[str]:
    names: set[str] = set()
    for name, field in model.model_fields.items():
        nested = field.annotation
        if isinstance(nested, type) and issubclass(nested, BaseModel):
            names |= _names(nested, f"{prefix}{name}.")
        elif name != "repositories":
            names.add(prefix + name)
    return names


def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    cells = re.findall(r"^\| (`[^|]+?) \|", CONFIGURATION, re.MULTILINE)
    documented = {name for cell in cells for name in re.findall(r"`([a-z_.]+)`", cell)}
    known = _names(Settings) | _names(RepositorySettings)

    assert documented == known


def test_the_example_environment_names_real_settings_and_holds_no_secret() -> None:
    lines = [line for line in (ROOT / "deploy" / "env.example").read_text().splitlines() if line and line[0] != "#"]
    values = dict(line.split("=", 1) for line in lines)
    variables = {f"MERGECAST_{name.replace('.', '__').upper()}" for name in _names(Settings)}
    compose = (ROOT / "docker-compose.yml").read_text()

    for name in values:
        assert name in variables or f"${{{name}" in compose, f"{name} is read by nothing"
    assert not [name for name in values if re.search("SECRET|TOKEN|PASSWORD", name) and values[name] not in ("", "[]")]


def test_the_compose_file_runs_known_modules_with_no_default_secret() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    services = yaml.safe_load(text)["services"]

    for service in services.values():
        for word in service.get("command", []):
            if word.startswith("services."):
                module = word.split(":")[0]
                assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file(), f"there is no {module}"
    assert "valkey/valkey" in text
    assert not re.search(r"(?i)(?:password|secret|token)\w*: [\"']?\w+[\"']?$", text, re.MULTILINE)


def test_every_direct_dependency_is_named_in_the_docs_with_its_reason() -> None:
    table = (ROOT / "docs" / "dependencies.md").read_text()
    for name in ("runtime", "development"):
        for line in (ROOT / "requirements" / f"{name}.in").read_text().splitlines():
            if line and line[0] not in "#-":
                package = re.split(r"[=\[]", line)[0]
                assert package in table, f"docs/dependencies.md does not name {package}"


def test_adrs_are_short_and_numbered() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("*.md"))

    assert [int(record.name[:4]) for record in records] == list(range(1, len(records) + 1))
    assert all(len(record.read_text().splitlines()) <= 60 for record in records)
