"""Routes of digests: the repositories, the weeks of one, and each digest as JSON, Markdown or HTML."""

from __future__ import annotations

import hashlib

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError

from services.web.answers import DigestEntry, DigestList, Repository, RepositoryList
from services.web.documentation import PAGE_POLICY
from services.web.negotiation import language_for, media_type_for
from services.web.parameters import GITHUB, Host, Language, Name, Owner, Week, repository_row
from services.web.runtime import WebRuntime
from shared.domain.digest import Digest
from shared.problems import Problem, documented
from shared.redaction import redact_document
from shared.rendering import html, markdown
from shared.store import digests, repositories
from shared.store.digests import StoredDigest

JSON, HTML, MARKDOWN = "application/json", "text/html", "text/markdown"
OFFERS = (JSON, HTML, MARKDOWN)
"""What a digest is served as; the first one when the request does not care."""
_RENDERERS = {HTML: html.render, MARKDOWN: markdown.render}
_TEXT = {"schema": {"type": "string"}}


class DigestRoutes:
    """`/repositories`, `…/digests` and `…/digests/{week}`."""

    def __init__(self, runtime: WebRuntime) -> None:
        self._runtime = runtime

    def add_to(self, routes: APIRouter) -> None:
        """Add the three."""
        prefix = "/repositories/{owner}/{name}/digests"
        routes.add_api_route("/repositories", self.repositories, responses=documented(401, 503))
        routes.add_api_route(prefix, self.weeks, responses=documented(401, 404, 422, 503))
        routes.add_api_route(
            prefix + "/{week}",
            self.digest,
            response_class=Response,
            responses=documented(401, 404, 406, 422, 503)
            | {
                200: {"model": Digest, "description": "The digest", "content": {HTML: _TEXT, MARKDOWN: _TEXT}},
                304: {"description": "The digest that If-None-Match names is the newest"},
            },
        )

    def repositories(self) -> RepositoryList:
        """Every repository that merges were captured of."""
        with self._runtime.database.reading() as session:
            known = repositories.all_repositories(session)
        return RepositoryList(items=[Repository.of(ref) for _, ref in known])

    def weeks(self, owner: Owner, name: Name, host: Host = GITHUB) -> DigestList:
        """The weeks of a repository that have a digest, newest first."""
        with self._runtime.database.reading() as session:
            row = repository_row(session, f"{owner}/{name}", host)
            ref = repositories.ref_of(session, row)
            stored = digests.weeks(session, row)
        items = [
            DigestEntry(
                week=week.week,
                timezone=week.timezone,
                branch=week.branch,
                sealed_at=week.sealed_at,
                revision=week.revision,
                url=f"/api/v1/repositories/{ref.full_name}/digests/{week.week}",
            )
            for week in stored
        ]
        return DigestList(repository=Repository.of(ref), items=items)

    def digest(
        self, request: Request, owner: Owner, name: Name, week: Week, language: Language = None, host: Host = GITHUB
    ) -> Response:
        """The digest of a week, in the form that `Accept` asks for: JSON (all languages in one), HTML or Markdown."""
        media_type = media_type_for(", ".join(request.headers.getlist("accept")), OFFERS)
        if media_type is None:
            raise _not_acceptable()
        stored = self._stored(f"{owner}/{name}", week, host)
        content, headers = stored.document, {}
        if media_type != JSON:
            document = _document_of(stored)
            chosen = _language_of(document, request, language)
            content = _RENDERERS[media_type](document, chosen)
            headers = {"Content-Language": chosen}
        headers |= {
            "ETag": f'"{hashlib.sha256(content.encode()).hexdigest()[:32]}"',
            "Vary": "Accept, Accept-Language, Authorization",
            "Cache-Control": "private, no-cache",
        }
        if _has_it(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        if media_type == HTML:
            headers["Content-Security-Policy"] = PAGE_POLICY
        return Response(content, media_type=media_type, headers=headers)

    def _stored(self, full_name: str, week: str, host: str) -> StoredDigest:
        period = self._runtime.week(full_name, week, host)
        with self._runtime.database.reading() as session:
            stored = digests.get(session, repository_row(session, full_name, host), period.week)
        if stored is None:
            raise Problem(
                404,
                "unknown-digest",
                f"There is no digest of {full_name} for {period.week}.",
                f"GET /api/v1/repositories/{full_name}/digests lists the weeks that have one; a week gets its digest "
                "after it has ended.",
            )
        return stored.model_copy(update={"document": redact_document(stored.document)})


def _document_of(stored: StoredDigest) -> Digest:
    try:
        return Digest.model_validate_json(stored.document)
    except ValidationError as error:
        raise Problem(
            406,
            "other-release",
            f"The digest of {stored.week} was made by another release, and its form is not known to this one.",
            f"Accept {JSON} to get it as it was made, or build it again.",
        ) from error


def _language_of(document: Digest, request: Request, asked: str | None) -> str:
    """The language that the query names, else the one that Accept-Language likes best, of those in the digest."""
    languages = tuple(document.sections) or ("en",)
    if asked is None:
        return language_for(request.headers.get("accept-language"), languages)
    for language in languages:
        if language.casefold() == asked.casefold():
            return language
    raise Problem(
        404,
        "unknown-language",
        f"This digest was not written in '{asked}'.",
        f"Ask for one of: {', '.join(languages)}; the setting digest.languages adds languages to later digests.",
    )


def _has_it(request: Request, etag: str) -> bool:
    """Whether If-None-Match names ``etag`` (weak comparison, RFC 9110, section 13.1.2)."""
    named = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    return etag in named or "*" in named


def _not_acceptable() -> Problem:
    return Problem(
        406,
        "not-acceptable",
        "A digest is not available in any form that the Accept header takes.",
        f"Accept one of: {', '.join(OFFERS)}.",
    )
