"""What a diff itself says: facts, each with its place and the quoted old and new text."""

from __future__ import annotations

from enum import StrEnum

from shared.domain.value import Value


class FactKind(StrEnum):
    """What happened to the subject."""

    DEFAULT_CHANGED = "default-changed"
    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    MOVED = "moved"
    CHANGED = "changed"
    """Its value, type, signature, pin or format is another one."""
    REQUIRED = "required"
    """What could be left out must be given now, or is demanded of implementers."""
    REFUSED = "refused"
    """An input or a configuration that was accepted is an error now."""
    ACCEPTED = "accepted"
    """A refusal is gone."""
    ERROR_CHANGED = "error-changed"
    """It failed before and fails now, in other words or at another point."""
    DEPRECATED = "deprecated"


class Subject(StrEnum):
    """What a fact is about."""

    ENVIRONMENT_VARIABLE = "environment-variable"
    OPTION = "option"
    """Of a command line."""
    CONFIGURATION_KEY = "configuration-key"
    FIELD = "field"
    """Of a settings class, a request or a response."""
    PARAMETER = "parameter"
    FUNCTION = "function"
    CLASS = "class"
    CONSTANT = "constant"
    MODULE = "module"
    ROUTE = "route"
    REGISTERED_NAME = "registered-name"
    METRIC = "metric"
    INPUT = "input"
    """Of a refusal: what is refused, in the words of the error."""
    DEPENDENCY = "dependency"
    TOOLCHAIN = "toolchain"
    BASE_IMAGE = "base-image"
    BUILD_OPTION = "build-option"
    PLATFORM = "platform"
    SCHEMA = "schema"
    FORMAT = "format"
    PROTOCOL = "protocol"
    LICENCE = "licence"
    CODE_OWNERS = "code-owners"
    SECURITY = "security"
    """A call that deserves a look by somebody who knows about security."""


class Reach(StrEnum):
    """Who can notice."""

    PUBLIC = "public"
    """Documented, exported, an option, a variable, a route, a registry, or named so by the operator."""
    EXTENSION = "extension"
    """Forks, plug-ins, and whoever imports the code of the project."""
    BUILDERS = "builders"
    """Whoever builds, packages or deploys it."""
    INTERNAL = "internal"
    """The project itself alone."""


class ReadFrom(StrEnum):
    """What a fact was read from."""

    PATCH = "patch"
    SOURCES = "sources"
    """The whole files before and after: it says something that the patch alone does not show."""


class Place(Value):
    """A line of a file and what stands there; ``line`` counts from 1, in the file as it is on that side."""

    path: str
    line: int | None = None
    quote: str = ""


class Fact(Value):
    """One thing that the diff says; ``before`` is where it stood, ``after`` where it stands now.

    ``name`` is the thing's own name (``--port``, ``Engine.start.timeout``, ``pkg.module``); ``old`` and ``new`` are its
    values as written, quoted from those lines. The natural key is kind, subject, name and place.
    """

    kind: FactKind
    subject: Subject
    name: str
    old: str | None = None
    new: str | None = None
    before: Place | None = None
    after: Place | None = None
    reach: Reach = Reach.INTERNAL
    reach_why: str = ""
    way_back: str | None = None
    """How a reader gets or keeps the old behaviour: a setting with its old value, the new name, the alias."""
    note: str = ""
    """What else the sources show, such as an alias that stays."""
    read_from: ReadFrom = ReadFrom.PATCH

    @property
    def place(self) -> Place | None:
        """Where to look: where it stands now, else where it stood."""
        return self.after or self.before


class FactsRead(Value):
    """The facts of one merge; ``unread`` says how many files were not, or not wholly, read, by reason."""

    facts: tuple[Fact, ...] = ()
    unread: dict[str, int] = {}
