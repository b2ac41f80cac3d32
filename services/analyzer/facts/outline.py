"""What one side of a file declares: functions, classes, fields and constants with what encloses them.

Read by indentation and by the heads of definitions, the same way for a patch and for a whole file, so that both say
the same; what a patch does not show (the class around a hunk) git mostly prints behind the ``@@``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from services.analyzer.facts.heads import ACCESS, LANGUAGES, Head, What, head_of
from services.analyzer.facts.sides import Fragment, Line, Side
from services.analyzer.facts.statements import MOST_LINES, Statement

MOST_DECLARED = 4_000
"""Of one side; more is a table or the work of a machine."""
_SECTION_INDENT = 4
"""The deepest indentation at which a line is taken for a direct member of what git printed behind the ``@@``."""
_DEEPEST = 12
"""Classes within classes; nobody uses from outside what lies deeper."""
_DECORATOR = {"python": "@", "typescript": "@", "rust": "#["}


@dataclass(frozen=True, slots=True)
class Scope:
    """A definition that encloses others; ``header`` is its code as far as it is known."""

    what: What
    name: str
    indent: int
    header: str
    decorators: tuple[str, ...] = ()
    shown: bool = True
    """False when only git's words behind the ``@@`` tell of it."""
    private: bool = False
    """Whether the members that follow are for the class itself (C++)."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One declaration: what its head says, what encloses it (the outermost first), its header and its decorators."""

    head: Head
    owners: tuple[Scope, ...]
    owner_name: str
    """The names of the classes around it, joined by dots."""
    statement: Statement
    decorators: tuple[str, ...]
    changed: bool
    """Whether the merge touched its header or its decorators."""

    @property
    def what(self) -> What:
        """Function, class, field or constant."""
        return self.head.what

    @property
    def owner(self) -> Scope | None:
        """The class directly around it."""
        return self.owners[-1] if self.owners else None

    @property
    def name(self) -> str:
        """Its name with the names of the classes around it."""
        return f"{self.owner_name}.{self.head.name}" if self.owner_name else self.head.name

    @property
    def usable(self) -> bool:
        """Whether its name is for others: exported, and no underscore before it or before what encloses it."""
        return self.head.exported and not any(scope.name.startswith("_") for scope in self.owners)

    @property
    def complete(self) -> bool:
        """Whether its header is shown to the end."""
        bare = self.statement.bare
        return bare.count("(") == bare.count(")") and bare.count("[") == bare.count("]")


def outline_of(side: Side, language: str | None) -> tuple[Declared, ...]:
    """Return the declarations of a side, changed ones and unchanged ones, in order; nothing from inside of functions.

    Empty for languages whose heads are not known. Linear in the lines of the side.
    """
    if language not in LANGUAGES:
        return ()
    found: list[Declared] = []
    for fragment in side.fragments:
        found += _Pass(language, side.whole).read(fragment)
        if len(found) >= MOST_DECLARED:
            break
    return tuple(found[:MOST_DECLARED])


