"""Dependencies: what is none, how far each reaches, and what several files say together."""

from __future__ import annotations

import pytest

from services.analyzer.facts import change_of, dependencies
from services.analyzer.reading.reading import read_pull_request
from shared.domain.facts import Reach
from shared.domain.pull_request import ChangedFile
from tests.builders import make_pull_request
from tests.unit.services.analyzer.facts.written import CONTEXT, both, facts_of, told

CARGO = '[package]\nname = "kite"\nversion = "{v}"\nedition = "2021"\n\n[dependencies]\n{lines}\n'
PROJECT = '[project]\nname = "kite"\ndependencies = [\n{lines}\n]\n'
GO = "module example.org/kite\n\ngo 1.22\n\nrequire (\n{lines}\n)\n"
PACKAGE = '{{\n  "name": "kite",\n  "dependencies": {{\n{lines}\n  }}\n}}\n'


NOTHING = {
    "a comment": ("requirements.txt", "a==1\n# brass==1\n", "a==1\n# brass==2\n"),
    "a line that moved": ("requirements.txt", "brass==1\na==1\nb==1\n", "a==1\nb==1\nbrass==1\n"),
    "blanks only": ("requirements.txt", "brass == 1\n", "brass==1\n"),
    "what pip-compile wrote": ("requirements/all.txt", "brass==1\n    # via kite\n", "brass==2\n    # via kite\n"),
    "hashes": ("requirements.txt", "brass==1 --hash=sha256:aa\n", "brass==2 --hash=sha256:bb\n"),
    "a lock file": ("poetry.lock", 'name = "brass"\nversion = "1"\n', 'name = "brass"\nversion = "2"\n'),
    "its own version": ("Cargo.toml", CARGO.format(v="0.1.0", lines=""), CARGO.format(v="0.2.0", lines="")),
    "a crate of the workspace": (
        "Cargo.toml",
        CARGO.format(v="0.1.0", lines='kite-core = { path = "core", version = "0.1" }'),
        CARGO.format(v="0.1.0", lines='kite-core = { path = "core", version = "0.2" }'),
    ),
    "a version that stands in the workspace now": (
        "Cargo.toml",
        CARGO.format(v="0.1.0", lines='brass = "1.2"'),
        CARGO.format(v="0.1.0", lines="brass.workspace = true"),
    ),
    "indirect modules": (
        "go.mod",
        GO.format(lines="\texample.org/brass v1.2.0 // indirect"),
        GO.format(lines="\texample.org/brass v1.3.0 // indirect"),
    ),
    "a fixture": ("tests/fixtures/package.json", PACKAGE.format(lines='"a": "1"'), PACKAGE.format(lines='"a": "2"')),
    "a vendored manifest": ("vendor/x/go.mod", GO.format(lines="\ta.b/c v1.0.0"), GO.format(lines="\ta.b/c v1.1.0")),
    "a page": ("docs/install.md", "pip install brass==1.2\n", "pip install brass==1.3\n"),
    "an example": ("examples/app/run.sh", "pip install brass==1.2\n", "pip install brass==1.3\n"),
    "a workflow": (".github/workflows/ci.yml", "- run: pip install brass==1.2\n", "- run: pip install brass==1.3\n"),
    "a script's own variable": ("tools/run.sh", "NAME=kite\nTAG=$(git describe)\n", "NAME=kite2\nTAG=$(git log)\n"),
    "a description": (
        "pyproject.toml",
        '[project]\ndescription = "needs brass>=1"\n',
        '[project]\ndescription = "needs brass>=2"\n',
    ),
    "another tool's list": ("pyproject.toml", '[tool.lint]\nselect = ["A==1"]\n', '[tool.lint]\nselect = ["A==2"]\n'),
    "scripts of a package": (
        "package.json",
        '{\n  "scripts": {\n    "wait": "1"\n  }\n}\n',
        '{\n  "scripts": {\n    "wait": "2"\n  }\n}\n',
    ),
    "its own version in CMake": ("CMakeLists.txt", "set(PROJECT_VERSION 1.2)\n", "set(PROJECT_VERSION 1.3)\n"),
    "a string of a program": ("kite/text.py", 'HELP = "pip install brass==1.2"\n', 'HELP = "pip install brass==1.3"\n'),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, dependencies) == set()


