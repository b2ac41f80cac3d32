"""What others read: the shape of data files, the keys of answers, names on the wire and of files, format versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.analyzer.facts.blocks import BlockKind, Node, outline
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import MOST_FACTS, place_of
from services.analyzer.facts.refusal_reach import answers_requests
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import enclosing_definitions
from services.analyzer.facts.texts import cut, joined_strings
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "formats"
_SHAPES = {"{": "object", "[": "list"}
_FIRST_HUNK = re.compile(r"@@ -1(?:,\d{1,9})? \+1(?:,\d{1,9})? @@")
_ANSWERS = re.compile(
    r"\breturn\s?\(?\{|\b(?:JSONResponse|jsonify|json_response|Response\.json)\(|\b(?:res|reply|ctx|c)\.(?:json|"
    r"send|JSON)\(|\bgin\.H\{"
)
_KEY = re.compile(r"(?:^|[{,(]\s{0,8}|^\s{0,80})[\"'](?P<key>[A-Za-z_][\w.-]{0,80})[\"']\s{0,4}:")
_FILE_NAME = re.compile(
    r"[\w})%-]\.(?:json|jsonl|csv|tsv|parquet|bin|dat|pt|pth|safetensors|npy|npz|pkl|log|lock|sock|toml|ya?ml|txt|"
    r"db|sqlite|gz|zip|tar)\b(?![/\w])"
)
_WIRE = re.compile(
    r"\b(?:json|yaml|toml|msgpack|bson|xml|form):\"|serde\(\s?rename|@JsonProperty\(|@SerializedName\(|"
    r"\b(?:serialization_|validation_)?alias\s?=\s?[\"']|JsonPropertyName\("
)
_VERSION = re.compile(
    r"(?P<name>\b\w{0,60}(?:FORMAT|SCHEMA|PROTOCOL|CACHE|WIRE|SERIALI[SZ]ATION|MANIFEST|STATE|Format|Schema|"
    r"Protocol|Cache|Manifest)\w{0,30}(?:VERSION|MAGIC|Version|Magic)\w{0,20})"
    r"\s{0,4}(?::[^=]{1,40})?=\s{0,4}(?P<value>[\w\"'.+-]{1,60})"
)
_STORES = re.compile(
    r"\b(?:json|yaml|toml|tomllib|msgpack|orjson|pickle)\.(?:safe_)?(?:load|dump)s?\(|\bto_json\(|\bfrom_json\("
)
_WALKS = re.compile(r"\s{0,80}for\s[\w, ()]{1,80}\sin\s(?P<what>[\w.]{1,80})(?P<entries>\.items\(\))?:\s*$")
_READER = re.compile(r"load|read|parse|from_|deserial|decode|import", re.IGNORECASE)
_FUNCTIONS = frozenset({"def", "func", "fn", "function"})
_OTHER_SHAPE = {"object": "list", "list": "object"}
_PRINTED = re.compile(r"\$?\{[^{}]{0,160}\}")
_LOGS = re.compile(r"\b(?:log\w{0,10}|print|warn\w{0,10}|raise|throw|panic|assert)\b")


@dataclass(frozen=True)
class _Answer:
    """An object that a function gives back, by the keys on its changed and unchanged lines."""

    keys: dict[str, Line]
    function: str | None
    path: str


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; only what changed lines show plainly."""
    made = list(_shapes(change))
    for file in change.product:
        if file.new or file.gone or not (file.before.changed or file.after.changed):
            continue
        made += _rewritten(file)
        if file.kind is FileKind.SOURCE:
            made += _answers(file)
            made += _read_otherwise(file)
    yield from made[:MOST_FACTS]


