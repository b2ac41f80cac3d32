"""Patterns of settings and CODEOWNERS fit what their documentation says, in any byte form and in little time."""

from __future__ import annotations

import subprocess
import sys
import time
import unicodedata

import pytest

from services.analyzer.path_globs import codeowners_globs, gitignore_globs
from shared.domain.text import fold

CODEOWNERS = [
    ("*", "a/b/c.py", True),
    ("*.js", "web/deep/app.js", True),
    ("*.js", "app.ts", False),
    ("/build/logs/", "build/logs/today.txt", True),
    ("/build/logs/", "build/logs/2026/may.txt", True),
    ("/build/logs/", "other/build/logs/today.txt", False),
    ("docs/*", "docs/getting-started.md", True),
    ("docs/*", "docs/build-app/troubleshooting.md", False),
    ("docs/*", "other/docs/a.md", False),
    ("apps/", "apps/a.py", True),
    ("apps/", "deep/inside/apps/a.py", True),
    ("apps/", "apps", False),
    ("/docs/", "docs/a/b.md", True),
    ("/docs/", "src/docs/a.md", False),
    ("**/logs", "build/logs/a.txt", True),
    ("**/logs", "deeply/nested/logs/a.txt", True),
    ("**/logs", "logs", True),
    ("/apps/github", "apps/github/a.py", True),
    ("/apps/github", "apps/github-next/a.py", False),
    ("/*", "README.md", True),
    ("/*", "src/a.py", False),
    ("src/**/test", "src/a/b/test/x.py", True),
    ("src/**/test", "src/test/x.py", True),
    ("src/**", "src/a/b.py", True),
    ("a?c.txt", "x/abc.txt", True),
    ("a?c.txt", "a/c.txt", False),
    (r"with\ space/", "with space/a.py", True),
    ("routes/[id]/", "routes/[id]/page.ts", True),
    ("routes/[id]/", "routes/i/page.ts", False),
    ("/", "a.py", False),
    ("**/*", "a.py", True),
    ("src/**/*", "src/a/b.py", True),
    ("/docs/*", "docs/a/b.md", False),
    ("deep/docs/*", "deep/docs/a.md", True),
    (r"docs/\*", "docs/*", True),
    (r"\[id]/*", "[id]/page.ts", True),
    ("!docs/", "docs/a.md", False),
    ("docs\\", "docs", False),
    ("**/foo/**/bar/**", "a/foo/b/bar/c.py", True),
    ("*-*-*-*-*.py", "a-b-c-d-e.py", False),
]
GITIGNORE = [
    ("*.md", "docs/a.md", True),
    ("docs/*", "docs/a/b.md", True),
    ("docs", "src/docs/a.md", True),
    ("/docs", "src/docs/a.md", False),
    ("docs/", "docs", False),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**", "a", False),
    ("**/", "a.py", False),
    ("[a-c]x", "bx", True),
    ("[!a-c]x", "bx", False),
    ("[z-a]x", "bx", False),
    ("[[:digit:]]x", "7x", True),
    ("[[:odd:]]x", "dx", False),
    ("[[]id]/", "[id]/a.py", True),
    ("[a[]x", "[x", True),
    ("[[a]x", "ax", False),
    ("[!--]x", "ax", False),
    ("[a||b]x", "ax", False),
    ("x[", "x[", False),
    ("x\\", "x", False),
    ("**/foo/**/bar/**", "foo/bar/a.py", True),
    ("**/tests/**/*.spec.*", "a/tests/b/c.spec.ts", True),
    ("a/**/b/**/c/**/d", "a/b/c/d", False),
    (r"\!x", "!x", True),
    (r"\#x", "#x", True),
    ("# a comment", "# a comment", False),
    ("!", "a", False),
]


@pytest.mark.parametrize(("pattern", "path", "fits"), CODEOWNERS)
def test_a_pattern_of_codeowners_fits_what_github_documents(pattern: str, path: str, fits: bool) -> None:
    assert codeowners_globs([pattern])[0].match(path) is fits