def test_one_change_in_several_files_is_one_fact() -> None:
    files = {
        "requirements/test/gpu.in": ("brass>=1\n", "brass>=2\n"),
        "requirements/common.txt": ("brass >= 1\n", "brass >= 2\n"),
    }
    (fact,) = facts_of(files, dependencies)
    assert (fact.old, fact.new, fact.reach) == (">= 1", ">= 2", Reach.PUBLIC)
    assert fact.after
    assert fact.after.path == "requirements/common.txt"
    assert fact.note == "also in requirements/test/gpu.in"


def test_the_place_is_the_changed_line() -> None:
    (fact,) = facts_of({"requirements.txt": ("a\nbrass>=1\n", "a\nbrass>=2\n")}, dependencies)
    assert fact.before
    assert fact.after
    assert (fact.before.line, fact.before.quote, fact.after.line, fact.after.quote) == (2, "brass>=1", 2, "brass>=2")


def test_the_way_back_of_a_build_argument() -> None:
    (fact,) = facts_of({"Dockerfile": ("ARG BRASS_BRANCH=v1\n", "ARG BRASS_BRANCH=v2\n")}, dependencies)
    assert (fact.way_back, fact.reach) == ("--build-arg BRASS_BRANCH=v1", Reach.BUILDERS)


REACHES = [
    ("requirements/rocm.txt", "brass==1\n", "brass==2\n", Reach.PUBLIC),
    ("requirements/lint.txt", "brass==1\n", "brass==2\n", Reach.INTERNAL),
    ("requirements-dev.txt", "brass==1\n", "brass==2\n", Reach.INTERNAL),
    ("requirements/build.txt", "brass==1\n", "brass==2\n", Reach.BUILDERS),
    ("docs/requirements.txt", "brass==1\n", "brass==2\n", Reach.INTERNAL),
    (
        "pyproject.toml",
        '[project.optional-dependencies]\ntest = [\n  "brass==1",\n]\n',
        '[project.optional-dependencies]\ntest = [\n  "brass==2",\n]\n',
        Reach.INTERNAL,
    ),
    (
        "pyproject.toml",
        '[project.optional-dependencies]\naudio = [\n  "brass==1",\n]\n',
        '[project.optional-dependencies]\naudio = [\n  "brass==2",\n]\n',
        Reach.PUBLIC,
    ),
    (
        "package.json",
        '{\n  "devDependencies": {\n    "brass": "^1.0"\n  }\n}\n',
        '{\n  "devDependencies": {\n    "brass": "^2.0"\n  }\n}\n',
        Reach.INTERNAL,
    ),
    (
        "web/app/package.json",
        PACKAGE.format(lines='    "a": "1"'),
        PACKAGE.format(lines='    "a": "2"'),
        Reach.BUILDERS,
    ),
    ("Cargo.toml", '[dependencies]\na = "1.2"\n', '[dependencies]\na = "1.3"\n', Reach.INTERNAL),
    ("Cargo.toml", '[dependencies]\na = "0.2"\n', '[dependencies]\na = "0.3"\n', Reach.BUILDERS),
    ("Cargo.toml", '[dev-dependencies]\na = "1"\n', '[dev-dependencies]\na = "2"\n', Reach.INTERNAL),
]


@pytest.mark.parametrize(("path", "before", "after", "reach"), REACHES)
def test_reach(path: str, before: str, after: str, reach: Reach) -> None:
    (fact,) = facts_of({path: (before, after)}, dependencies, sources=True)
    assert fact.reach is reach
    assert fact.reach_why


