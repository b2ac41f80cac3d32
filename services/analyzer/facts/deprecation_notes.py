"""Where code says that a part of it is deprecated: calls that warn, markers above a definition, tags in its comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.facts.blocks import BlockKind, Node, name_of, outline
from services.analyzer.facts.change import FileChange
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement, all_statements, definition_of
from services.analyzer.facts.texts import cut, folded, joined_strings
from shared.domain.facts import Reach, Subject

_HINTS = ("eprecat", "DEPRECAT", "Obsolete", "FutureWarning")
_WARNS = re.compile(
    r"\b(?:warnings\.warn|warn\w{0,24}|trigger_deprecation|emitWarning|Deprecat\w{0,20}\.warn|"
    r"deprecat\w{0,24})!?\s{0,2}\(",
    re.IGNORECASE,
)
_CATEGORY = re.compile(r"\b(?:Pending)?DeprecationWarning\b|\bFutureWarning\b|E_USER_DEPRECATED|\bDEP\d{3,4}\b")
_SAYS = re.compile(r"\bdeprecat(?:ed|ion)\b|\bwill be removed\b", re.IGNORECASE)
_MARK = re.compile(
    r"^\s{0,80}(?:@(?:\w{1,40}\.){0,3}deprecated?\w{0,30}|@Deprecated|"
    r"#!?\[(?:cfg_attr\([^\n]{0,80},\s{0,4})?deprecated|"
    r"\[(?:\w{1,40}\.)?Obsolete|(?:\w{1,40}\s){0,4}\[\[deprecated|(?:\w{1,40}\s){0,4}__attribute__\(\(deprecated|"
    r"@available\([^\n]{0,80}\bdeprecated|#\[\\?Deprecated)(?![\w.]*\s{0,2}[=:])\b"
)
_TAG = re.compile(
    r"^\s{0,80}(?://+\s?|/?\*{1,2}\s?|#\s?)?(?:Deprecated:\s|[@\\]deprecated\b|"
    r"\.\. deprecated::)\s{0,4}(?P<words>.{0,300})"
)
_FLAGGED = re.compile(r"\bdeprecated\s{0,2}[:=]\s{0,2}(?:True\b|true\b|f?[\"'])")
_THING = re.compile(
    r"(?P<mark>[`'\"]?)(?P<name>--?[a-z][\w.-]{1,60}|"
    r"[A-Za-z_][\w./:-]{1,90}(?:\(\))?(?:=[^\s,.`'\"]{1,30})?)(?P=mark)\s"
    r"(?:\w{1,20}\s){0,3}?(?:is|are|was|were|has been|have been|will be)\s(?:now\s|being\s|also\s)?(?:deprecated|"
    r"removed)"
)
_REPLACEMENT = re.compile(
    r"\b(?:use|using|prefer|replaced (?:by|with)|in favou?r of|migrate to|switch to|renamed to|moved to|"
    r"superseded by|set)\s"
    r"(?:the\s|new\s|instead\s|of\s){0,3}(?P<mark>[`'\"]|"
    r"\{@link\s)?(?P<name>--?[a-z][\w.-]{1,60}(?:=[\w{}\"':.-]{1,40})?|[A-Za-z_][\w./:#-]{1,90}(?:\(\))?)",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"\b(?:removed|dropped|deleted|gone|disabled|error)\b[^.]{0,60}?\b(?:in|with|from|at|since)\s(?:version\s|"
    r"release\s|\w{2,20}\s)?(?P<release>v?\d{1,4}(?:\.\d{1,4}){1,3})",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|as of|deprecated::?|deprecated in|from)\W{1,4}(?:version\s|"
    r"in\s)?(?P<since>v?\d{1,4}(?:\.\d{1,4}){0,3})\b",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,10}")
_PLAIN_WORDS = frozenset(
    [
        "this",
        "that",
        "which",
        "it",
        "they",
        "support",
        "usage",
        "use",
        "option",
        "argument",
        "feature",
        "function",
        "class",
        "method",
        "and",
        "or",
        "the",
        "parameter",
    ]
)
_ROUTE = re.compile(r"@\w{1,40}\.(?:get|post|put|patch|delete|route|websocket)\(")
_FIELD = re.compile(r"(?P<name>[A-Za-z_]\w{0,80})\s{0,4}[:=]")
_FEWEST_BLANKS = 2
_MOST_LINES_BETWEEN = 12


@dataclass(frozen=True)
class Note:
    """One place that calls something deprecated."""

    name: str
    subject: Subject
    words: str
    path: str
    line: Line
    changed: bool
    decorates: bool
    """Whether the mark stands on the definition; a call that warns stands where the old way is taken."""
    reach: Reach
    why: str
    file_gone: bool = False

    @property
    def plain_name(self) -> str:
        """The name without its owner and brackets."""
        return self.name if self.subject is Subject.INPUT else self.name.rsplit(".", 1)[-1].removesuffix("()")

    @property
    def release(self) -> str | None:
        """The release that is to remove it."""
        found = _RELEASE.search(self.words)
        return found["release"] if found else None

    @property
    def when(self) -> str:
        """Since when and until when, as far as it says."""
        since = _SINCE.search(self.words)
        pieces = [
            f"deprecated since {since['since']}" if since else "",
            f"to be removed in {self.release}" if self.release else "",
        ]
        return ", ".join(piece for piece in pieces if piece)

    @property
    def replacement(self) -> str | None:
        """What its words tell to use, or None."""
        for found in _REPLACEMENT.finditer(self.words):
            name = found["name"].rstrip(".,:;'\"`-")
            if (found["mark"] or not name.isalpha() or (name.istitle() is False and not name.islower())) and len(
                name
            ) > 2:
                return name
        return None


def notes(file: FileChange, side: Side, path: str) -> Iterator[Note]:
    """Yield the places of one side; ``changed`` tells which of them the merge touched."""
    if not any(hint in line.text for line in side.changed for hint in _HINTS):
        return
    nodes = outline(side)
    for fragment in side.fragments:
        every = list(all_statements(fragment))
        for place, statement in enumerate(every):
            if any(hint in line.text for line in statement.lines for hint in _HINTS):
                yield from _notes_of(file, path, every, place, nodes)


def _notes_of(file: FileChange, path: str, every: list[Statement], place: int, nodes: list[Node]) -> Iterator[Note]:
    statement = every[place]
    changed = any(line.changed for line in statement.lines)
    line = next((one for one in statement.lines if one.changed), statement.lines[0])
    code = "\n".join(one.code for one in statement.lines)[:4_000]
    bare = "\n".join(one.bare for one in statement.lines)[:4_000]
    words, name, subject, decorates = "", None, Subject.INPUT, False
    tag = _TAG.match(statement.lines[0].text)
    if _MARK.match(bare):
        below = _below(every, place)
        words, decorates = joined_strings(code, bare), True
        name, subject = _defined(below if below is not None else statement)
    elif tag and not statement.lines[0].code.strip():
        below = _below(every, place) if ".. deprecated" not in statement.lines[0].text else None
        words, decorates = folded(tag["words"].rstrip("*/ ")), True
        name, subject = _defined(below) if below is not None else _around(nodes, statement)
    elif _FLAGGED.search(bare):
        name, subject = _flagged(code, bare, every, place)
        words, decorates = "", True
    elif (warned := _WARNS.search(bare)) and (_CATEGORY.search(bare) or _SAYS.search(joined_strings(code, bare))):
        words = _said(code[warned.start() :], bare[warned.start() :])
        if not words:
            return
        name, subject = _thing(words)
        if name is None:
            name, subject = cut(words, 90), Subject.INPUT
    if name:
        reach, why = _reach(subject, name, path)
        yield Note(name, subject, words, path, line, changed, decorates, reach, why, file.gone)


def _said(code: str, bare: str) -> str:
    """The words of a warning: those of its first argument, unless that is but a name; what follows is printed in it."""
    everything = joined_strings(code, bare)
    begin = bare.find("(") + 1
    depth = 0
    for place in range(begin, len(bare)):
        depth += (bare[place] in "([{") - (bare[place] in ")]}")
        if depth < 0 or (depth == 0 and bare[place] == ","):
            first = joined_strings(code[begin:place], bare[begin:place])
            return first if first.count(" ") >= _FEWEST_BLANKS else everything
    return everything


def _below(every: list[Statement], place: int) -> Statement | None:
    """The definition that a mark or a comment stands above."""
    for other in every[place + 1 : place + 1 + _MOST_LINES_BETWEEN]:
        bare = other.bare.strip()
        if bare and not bare.startswith(("@", "#[", "[")):
            return other
    return None


def _defined(statement: Statement) -> tuple[str | None, Subject]:
    bare = statement.lines[0].bare
    definition = definition_of(bare)
    if definition is not None:
        return definition[1], Subject.CLASS if definition[0] not in {
            "def",
            "func",
            "fn",
            "function",
        } else Subject.FUNCTION
    name = name_of(statement)
    if name:
        return name, Subject.FUNCTION
    if found := re.search(r"([A-Za-z_~]\w{0,80})\s{0,2}\(", bare):
        return found[1], Subject.FUNCTION
    if found := re.search(
        r"(?:pub|const|let|var|static|final|public|export|readonly|\s|"
        r"^)\s{0,4}([A-Za-z_]\w{0,80})\??\s{0,2}(?:[:=;]|$|\s[*\[\w])",
        bare,
    ):
        return found[1], Subject.FIELD
    return None, Subject.INPUT


def _around(nodes: list[Node], statement: Statement) -> tuple[str | None, Subject]:
    """The definition in whose documentation string a line stands: the last one above it with less indentation."""
    for node in reversed(nodes):
        if node.statement.number < statement.number and node.indent < statement.indent and node.name:
            return node.name, Subject.FUNCTION if node.kind is BlockKind.FUNCTION else Subject.CLASS
    return None, Subject.INPUT


def _flagged(code: str, bare: str, every: list[Statement], place: int) -> tuple[str | None, Subject]:
    """Of ``deprecated=True`` among arguments: the option, the route or the field that they belong to."""
    if option := re.search(r"[\"'](--[a-z][\w-]{1,60})[\"']", code):
        return option[1], Subject.OPTION
    if route := re.search(r"[\"'](/[\w/{}:.-]{1,120})[\"']", code):
        return route[1], Subject.ROUTE
    if _ROUTE.search(bare):
        below = _below(every, place)
        return _defined(below) if below is not None else (None, Subject.INPUT)
    if "(" in bare and (field := _FIELD.match(bare.strip())):
        return field["name"], Subject.FIELD
    return None, Subject.INPUT


def _thing(words: str) -> tuple[str | None, Subject]:
    found = _THING.search(words)
    if found is None or (not found["mark"] and found["name"].casefold() in _PLAIN_WORDS):
        return None, Subject.INPUT
    name = found["name"]
    if name.startswith("-"):
        return name, Subject.OPTION
    if _VARIABLE.fullmatch(name):
        return name, Subject.ENVIRONMENT_VARIABLE
    if not found["mark"] and name.isalpha() and (name.islower() or name.istitle()):
        return None, Subject.INPUT
    return name, Subject.FUNCTION if name.endswith("()") else Subject.CLASS if name[
        :1
    ].isupper() and "_" not in name else Subject.FIELD


def _reach(subject: Subject, name: str, path: str) -> tuple[Reach, str]:
    if name.startswith("_") or any(folder.startswith("_") and folder != "__init__.py" for folder in path.split("/")):
        return Reach.INTERNAL, "internal by name"
    if subject in (Subject.OPTION, Subject.ENVIRONMENT_VARIABLE, Subject.ROUTE):
        return Reach.PUBLIC, f"an announced {subject.value}"
    return Reach.PUBLIC, "announced to those who use it"