def _shapes(change: Change) -> Iterator[Fact]:
    """Data files whose outermost shape is another one; several in one folder are one fact."""
    found: dict[tuple[str, str, str], list[tuple[FileChange, Line, Line]]] = {}
    for file in change.product:
        if file.new or file.gone or not file.path.casefold().endswith((".json", ".jsonc", ".json5")):
            continue
        lines = _outermost(file)
        if lines is not None:
            key = (file.path.rpartition("/")[0], _SHAPES[lines[0].text[:1]], _SHAPES[lines[1].text[:1]])
            found.setdefault(key, []).append((file, *lines))
    for (folder, before, after), files in found.items():
        file, old, new = files[0]
        more = len(files) > 1
        yield Fact(
            kind=FactKind.CHANGED,
            subject=Subject.FORMAT,
            name=f"{folder}/*.json" if more else file.path,
            old=before,
            new=after,
            before=place_of(file.path_before, old),
            after=place_of(file.path, new),
            reach=Reach.EXTENSION,
            reach_why="a data file that is shipped",
            note=f"{len(files)} files" if more else "",
        )


def _outermost(file: FileChange) -> tuple[Line, Line] | None:
    """The first line before and after, when both were touched and open an object or a list.

    Read from the head of the patch itself: such files are often too large to be read as a whole.
    """
    patch = file.reading.file.patch or ""
    head, _, rows = patch.partition("\n")
    added = rows.find("\n+")
    if not _FIRST_HUNK.match(head) or rows[:1] != "-" or added < 0 or rows.find("\n ", 0, added) >= 0:
        return None
    old, new = rows[1 : rows.find("\n")][:200].strip(), rows[added + 2 :].split("\n", 1)[0][:200].strip()
    if old[:1] not in _SHAPES or new[:1] not in _SHAPES or old[:1] == new[:1]:
        return None
    return Line(1, old, old, old, changed=True), Line(1, new, new, new, changed=True)


def _rewritten(file: FileChange) -> Iterator[Fact]:
    """Lines that differ in their strings alone: a file's name, a name on the wire; and versions of formats."""
    before: dict[str, list[Line]] = {}
    for line in file.before.changed:
        before.setdefault(_skeleton(line), []).append(line)
    after_texts = {line.code.strip() for line in file.after.changed}
    for new in file.after.changed:
        candidates = [old for old in before.get(_skeleton(new), ()) if old.code.strip() not in after_texts]
        if len(candidates) != 1 or any(old.code.strip() == new.code.strip() for old in before.get(_skeleton(new), ())):
            continue
        old = candidates[0]
        if _WIRE.search(old.code) and _WIRE.search(new.code):
            yield _changed(file, old, new, cut(new.bare.strip(), 80), "a name on the wire", Reach.PUBLIC)
        elif file.kind is FileKind.SOURCE and _names_file(old) and _names_file(new) and _fixed(old) != _fixed(new):
            yield _changed(
                file, old, new, cut(joined_strings(old.code, old.bare), 80), "the name of a file", Reach.EXTENSION
            )
    versions = {
        found["name"]: (line, found["value"]) for line in file.before.changed if (found := _VERSION.search(line.code))
    }
    for new in file.after.changed:
        found = _VERSION.search(new.code)
        if found and found["name"] in versions and versions[found["name"]][1] != found["value"]:
            old, value = versions[found["name"]]
            fact = _changed(file, old, new, found["name"], "the version of a format", Reach.EXTENSION)
            yield fact.model_copy(update={"old": value, "new": found["value"]})


def _names_file(line: Line) -> bool:
    return bool(_FILE_NAME.search(line.code)) and "://" not in line.code and not _LOGS.search(line.bare)


def _fixed(line: Line) -> str:
    """The words of a line's strings without the code that is printed in between."""
    return _PRINTED.sub("", joined_strings(line.code, line.bare))


def _skeleton(line: Line) -> str:
    return " ".join(line.bare.split()) if any(mark in line.bare for mark in "\"'`") else line.text


