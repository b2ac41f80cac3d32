"""Patterns of labeler files fit what minimatch documents; what could be slow is refused."""

from __future__ import annotations

import time
import unicodedata

import pytest

from services.analyzer.minimatch_globs import MOST_CHOICES, minimatch_glob
from shared.domain.text import fold

MINIMATCH = [
    ("src/*", "src/a.py", True),
    ("src/*", "src/deep/a.py", False),
    ("src/**", "src/deep/a.py", True),
    ("src/**", "src", False),
    ("src/**/*", "src/a.py", True),
    ("**/*.md", "README.md", True),
    ("**/*.md", ".github/a.md", True),
    ("*", ".env", True),
    ("*.js", "a/b.js", False),
    ("docs", "docs/a.md", False),
    ("a/**/b", "a/b", True),
    ("a**b", "a/b", False),
    ("**", "a/b/c", True),
    ("*.{ts,tsx}", "a.tsx", True),
    ("*.{ts,tsx}", "a.js", False),
    ("{a,b/{c,d}}/*", "b/d/x", True),
    ("v{1..3}/*", "v2/x", True),
    ("v{1..3}/*", "v4/x", False),
    ("{a}/x", "{a}/x", True),
    ("@(app|lib)/**", "lib/x.py", True),
    ("lib?(s)/**", "lib/x.py", True),
    ("+(a)/x", "a/x", True),
    ("+(a)/x", "aa/x", True),
    ("+(a)/x", "x", False),
    ("**/*.+(ts|tsx)", "web/a.tsx", True),
    ("**/*.+(ts|tsx)", "web/a.js", False),
    ("lib*(s)/**", "lib/a.py", True),
    ("src/!(old)/**", "src/new/a.py", True),
    ("src/!(old)/**", "src/old/a.py", False),
    ("**/@(test|unittest)/**", "a/unittest/b.py", True),
    ("app/(group)/**", "app/(group)/x", True),
    ("[!a]x", "bx", True),
    ("[^a]x", "ax", False),
    (r"\*x", "*x", True),
    (r"\*x", "ax", False),
    ("!docs/**", "src/a.py", True),
    ("!docs/**", "docs/a.md", False),
    ("!!docs/**", "docs/a.md", True),
    ("#docs/**", "#docs/a.md", False),
    ("./src/*", "src/a.py", True),
    ("", "a", False),
    ("**/foo/**/bar/**", "a/foo/b/bar/c.py", True),
    ("**/tests/**/*.spec.{ts,tsx}", "a/tests/b/c.spec.ts", True),
    ("[[:alpha:]]x", "bx", True),
    ("[[]id]/*", "[id]/a.py", True),
    ("[z-a]x", "bx", False),
    ("[~-h[]", "[", False),
    ("a[", "a[", True),
    ("!docs/**", "a" * 513, False),
    ("**", "a/" * 65 + "a", False),
]


@pytest.mark.parametrize(("pattern", "path", "fits"), MINIMATCH)
def test_a_pattern_of_the_labeler_fits_as_in_minimatch(pattern: str, path: str, fits: bool) -> None:
    assert minimatch_glob(pattern).match(path) is fits


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_c37_patterns_and_paths_of_another_byte_form_and_case_fit(form: str) -> None:
    other = "NFD" if form == "NFC" else "NFC"
    path = fold(unicodedata.normalize(other, "CAFÉ/Menü.py"))

    assert minimatch_glob(unicodedata.normalize(form, "café/MENÜ.*")).match(path)


@pytest.mark.parametrize(
    "pattern",
    ["{a,b}" * 10, "{1..99999}", "{a..z}{a..z}", "{" * 20 + "a,b" + "}" * 20, "**/{1..9}/**/b"],
)
def test_a_pattern_that_stands_for_too_many_fits_nothing(pattern: str) -> None:
    assert minimatch_glob(pattern).patterns == ()
    assert not minimatch_glob(pattern).match("a")


def test_choices_are_written_out_each_once() -> None:
    assert sorted(minimatch_glob("{a,b,a}x").patterns) == ["ax", "bx"]
    assert len(minimatch_glob("{1..64}").patterns) == MOST_CHOICES


@pytest.mark.parametrize(
    "pattern",
    [
        "+(+(a))b",
        "*(a|@(b))c",
        "+(a|a)b",
        "+(a|aa)b",
        "+(a|\\a)b",
        "+(a*)b",
        "+(?|a)b",
        "+([ab]|a)b",
        "+(a|{a,a})b",
        "{+,x}(a|a)b",
        "\\\\+(a|a)b",
        "*+(a)*b",
        "*@(a|aa)*@(a|aa)b",
        "**/!(a)!(a)!(a)b",
        f"@({'|'.join(map(str, range(17)))})",
        "**/+(a)/**/b",
        "**/a/**/b/**/c",
        "{**,*}/{**,*}/{**,*}/b",
        "*a*a*a*b",
    ],
)
def test_what_could_be_tried_in_very_many_ways_fits_nothing(pattern: str) -> None:
    assert minimatch_glob(pattern).patterns == ()
    assert not any(map(minimatch_glob(pattern).match, ("b", "ab", "aab", "a/b", "a/b/c", "1")))


@pytest.mark.parametrize("path", ["a/" * 64 + "a" * 384, "a/" * 255 + "a", "a" * 512, "a" * 4_096, "a/" * 2_048])
@pytest.mark.parametrize(
    "pattern",
    [
        "**/a/**/*b",
        "**/*/**/b",
        "**/*a*b",
        "*a*a*b",
        "+(a)*b",
        "**/!(b)!(c)b",
        "**/*!(b)b",
        "**/+(a)+(a)b",
        "?(a)?(a)?(a)?(a)b",
        "*@(a|aa|aaa)@(a|aa|aaa)b",
        "{a,aa,aaa}*{a,aa,aaa}*b",
        "**/{a,?,*,a*}/**/b",
    ],
)
def test_a_comparison_that_fails_takes_little_time(pattern: str, path: str) -> None:
    glob = minimatch_glob(pattern)
    started = time.process_time()
    assert not glob.match(path)
    assert time.process_time() - started < 0.5
