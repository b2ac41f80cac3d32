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
        ("Remove single-use colour conversions", False),
        ("Remove bespoke drawer iterator", False),
        ("Remove dead code", False),
        ("Remove `Drawer::is_open()`", False),
        ("Remove DrawerHelper class", False),
        ("Remove internal drawer table", False),
        ("Drop support for cold lamps", True),
        ("Remove the v0 wire protocol", True),
        ("Remove the `cold` option of `Drawer.open()`", True),
        ("Remove naive sorting. Use merge_sort instead", True),
        ("perf: remove variable-size copies in the drawer", False),
        ("fix: remove what the drawer left behind", False),
        ("Fix the drawer and drop target_lamp", False),
        ("chore!: remove unused drawer settings", True),
    ],
)
def test_removals(title, removal):
    files = (make_file("lumen/a.py", additions=1, deletions=400),)

    assert analysed(title=title, files=files).has(Trait.REMOVAL) is removal


@pytest.mark.parametrize(
    ("files", "removal"),
    [
        ((make_file("lumen/a.py", additions=1, deletions=20),), False),
        ((make_file("lumen/a.py", additions=1, deletions=20), make_file("docs/drawers.md")), True),
        ((make_file("lumen/a.py", additions=1, deletions=20), make_file("api/drawer.proto")), True),
        ((make_file("lumen/a.py", additions=1, deletions=20), make_file("tests/mdtest/drawers.md")), False),
        ((make_file("lumen/a.py", additions=0, deletions=20, status="removed"),), False),
    ],
)
def test_a_name_in_code_is_missed_only_where_pages_or_interfaces_change_too(files, removal):
    assert analysed(title="Remove DrawerTable", files=files).has(Trait.REMOVAL) is removal


@pytest.mark.parametrize(
    ("title", "patch", "deprecation"),
    [
        ("Deprecate the old client", None, True),
        ("[Deprecation] The old client", None, True),
        ("Announce the end", "@@ -1 +1 @@\n+    warnings.warn('old', DeprecationWarning)", True),
        ("Fix deprecation warnings", None, False),
        ("Remove deprecated client", None, False),
        ("Move on", "@@ -1 +1 @@\n-@deprecated\n+@deprecated", False),
        ("Move on", "@@ -1 +1 @@\n-    @deprecated('x')\n+@deprecated(\n+    'x')", False),
        ("Report deprecated lamps", None, False),
        ("Align the list of deprecated lamps", None, False),
        ("api: deprecate cold lamps", None, True),
        ("Mark cold lamps as deprecated", None, True),
        ("Check lamps", "@@ -1 +1 @@\n+    message = 'this lamp is deprecated'", False),
        ("Check lamps", "@@ -1 +1 @@\n+    # @deprecated is handled above", False),
        ("Check lamps", "@@ -1 +1 @@\n+    lamp.deprecated(db)", False),
        ("Check lamps", "@@ -1 +1 @@\n     @deprecated\n+    x = 1", False),
    ],
)
def test_deprecations(title, patch, deprecation):
    assert analysed(title=title, files=(make_file("lumen/a.py", patch=patch),)).has(Trait.DEPRECATION) is deprecation


@pytest.mark.parametrize(
    ("path", "line", "deprecation"),
    [
        ("src/a.rs", '#[deprecated(note = "use b")]', True),
        ("src/a.rs", '@deprecated("use b")', False),
        ("src/a.rs", '  2 | @deprecated("use b")', False),
        ("src/a.ts", " * @deprecated use b", True),
        ("src/a.ts", "const text = '@deprecated'", False),
        ("src/A.java", '@Deprecated(since = "4")', True),
        ("src/a.go", "// Deprecated: use b.", True),
        ("src/a.go", "// a deprecated lamp", False),
        ("include/a.h", "[[deprecated]] int a();", True),
        ("src/A.cs", '[Obsolete("use B")]', True),
        ("src/A.swift", '@available(*, deprecated, message: "use B")', True),
        ("src/a.php", " * @deprecated use b", True),
        ("lib/a.rb", "deprecate :a", True),
        ("lumen/a.py", "    category=DeprecationWarning,", True),
        ("tests/test_a.py", "@deprecated('x')", False),
        ("tests/fixtures/a.ts", " * @deprecated use b", False),
        ("src/resources/mdtest/a.md", "@deprecated('x')", False),
        ("CHANGELOG.md", "- Deprecated: cold lamps", True),
        ("CHANGELOG.md", "- Lists of deprecated lamps are sorted", False),
        ("docs/upgrade.md", "`cold` is deprecated in favour of `warm`.", True),
        (".changeset/blue-lamps.md", "No longer lists a lamp that is deprecated.", False),
        ("docs/lamps.md", "Deprecated lamps glow.", False),
    ],
)
def test_a_deprecation_is_announced_in_the_form_of_its_language(path, line, deprecation):
    files = (make_file(path, patch=f"@@ -1 +1 @@\n+{line}"), make_file("lumen/z.py"))

    assert analysed(title="Fix lamps", files=files).has(Trait.DEPRECATION) is deprecation


