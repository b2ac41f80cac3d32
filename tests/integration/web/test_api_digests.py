from __future__ import annotations

import json
from datetime import timedelta

from shared.domain.period import parse_week
from shared.store import digests, repositories
from shared.store.session import Database
from tests.builders import REPOSITORY
from tests.integration.web.serving import BASE, NOW, WEEK, client, digest_document, store_digest, store_merge

PATH = f"{BASE}/digests/{WEEK}"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


ASKED: tuple[tuple[dict[str, str], str, str, str | None], ...] = (
    ({}, "", "application/json", None),
    ({"Accept": "*/*"}, "?language=zh-CN", "application/json", None),
    ({"Accept": BROWSER}, "", "text/html; charset=utf-8", "en"),
    ({"Accept": BROWSER, "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}, "", "text/html; charset=utf-8", "zh-CN"),
    ({"Accept": BROWSER, "Accept-Language": "zh"}, "?language=en", "text/html; charset=utf-8", "en"),
    ({"Accept": "text/markdown"}, "?language=zh-cn", "text/markdown; charset=utf-8", "zh-CN"),
    ({"Accept": "text/markdown;q=0.9, text/html;q=0.1"}, "", "text/markdown; charset=utf-8", "en"),
    ({"Accept": "text/html", "Accept-Language": "fr"}, "", "text/html; charset=utf-8", "en"),
)


def test_form_and_language_are_what_was_asked_for(database: Database) -> None:
    store_digest(database, digest_document("en", "zh-CN"))
    with client(database) as http:
        answers = [http.get(PATH + query, headers=headers) for headers, query, _, _ in ASKED]

    for answer, (_, _, media_type, language) in zip(answers, ASKED, strict=True):
        assert answer.status_code == 200
        assert answer.headers["content-type"] == media_type
        assert answer.headers.get("content-language") == language
        if language is not None:
            assert ("本周没有任何 PR 合入" in answer.text) == (language == "zh-CN")
            assert ("Nothing was merged" in answer.text) == (language == "en")


def test_json_is_the_document_as_it_was_made(database: Database) -> None:
    document = digest_document("en")
    store_digest(database, document)
    with client(database) as http:
        answer = http.get(PATH)

    assert answer.text == document.to_json()
    assert json.loads(answer.text)["repository"] == "lumen/lumen"


def test_html_is_sent_with_a_policy_that_runs_nothing(database: Database) -> None:
    store_digest(database, digest_document("en"))
    with client(database) as http:
        answer = http.get(PATH, headers={"Accept": "text/html"})

    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "script" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_unchanged_digest_is_not_sent_again(database: Database) -> None:
    forms = ("application/json", "text/html", "text/markdown")
    store_digest(database, digest_document("en"), seal=False)
    with client(database) as http:
        first = {accept: http.get(PATH, headers={"Accept": accept}) for accept in forms}
        known = {
            accept: {"Accept": accept, "If-None-Match": f'"other", W/{answer.headers["etag"]}'}
            for accept, answer in first.items()
        }
        again = {accept: http.get(PATH, headers=headers) for accept, headers in known.items()}
        store_digest(database, digest_document("en", branch="trunk"))
        changed = {accept: http.get(PATH, headers=headers) for accept, headers in known.items()}

    for accept in forms:
        assert (again[accept].status_code, again[accept].content) == (304, b"")
        assert again[accept].headers["etag"] == first[accept].headers["etag"]
        assert again[accept].headers["vary"] == first[accept].headers["vary"]
        assert (changed[accept].status_code, changed[accept].headers["etag"]) != (200, first[accept].headers["etag"])
        assert changed[accept].status_code == 200


def test_each_form_has_an_etag_of_its_own(database: Database) -> None:
    store_digest(database, digest_document("en", "zh-CN"))
    with client(database) as http:
        tags = {
            http.get(PATH + query, headers={"Accept": accept}).headers["etag"]
            for accept in ("text/html", "text/markdown", "application/json")
            for query in ("?language=en", "?language=zh-CN")
        }

    assert len(tags) == 5


def test_a_form_that_nobody_makes_is_406_and_lists_those_there_are(database: Database) -> None:
    store_digest(database, digest_document("en"))
    with client(database) as http:
        answer = http.get(PATH, headers={"Accept": "application/pdf, image/*"})

    assert answer.status_code == 406
    assert "text/markdown" in answer.json()["way_out"]


def test_a_language_that_the_digest_does_not_have_is_404(database: Database) -> None:
    store_digest(database, digest_document("en"))
    with client(database) as http:
        answer = http.get(PATH + "?language=zh-CN", headers={"Accept": "text/html"})

    assert answer.status_code == 404
    assert answer.json()["type"] == "urn:mergecast:problem:unknown-language"
    assert "en" in answer.json()["way_out"]


def test_a_digest_of_another_release_is_served_as_it_was_made(database: Database) -> None:
    document = digest_document("en")
    with database.transaction() as session:
        row = repositories.ensure(session, REPOSITORY, NOW)
        other = json.dumps(json.loads(document.to_json()) | {"a_field_of_the_future": 1})
        digests.save(session, row, "main", document.period, other, {}, NOW, seal=True)
    with client(database) as http:
        as_json, as_page = http.get(PATH), http.get(PATH, headers={"Accept": "text/html"})

    assert (as_json.status_code, as_json.text) == (200, other)
    assert as_page.status_code == 406
    assert "application/json" in as_page.json()["way_out"]


def test_a_week_without_a_digest_is_404_with_a_way_out(database: Database) -> None:
    store_merge(database, 1)
    with client(database) as http:
        answer = http.get(PATH)

    assert answer.status_code == 404
    assert answer.json()["type"] == "urn:mergecast:problem:unknown-digest"
    assert f"{BASE}/digests" in answer.json()["way_out"]


def test_the_weeks_and_the_repositories_are_listed(database: Database) -> None:
    store_digest(database, digest_document("en"))
    earlier = parse_week(WEEK).previous()
    store_digest(database, digest_document("en", period=earlier), seal=False)
    with client(database) as http:
        known = http.get("/api/v1/repositories").json()["items"]
        listed = http.get(f"{BASE}/digests").json()["items"]
        followed = [http.get(entry["url"]).json()["period"]["week"] for entry in listed]

    assert [repository["full_name"] for repository in known] == ["lumen/lumen"]
    assert known[0]["id"] == 5_000_000_001
    assert [(entry["week"], entry["sealed_at"] is None) for entry in listed] == [(WEEK, False), (earlier.week, True)]
    assert followed == [WEEK, earlier.week]
    assert timedelta(0) < NOW - parse_week(WEEK).end
