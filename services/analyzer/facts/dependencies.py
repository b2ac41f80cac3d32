"""Dependencies: floors, pins and ranges, packages that come and go, commits and branches that images are built from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.facts.building_files import aside, published
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import Declared, compared
from services.analyzer.facts.installed_pins import pins
from services.analyzer.facts.manifests import entries
from services.analyzer.facts.requirement_texts import Entry
from services.analyzer.facts.sides import Side
from services.analyzer.reading.paths import FileKind
from services.analyzer.vocabulary import words_of
from shared.domain.facts import Fact, FactKind, Reach, Subject
from shared.domain.pull_request import RepositoryRef

name = "dependencies"

_TEST_LISTS = re.compile(
    r"(?:^|/)(?:requirements/(?!.{0,120}fixture)[\w./-]{1,120}|[^/]{0,80}requirements[^/]{0,80})\.(?:txt|in)$"
)
_DEVELOPMENT = words_of(
    "dev devel develop development test tests testing lint linting linters format docs doc documentation typing types "
    "mypy ci bench benchmark benchmarks coverage precommit pre-commit devdependencies dev-dependencies require-dev "
    "tools testimplementation testruntimeonly testcompileonly androidtestimplementation development_ developer sphinx"
)
_BUILD = words_of("build build-system build-dependencies setup_requires plugins overrides resolutions constraint")
_TOOLCHAIN = re.compile(
    r"(?:MIN_|DEFAULT_)?(?:PYTHON|CUDA|ROCM|NODE|NODEJS|GO|GOLANG|RUST|JAVA|JDK|GCC|CLANG|LLVM|UBUNTU|DEBIAN|ALPINE|"
    r"RUBY|PHP|CMAKE)_?(?:VERSION|VER|RELEASE)",
    re.IGNORECASE,
)
_MANAGED = re.compile(
    r"cargo\.toml$|go\.mod$|\.gradle(?:\.kts)?$|\.sbt$|pom\.xml$|versions\.toml$|\.(?:cs|fs|vb)proj$|\.props$|\.swift$"
)
"""Manifests whose packages a package manager compiles in."""
COMPILED_IN = "compiled in"
_PLATFORM_NAMES = frozenset({"python", "ruby", "php", "node"})


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts, those of one package in several files as one."""
    repository = change.reading.pull_request.repository

    def declare(file: FileChange, side: Side) -> Iterator[Declared]:
        for entry in (*entries(file, side), *pins(file, side)):
            if not _is_own(entry, repository) and not is_toolchain(entry.name):
                yield _declared(entry, file)

    files = [file for file in change.files if _read_here(file)]
    yield from map(_by_version, compared(files, declare))
    yield from _submodules(change)


def is_toolchain(named: str) -> bool:
    """Whether a pinned name is that of a language or a compiler, which another reader tells."""
    return _TOOLCHAIN.fullmatch(named) is not None or named.casefold() in _PLATFORM_NAMES


def _read_here(file: FileChange) -> bool:
    path = file.reading.path
    if file.kind in (FileKind.VENDORED, FileKind.GENERATED, FileKind.CI, FileKind.DOCS, FileKind.SAMPLE):
        return False
    return not path.test or _TEST_LISTS.search(path.folded) is not None


def _declared(entry: Entry, file: FileChange) -> Declared:
    reach, why = _reach(entry, file)
    where = _where(entry, file, why)
    details = " ".join(
        part
        for part in (entry.extras, entry.source or entry.version, f"; {entry.marker}" if entry.marker else "")
        if part
    )
    return Declared(
        subject=Subject.DEPENDENCY,
        key=re.sub(r"[-_.]+", "-", entry.name.casefold()),
        name=entry.name,
        value=entry.version,
        line=entry.line,
        reach=reach,
        why=where if reach is Reach.PUBLIC else why,
        group=entry.group,
        full=details,
        note=f"where {entry.marker}" if entry.marker else "",
        keep=f"--build-arg {entry.name}=" if entry.group == "ARG" else None,
        quiet=entry.indirect or entry.weak,
        where=where,
    )


def _where(entry: Entry, file: FileChange, why: str) -> str:
    """Whom it reaches: an extra by its name, where that is seen."""
    extra = entry.group.rsplit(" ", 1)[-1] if "optional-dependencies" in entry.group or "extras" in entry.group else ""
    if file.path.endswith("setup.py") and entry.group not in {
        "",
        "install_requires",
        "setup_requires",
        "tests_require",
    }:
        extra = entry.group
    return f"with the extra {extra}" if extra else why


def _reach(entry: Entry, file: FileChange) -> tuple[Reach, str]:
    path = file.reading.path.folded
    words = set(re.split(r"[\s./_-]+", entry.group)) | set(re.split(r"[./_-]+", path.rsplit("/", 1)[-1]))
    words |= (set(re.split(r"[/_-]+", path.rpartition("/")[0])) - {"tools"}) | {entry.group}
    if file.reading.path.test or aside(file) or words & _DEVELOPMENT:
        return Reach.INTERNAL, "for development and tests"
    if words & _BUILD:
        return Reach.BUILDERS, "needed to build it"
    if entry.indirect:
        return Reach.INTERNAL, "indirect"
    return _reach_of_runtime(entry, file, path)


def _reach_of_runtime(entry: Entry, file: FileChange, path: str) -> tuple[Reach, str]:
    if _MANAGED.search(path) or (path.endswith(".json") and not published(file)):
        return Reach.BUILDERS, COMPILED_IN
    if entry.build:
        return Reach.BUILDERS, "fixed where it is built"
    if not entry.group and path.endswith(("pyproject.toml", ".json")):
        return Reach.BUILDERS, "in a list that the patch does not show"
    return Reach.PUBLIC, "installed with it"


def _by_version(fact: Fact) -> Fact:
    """Nobody outside notices another version of what is compiled in, as long as it promises to be compatible."""
    old, new = (re.match(r"[^\d]{0,4}(?:0\.)*(\d{1,9})", value or "") for value in (fact.old, fact.new))
    if fact.kind is not FactKind.CHANGED or fact.reach_why != COMPILED_IN or not old or not new or old[0] != new[0]:
        return fact
    return fact.model_copy(update={"reach": Reach.INTERNAL, "reach_why": "compiled in, a compatible version"})


def _is_own(entry: Entry, repository: RepositoryRef) -> bool:
    """Whether it is a part of the same repository: by its place, its scope or its name."""
    owner, _, project = repository.full_name.casefold().rpartition("/")
    named, version = entry.name.casefold(), (entry.version or "").casefold()
    if version.startswith(("workspace:", "file:", "link:", "portal:", "@ file:", "./", "../", "path:")):
        return True
    if re.fullmatch(
        rf"(?:{re.escape(project.replace('-', '_'))}_)(?:version|tag|ref|branch|commit|release|sha)", named
    ):
        return True
    own = f"{repository.host}/{owner}/{project}".casefold()
    return named in {project, own} or named.startswith((f"@{owner}/", f"@{project}/", f"{own}/"))


def _submodules(change: Change) -> Iterator[Fact]:
    for file in change.reading.files:
        if file.file.submodule is not None and file.file.submodule[0] != file.file.submodule[1]:
            old, new = file.file.submodule
            yield Fact(
                kind=FactKind.CHANGED if old and new else FactKind.ADDED if new else FactKind.REMOVED,
                subject=Subject.DEPENDENCY,
                name=file.name,
                old=old[:12] if old else None,
                new=new[:12] if new else None,
                reach=Reach.BUILDERS,
                reach_why="a submodule, fetched when it is built",
            )
