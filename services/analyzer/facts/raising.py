"""Where code refuses: errors that are raised, returned or checked for, with their words and their condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from services.analyzer.facts.blocks import BlockKind, Node
from services.analyzer.facts.change import FileChange
from services.analyzer.facts.refusal_words import PRINTED, behind, said_above, texts_of, with_items
from services.analyzer.facts.sides import Fragment, Line, Side
from services.analyzer.facts.texts import (
    BETWEEN,
    LONGEST_VALUE,
    cut,
    folded,
    identifiers,
    joined_strings,
    split_arguments,
)

_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\]'\"`])[.!](?=\s)")
_SHORTEST_SENTENCE = 20
_LONGEST_TITLE = 110
MOST_GUARDS = 200
"""Of one side of one file; more is the work of a machine."""
_BEHIND = 24
"""Lines behind a changed one among which a refusal under it is looked for."""
_BEFORE = 8
"""Lines before it, for a statement of several lines whose last ones were touched."""
_HEADERS = 4
_LONG_WORD = re.compile(r"[A-Za-z]{3,}")
_FEWEST_WORDS = 2
_RUST_ERROR = re.compile(r"(?!if\b|match\b)[A-Za-z_][\w:]{2,80}")

_RAISES: dict[str, str] = {
    "python": r"(?:^|:\s)(?P<how>raise)\s(?P<error>[\w.]{1,100})|^(?P<check>assert)\b|"
    r"\b(?P<call>(?:\w{0,40}parser|ctx|group)\.(?:error|fail)|sys\.exit)\(\s*[frFR]{0,2}[\"'\w]|"
    r"^return\s(?:[\w.]{1,60}\.)?(?P<answer>\w{0,40}error_response|abort)\(|(?:^|:\s)(?P<abort>abort)\(\s*4\d\d\b",
    "go": r"\b(?P<call>fmt\.Errorf|errors\.(?:New|Errorf|Newf)|status\.Errorf?|field\.(?:Invalid|Forbidden|"
    r"NotSupported|"
    r"Required|Duplicate|TypeInvalid|TooMany|TooLong)|http\.Error|log\.Fatalf?|panic|echo\.NewHTTPError)\(",
    "rust": r"\b(?P<call>(?:anyhow::|eyre::)?bail|compile_error|panic|unimplemented)!\(|"
    r"\b(?P<check>(?:anyhow::|eyre::)?ensure|assert)!\(|(?:^|return\s|=>\s|\{\s)(?P<how>Err)\(",
    "typescript": r"\b(?P<how>throw)\s(?:new\s)?(?P<error>[\w.]{1,100})\s?\(|\b(?P<check>invariant|assert)\(",
    "cpp": r"\b(?P<how>throw)\s(?P<error>[\w:]{1,100})\s?[({]|^(?P<pound>#\s{0,8}error)\b|"
    r"\b(?P<check>static_assert|[A-Z][A-Z0-9_]{0,40}(?:CHECK|ASSERT|ENFORCE|REQUIRE|EXPECTS)[A-Z0-9_]{0,40}|"
    r"CHECK(?:_\w{1,20})?)\(",
    "java": r"\b(?P<how>throw)\s(?:new\s)?(?P<error>[\w.]{1,100})\s?\(|"
    r"\b(?:Preconditions\.)?(?P<check>checkArgument|checkState|"
    r"require|check)\s?\(",
    "csharp": r"\b(?P<how>throw)\snew\s(?P<error>[\w.]{1,100})\s?\(",
    "php": r"\b(?P<how>throw)\snew\s(?P<error>[\w\\]{1,100})\s?\(",
    "ruby": r"\b(?P<how>raise)\s(?P<error>[\w:]{1,100})",
    "swift": r"\b(?P<how>throw)\s(?P<error>[\w.]{1,100})\s?\(|\b(?P<check>precondition)\(|\b(?P<call>fatalError|"
    r"preconditionFailure)\(",
    "cmake": r"\b(?P<call>message)\s?\(\s?(?P<error>FATAL_ERROR|SEND_ERROR)\b",
}
_PATTERNS = {language: re.compile(pattern) for language, pattern in _RAISES.items()}
_WORDS = {
    "python": ("raise ", "assert", ".error(", ".fail(", "sys.exit(", "error_response(", "abort("),
    "go": ("Error", "errors.", "field.", "log.Fatal", "panic("),
    "rust": ("!(", "Err("),
    "typescript": ("throw ", "invariant(", "assert("),
    "cpp": ("throw ", "error", "CHECK", "ASSERT", "static_assert", "ENFORCE", "REQUIRE", "EXPECTS"),
    "java": ("throw ", "check", "require"),
    "ruby": ("raise ",),
    "swift": ("throw ", "precondition", "fatalError"),
    "cmake": ("FATAL_ERROR", "SEND_ERROR"),
}
"""One of which every sign contains: looking for them costs next to nothing."""
_WAYS = ("call", "check", "how", "answer", "abort", "pound")
_DEBUG_ONLY = re.compile(r"DCHECK|DEBUG|(?:CUDA|HIP|CU|NCCL|CUDNN|CUBLAS|CURAND)_?(?:RT_?)?CHECK|^assert_eq")
_INLINE = re.compile(r"^(?:\}\s?)?(?:if|elif|else if|unless|guard|when)\b(?P<condition>.{1,600})$", re.DOTALL)
_WARNS = re.compile(r"\b(?:warnings\.)?(?:warn|Warn|WARN)\w{0,20}!?\s{0,2}\(")


@dataclass(frozen=True, eq=False)
class Guard:
    """One refusal: ``error`` is its class or call, ``message`` its words with ``…`` for what code puts in between."""

    file: FileChange
    path: str
    node: Node
    language: str
    error: str
    message: str
    check: str | None = None
    """Of an assertion or a check: the condition that must hold."""
    inline: str | None = None
    """The condition when it stands on the same line."""
    words_changed: bool = False
    """Whether a line of the statement, or of the message that it names, was touched."""

    @property
    def line(self) -> Line:
        """Where it stands: its first line that the merge touched."""
        return self.node.statement.changed

    @cached_property
    def above(self) -> Node | None:
        """The condition, case, alternative or handler that it stands under within its function; None at its top."""
        for node in self.node.parents():
            if node.kind in (BlockKind.FUNCTION, BlockKind.SCOPE):
                return None
            if node.kind not in (BlockKind.OTHER, BlockKind.ATTEMPT):
                return node
        return None

    @cached_property
    def condition(self) -> str | None:
        """When it refuses (for a check: what must hold), as written; None where the patch does not show it."""
        if self.check is not None:
            return self.check
        if self.inline is not None:
            return self.inline
        node = self.above
        return folded(node.statement.code).rstrip("{: ") if node else None

    @cached_property
    def function(self) -> Node | None:
        """The function that it stands in, where the known lines reach up to it."""
        return self.node.within(BlockKind.FUNCTION)

    @cached_property
    def scope(self) -> Node | None:
        """The class that it stands in, where the known lines reach up to it."""
        return self.node.within(BlockKind.SCOPE)

    @cached_property
    def key(self) -> str:
        """Its words, for telling whether two say the same."""
        return "".join(sign for sign in self.title.casefold() if sign.isalnum()) or self.error

    @cached_property
    def title(self) -> str:
        """What it refuses in its own words: the first sentence, without the code that is printed in between."""
        words = PRINTED.sub(BETWEEN, self.message)
        first = _SENTENCE_END.split(words, maxsplit=1)[0]
        return cut(first if len(first) >= _SHORTEST_SENTENCE else words, _LONGEST_TITLE)

    @cached_property
    def names(self) -> frozenset[str]:
        """The identifiers of its condition."""
        return identifiers(self.condition or "")


def language_of(file: FileChange) -> str | None:
    """Return the language whose refusals are known, or None; CMake has no language file of its own."""
    folded_path = file.reading.path.folded
    if folded_path.endswith((".cmake", "cmakelists.txt", ".cmake.in")):
        return "cmake"
    return file.language if file.language in _PATTERNS else None


def may_refuse(file: FileChange, side: Side) -> bool:
    """Whether a refusal may stand in or closely under the changed lines of a side: costs next to nothing."""
    language = language_of(file)
    if language is None:
        return False
    words = _WORDS.get(language, ("throw ",))
    return any(word in text for fragment in side.fragments for text in _near_changes(fragment) for word in words)


def _near_changes(fragment: Fragment) -> Iterator[str]:
    """The code of the changed lines and of the few around each, every line once."""
    rows = fragment.lines.code
    done = 0
    for place in fragment.lines.changed_places:
        yield from rows[max(done, place - _BEFORE) : place + _BEHIND]
        done = max(done, place + _BEHIND)


def guards(file: FileChange, path: str, nodes: list[Node]) -> Iterator[Guard]:
    """Yield the refusals of one side in or under changed lines; ``nodes`` is its outline."""
    language = language_of(file)
    if language is None:
        return
    pattern = _PATTERNS[language]
    words = _WORDS.get(language, ("throw ",))
    room = MOST_GUARDS
    for node in nodes:
        code = node.fragment.lines.code
        if not any(word in code[place] for place in range(node.begin, node.end) for word in words):
            continue
        if not node.touched and not any(parent.touched for parent in islice(node.parents(), _HEADERS)):
            continue
        guard = _guard(file, path, language, node, pattern, nodes)
        if guard is None or len(_LONG_WORD.findall(guard.title)) < _FEWEST_WORDS:
            continue
        if guard.words_changed or _header_changed(guard):
            yield guard
            room -= 1
            if room == 0:
                return


def _header_changed(guard: Guard) -> bool:
    above = guard.above
    return above is not None and any(line.changed for line in above.statement.lines)


def _guard(
    file: FileChange, path: str, language: str, node: Node, pattern: re.Pattern[str], nodes: list[Node]
) -> Guard | None:
    code, bare = texts_of(node.statement)
    found = pattern.search(bare)
    if found is None:
        return None
    parts = found.groupdict()
    error = parts.get("error") or next((parts[key] for key in _WAYS if parts.get(key)), "")
    tail = code[found.start() :], bare[found.start() :]
    arguments = split_arguments(*tail, bracketed=parts.get("check") != "assert")
    check = arguments[0] if parts.get("check") and len(arguments) > 1 else None
    if parts.get("check") and (check is None or _DEBUG_ONLY.search(error)):
        return None
    message = joined_strings(*behind(*tail, check)) if check else with_items(*tail, node, nodes)
    touched = node.touched
    if not message and arguments and not check:
        said = said_above(arguments[0], node, nodes)
        message, touched = (said[0], touched or said[1]) if said else (message, touched)
    if language == "rust" and error == "Err":
        named = _RUST_ERROR.match(arguments[0]) if arguments else None
        error = named[0] if named else "" if not message else error
    message = message or _in_code(error, arguments, parts, language)
    if not (message and error):
        return None
    inline = _INLINE.match(bare[: found.start()])
    return Guard(
        file=file,
        path=path,
        node=node,
        language=language,
        error=error,
        message=folded(message.replace("\\n", " ")),
        check=folded(check) if check else None,
        inline=folded(code[inline.start("condition") : found.start()]).rstrip("{: ") if inline else None,
        words_changed=touched,
    )


def _in_code(error: str, arguments: list[str], parts: dict[str, str | None], language: str) -> str:
    """An error without words, as written; nothing for calls and checks, which say nothing without."""
    if parts.get("check") or parts.get("call") or not arguments:
        return ""
    written = arguments[0] if language == "rust" else f"{error.rsplit('.', 1)[-1]}({', '.join(arguments)})"
    return written[:LONGEST_VALUE]


def warning_of(node: Node) -> str | None:
    """Return the call of a statement that warns or logs, as written, or None."""
    return folded(node.statement.code) if _WARNS.search(node.statement.bare[:200]) else None
