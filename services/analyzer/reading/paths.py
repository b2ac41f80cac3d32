"""What a changed file is, told from its path alone: source, test, documentation, generated and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from services.analyzer.languages import GENERAL, ProgrammingLanguage
from services.analyzer.reading.path_patterns import PathPatterns, compile_patterns
from shared.domain.text import fold

LONGEST_PATH = 1024
"""Characters of a path that are looked at, from its end; real ones are far shorter."""
REMEMBERED_PATHS = 50_000
_DOCS_FOLDERS = frozenset({"docs", "doc", "documentation", "man"})
_PAGES = frozenset({"readme", "contributing", "changelog", "license", "testing", "index", "authors", "owners"})
"""Names, without their ending, of pages that people read wherever they lie."""


class FileKind(StrEnum):
    """What a file mainly is; the first that fits, in this order."""

    SUBMODULE = "submodule"
    VENDORED = "vendored"
    GENERATED = "generated"
    CI = "ci"
    DOCS = "docs"
    TEST = "test"
    SAMPLE = "sample"
    BUILD = "build"
    CONFIGURATION = "configuration"
    SOURCE = "source"
    DATA = "data"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PathReading:
    """One path: its folded form, what it is, and the marks that may hold beside its kind."""

    folded: str
    kind: FileKind
    language: ProgrammingLanguage | None
    test: bool
    manifest: bool
    lock: bool
    toolchain: bool
    configuration: bool
    migration: bool
    public: bool


_NOT_OURS = frozenset({FileKind.VENDORED, FileKind.GENERATED})

PathReader = Callable[[str], PathReading]


def compile_reader(languages: Sequence[ProgrammingLanguage]) -> PathReader:
    """Return the function that reads a path; it remembers what it has read, for paths come again and again."""
    patterns = _Patterns.of(languages)
    by_ending = {ending: language for language in _specific_last(languages) for ending in language.extensions}
    by_name = {fold(name): language for language in languages for name in language.filenames}
    endings = tuple(by_ending)

    @lru_cache(maxsize=REMEMBERED_PATHS)
    def read(path: str) -> PathReading:
        folded = fold(path[-LONGEST_PATH:])
        name = folded.rsplit("/", 1)[-1]
        language = by_name.get(name)
        if language is None and name.endswith(endings):
            language = next((by_ending[ending] for ending in _endings(name) if ending in by_ending), None)
        return patterns.read(folded, language)

    return read


def _specific_last(languages: Iterable[ProgrammingLanguage]) -> list[ProgrammingLanguage]:
    """A language of its own outranks the general list where both name an ending."""
    return sorted(languages, key=lambda language: language.name != GENERAL)


def _endings(name: str) -> Iterable[str]:
    """The endings of a file name, the longest first: ``a.blade.php`` gives ``.blade.php`` and ``.php``."""
    position = name.find(".", 1)
    while position > 0:
        yield name[position:]
        position = name.find(".", position + 1)


def _is_test_data(path: str) -> bool:
    """Whether a text among tests is material of theirs, and no page about them."""
    *folders, name = path.split("/")
    return _DOCS_FOLDERS.isdisjoint(folders) and name.split(".", 1)[0] not in _PAGES


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The patterns of all languages together, one set for each kind."""

    tests: PathPatterns
    generated: PathPatterns
    locks: PathPatterns
    vendored: PathPatterns
    manifests: PathPatterns
    toolchains: PathPatterns
    build: PathPatterns
    configuration: PathPatterns
    migrations: PathPatterns
    public: PathPatterns
    docs: PathPatterns
    ci: PathPatterns
    data: PathPatterns
    samples: PathPatterns

    @classmethod
    def of(cls, languages: Sequence[ProgrammingLanguage]) -> _Patterns:
        names = cls.__dataclass_fields__
        return cls(**{name: compile_patterns(p for each in languages for p in getattr(each, name)) for name in names})

    def read(self, path: str, language: ProgrammingLanguage | None) -> PathReading:
        lock = self.locks.match(path)
        configuration = self.configuration.match(path)
        kind = self._kind(path, language, lock=lock, configuration=configuration)
        return PathReading(
            folded=path,
            kind=kind,
            language=language,
            test=self.tests.match(path),
            manifest=self.manifests.match(path),
            lock=lock,
            toolchain=self.toolchains.match(path),
            configuration=configuration,
            migration=self.migrations.match(path),
            public=kind not in _NOT_OURS and self.public.match(path),
        )

    def _kind(self, path: str, language: ProgrammingLanguage | None, *, lock: bool, configuration: bool) -> FileKind:
        test = self.tests.match(path)
        build = self.build.match(path) or self.manifests.match(path) or self.toolchains.match(path)
        choices = (
            (FileKind.VENDORED, self.vendored.match(path)),
            (FileKind.GENERATED, lock or self.generated.match(path)),
            (FileKind.CI, self.ci.match(path) and not path.endswith((".md", ".rst"))),
            (FileKind.BUILD, build and self.manifests.match(path)),
            (FileKind.DOCS, self.docs.match(path) and not (test and _is_test_data(path))),
            (FileKind.TEST, test),
            (FileKind.SAMPLE, self.samples.match(path)),
            (FileKind.BUILD, build),
            (FileKind.CONFIGURATION, configuration and not (language and language.name != GENERAL)),
            (FileKind.SOURCE, language is not None or self.public.match(path)),
            (FileKind.CONFIGURATION, configuration),
            (FileKind.DATA, self.data.match(path)),
        )
        return next((kind for kind, fits in choices if fits), FileKind.OTHER)
