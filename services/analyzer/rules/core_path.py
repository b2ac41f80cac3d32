"""Changes at the core: paths that the settings name, else what is core in nearly every project, told conservatively.

Without settings a source file is core when a folder or a word of its name is one of ``CORE_WORDS``, or when it is an
interface by convention (a public header, an interface definition) or the entry point at the top of the source. Tests,
samples, documentation, generated and vendored files never are, nor are changes of fewer than three lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from services.analyzer.vocabulary import words_of
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk

name = "core-path"
FEWEST_LINES = 3
CORE_WORDS = words_of(
    """
    core kernel engine scheduler sched runtime executor dispatcher dispatch reconciler reactor eventloop auth
    authn authz storage protocol consensus raft transaction transactions allocator gc wal bootstrap planner
    optimizer interpreter typechecker borrowck codegen syscall vfs router middleware
    """
)
_ENTRY_POINT = re.compile(r"(?:main|app|server|index|cli|__main__|program|application|lib|mod)\.[a-z]{1,4}")
_NO_ROOT_WORD = frozenset({"core", "engine", "runtime", "kernel"})
"""Words that are often the name of a whole project or package: alone at the top of a path they say nothing."""


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:core-path`` with the files that are core, the largest change first."""
    reading = context.read(pull_request)
    found = sorted(_core_files(reading, context), key=lambda item: -item[0].lines)
    if found:
        yield risk_tag(name, Risk.CORE_PATH, [Evidence(why=why, path=file.name) for file, why in found])


def _core_files(reading: Reading, context: RuleContext) -> Iterator[tuple[FileReading, str]]:
    if context.core_paths is not None:
        for file in reading.files:
            if context.core_paths.match(file.path.folded):
                yield file, "a core path by the settings"
        return
    for file in reading.source:
        why = _why_core(file, context.repository) if file.lines >= FEWEST_LINES and not file.path.test else None
        if why:
            yield file, why


def _why_core(file: FileReading, repository: str) -> str | None:
    *folders, base = file.path.folded.split("/")
    if (
        file.path.public
        and file.language is not None
        and base.endswith((".h", ".hpp", ".hh", ".pyi"))
        and "include" in folders
    ):
        return "a public header"
    if file.kind is FileKind.SOURCE and base.endswith((".proto", ".thrift", ".fbs", ".capnp", ".wit", ".webidl")):
        return "an interface definition"
    words = [folder for folder in folders if folder != repository]
    if len(words) <= 1 and _ENTRY_POINT.fullmatch(base):
        return "an entry point at the top of the source"
    for place, folder in enumerate(words):
        if folder in CORE_WORDS and not (place == 0 and folder in _NO_ROOT_WORD and len(folders) == 1):
            return f"folder '{folder}'"
    stem_words = re.split(r"[_.\-]", base.rsplit(".", 1)[0])
    word = next((word for word in stem_words if word in CORE_WORDS - {"core"}), None)
    return f"'{word}' in the file's name" if word else None
