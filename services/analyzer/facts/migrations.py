"""New steps that change a database, and what they take away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.analyzer.facts.change import FileChange
from services.analyzer.facts.items import place_of
from services.analyzer.facts.sides import Line
from shared.domain.facts import Fact, FactKind, Reach, Subject

MOST_STEPS = 12
_WHY = "who deploys it runs it on the database"
_CODE = (".sql", ".py", ".rb", ".php", ".js", ".ts", ".mjs", ".go", ".java", ".kt", ".cs", ".exs", ".xml")
_NO_STEP = re.compile(
    r"(?:^|/)(?:__init__|env|index|mod|schema|migrator|runner)\.\w{1,5}$|\.down\.\w{1,4}$|/down\.sql$"
)
_BACK = re.compile(
    r"\s{0,8}(?:def (?:downgrade|down)\b|(?:(?:public|async|export) ){0,3}(?:function )?(?:async )?down\s{0,2}\(|"
    r"exports\.down\b|export const down\b|protected override void Down\()|"
    r"--\s{0,3}(?:\+goose Down|\+migrate Down|migrate:down|down\b)",
    re.IGNORECASE,
)
_SPELT = {
    "TABLE": r"[\"'`\[]?(?:\w{1,60}[\"'`\]]?\.[\"'`\[]?)?(?P<table>\w{1,80})[\"'`\]]?",
    "COLUMN": r"[\"'`\[:]?(?P<column>\w{1,80})[\"'`\]]?",
    "SYMBOL": r"[ (]:?[\"'`]?(?P<table>\w{1,80})[\"'`]?",
    "NEW": r"[\"'`\[:]?(?P<new>\w{1,80})",
    "ALTER": r".{0,40}?\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?",
    "EXISTS": r"(?:IF EXISTS )?",
    "TYPE": r"(?P<new>\w[\w() ,.]{0,40})",
    "ARG": r"\(\s{0,2}(?:\w{1,20}\s?=\s?)?",
    "NEXT": r"\s?,\s{0,2}(?:\w{1,20}\s?=\s?)?",
}
"""What the words in angle brackets below stand for."""
_FORMS: tuple[tuple[FactKind, str], ...] = (
    (FactKind.REMOVED, r".{0,80}?\bDROP TABLE <EXISTS><TABLE>"),
    (FactKind.REMOVED, r"<ALTER><TABLE> .{0,80}?\bDROP COLUMN <EXISTS><COLUMN>"),
    (FactKind.CHANGED, r"<ALTER><TABLE> .{0,80}?\bALTER COLUMN <COLUMN> (?:SET DATA )?TYPE <TYPE>"),
    (FactKind.RENAMED, r"<ALTER><TABLE> RENAME COLUMN <COLUMN> TO <NEW>"),
    (FactKind.REMOVED, r".{0,40}?\bop\.drop_table<ARG><TABLE>"),
    (FactKind.REMOVED, r".{0,40}?\bop\.drop_column<ARG><TABLE><NEXT><COLUMN>"),
    (FactKind.RENAMED, r".{0,40}?\bop\.alter_column<ARG><TABLE><NEXT><COLUMN>.{0,80}?new_column_name\s?=\s?<NEW>"),
    (
        FactKind.CHANGED,
        r".{0,40}?\bop\.alter_column<ARG><TABLE><NEXT><COLUMN>.{0,120}?\btype_\s?=\s?(?P<new>[\w.]{1,40})",
    ),
    (FactKind.REMOVED, r".{0,20}?\bmigrations\.DeleteModel<ARG><TABLE>"),
    (FactKind.REMOVED, r".{0,20}?\bmigrations\.RemoveField<ARG><TABLE><NEXT><COLUMN>"),
    (FactKind.RENAMED, r".{0,20}?\bmigrations\.RenameField<ARG><TABLE><NEXT><COLUMN><NEXT><NEW>"),
    (FactKind.REMOVED, r"\s{0,40}drop_table<SYMBOL>"),
    (FactKind.REMOVED, r"\s{0,40}remove_column<SYMBOL><NEXT><COLUMN>"),
    (FactKind.RENAMED, r"\s{0,40}rename_column<SYMBOL><NEXT><COLUMN><NEXT><NEW>"),
    (FactKind.CHANGED, r"\s{0,40}change_column<SYMBOL><NEXT><COLUMN><NEXT><NEW>"),
    (
        FactKind.REMOVED,
        r"\s{0,40}(?:Schema::drop(?:IfExists)?|(?:queryRunner|knex\.schema)\.dropTable(?:IfExists)?)<ARG><TABLE>",
    ),
    (FactKind.REMOVED, r".{0,40}?\b(?:queryInterface\.removeColumn|queryRunner\.dropColumn)<ARG><TABLE><NEXT><COLUMN>"),
)


def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"<([A-Z]{3,6})>", lambda found: _SPELT[found[1]], form), re.IGNORECASE)


_STEPS = tuple((kind, _compiled(form)) for kind, form in _FORMS)
_BEGUN = _compiled(r"\s{0,8}ALTER TABLE <EXISTS>(?:ONLY )?<TABLE>")


def migration_facts(file: FileChange) -> Iterator[Fact]:
    """Yield the new step, and each table or column that it takes away, renames or gives another type."""
    path = file.reading.path.folded
    if not file.new or not file.reading.path.migration or not path.endswith(_CODE) or _NO_STEP.search(path):
        return
    lines = list(_forward(file))
    if not lines:
        return
    steps = [fact for group in _joined(lines) for fact in _steps(group, file)][:MOST_STEPS]
    yield Fact(
        kind=FactKind.ADDED,
        subject=Subject.SCHEMA,
        name=file.path.rsplit("/", 1)[-1] if "migration.sql" not in path else "/".join(file.path.rsplit("/", 2)[-2:]),
        after=place_of(file.path, lines[0]),
        reach=Reach.BUILDERS,
        reach_why=_WHY,
        note="takes data away" if any(step.kind is FactKind.REMOVED for step in steps) else "",
    )
    yield from steps


def _forward(file: FileChange) -> Iterator[Line]:
    """The lines of the way forward: the way back, by which it can be undone, is no step that anybody takes."""
    for line in file.after.lines:
        if _BACK.match(line.text):
            return
        if line.code.strip():
            yield line


def _joined(lines: list[Line]) -> Iterator[tuple[str, Line]]:
    """Statements over a few lines as one text, with the line that each begins in."""
    for place, line in enumerate(lines):
        code = line.code.rstrip()
        if code.endswith("(") or (_BEGUN.match(code) and ";" not in code):
            yield " ".join([code.strip(), *(other.code.strip() for other in lines[place + 1 : place + 4])])[:500], line
        else:
            yield " ".join(code.split())[:500], line


def _steps(group: tuple[str, Line], file: FileChange) -> Iterator[Fact]:
    text, line = group
    for kind, pattern in _STEPS:
        found = pattern.match(text)
        if found is None:
            continue
        parts = found.groupdict()
        column = parts.get("column")
        named = f"{parts['table']}.{column}" if column else parts["table"]
        yield Fact(
            kind=kind,
            subject=Subject.SCHEMA,
            name=named,
            old=named if kind is FactKind.RENAMED else None,
            new=(parts.get("new") or "").strip() or None,
            after=place_of(file.path, line),
            reach=Reach.BUILDERS,
            reach_why=_WHY,
        )
        return
