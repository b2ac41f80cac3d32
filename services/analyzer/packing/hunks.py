"""Reads one patch piece by piece: where each hunk lies, and the few lines of it that tell what changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MOST_HUNKS = 200
"""Of one patch that are told apart; what lies behind is part of the last."""
MOST_CHARACTERS = 8_000
"""Of one hunk that are looked at."""
LONGEST_LINE = 200
LONGEST_RUN = 40
"""Added lines in a row that are kept whole; of a longer run its beginning and what it defines."""
LONGEST_REMOVAL = 8
"""What is gone is told by its first lines."""
AROUND = 2
"""Unchanged lines that are kept on each side of changed ones."""
_GAP = "…"
_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?([^\n]{0,200})")
_DEFINES = re.compile(
    r"\s{0,16}(?:(?:export|pub(?:\([^()]{0,20}\))?|async|default|static|public|abstract|final|unsafe)\s+){0,4}"
    r"(?:def|class|fn|func|function|struct|enum|trait|interface|impl|type|const|message|service|rpc|macro_rules!|"
    r"CREATE|ALTER|DROP)\s+[\w*&<(]",
)
_SAYS_LITTLE = re.compile(
    r"\s*(?:from\s+\S+\s+import\b.*|import\s.*|use\s+[\w:{}*, ]+;|using\s+[^;]*;|package\s+[\w.]+;?|"
    r"require\s*\(?[\"'].*|#include\b.*|(?:#|//|\*|/\*)?\s*(?:SPDX-|Copyright\b|Licensed under).*)"
)
"""Imports and the head of a licence; left out of longer runs."""


class Hunk(NamedTuple):
    """Where a hunk lies in its patch, and the lines it is about: from, to (exclusive) before and after the change."""

    start: int
    end: int
    old: tuple[int, int] = (0, 0)
    new: tuple[int, int] = (0, 0)

    def holds(self, line: int, *, after: bool) -> bool:
        """Whether a line of the file, after the change or before it, lies within."""
        first, behind = self.new if after else self.old
        return first <= line < behind


def hunks_of(patch: str) -> list[Hunk]:
    """Return the hunks in order; a patch without a header is one hunk, as far as it goes."""
    if not patch:
        return []
    starts = [0]
    position = patch.find("\n@@ ")
    while position >= 0 and len(starts) < MOST_HUNKS:
        if _HEADER.match(patch, position + 1):
            starts.append(position + 1)
        position = patch.find("\n@@ ", position + 1)
    return [_hunk(patch, start, end) for start, end in zip(starts, [*starts[1:], len(patch)], strict=True)]


def _hunk(patch: str, start: int, end: int) -> Hunk:
    found = _HEADER.match(patch, start)
    if not found:
        return Hunk(start, end)
    old, old_lines, new, new_lines = (int(number) if number else 1 for number in found.groups()[:4])
    return Hunk(start, end, (old, old + old_lines), (new, new + new_lines))


def raw(patch: str, hunk: Hunk, most: int = MOST_CHARACTERS) -> str:
    """Return the text of a hunk, of a long one its first ``most`` characters to the last whole line."""
    if hunk.end - hunk.start <= most:
        return patch[hunk.start : hunk.end]
    text = patch[hunk.start : hunk.start + most]
    return text[: text.rfind("\n")] if "\n" in text else text[: 2 * LONGEST_LINE]


def telling_lines(text: str, *, cut_off: bool) -> str:
    """Return the changed lines of a cleaned hunk with two lines around each run, dedented, long runs shortened.

    Signs stay, line numbers go: code finds where a quoted line stands. ``cut_off`` says that ``text`` does not reach
    to the end of its hunk.
    """
    lines = text.split("\n")
    header = _HEADER.match(lines[0])
    behind = header[5].strip() if header else ""
    body = [line[: LONGEST_LINE + 1] + ("…" if len(line) > LONGEST_LINE + 1 else "") for line in lines[bool(header) :]]
    kept = list(_short_runs(_near_changes(body)))
    if cut_off:
        # How many more lines the last run has is not known then.
        kept = [*(kept[:-1] if kept and _is_gap(kept[-1]) else kept), _GAP]
    return "\n".join([f"@@ {behind}".rstrip(), *_dedented(kept)])


def _near_changes(lines: Sequence[str]) -> Iterator[str]:
    """Changed lines, and those with words near one."""
    for at, line in enumerate(lines):
        if line[:1] in {"+", "-"}:
            yield line
        elif line[:1] != "\\" and line.strip():
            around = lines[max(0, at - AROUND) : at + AROUND + 1]
            if any(other[:1] in {"+", "-"} for other in around):
                yield line


def _short_runs(lines: Iterator[str]) -> Iterator[str]:
    run: list[str] = []
    for line in lines:
        if run and line[:1] != run[0][:1]:
            yield from _short_run(run)
            run = []
        run.append(line)
    yield from _short_run(run)


def _short_run(run: list[str]) -> list[str]:
    """A run of lines with one sign, shortened where it is long."""
    sign = run[0][:1] if run else ""
    if sign not in {"+", "-"}:
        return run
    told = [line for line in run if line[1:].strip()]
    if len(told) > LONGEST_REMOVAL:
        told = [line for line in told if not _SAYS_LITTLE.fullmatch(line[1:])] or told[:1]
    longest = LONGEST_RUN if sign == "+" else LONGEST_REMOVAL
    if len(told) <= longest:
        return told
    begun = told[: longest * 3 // 4]
    defined = [line for line in told[len(begun) :] if _DEFINES.match(line[1:])][: longest - len(begun)]
    gap = [f"{sign}{_GAP}"] if defined else []
    return [*begun, *gap, *defined, f"{sign}{_GAP} {len(told) - len(begun) - len(defined)} more lines"]


def _is_gap(line: str) -> bool:
    return line.lstrip("+-").startswith(_GAP)


def _dedented(lines: list[str]) -> list[str]:
    """The lines without the indentation that all of them share, behind their sign."""
    bodies = [line[1:] for line in lines if not _is_gap(line)]
    shared = min((len(body) - len(body.lstrip()) for body in bodies if body.strip()), default=0)
    return [line if _is_gap(line) else line[:1] + line[1 + shared :] for line in lines]
