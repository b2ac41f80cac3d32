"""Keys of shipped configuration files that small diffs add, remove, rename, or set otherwise."""

from __future__ import annotations

import pytest

from services.analyzer.facts import configuration_keys
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of


def fact(kind: str, name: str, old: str | None = None, new: str | None = None) -> set:
    return {(kind, "configuration-key", name, old, new)}


CASES = {
    "helm": (
        "charts/app/values.yaml",
        "server:\n  port: 80\n  host: a\n",
        "server:\n  port: 8080\n  host: a\n",
        fact("default-changed", "server.port", "80", "8080"),
    ),
    "toml": (
        "config/default.toml",
        '[server]\nport = 80\nhost = "a"\n',
        '[server]\nport = 81\nhost = "a"\n',
        fact("default-changed", "server.port", "80", "81"),
    ),
    "json": (
        "config/default.json",
        '{\n  "server": {\n    "port": 80,\n    "host": "a"\n  }\n}\n',
        '{\n  "server": {\n    "port": 81,\n    "host": "a"\n  }\n}\n',
        fact("default-changed", "server.port", "80", "81"),
    ),
    "ini": (
        "conf/app.ini",
        "[server]\nport = 80\n",
        "[server]\nport = 80\nwait = 5\n",
        fact("added", "server.wait", None, "5"),
    ),
    "an example of the environment": ("deploy/env.example", "A=1\nB=2\n", "A=1\n", fact("removed", "B", "2")),
    "compose, a variable": (
        "docker-compose.yml",
        "services:\n  web:\n    environment:\n      - LEVEL=info\n",
        "services:\n  web:\n    environment:\n      - LEVEL=debug\n",
        fact("default-changed", "services.web.environment.LEVEL", "info", "debug"),
    ),
    "compose, a port": (
        "docker-compose.yml",
        'services:\n  web:\n    ports:\n      - "80:8000"\n',
        'services:\n  web:\n    ports:\n      - "8080:8000"\n',
        fact("default-changed", "services.web.ports.8000", "80", "8080"),
    ),
    "another name": (
        "config/default.yaml",
        "cache:\n  max_size: 100\n",
        "cache:\n  size_limit: 100\n",
        fact("renamed", "cache.max_size", "cache.max_size", "cache.size_limit"),
    ),
    "within rows of a list": (
        "config/default.yaml",
        "servers:\n  - name: a\n    port: 80\n",
        "servers:\n  - name: a\n    port: 81\n",
        fact("default-changed", "servers.port", "80", "81"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case):
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, configuration_keys) == expected


LOOK_ALIKES = {
    "a comment": "charts/app/values.yaml",
    "a lock": "Cargo.lock",
    "continuous integration": ".github/workflows/ci.yml",
    "of a test": "tests/config.yaml",
    "of the compiler": "tsconfig.json",
    "of a linter": ".golangci.yml",
    "a manifest": "package.json",
    "a locale": "locales/en/config.json",
    "a page": "mkdocs.yml",
    "a sample": "examples/config.yaml",
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_look_alikes_tell_nothing(case):
    mark = "# " if case == "a comment" else ""
    assert both({LOOK_ALIKES[case]: ("a: 1\n", f"a: 1\n{mark}port: 80\n")}, configuration_keys) == set()


@pytest.mark.parametrize(
    "line",
    [
        "image: app:2",
        "imageName: app:2",
        "publishedVersion: 2",
        "version: 2",
        "appVersion: 2",
        "server:",
        "x: &anchor",
        "# port: 80",
    ],
)
def test_what_is_no_setting_is_left_out(line):
    assert both({"charts/app/values.yaml": ("a: 1\n", f"a: 1\n{line}\n")}, configuration_keys) == set()


def test_a_mass_change_is_summed_up():
    before = "".join(f"k{number}: 1\n" for number in range(30))
    files = {"config/default.yaml": (before, before.replace("1\n", "2\n"))}
    (found,) = facts_of(files, configuration_keys)
    assert (found.name, found.note) == ("config/default.yaml", "many keys at once: 30 default-changed")


@pytest.mark.parametrize(("case", "reach"), [("helm", Reach.BUILDERS), ("toml", Reach.PUBLIC)])
def test_who_can_notice_and_the_way_back(case, reach):
    path, before, after, _ = CASES[case]
    (found,) = facts_of({path: (before, after)}, configuration_keys)
    assert (found.reach, found.way_back) == (reach, "server.port: 80")


@pytest.mark.parametrize(
    "text", ["- " * 100_000, "a:\n" * 20_000, " a: 1\n" * 20_000, '{"a":' * 40_000, "a\x00: 1\n" * 5_000]
)
def test_hostile_text_is_read(text):
    assert len(facts_of({"config/default.yaml": ("a: 1\n", "a: 1\n" + text)}, configuration_keys)) <= 12