def test_a_package_that_only_an_extra_brings_now_has_moved() -> None:
    files = {
        "requirements/common.txt": ("leaf\nbrass\n", "leaf\n"),
        "setup.py": (
            'setup(\n    extras_require={\n        "audio": ["horn>=1"],\n    },\n)\n',
            'setup(\n    extras_require={\n        "audio": ["horn>=1", "brass"],\n    },\n)\n',
        ),
    }
    (fact,) = facts_of(files, dependencies)
    assert (fact.kind, fact.name, fact.old, fact.new) == ("moved", "brass", "installed with it", "with the extra audio")


def test_what_moved_to_another_file_with_another_version_is_one_change() -> None:
    files = {"a-requirements.txt": ("x\nbrass==1\n", "x\n"), "b-requirements.txt": ("y\n", "y\nbrass==2\n")}
    assert both(files, dependencies) == {("changed", "dependency", "brass", "==1", "==2")}


def test_a_new_manifest_brings_no_changes() -> None:
    assert both({"requirements/new.txt": (None, "brass==1\n")}, dependencies) == set()


def test_another_name_with_the_same_version() -> None:
    files = {"requirements.txt": ("brass-horn==1.5\na\n", "a\nbrass-trumpet==1.5\n")}
    assert both(files, dependencies) == {("renamed", "dependency", "brass-horn", "brass-horn", "brass-trumpet")}


def test_of_a_long_marker_the_part_that_changed_is_told() -> None:
    many = " or ".join(f'platform_machine == "m{number}"' for number in range(8))
    files = {"requirements.txt": (f"brass==1; {many}\n", f'brass==1; {many} or platform_machine == "new"\n')}
    (fact,) = facts_of(files, dependencies)
    assert (fact.old, fact.new) == ('… "m7"', '… "m7" or platform_machine == "new"')


def test_an_index_and_a_repository_are_told_apart() -> None:
    files = {"requirements.txt": ("brass >= 0.2\n", "brass @ git+https://example.org/owl/brass@v0.2\n")}
    assert both(files, dependencies) == {
        ("changed", "dependency", "brass", ">= 0.2", "git+https://example.org/owl/brass@v0.2")
    }


def test_a_package_of_an_extra_says_which() -> None:
    text = 'setup(\n    extras_require={{\n        "audio": ["horn=={}"],\n    }},\n)\n'
    (fact,) = facts_of({"setup.py": (text.format(1), text.format(2))}, dependencies)
    assert (fact.reach, fact.reach_why) == (Reach.PUBLIC, "with the extra audio")


def test_a_submodule() -> None:
    changed = ChangedFile(filename="third/brass", submodule=("a" * 40, "b" * 40), additions=1, deletions=1)
    change = change_of(read_pull_request(make_pull_request(files=(changed,)), CONTEXT.read_path))
    (fact,) = dependencies.read(change)
    assert (fact.kind, fact.name, fact.old, fact.new) == ("changed", "third/brass", "a" * 12, "b" * 12)


def test_the_language_itself_is_no_dependency() -> None:
    files = {"Dockerfile": ("ARG PYTHON_VERSION=3.11\n", "ARG PYTHON_VERSION=3.12\n")}
    assert both(files, dependencies) == set()


@pytest.mark.parametrize(
    "path",
    [
        "requirements.txt",
        "pyproject.toml",
        "package.json",
        "Cargo.toml",
        "go.mod",
        "Dockerfile",
        "a.cmake",
        "setup.py",
        "pom.xml",
        "x.sh",
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "[" * 3_000 + "\n",
        "\x00\x00==1\n",
        '"' * 999 + "\n",
        "a" * 80 + " " * 300 + "=" * 300,
        "{" * 500 + "\n" + "}" * 900,
    ],
)
def test_hostile_texts(path: str, text: str) -> None:
    told(facts_of({path: ("a==1\n", text)}, dependencies))
    told(facts_of({path: (text, "a==2\n")}, dependencies, sources=True))