@dataclass
class _Pass:
    """One pass over one fragment; the innermost scope is the last."""

    language: str
    whole: bool
    scopes: list[Scope] = field(default_factory=list)
    decorators: list[Statement] = field(default_factory=list)

    def read(self, fragment: Fragment) -> Iterator[Declared]:
        """Yield what the fragment declares."""
        head = head_of(self.language, " ".join(fragment.section.split()), None)
        if head and (head.scope or head.what is What.CLASS):
            self._enter(head, 0, fragment.section, shown=False)
        bares = fragment.lines.bare
        begin, depth = 0, 0
        for place, bare in enumerate(bares):
            if begin == place and (not bare or bare.isspace() or self._inside_a_body(bare)):
                begin = place + 1
                continue
            depth = max(0, depth + bare.count("(") + bare.count("[") - bare.count(")") - bare.count("]"))
            if (depth and place - begin < MOST_LINES) or bare.endswith("\\"):
                continue
            if declared := self._follow(fragment.lines, bares, begin, place + 1):
                yield declared
            begin, depth = place + 1, 0
        if begin < len(bares) and (declared := self._follow(fragment.lines, bares, begin, len(bares))):
            yield declared

    def _inside_a_body(self, bare: str) -> bool:
        return bool(self.scopes) and self.scopes[-1].what is What.HIDDEN and _indent(bare) > self.scopes[-1].indent

    def _follow(self, lines: Sequence[Line], bares: Sequence[str], begin: int, end: int) -> Declared | None:
        """Leave the scopes that a statement ends, enter the one that it begins, return what it declares."""
        bare = " ".join(" ".join(bares[begin:end]).split())
        mark = _DECORATOR.get(self.language)
        if bare[0] in "{)]\"'`" or (bare[0] == "#" and mark != "#["):
            return None
        if self.language == "cpp" and ACCESS.match(bare):
            self._turn(private=not bare.startswith(("public", "signals", "Q_SIGNALS")))
            return None
        indent = _indent(bares[begin])
        while self.scopes and self.scopes[-1].indent >= indent:
            self.scopes.pop()
        if mark and bare.startswith(mark):
            self.decorators.append(Statement(tuple(lines[begin:end])))
            return None
        decorators, self.decorators = self.decorators, []
        if bare[0] == "}" or (self.scopes and self.scopes[-1].what is What.HIDDEN):
            return None
        owner = self.scopes[-1] if self.scopes else None
        head = head_of(self.language, bare, owner.header if owner else None)
        return self._declared(head, Statement(tuple(lines[begin:end])), decorators, indent) if head else None

    def _declared(self, head: Head, statement: Statement, decorators: list[Statement], indent: int) -> Declared | None:
        owner = self.scopes[-1] if self.scopes else None
        written = tuple(one.code for one in decorators)
        known = not any(map(_is_test, written)) and self._known(head, statement, owner, indent)
        declared = Declared(
            head if not (owner and owner.private) else replace(head, exported=False),
            tuple(self.scopes),
            ".".join([*(scope.name for scope in self.scopes), *([head.owner] if head.owner else [])]),
            statement,
            written,
            any(line.changed for one in (*decorators, statement) for line in one.lines),
        )
        if head.scope:
            shown = head if known else replace(head, what=What.HIDDEN)
            self._enter(shown, indent, statement.code, decorators=written)
        return declared if known and head.listed else None

    def _known(self, head: Head, statement: Statement, owner: Scope | None, indent: int) -> bool:
        """Whether it is sure enough that it belongs to the innermost scope that is known, and to nothing unseen."""
        if owner is not None:
            return owner.shown or indent <= _SECTION_INDENT
        if indent == 0 or self.whole:
            return True
        parameters = statement.bare.partition("(")[2].lstrip()
        return self.language == "python" and head.what is What.FUNCTION and parameters.startswith(("self", "cls"))

    def _enter(
        self, head: Head, indent: int, header: str, *, decorators: tuple[str, ...] = (), shown: bool = True
    ) -> None:
        open_to_others = head.what in (What.CLASS, What.FIELD) and len(self.scopes) < _DEEPEST
        what = head.what if open_to_others else What.HIDDEN
        private = self.language == "cpp" and shown and header.lstrip().startswith("class ")
        self.scopes.append(Scope(what, head.name, indent, header, decorators, shown, private))

    def _turn(self, *, private: bool) -> None:
        if self.scopes:
            self.scopes[-1] = replace(self.scopes[-1], private=private)


def _is_test(decorator: str) -> bool:
    return "cfg(test)" in decorator


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def body_of(side: Side, declared: Declared, most: int = 40) -> tuple[str, ...]:
    """Return the code of the lines inside a definition, as far as they are shown, at most ``most``."""
    last = declared.statement.lines[-1]
    fragment = side.fragment_of(last.number)
    if fragment is None:
        return ()
    outer = declared.statement.indent
    inside: list[str] = []
    for line in fragment.lines[last.number - fragment.first + 1 :]:
        code = line.code.strip()
        if code and _indent(line.code) <= outer:
            break
        if code:
            inside.append(code)
            if len(inside) == most:
                break
    return tuple(inside)
