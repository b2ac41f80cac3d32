"""What a repository says of itself, as it counts for its analyses: good files only, over restarts too."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

import structlog

from services.analyzer.conventions import fault_of
from services.analyzer.rules.context import RuleContext, build_context
from shared.domain.errors import InvalidInput
from shared.domain.protocols import Clock
from shared.settings import RepositorySettings, Settings
from shared.settings.own_file import OWN_FILE, allows_own_file, effective, overridden
from shared.sources.convention_texts import ConventionTexts
from shared.store import convention_files, repositories
from shared.store.session import Database

_log = structlog.get_logger(__name__)


class OwnSettings:
    """Makes the rule context of repositories from the operator's settings and their own files; share it."""

    def __init__(self, settings: Settings, database: Database | None, clock: Clock) -> None:
        """Without a ``database`` nothing is remembered: a file that cannot be used counts as none."""
        self._settings = settings
        self._database = database
        self._clock = clock
        self._guard = Lock()
        self._checked: dict[tuple[str, str], tuple[str, str | None]] = {}
        self._made: dict[str, tuple[RepositorySettings, dict[str, str], RuleContext]] = {}

    def context(self, full_name: str, read: Mapping[str, str] | None) -> RuleContext:
        """Return the context under the files in force, when ``read`` is what the repository has now (text by path).

        None: they could not be read, and the last good ones stay in force. A file that cannot be used, or is there and
        cannot be read, is logged when it changes, and shown until it is mended; the last good one stays in force.
        DatabaseUnavailable when the store does not serve.
        """
        unreadable = read.unreadable if isinstance(read, ConventionTexts) else {}
        broken = {path: f"{path} cannot be used: {why}." for path, why in unreadable.items()}
        texts = self._in_force(full_name, self._allowed(full_name, read), self._allowed(full_name, broken) or {})
        settings = effective(self._settings, full_name, texts)
        conventions = {path: text for path, text in texts.items() if path != OWN_FILE}
        key = full_name.casefold()
        with self._guard:
            made = self._made.get(key)
        if made is None or made[:2] != (settings, conventions):
            made = (settings, conventions, build_context(settings, conventions))
            with self._guard:
                self._made[key] = made
        return made[2]

    def _allowed(self, full_name: str, read: Mapping[str, str] | None) -> dict[str, str] | None:
        if read is None:
            return None
        texts = dict(read)
        if OWN_FILE in texts and not allows_own_file(self._settings, self._settings.repository(full_name)):
            _log.debug("own_file.not_allowed", repository=full_name)
            del texts[OWN_FILE]
        return texts

    def _in_force(self, full_name: str, texts: dict[str, str] | None, broken: dict[str, str]) -> dict[str, str]:
        now = self._clock()
        faults = {path: fault for path, text in (texts or {}).items() if (fault := self._fault(full_name, path, text))}
        if texts is not None:
            # What cannot be read is there: kept without a text, as what is not among the texts counts as deleted.
            texts, faults = texts | dict.fromkeys(broken, ""), faults | broken
        host = self._settings.repository(full_name).host
        news: dict[str, str] = {}
        if self._database is not None:
            with self._database.transaction() as session:
                repository_id = repositories.find(session, full_name, host)
                if repository_id is not None:
                    if texts is not None:
                        found = faults.get
                        news = convention_files.take_in(
                            session, repository_id, texts, now, lambda path, _text: found(path)
                        )
                    texts, faults = convention_files.good_texts(session, repository_id), {}
        for path, error in news.items():
            _log.warning("convention_file.unusable", repository=full_name, path=path, error=error)
        return {path: text for path, text in (texts or {}).items() if path not in faults}

    def _fault(self, full_name: str, path: str, text: str) -> str | None:
        """What is wrong with a file; a text is looked at once in each process."""
        key = (full_name.casefold(), path)
        with self._guard:
            seen = self._checked.get(key)
        if seen is None or seen[0] != text:
            seen = (text, self._looked_at(full_name, path, text))
            with self._guard:
                self._checked[key] = seen
        return seen[1]

    def _looked_at(self, full_name: str, path: str, text: str) -> str | None:
        if path != OWN_FILE:
            return fault_of(path, text)
        try:
            overridden(self._settings.repository(full_name), text)
        except InvalidInput as error:
            return str(error)
        return None
