"""The documents and deployment files tell today's truth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import yaml
from pydantic import BaseModel
from typer.main import get_command

from services.cli.main import Invocation, build_app
from shared.domain.reading import DropReason
from shared.settings import RepositorySettings, Settings, load_settings
from tests.architecture.source_tree import ROOT

CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


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


def test_the_map_of_the_house_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = re.search(r"```\nservices/\n(.*?)shared/\n(.*?)```", text, re.DOTALL)
    assert rooms is not None

    for house, told in zip(("services", "shared"), rooms.groups(), strict=True):
        folders = {path.parent.name for path in (ROOT / house).glob("*/__init__.py")}
        assert set(re.findall(r"^  (\w+)/", told, re.MULTILINE)) == folders


def test_every_command_in_the_docs_exists_with_its_options() -> None:
    known = get_command(build_app(Invocation())).commands  # type: ignore[attr-defined]
    for page in PAGES:
        for line in _commands_of(page.read_text("utf-8")):
            name, *words = line.split("#")[0].split()
            assert name in known, f"{page.name}: there is no mergecast {name}"
            options = {option for parameter in known[name].params for option in parameter.opts}
            unknown = [word for word in words if word[0] == "-" and word.split("=")[0] not in options]
            assert not unknown, f"{page.name}: mergecast {name} has no {unknown}"


def test_every_reason_for_dropping_a_claim_is_documented() -> None:
    told = (ROOT / "docs" / "reading.md").read_text("utf-8").partition("## What is kept")[2]

    assert set(re.findall(r"^\| `([a-z-]+)` \|", told, re.MULTILINE)) >= set(get_args(DropReason))


def test_every_settings_file_in_the_docs_can_be_read(tmp_path: Path) -> None:
    for page in PAGES:
        for block in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            if "\n[" in f"\n{block}" and not re.search(r"^\[(?:areas|risks)]", block, re.MULTILINE):
                file = tmp_path / "mergecast.toml"
                file.write_text(block, "utf-8")
                assert load_settings(file, {}), page.name


def _commands_of(text: str) -> list[str]:
    """What follows ``mergecast`` in blocks of code, a command a line, and in code within sentences."""
    blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    alone = re.findall(r"^(?:\$ |\.venv/bin/)?mergecast ([a-z].*)", blocks, re.MULTILINE)
    return [*alone, *re.findall(r"(?<!`)`mergecast ([a-z][^`]*)`(?!`)", text)]
