"""An API with a token over a store that holds a small week."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr
from starlette.testclient import TestClient

from services.digest.narrate import narrate
from services.web.app import create_app
from shared.domain.analysis import Tag
from shared.domain.digest import Digest, Provenance
from shared.domain.period import parse_week
from shared.domain.pull_request import RepositoryRef
from shared.domain.taxonomy import Namespace
from shared.settings.model import ApiSettings, Settings
from shared.store import analyses, digests, pull_requests, repositories
from shared.store.session import Database
from tests.builders import REPOSITORY, make_analysis, make_pull_request

TOKEN = "a-token-of-the-api"
NOW = datetime(2026, 5, 12, 8, 0, tzinfo=UTC)
WEEK = "2026-W19"
BASE = "/api/v1/repositories/lumen/lumen"
MONDAY = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def client(database: Database, *tokens: str, **api: Any) -> TestClient:
    """A client that sends ``TOKEN``; the API knows ``tokens``, or that one."""
    chosen = ApiSettings(tokens=tuple(map(SecretStr, tokens or (TOKEN,))), **api)
    app = create_app(Settings(api=chosen), database, lambda: NOW)
    return TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"}, raise_server_exceptions=False)


def store_merge(
    database: Database,
    number: int,
    *,
    tags: tuple[str, ...] = (),
    areas: tuple[str, ...] = ("core",),
    analysed: bool = True,
    captured: bool = True,
    repository: RepositoryRef = REPOSITORY,
    **facts: Any,
) -> None:
    """Store a merge of the week, later in it the larger its ``number``."""
    pull_request = make_pull_request(
        number, **({"repository": repository, "merged_at": MONDAY + timedelta(hours=number % 100)} | facts)
    )
    made = tuple(Tag(namespace=Namespace(name.split(":")[0]), value=name.split(":")[1], rule="test") for name in tags)
    with database.transaction() as session:
        row = repositories.ensure(session, repository, NOW)
        stored = pull_requests.save_facts(session, row, pull_request, captured=captured, now=NOW)
        if analysed:
            analyses.save(session, stored, make_analysis(number, tags=made, areas=areas), NOW)


def digest_document(*languages: str, **changes: Any) -> Digest:
    """A digest of a week without merges, told in these languages."""
    values: dict[str, Any] = {
        "repository": "lumen/lumen",
        "branch": "main",
        "period": parse_week(WEEK),
        "merged_total": 0,
        "items_total": 0,
        "provenance": Provenance(ruleset_version="test", generated_at=NOW),
    }
    return narrate(Digest(**(values | changes)), languages)


def store_digest(database: Database, document: Digest, *, seal: bool = True) -> None:
    """Store ``document`` as the digest of its week."""
    with database.transaction() as session:
        row = repositories.ensure(session, REPOSITORY, NOW)
        digests.save(session, row, "main", document.period, document.to_json(), {}, NOW, seal=seal)