def test_the_changelog_of_a_release_only_gathers_what_was_said():
    files = (make_file("CHANGELOG.md", patch="@@ -1 +1 @@\n+- Deprecated: cold lamps"), make_file("Cargo.toml"))

    assert not analysed(title="Bump 1.2.0", files=files).has(Trait.DEPRECATION)


@pytest.mark.parametrize(
    ("title", "path", "patch", "expected"),
    [
        ("Enable caching by default", "lumen/a.py", None, True),
        ("Default to 'align' mode", "lumen/a.py", None, True),
        ("Tune", "lumen/settings.py", "@@ -1 +1 @@\n-CACHE = False\n+CACHE = True", True),
        ("Tune", "lumen/a.py", '@@ -1 +1 @@\n-os.getenv("A_B", "0")\n+os.getenv("A_B", "1")', True),
        ("Tune", "lumen/math.py", "@@ -1 +1 @@\n-X = 1\n+X = 2", False),
        ("Explain what is on by default", "docs/a.md", None, False),
        ("Make the default lamps global safe", "lumen/a.py", None, False),
        ("Make cold lamps the default", "lumen/a.py", None, True),
        ("Tune", "deploy/config/a.yaml", "@@ -1 +1 @@\n-newTag: 0.10.2\n+newTag: 0.11.0", False),
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


@pytest.mark.parametrize(
    ("path", "old", "new", "why"),
    [
        ("src/a.rs", "pub const DEFAULT_GLOW: u32 = 5;", "pub const DEFAULT_GLOW: u32 = 9;", "DEFAULT_GLOW: 5 → 9"),
        ("src/A.java", "public static final int GLOW_DEFAULT = 5;", "public static final int GLOW_DEFAULT = 9;",
         "GLOW_DEFAULT: 5 → 9"),
        ("src/a.go", "const DefaultGlow = 5 * time.Second", "const DefaultGlow = 9 * time.Second",
         "DefaultGlow: 5 * time.Second → 9 * time.Second"),
        ("src/a.go", 'fs.Int("glow", 5, "how long")', 'fs.Int("glow", 9, "how long")', "glow: 5 → 9"),
        ("src/a.go", 'viper.SetDefault("glow", 5)', 'viper.SetDefault("glow", 9)', "glow: 5 → 9"),
        ("src/a.ts", "  glow: z.number().default(5),", "  glow: z.number().default(9),", "glow: 5 → 9"),
        ("src/a.ts", "export const defaultGlow = 5;", "export const defaultGlow = 9;", "defaultGlow: 5 → 9"),
        ("lumen/a.py", 'p.add_argument("--glow", type=int, default=5)', 'p.add_argument("--glow", type=int, default=9)',
         "glow: 5 → 9"),
        ("src/config.rs", "            glow: 5,", "            glow: 9,", "glow: 5 → 9"),
        ("config/app.toml", "glow = 5", "glow = 9", "glow: 5 → 9"),
        ("chart/values.yaml", "glow: 5", "glow: 9", "glow: 5 → 9"),
        ("src/a.go", 'getEnv("GLOW_TIME", "5")', 'getEnv("GLOW_TIME", "9")', 'GLOW_TIME: "5" → "9"'),
    ],
)  # fmt: skip
def test_a_default_in_code_tells_old_and_new(path, old, new, why):
    analysis = analysed(title="Tune", files=(make_file(path, patch=f"@@ -1 +1 @@\n-{old}\n+{new}"),))
    tag = next(tag for tag in analysis.tags if tag.value == Trait.NEW_DEFAULT)

    assert tag.evidence[0].why.endswith(why)


def test_a_default_below_its_option_is_told_with_the_name_of_the_option():
    patch = '@@ -1,5 +1,5 @@\n     "--glow",\n     type=int,\n-    default=5,\n+    default=9,\n )'
    analysis = analysed(title="Tune", files=(make_file("lumen/a.py", patch=patch),))

    assert analysis.tags[-1].evidence[0].why == "default of setting --glow: 5 → 9"


@pytest.mark.parametrize("line", ["x_min: f64 = {};", "count = {}", "LIMIT = {}"])
def test_a_plain_constant_outside_settings_is_no_default(line):
    patch = f"@@ -1 +1 @@\n-{line.format(1)}\n+{line.format(2)}"

    assert not analysed(title="Tune", files=(make_file("lumen/a.py", patch=patch),)).has(Trait.NEW_DEFAULT)
