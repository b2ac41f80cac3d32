"""The laws of the house that a script can keep: size, purity, naming, doors, who uses what."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict

import pytest

from tests.architecture.source_tree import ROOT, SourceFile, source_files

PRODUCT = source_files("services", "shared")
EVERYTHING = source_files("services", "shared", "tests")
FILE_LINES, FUNCTION_LINES = 300, 40
FORBIDDEN_NAMES = {
    *("github", "celery", "redis", "openai", "queue", "types", "logging", "http", "calendar", "statistics"),
    *("utils", "helpers", "common", "manager"),
}
PURE = (
    "shared.claims",
    "shared.domain",
    "shared.rendering.markdown",
    "shared.rendering.html",
    "shared.sources.github_events",
    "services.webhook.signature",
    "services.analyzer.rules",
    "services.analyzer.checking",
    "services.analyzer.combine",
    "services.analyzer.examine",
    "services.analyzer.packing",
    "services.digest.aggregate",
    "services.digest.gate",
    "services.digest.judged_actions",
    "services.digest.narrate",
    "services.digest.net",
    "services.digest.readings",
    "services.digest.telling",
    "services.digest.themes",
    "services.digest.window_rules",
)
IMPURE_STANDARD_LIBRARY = {
    "asyncio",
    "http",
    "os",
    "random",
    "secrets",
    "smtplib",
    "socket",
    "sqlite3",
    "subprocess",
    "threading",
    "time",
    "urllib.request",
}


def _is_pure(module: str) -> bool:
    return any(module == pure or module.startswith(pure + ".") for pure in PURE)


def _ids(file: SourceFile) -> str:
    return str(file.path)


@pytest.mark.parametrize("file", EVERYTHING, ids=_ids)
def test_files_and_functions_stay_small(file: SourceFile) -> None:
    lines = file.text.count("\n")
    long = [
        f"{node.name} ({(node.end_lineno or 0) - node.lineno + 1} lines)"
        for node in ast.walk(file.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    ]

    assert lines <= FILE_LINES, f"{file.path} has {lines} lines, the ceiling is {FILE_LINES}: split it"
    assert not long, f"{file.path}: {', '.join(long)}; the ceiling is {FUNCTION_LINES} lines"


@pytest.mark.parametrize("file", PRODUCT, ids=_ids)
def test_every_module_says_what_it_is_for_and_has_a_name_of_its_own(file: SourceFile) -> None:
    assert ast.get_docstring(file.tree), f"{file.path} has no module docstring"
    assert not set(file.module.split(".")) & FORBIDDEN_NAMES, f"{file.path} shadows a library or says nothing"


@pytest.mark.parametrize("file", [file for file in PRODUCT if _is_pure(file.module)], ids=_ids)
def test_pure_modules_touch_no_clock_network_or_randomness(file: SourceFile) -> None:
    calls = re.findall(r"datetime\.now\(|date\.today\(|\bopen\(|\.read_text\(|\.write_text\(", file.text)

    assert not file.imports & IMPURE_STANDARD_LIBRARY
    assert not calls, f"{file.path} is pure by law and calls {calls}"


def test_only_the_session_module_commits() -> None:
    committing = {str(file.path) for file in PRODUCT if re.search(r"\.commit\(\)", file.text)}

    assert committing == {"shared/store/session.py"}


def test_a_folder_of_shared_serves_at_least_two_services() -> None:
    users: dict[str, set[str]] = defaultdict(set)
    for file in source_files("services"):
        service = file.module.split(".")[1] if "." in file.module else ""
        for name in file.imports:
            if name.startswith("shared."):
                users[".".join(name.split(".")[:2])].add(service)
    folders = {file.module for file in source_files("shared") if file.module.count(".") == 1}

    alone = {folder: sorted(users[folder]) for folder in folders if len(users[folder]) < 2}
    assert not alone, f"used by fewer than two services: {alone}"


def test_packages_come_from_this_checkout() -> None:
    import services  # noqa: PLC0415 - the import itself is what is tested
    import shared  # noqa: PLC0415

    for package in (services, shared):
        assert package.__file__ is not None
        assert package.__file__.startswith(str(ROOT))


def test_no_machine_paths_and_no_registry_hosts_are_committed() -> None:
    registries = "|".join(rf"{name}\.(?:org|com)" for name in ("pypi", "pythonhosted", "npm" + "js", "deb" + "ian"))
    pattern = rf"(?:{registries})|(?:^|[\s\"'(=])/(?:root|work|farm)/"
    found = subprocess.run(
        ["git", "grep", "-nIP", pattern, "--", ":!tests/third_party", ":!tests/architecture"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.returncode in (0, 1), found.stderr
    assert found.stdout == ""


def test_requirements_are_pinned_and_name_no_address() -> None:
    for name in ("runtime", "development"):
        lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
        packages = [line for line in lines if line and not line.lstrip().startswith("#")]

        assert packages
        assert all(re.match(r"[a-z0-9._\[\]-]+==\S+", line) for line in packages), name
        assert not [line for line in lines if "://" in line or line.startswith("-")]


def test_nothing_is_left_loose_in_the_code() -> None:
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|NotImplementedError|pytest\.(?:skip|mark\.skip|mark\.xfail)")
    others = [file for file in EVERYTHING if file.path.parts[1] != "architecture"]

    assert not [f"{file.path}: {mark}" for file in others for mark in marks.findall(file.text)]
