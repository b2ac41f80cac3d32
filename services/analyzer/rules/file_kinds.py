"""What all files of a merge have in common: only documentation, only tests, only generated files, only moves (C-43)."""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.reading.paths import FileKind
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "file-kinds"


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield at most one trait of kinds, and ``trait:move-only`` when no file has a changed line."""
    reading = context.read(pull_request)
    if not reading.files:
        return
    first, count = reading.files[0].name, len(reading.files)
    if reading.only(FileKind.DOCS):
        yield trait_tag(name, Trait.DOCS_ONLY, [Evidence(why=f"all {count} files are documentation", path=first)])
    elif reading.only(FileKind.TEST):
        yield trait_tag(
            name, Trait.TESTS_ONLY, [Evidence(why=f"all {count} files are tests or their data", path=first)]
        )
    elif reading.kinds <= {FileKind.GENERATED, FileKind.VENDORED}:
        yield trait_tag(
            name, Trait.GENERATED_ONLY, [Evidence(why=f"all {count} files are generated or vendored", path=first)]
        )
    if all(file.moved_only for file in reading.files):
        moved = reading.files[0].file
        why = (
            f"all {count} files were moved without a changed line, such as {moved.previous_filename} to "
            f"{moved.filename}"
        )
        yield trait_tag(name, Trait.MOVE_ONLY, [Evidence(why=why, path=moved.filename)])
