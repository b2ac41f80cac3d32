"""Every language file: complete, compilable, bounded, and consistent with the others."""

from __future__ import annotations

import re
import time

import pytest

from services.analyzer.languages import GENERAL, ProgrammingLanguage, load_languages
from services.analyzer.reading.paths import FileKind, compile_reader
from services.analyzer.reading.signs import compile_signs

LANGUAGES = load_languages()
READ = compile_reader(LANGUAGES)
EXPECTED = {"python", "cpp", "rust", "go", "typescript", "java", "ruby", "csharp", "swift", "php", "shell", GENERAL}
HOSTILE = ("a" * 400, " " * 400, "(" * 400, '"' * 400, "a.b" * 130, "${A" * 130, "env::var(" * 44, "\\" * 400)


def each_pattern(language: ProgrammingLanguage) -> list[str]:
    signs = [sign.pattern for sign in language.dangerous]
    return [*language.inline_tests, *language.manifest_noise, *language.deprecation, *signs]


def test_all_languages_are_there_and_named_like_their_file():
    assert {language.name for language in LANGUAGES} == EXPECTED


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_language_says_what_its_files_look_like(language):
    assert language.title
    assert all(ending.startswith(".") and ending == ending.lower() for ending in language.extensions)
    assert language.extensions
    assert language.tests
    assert language.comments
    if language.name not in {GENERAL, "shell"}:
        assert language.manifests
        assert language.dangerous


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_patterns_compile_and_stay_quick_on_hostile_lines(language):
    for pattern in each_pattern(language):
        compiled = re.compile(pattern)
        started = time.perf_counter()
        for line in HOSTILE:
            compiled.search(line)
        assert time.perf_counter() - started < 2, pattern


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.name != GENERAL], ids=lambda each: each.name)
def test_a_source_file_of_each_ending_is_source(language):
    for ending in language.extensions:
        reading = READ(f"some/place/thing{ending}")
        assert reading.kind is FileKind.SOURCE, ending
        assert reading.language is language


def test_no_ending_belongs_to_two_languages():
    endings = [ending for language in LANGUAGES if language.name != GENERAL for ending in language.extensions]

    assert len(endings) == len(set(endings))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("apps/web/package-lock.json", FileKind.GENERATED),
        ("a/uv.lock", FileKind.GENERATED),
        ("a/go.sum", FileKind.GENERATED),
        ("api/v1/zz_generated.deepcopy.go", FileKind.GENERATED),
        ("vendor/x/y.go", FileKind.VENDORED),
        (".github/workflows/a.yml", FileKind.CI),
        ("docs/conf.py", FileKind.DOCS),
        ("README.md", FileKind.DOCS),
        ("examples/a.py", FileKind.SAMPLE),
        ("requirements/cuda.txt", FileKind.BUILD),
        ("CMakeLists.txt", FileKind.BUILD),
        ("Dockerfile", FileKind.BUILD),
        ("config/app.yml", FileKind.CONFIGURATION),
        ("lumen/config/model.py", FileKind.SOURCE),
        ("lumen/data/cities.json", FileKind.DATA),
        ("lumen/spec_decode/a.py", FileKind.SOURCE),
        ("app/news/models.py", FileKind.SOURCE),
        ("logo", FileKind.OTHER),
        ("src/resources/mdtest/loops.md", FileKind.TEST),
        ("pkg/testdata/page.md", FileKind.TEST),
        ("tests/README.md", FileKind.DOCS),
        ("docs/testing/guide.md", FileKind.DOCS),
        ("crates/lumen_vendored/typeshed/a.pyi", FileKind.VENDORED),
        (".pre-commit-config.yaml", FileKind.CI),
    ],
)
def test_the_kind_of_a_file_is_told_from_its_path(path, kind):
    assert READ(path).kind is kind


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_what_is_looked_for_first_is_part_of_every_sign(language):
    signs = compile_signs(LANGUAGES)
    hints = signs.deprecation[language.name].hints
    assert all(any(hint in pattern.replace("\\", "") for hint in hints) for pattern in language.deprecation)