def _changed(file: FileChange, old: Line, new: Line, named: str, why: str, reach: Reach) -> Fact:
    return Fact(
        kind=FactKind.CHANGED,
        subject=Subject.FORMAT,
        name=named,
        old=cut(old.code),
        new=cut(new.code),
        before=place_of(file.path_before, old),
        after=place_of(file.path, new),
        reach=reach,
        reach_why=why,
    )


def _read_otherwise(file: FileChange) -> Iterator[Fact]:
    """A reader of stored data that walked an object and walks a list now, or the other way round."""
    if not (_STORES.search(file.after.code) and _STORES.search(file.before.code)):
        return
    before = {shape[:2]: (shape, line) for line in file.before.changed if (shape := _walk(line))}
    for new in file.after.changed:
        walked = _walk(new)
        if walked is None:
            continue
        found = before.get((_OTHER_SHAPE[walked[0]], walked[1]))
        if found is None:
            continue
        known = enclosing_definitions(file.after, new.number)
        function = known[-1][1] if known and known[-1][0] in _FUNCTIONS else None
        if function is not None and not _READER.search(function):
            continue
        yield Fact(
            kind=FactKind.CHANGED,
            subject=Subject.FORMAT,
            name=walked[1],
            old=cut(found[1].code),
            new=cut(new.code),
            before=place_of(file.path_before, found[1]),
            after=place_of(file.path, new),
            reach=Reach.EXTENSION,
            reach_why="stored data that is read",
            note=f"{_OTHER_SHAPE[walked[0]]} before, {walked[0]} now",
        )
        return


def _walk(line: Line) -> tuple[str, str] | None:
    """(shape, what is walked) of a loop over an object's entries or a list's."""
    found = _WALKS.match(line.bare)
    if found is None:
        return None
    return ("object" if found["entries"] else "list"), found["what"]


def _answers(file: FileChange) -> Iterator[Fact]:
    """Keys that an object which a handler gives back lost or won."""
    if not answers_requests(file.path) or not _ANSWERS.search(file.after.code):
        return
    before = {answer.function: answer for answer in _answers_of(file.before, file.path_before)}
    if not before:
        return
    for new in _answers_of(file.after, file.path):
        old = before.get(new.function)
        if old is None or not set(old.keys) & set(new.keys):
            continue
        for kind, ours, others in ((FactKind.REMOVED, old, new), (FactKind.ADDED, new, old)):
            for key, line in ours.keys.items():
                if line.changed and key not in others.keys:
                    place = place_of(ours.path, line)
                    yield Fact(
                        kind=kind,
                        subject=Subject.FORMAT,
                        name=key,
                        old=cut(line.code) if kind is FactKind.REMOVED else None,
                        new=cut(line.code) if kind is FactKind.ADDED else None,
                        before=place if kind is FactKind.REMOVED else None,
                        after=place if kind is FactKind.ADDED else None,
                        reach=Reach.PUBLIC,
                        reach_why="a key of an answer",
                        note=f"in {ours.function}" if ours.function else "",
                    )


def _answers_of(side: Side, path: str) -> Iterator[_Answer]:
    if not _ANSWERS.search(side.code):
        return
    nodes = outline(side)
    for node in nodes:
        if not any(mark in node.fragment.lines.bare[node.begin] for mark in ("return", "(")) or not _ANSWERS.search(
            node.statement.bare[:400]
        ):
            continue
        lines = [*node.statement.lines, *(line for other in _under(nodes, node) for line in other.statement.lines)]
        keys = {found["key"]: line for line in lines for found in _KEY.finditer(line.code)}
        if keys:
            function = node.within(BlockKind.FUNCTION)
            yield _Answer(keys, function.name if function else None, path)


def _under(nodes: list[Node], node: Node) -> Iterator[Node]:
    """The statements that stand under a node: lines of an object that brackets alone do not join."""
    for other in nodes[node.position + 1 :]:
        if other.indent <= node.indent or other.fragment is not node.fragment:
            return
        yield other
