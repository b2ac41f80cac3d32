"""Modules that others import: moved, gone, or left by some of their names, with what still leads there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.heads import What
from services.analyzer.facts.importable import module_of, reach_of_path
from services.analyzer.facts.imports import Imported, imports_of
from services.analyzer.facts.items import MOST_FACTS, listed, place_of
from services.analyzer.facts.outline import Declared
from shared.domain.facts import Fact, FactKind, Place, Reach, Subject

name = "modules"

_KINDS = {What.FUNCTION: Subject.FUNCTION, What.CLASS: Subject.CLASS, What.CONSTANT: Subject.CONSTANT}
_FOLDERS = frozenset({"go"})
"""Languages whose modules are folders, of which one file is only a part."""
_SEPARATORS = {"rust": "::", "cpp": ": ", "typescript": "#"}


@dataclass
class _Names:
    """Names that went from one file to another, with the first of them on both sides."""

    names: list[str] = field(default_factory=list)
    before: Place | None = None
    after: Place | None = None
    subject: Subject = Subject.CLASS


def read(change: Change) -> Iterable[Fact]:
    """Yield one fact for each module."""
    exported = _exported(change)
    moved = _moved_names(change)
    facts = [fact for file in change.product if (fact := _moved_file(change, file, exported))]
    facts += [fact for (old, new), names in moved.items() if (fact := _left(change, old, new, names, exported))]
    facts += [fact for file in change.product if (fact := _gone(change, file, moved))]
    seen: dict[tuple[str, str | None], Fact] = {}
    for fact in facts:
        seen.setdefault((fact.name, fact.new), fact)
    yield from list(seen.values())[:MOST_FACTS]


def _moved_file(change: Change, file: FileChange, exported: Mapping[str, list[Imported]]) -> Fact | None:
    """A file under another path whose old path nothing takes over."""
    if file.reading.file.status != "renamed":
        return None
    old, new = module_of(file.path_before, file.language), module_of(file.path, file.language)
    if old is None or old == new or _lives(change, old):
        return None
    reach, why = _reach(change, file, file.path_before, old)
    if reach is Reach.INTERNAL:
        return None
    stay = _staying(exported, new, file.language)
    if file.language in _FOLDERS:
        return _moved_of_folder(file, old, new, reach, why)
    return Fact(
        kind=FactKind.MOVED if new else FactKind.REMOVED,
        subject=Subject.MODULE,
        name=old,
        old=old,
        new=new,
        before=Place(path=file.path_before, line=1, quote=old),
        after=Place(path=file.path, line=1, quote=new or ""),
        reach=reach,
        reach_why=why,
        way_back=new,
        note=f"no alias at the old place{stay}",
    )


def _moved_of_folder(file: FileChange, old: str, new: str | None, reach: Reach, why: str) -> Fact | None:
    """A file that went to another folder takes its names along; the old folder may live on."""
    tops = [one for one in file.declared[0] if _counts(one)]
    if not tops or new is None:
        return None
    names = [one.name for one in tops]
    more = f"{listed(names[1:])} as well" if names[1:] else ""
    return Fact(
        kind=FactKind.MOVED,
        subject=_KINDS[tops[0].what],
        name=f"{old}.{names[0]}",
        old=f"{old}.{names[0]}",
        new=f"{new}.{names[0]}",
        before=place_of(file.path_before, tops[0].statement.lines[0]),
        after=Place(path=file.path, line=1, quote=new),
        reach=reach,
        reach_why=why,
        way_back=f"{new}.{names[0]}",
        note=more,
    )


def _left(
    change: Change, old: FileChange, new: FileChange, names: _Names, exported: Mapping[str, list[Imported]]
) -> Fact | None:
    """Names that went from one module to another, and that the old one does not hand on."""
    was, now = module_of(old.path_before, old.language), module_of(new.path, new.language)
    if was is None or now is None or was == now:
        return None
    reach, why = _reach(change, old, old.path_before, was)
    if reach is Reach.INTERNAL:
        return None
    first, *more = names.names
    mark = _SEPARATORS.get(old.language or "", ".")
    gone = old.gone and old.language not in _FOLDERS
    places = (was, now) if gone else (f"{was}{mark}{first}", f"{now}{mark}{first}")
    told = f"with {listed(names.names)}" if gone else f"{listed(more)} as well" if more else ""
    rest = "" if old.gone else "the old module itself stays"
    alias = "no alias at the old place" + _staying(exported, now, old.language)
    return Fact(
        kind=FactKind.MOVED,
        subject=Subject.MODULE if gone else names.subject,
        name=places[0],
        old=places[0],
        new=places[1],
        before=names.before,
        after=names.after,
        reach=reach,
        reach_why=why,
        way_back=places[1],
        note="; ".join(part for part in (told, rest, alias) if part),
    )


def _gone(change: Change, file: FileChange, moved: Mapping[tuple[FileChange, FileChange], _Names]) -> Fact | None:
    """A removed file, unless its names went elsewhere together."""
    if not file.gone or file.language in _FOLDERS or any(old is file for old, _ in moved):
        return None
    old = module_of(file.path, file.language)
    if old is None or _lives(change, old):
        return None
    reach, why = _reach(change, file, file.path, old)
    names = _top(file.declared[0])
    if reach is Reach.INTERNAL or (not names and file.language != "typescript"):
        return None
    return Fact(
        kind=FactKind.REMOVED,
        subject=Subject.MODULE,
        name=old,
        old=old,
        before=Place(path=file.path, line=1, quote=old),
        reach=reach,
        reach_why=why,
        note=f"with {listed(names)}" if names else "",
    )


def _moved_names(change: Change) -> dict[tuple[FileChange, FileChange], _Names]:
    """Public names declared at the top of one file before and, newly, of exactly one other now."""
    homes = _new_homes(change)
    found: dict[tuple[FileChange, FileChange], _Names] = defaultdict(_Names)
    for file in change.product:
        kept = frozenset() if file.gone else file.names[1]
        left = [
            (one, *homes[(one.what, one.name)][0])
            for one in file.declared[0]
            if _counts(one) and one.changed and one.name not in kept and len(homes.get((one.what, one.name), ())) == 1
        ]
        handed_on = {one.name for one in imports_of(file.after, file.language)} if left else frozenset()
        for one, other, now in left:
            if one.name in handed_on or other is file or other.language != file.language or not _same(one, now):
                continue
            names = found[(file, other)]
            names.subject = names.subject if names.names else _KINDS[one.what]
            names.names.append(one.name)
            names.before = names.before or place_of(file.path_before, one.statement.lines[0])
            names.after = names.after or place_of(other.path, now.statement.lines[0])
    return dict(found)


def _new_homes(change: Change) -> dict[tuple[What, str], list[tuple[FileChange, Declared]]]:
    """The files that declare a name newly."""
    places: dict[tuple[What, str], list[tuple[FileChange, Declared]]] = defaultdict(list)
    for file in change.product:
        held = frozenset() if file.new else file.names[0]
        for one in file.declared[1]:
            if _counts(one) and one.changed and one.name not in held:
                places[(one.what, one.name)].append((file, one))
    return places


def _same(old: Declared, new: Declared) -> bool:
    """Whether the two of one name are likely one thing: long names are, ``main`` and ``Config`` need one header."""
    return len(old.head.name) > 8 or old.statement.code == new.statement.code


def _counts(one: Declared) -> bool:
    return one.what in _KINDS and one.usable and not one.owner_name


def _top(declared: Iterable[Declared]) -> list[str]:
    """The names that a file declares for others at its top."""
    return list(dict.fromkeys(one.name for one in declared if _counts(one)))


def _lives(change: Change, module: str) -> bool:
    """Whether another file takes the module's place, such as a package instead of a file."""
    return any(module_of(file.path, file.language) == module and not file.gone for file in change.files)


def _reach(change: Change, file: FileChange, path: str, module: str) -> tuple[Reach, str]:
    reach, why = reach_of_path(file, path)
    if reach is Reach.EXTENSION and module in change.documented:
        return Reach.PUBLIC, "named in the documentation"
    return reach, why


def _exported(change: Change) -> dict[str, list[Imported]]:
    """What changed package files hand on, by the package."""
    found: dict[str, list[Imported]] = {}
    for file in change.product:
        if file.path.rsplit("/", 1)[-1] in ("__init__.py", "index.ts", "lib.rs", "mod.rs") and not file.gone:
            package = module_of(file.path, file.language)
            if package:
                found[package] = list(imports_of(file.after, file.language))
    return found


def _staying(exported: Mapping[str, list[Imported]], module: str | None, language: str | None) -> str:
    """Say which names a package above the module goes on to hand on."""
    if module is None or language != "python":
        return ""
    for package, handed in exported.items():
        if module.startswith(f"{package}."):
            still = [one.name for one in handed if one.module in (module, f".{module.removeprefix(package + '.')}")]
            if still:
                return f"; {listed(list(dict.fromkeys(still)))} can be imported from {package}"
    return ""
