"""The code host as the rest of the house knows it: read, query, and the few acts, with errors of our own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from shared.code_host.addresses import GRAPHQL, Request, moved, page_query
from shared.code_host.answers import Answer, RawAnswer, decoded
from shared.code_host.asking import Access, Asker
from shared.code_host.graphql_answers import data_of
from shared.code_host.refusals import refused, unaccepted
from shared.code_host.tokens import TokenSource
from shared.domain.errors import Parked, Transient
from shared.domain.protocols import AnswerCache, CachedAnswer
from shared.domain.pull_request import RepositoryRef

_RESENT = (301, 307, 308)
"""Redirects that say that nothing was done at the old place; a 302 or 303 may follow a deed."""


class CodeHost:
    """One host, asked with one kind of credential; may be shared by threads.

    ``about`` is the repository that a request belongs to: it chooses the App's installation and is named in errors.
    Every request draws on the budget of its credential. Postponed: a limit or an outage, not to be asked before its
    time. Absent: not there (404, 410, 451). Parked: access is missing. Permanent: refused for good. Transient: an
    answer that is not the API's.
    """

    def __init__(self, host: str, asker: Asker, tokens: TokenSource, answers: AnswerCache) -> None:
        self.host = host
        self._asker, self._tokens, self._answers = asker, tokens, answers

    @property
    def can_query(self) -> bool:
        """Whether GraphQL may be used: it answers nobody without a credential."""
        return self._tokens.can_query

    def credential(self, about: RepositoryRef | None = None) -> str:
        """Return the name of the credential for ``about``: ``installation:9``, ``token:…``, ``anonymous``; no secret.

        With an App, ``app:17`` without ``about``; else this may ask for the installation, with the errors of a read.
        """
        return self._tokens.access(about).credential

    def read(
        self,
        path: str,
        parameters: Mapping[str, str] = {},
        *,
        about: RepositoryRef | None = None,
        as_app: bool = False,
        keep: int = 0,
        conditional: bool = False,
    ) -> Answer:
        """Return what is at ``path``; ``keep`` requests of the budget are left for others.

        ``conditional``: an answer that is kept from before is confirmed when it still holds, which costs nothing but
        without a credential (docs.github.com, "Best practices for using the REST API"), and a new one is kept.
        """
        request = Request("GET", path, parameters)
        access = self._tokens.access(about, as_app=as_app)
        key = f"{access.credential} {request.key}"
        kept = self._answers.get(key) if conditional else None
        raw, request = self._asked(
            Request("GET", path, parameters, etag=kept.etag if kept else None), access, about, as_app, keep
        )
        if raw.status == HTTPStatus.NOT_MODIFIED and kept is not None:
            return _kept(kept)
        self._checked(raw, request, access, about)
        answer = self._answer(raw, request)
        etag = raw.headers.get("etag")
        if conditional and etag:
            body = {"body": answer.body, "next": answer.next, "last": answer.last}
            self._answers.put(key, CachedAnswer(etag=etag, body=json.dumps(body, ensure_ascii=False)))
        return answer

    def query(
        self, document: str, variables: Mapping[str, Any], *, about: RepositoryRef | None = None, keep: int = 0
    ) -> dict[str, Any]:
        """Return the data of a GraphQL query; parts that the credential may not see are null in it."""
        if not self.can_query:
            raise Parked("GitHub answers GraphQL with a credential only.", "Set github.token, or a GitHub App.")
        access = self._tokens.access(about)
        request = Request("POST", GRAPHQL, body={"query": document, "variables": dict(variables)})
        raw, request = self._asked(request, access, about, as_app=False, keep=keep)
        self._checked(raw, request, access, about)
        try:
            return data_of(raw, _whose(about))
        except Parked:
            self._tokens.refused(access, about)
            raise

    def act(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        about: RepositoryRef | None = None,
        as_app: bool = False,
    ) -> Answer:
        """Do something by POST, once: nothing is repeated, whatever the answer is.

        A place that says that it moved has done nothing: the request is sent to the new one, once. Transient when the
        answer does not say what was done; like after an outage, the caller has to look before it acts again.
        """
        access = self._tokens.access(about, as_app=as_app)
        request = Request("POST", path, body=body)
        raw = self._asker.ask(access, request)
        if raw.status in _RESENT and "location" in raw.headers:
            request = moved(request, raw.headers["location"], self._asker.wire.address)
            raw = self._asker.ask(access, request)
        if raw.status == HTTPStatus.UNAUTHORIZED:
            self._tokens.refused(access, about)
        self._checked(raw, request, access, about)
        answer = self._answer(raw, request)
        empty = raw.status in (HTTPStatus.OK, HTTPStatus.CREATED) and not answer.body
        if empty or (raw.status == HTTPStatus.CREATED and not isinstance(answer.body, dict)):
            raise Transient(
                f"The answer to {request.what} does not say what was done (status {raw.status}).",
                "Look for it at GitHub before it is sent again.",
            )
        return answer

    def close(self) -> None:
        """Close the connections that are kept; the next request opens new ones."""
        self._asker.wire.close()

    def _asked(
        self, request: Request, access: Access, about: RepositoryRef | None, as_app: bool, keep: int
    ) -> tuple[RawAnswer, Request]:
        """Read, and once more with a fresh credential where the first was refused (C-14)."""
        raw, answered = self._asker.read(access, request, keep)
        if raw.status != HTTPStatus.UNAUTHORIZED:
            return raw, answered
        self._tokens.refused(access, about)
        raw, answered = self._asker.read(self._tokens.access(about, as_app=as_app), request, keep)
        if raw.status == HTTPStatus.UNAUTHORIZED:
            raise unaccepted(_whose(about))
        return raw, answered

    def _checked(self, raw: RawAnswer, request: Request, access: Access, about: RepositoryRef | None) -> None:
        if raw.status < HTTPStatus.MULTIPLE_CHOICES:
            return
        error = refused(raw, request.what, _whose(about))
        if isinstance(error, Parked):
            # Rights that are given later are not in a token that is held now.
            self._tokens.refused(access, about)
        raise error

    def _answer(self, raw: RawAnswer, request: Request) -> Answer:
        links, address = raw.links, self._asker.wire.address
        return Answer(
            decoded(raw, request.what),
            next=page_query(request, links.get("next"), address),
            last=page_query(request, links.get("last"), address),
            headers=raw.headers,
        )


def _kept(kept: CachedAnswer) -> Answer:
    parts = json.loads(kept.body)
    return Answer(parts["body"], parts["next"], unchanged=True, last=parts["last"])


def _whose(about: RepositoryRef | None) -> str | None:
    return None if about is None else about.full_name
