"""Traits: bots, bumps, moves, removals, defaults."""

from __future__ import annotations

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from shared.domain.pull_request import Person
from shared.domain.taxonomy import ChangeType, Risk, Trait
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))


def analysed(**overrides):
    return examine(make_pull_request(**overrides), CONTEXT)


@pytest.mark.parametrize(
    ("author", "merger", "bot"),
    [
        (Person(login="ada"), Person(login="queue[bot]", type="Bot"), False),
        (Person(login="dependabot[bot]", type="Bot"), Person(login="ada"), True),
    ],
)
def test_c17_a_bot_is_told_by_its_author_never_by_the_merger(author, merger, bot):
    assert analysed(user=author, merged_by=merger).has(Trait.BOT) is bot


@pytest.mark.parametrize(
    ("author", "bot"),
    [
        (Person(login="renovate[bot]"), True),
        (Person(login="lumen-helper", type="Bot"), True),
        (Person(login="robot-lover"), False),
        (Person(login=None, name="Ada"), False),
    ],
)
def test_c23_bots_are_recognised_and_people_are_not(author, bot):
    assert analysed(user=author).has(Trait.BOT) is bot


@pytest.mark.parametrize(
    ("title", "path", "bump"),
    [
        ("Bump numpy from 2.1 to 2.2", "requirements.txt", True),
        ("chore(deps): update all non-major dependencies", "package.json", True),
        ("chore(deps): update build", "package.json", True),
        ("Upgrade heron to v0.19.0", "requirements/cuda.txt", True),
        ("Prepare Lumen v1.53.0", "CHANGELOG.md", True),
        ("Update the queue", "lumen/a.py", False),
        ("Update the parser to version 2 of the protocol", "lumen/a.py", False),
    ],
)
def test_version_bumps(title, path, bump):
    analysis = analysed(title=title, files=(make_file(path, additions=30),))

    assert analysis.has(Trait.VERSION_BUMP) is bump
    assert analysis.importance.reason is None


def test_c43_renames_only_are_a_move_and_keep_the_old_names():
    files = tuple(
        make_file(f"new/{n}.py", status="renamed", previous_filename=f"old/{n}.py", additions=0, deletions=0)
        for n in range(200)
    )
    analysis = analysed(title="Reorder folders", files=files)

    assert analysis.has(Trait.MOVE_ONLY)
    assert analysis.change_type is ChangeType.REFACTOR
    assert not analysis.has(Risk.MISSING_TESTS)
    assert "old/0.py to new/0.py" in next(t for t in analysis.tags if t.value == Trait.MOVE_ONLY).evidence[0].why


def test_c43_a_rename_with_an_edit_is_no_pure_move():
    file = make_file("new/a.py", status="renamed", previous_filename="old/a.py", additions=1, deletions=1)

    assert not analysed(files=(file,)).has(Trait.MOVE_ONLY)


def test_c43_text_about_a_rename_is_no_rename():
    file = make_file("docs/git.md", patch="@@ -1 +1 @@\n+rename from a\n+rename to b")
    analysis = analysed(title="Explain renames", files=(file,))

    assert not analysis.has(Trait.MOVE_ONLY)
    assert analysis.has(Trait.DOCS_ONLY)


@pytest.mark.parametrize(
    ("path", "trait"),
    [
        ("docs/a.md", Trait.DOCS_ONLY),
        ("tests/test_a.py", Trait.TESTS_ONLY),
        ("uv.lock", Trait.GENERATED_ONLY),
    ],
)
def test_what_all_files_have_in_common(path, trait):
    assert analysed(files=(make_file(path),)).has(trait)
    assert not analysed(files=(make_file(path), make_file("lumen/a.py"))).has(trait)


@pytest.mark.parametrize(
    ("title", "removal"),
    [
        ("Remove tree attention", True),
        ("Drop the legacy client", True),
        ("Remove unused imports", False),
        ("Remove redundant copies", False),
        ("Remove needless generic type", False),
    ],
)
def test_removals(title, removal):
    files = (make_file("lumen/a.py", additions=1, deletions=400),)

    assert analysed(title=title, files=files).has(Trait.REMOVAL) is removal


@pytest.mark.parametrize(
    ("title", "patch", "deprecation"),
    [
        ("Deprecate the old client", None, True),
        ("[Deprecation] The old client", None, True),
        ("Announce the end", "@@ -1 +1 @@\n+    warnings.warn('old', DeprecationWarning)", True),
        ("Fix deprecation warnings", None, False),
        ("Remove deprecated client", None, False),
        ("Move on", "@@ -1 +1 @@\n-@deprecated\n+@deprecated", False),
    ],
)
def test_deprecations(title, patch, deprecation):
    assert analysed(title=title, files=(make_file("lumen/a.py", patch=patch),)).has(Trait.DEPRECATION) is deprecation


@pytest.mark.parametrize(
    ("title", "path", "patch", "expected"),
    [
        ("Enable caching by default", "lumen/a.py", None, True),
        ("Default to 'align' mode", "lumen/a.py", None, True),
        ("Tune", "lumen/settings.py", "@@ -1 +1 @@\n-CACHE = False\n+CACHE = True", True),
        ("Tune", "lumen/a.py", '@@ -1 +1 @@\n-os.getenv("A_B", "0")\n+os.getenv("A_B", "1")', True),
        ("Tune", "lumen/math.py", "@@ -1 +1 @@\n-X = 1\n+X = 2", False),
        ("Explain what is on by default", "docs/a.md", None, False),
    ],
)
def test_new_defaults(title, path, patch, expected):
    assert analysed(title=title, files=(make_file(path, patch=patch),)).has(Trait.NEW_DEFAULT) is expected


def test_a_new_default_tells_old_and_new():
    patch = "@@ -1 +1 @@\n-cache: bool = False\n+cache: bool = True"
    tag = next(
        t
        for t in analysed(title="Tune", files=(make_file("lumen/config/a.py", patch=patch),)).tags
        if t.value == "new-default"
    )

    assert tag.evidence[0].why == "default of setting cache: False → True"
    assert tag.evidence[0].quote == "cache: bool = True"
