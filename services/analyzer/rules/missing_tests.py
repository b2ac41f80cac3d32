"""Source changes that come with no test, told from the whole file list.

Not fired when: files are unknown or the list is cut; a test file (or a snapshot of one) is in the list; a test is among
the added lines of a source file, or the change lies within one; fewer than ten lines of code were added (comments and
what was only moved aside), or fewer than fifty where behaviour stays and the tests that are there cover it; only
documentation, configuration, generated, vendored, sample or style files or scripts for developers changed; the change
reverts, moves or only removes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from services.analyzer.reading.patches import MOST_CHARACTERS
from services.analyzer.reading.reading import FileReading
from services.analyzer.rules.change_type import decide
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Risk

name = "missing-tests"
FEWEST_ADDED_LINES = 10
FEWEST_WITHOUT_NEW_BEHAVIOUR = 50
_SAME_BEHAVIOUR = frozenset({ChangeType.REFACTOR, ChangeType.PERF})
_TYPES = frozenset({ChangeType.FEAT, ChangeType.FIX, ChangeType.PERF, ChangeType.REFACTOR})
_SCRIPTS = frozenset({"scripts", "script", "hack", "release", "releases", "ci", "dev", "xtask", "tasks"})
_WITHIN_TESTS = re.compile(
    r"^@@[^@]{1,60}@@.{0,200}?\b(?:mod tests?\b|fn test_|def test_|class Test[A-Z]|func Test[A-Z]|describe\(|"
    r"TEST(?:_F)?\()",
    re.MULTILINE,
)
"""The line above a hunk, which Git repeats in its head, tells that the change lies within tests."""
_NO_CODE = (".css", ".scss", ".sass", ".less", ".html", ".sql", ".pyi", ".d.ts", ".rbi", ".rbs", ".proto", ".graphql")


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:missing-tests`` with the source files, the one with most added lines first."""
    reading = context.read(pull_request)
    whole = reading.files_known and len(reading.files) >= pull_request.changed_files
    if not whole or any(file.path.test for file in reading.files):
        return
    change_type = decide(reading)[0]
    if change_type not in _TYPES or pull_request.user.is_bot:
        return
    code = [file for file in reading.source if _is_tested_code(file)]
    if any(_tested_inside(file, context) for file in code):
        return
    moved = frozenset(line.strip() for file in reading.source for line in file.patch.removed)
    added = {file.name: _added_code(file, moved) for file in code}
    fewest = FEWEST_WITHOUT_NEW_BEHAVIOUR if change_type in _SAME_BEHAVIOUR else FEWEST_ADDED_LINES
    if sum(added.values()) >= fewest:
        ordered = sorted((file for file in code if added[file.name]), key=lambda file: -added[file.name])
        yield risk_tag(
            name, Risk.MISSING_TESTS, [_evidence(file, added[file.name], len(reading.files)) for file in ordered]
        )


def _evidence(file: FileReading, added: int, files: int) -> Evidence:
    noun = "the one changed file is no test" if files == 1 else f"none of the {files} changed files is a test"
    return Evidence(why=f"{added} added lines of code, and {noun}", path=file.name)


def _is_tested_code(file: FileReading) -> bool:
    """Whether a file holds code that one expects tests for."""
    folders = file.path.folded.split("/")[:-1]
    return not file.path.folded.endswith(_NO_CODE) and file.file.status != "removed" and _SCRIPTS.isdisjoint(folders)


def _tested_inside(file: FileReading, context: RuleContext) -> bool:
    """Whether a test stands among the added lines or around the change, as Rust keeps them beside the code."""
    if file.patch.size and _WITHIN_TESTS.search((file.file.patch or "")[:MOST_CHARACTERS]):
        return True
    signs = context.signs.inline_tests.get(file.language.name) if file.language else None
    return signs is not None and any(True for _ in signs.find(file.patch.added, most=1))


def _added_code(file: FileReading, moved: frozenset[str]) -> int:
    """Added lines of code: without blank lines, comments and moved lines where the patch is known, else as listed."""
    if not file.patch.size or not file.patch.whole or file.language is None:
        return file.file.additions
    comments = file.language.comments
    lines = (line.strip() for line in file.patch.added)
    return sum(bool(line) and not line.startswith(comments) and line not in moved for line in lines)
