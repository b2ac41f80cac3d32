"""Everything that a run of the service lets out or keeps: rows, published files, answers of the API."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import select
from starlette.testclient import TestClient

from shared.store.session import Database
from shared.store.tables import DeliveryRow

AS_RECEIVED = (DeliveryRow.__tablename__, "payload")
"""Deliveries are kept as they came, for thirty days."""
AS_ANSWERED = ("readings", "answer")
"""So is what a model said, until it is checked."""


def rows(database: Database, but: Collection[tuple[str, str]] = (AS_RECEIVED,)) -> str:
    """Every column of every table ``but`` those."""
    told: list[str] = []
    with database.reading() as session:
        for table in DeliveryRow.metadata.sorted_tables:
            wanted = [one for one in table.columns if (table.name, one.name) not in but]
            for row in session.execute(select(*wanted)):
                told += [part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part) for part in row]
    assert told
    return "\n".join(told)


def published(folder: Path) -> dict[str, str]:
    """Every published file by its name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


def api_answers(client: TestClient, full_name: str, week: str, numbers: Iterable[int]) -> dict[str, str]:
    """Every answer of the API about these merges, by its address (and what was accepted)."""
    return dict(_answers(client, f"/api/v1/repositories/{full_name}", week, numbers))


def _answers(client: TestClient, base: str, week: str, numbers: Iterable[int]) -> Iterator[tuple[str, str]]:
    paths = [f"{base}/pull-requests/{number}/analysis" for number in numbers]
    for path in (*paths, f"{base}/weeks/{week}/pull-requests?limit=500", f"{base}/digests"):
        yield path, _got(client, path, {})
    for accepted in ("application/json", "text/html", "text/markdown"):
        for language in ("en", "zh-CN"):
            path = f"{base}/digests/{week}?{urlencode({'language': language})}"
            yield f"{path} {accepted}", _got(client, path, {"Accept": accepted})


def _got(client: TestClient, path: str, headers: Mapping[str, str]) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text