@pytest.mark.parametrize(("pattern", "path", "fits"), GITIGNORE)
def test_a_pattern_of_the_settings_fits_as_in_gitignore(pattern: str, path: str, fits: bool) -> None:
    assert gitignore_globs([pattern]).match(path) is fits


def test_a_later_pattern_takes_files_out_and_a_still_later_one_in_again() -> None:
    globs = gitignore_globs(["src/**", "!src/old/**", "src/old/kept.py"])

    assert [globs.match(path) for path in ("src/a.py", "src/old/a.py", "src/old/kept.py", "b.py")] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_c37_patterns_and_paths_of_another_byte_form_and_case_fit(form: str) -> None:
    other = "NFD" if form == "NFC" else "NFC"
    path = fold(unicodedata.normalize(other, "CAFÉ/Menü.py"))
    pattern = unicodedata.normalize(form, "café/MENÜ.*")

    assert gitignore_globs([pattern]).match(path)
    assert codeowners_globs([pattern])[0].match(path)


def test_of_the_lines_that_fit_a_path_only_the_last_one_matches_it() -> None:
    lines = [
        "*.css",
        "/net/",
        "docs/*",
        "!/net/",
        "/net/tls",
        *(f"/apps/app{number}/" for number in range(120)),
        "x.css",
    ]
    globs = codeowners_globs(lines)

    def matching(path: str) -> list[str]:
        return [line for line, glob in zip(lines, globs, strict=True) if glob.match(path)]

    assert matching("net/a.css") == ["/net/"]
    assert matching("net/tls/a.css") == ["/net/tls"]
    assert matching("docs/a/b.css") == ["*.css"]
    assert matching("apps/app7/a.css") == ["/apps/app7/"]
    assert matching("apps/app119/x.css") == ["x.css"]
    assert matching("readme.md") == []


def test_a_pattern_far_down_a_long_list_still_takes_files_out() -> None:
    globs = gitignore_globs(["/src/", *(f"/apps/app{number}/" for number in range(120)), "!/src/old/", "!/apps/app3/"])

    assert [globs.match(path) for path in ("src/a.py", "src/old/a.py", "apps/app3/a.py", "apps/app4/a.py", "b.py")] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_the_longest_patterns_are_all_in_force() -> None:
    patterns = [f"/{'?' * 15}*{'x' * 250}{number}/" for number in range(200)]
    paths = [f"{'é' * 20}{'x' * 250}{number}/a.py" for number in range(200)]

    assert all(map(gitignore_globs(patterns).match, paths))
    assert all(glob.match(path) for glob, path in zip(codeowners_globs(patterns), paths, strict=True))


def test_without_re2_patterns_fit_the_same_and_in_little_time() -> None:
    code = (
        "import sys, time; sys.modules['re2'] = None\n"
        "from services.analyzer.path_globs import codeowners_globs, gitignore_globs\n"
        "assert gitignore_globs(['src/**', '!src/old/**']).match('src/a.py')\n"
        "assert not gitignore_globs(['src/**', '!src/old/**']).match('src/old/a.py')\n"
        "assert [glob.match('docs/a.md') for glob in codeowners_globs(['docs/*', '/docs/*/'])] == [True, False]\n"
        "started = time.process_time()\n"
        "assert not gitignore_globs(['**/a/**/b', '**/*a*b']).match('a/' * 512 + 'x')\n"
        "assert time.process_time() - started < 1.0\n"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert (child.returncode, child.stderr) == (0, "")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/a/**/a/**/a/**/a/**/b", "a/" * 2_000 + "x"),
        ("*a*a*a*a*a*a*b", "a" * 4_000),
        ("**/*a*a*a*/**/*a*a*b", ("a" * 100 + "/") * 40 + "x"),
        ("**/a/**/b", "a/" * 2_000 + "x"),
        ("*a*a*b", "a" * 4_000),
        ("*a" + "?" * 14 + "c", "ab" * 2_000),
    ],
)
def test_a_comparison_that_fails_takes_no_time_that_grows_with_the_stars(pattern: str, path: str) -> None:
    globs = [gitignore_globs([pattern]), *codeowners_globs([pattern])]
    started = time.process_time()
    assert not any(each.match(path) for each in globs)
    assert time.process_time() - started < 1.0
