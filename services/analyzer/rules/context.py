"""What rules know beside the pull request: languages, areas, core paths; built once for a repository."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from services.analyzer.conventions import GlobArea, read_conventions
from services.analyzer.facts import read_facts
from services.analyzer.languages import ProgrammingLanguage, load_languages
from services.analyzer.path_globs import PathGlobs, gitignore_globs
from services.analyzer.reading.paths import PathReader, compile_reader
from services.analyzer.reading.reading import Reading, read_pull_request
from services.analyzer.reading.signs import LanguageSigns, compile_signs
from shared.domain.analysis import Relation, Tag
from shared.domain.facts import FactsRead
from shared.domain.protocols import SourceTexts
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Namespace, Risk
from shared.domain.text import fold
from shared.settings import RepositorySettings


class Rule(Protocol):
    """One rule: looks at one pull request and says what it found, with evidence; pure, and never raises."""

    @property
    def name(self) -> str:
        """The slug under which the rule signs its tags."""

    def examine(self, pull_request: PullRequest, context: RuleContext) -> Iterable[Tag | Relation]:
        """Yield the tags and relations that this rule finds."""


@dataclass(frozen=True)
class RuleContext:
    """The configuration of one repository, compiled; share it between pull requests and threads.

    ``reading`` is the pull request that is being examined, so that its facts are computed once for all rules.
    """

    repository: str
    languages: tuple[ProgrammingLanguage, ...]
    areas: tuple[GlobArea, ...]
    labeler: tuple[GlobArea, ...]
    codeowners: tuple[GlobArea, ...]
    core_paths: PathGlobs | None
    signs: LanguageSigns
    read_path: PathReader
    key: str
    """Changes with everything in here that can change an analysis; part of its fingerprint."""
    switched_off: frozenset[Risk] = frozenset()
    """Risk marks that the repository does not want."""
    reading: Reading | None = None
    facts: FactsRead = field(default_factory=FactsRead)
    """What the diff of that pull request says."""

    def about(self, pull_request: PullRequest, sources: SourceTexts | None = None) -> RuleContext:
        """Return this context with ``pull_request`` read, and the facts of its diff (and of whole ``sources``)."""
        reading = read_pull_request(pull_request, self.read_path)
        return replace(self, reading=reading, facts=read_facts(reading, sources))

    def wants(self, tag: Tag) -> bool:
        """Whether the repository wants this tag: every one but a risk mark that is switched off."""
        return tag.namespace is not Namespace.RISK or tag.value not in self.switched_off

    def read(self, pull_request: PullRequest) -> Reading:
        """Return the reading of ``pull_request``, at no cost when this context is about it."""
        if self.reading is not None and self.reading.pull_request is pull_request:
            return self.reading
        return read_pull_request(pull_request, self.read_path)

    def facts_of(self, pull_request: PullRequest) -> FactsRead:
        """Return the facts of ``pull_request``, at no cost when this context is about it."""
        if self.reading is not None and self.reading.pull_request is pull_request:
            return self.facts
        return read_facts(self.read(pull_request))


def build_context(repository: RepositorySettings, conventions: Mapping[str, str] | None = None) -> RuleContext:
    """Return the context for a repository's settings and its convention files (text by path)."""
    languages = load_languages()
    texts = conventions or {}
    labeler, codeowners = read_conventions(texts)
    areas = tuple(
        GlobArea(name, gitignore_globs(globs), f"area '{name}' of the settings")
        for name, globs in repository.areas.items()
    )
    switched_off = repository.switched_off
    read = (repository.full_name.casefold(), repository.areas, repository.core_paths, sorted(switched_off))
    settings = repr((*read, sorted(texts.items())))
    return RuleContext(
        repository=fold(repository.full_name.rsplit("/", 1)[-1]),
        languages=languages,
        areas=areas,
        labeler=labeler,
        codeowners=codeowners,
        core_paths=gitignore_globs(repository.core_paths) if repository.core_paths else None,
        signs=compile_signs(languages),
        read_path=compile_reader(languages),
        key=hashlib.sha256(settings.encode("utf-8", "replace")).hexdigest(),
        switched_off=switched_off,
    )
