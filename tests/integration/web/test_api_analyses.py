from __future__ import annotations

from datetime import timedelta
from typing import Any

from starlette.testclient import TestClient

from shared.domain.pull_request import Person, RepositoryRef
from shared.store import deliveries
from shared.store.session import Database
from tests.integration.web.serving import BASE, MONDAY, NOW, TOKEN, WEEK, client, store_merge

LIST = f"{BASE}/weeks/{WEEK}/pull-requests"


def deliver(database: Database, number: int, *, action: str = "closed", dead: bool = False) -> None:
    """Put a delivery of this pull request into the inbox, waiting or given up."""
    incoming = deliveries.IncomingDelivery(
        source="hook:1",
        guid=f"{action}-{number}",
        event="pull_request",
        action=action,
        payload=b"{}",
        repository="lumen/lumen",
        number=number,
    )
    with database.transaction() as session:
        row = deliveries.record(session, incoming, NOW).id
    if dead:
        with database.transaction() as session:
            claim = deliveries.claim(session, row, NOW, timedelta(seconds=60))
            assert claim is not None
            deliveries.bury(session, claim, "the payload has no title", NOW)


def park(database: Database, number: int) -> None:
    """Put a delivery of this pull request into the inbox and set it aside."""
    deliver(database, number)
    with database.transaction() as session:
        row = deliveries.listing(session, limit=1)[0].id
        claim = deliveries.claim(session, row, NOW, timedelta(seconds=60))
        assert claim is not None
        deliveries.park(session, claim, "the App is suspended", NOW)


def numbers(http: TestClient, query: str = "") -> list[int]:
    answer = http.get(LIST + query)
    assert answer.status_code == 200, answer.text
    return [item["pull_request"]["number"] for item in answer.json()["items"]]


def test_an_analysed_merge_comes_with_tags_and_their_evidence(database: Database) -> None:
    store_merge(database, 101, tags=("risk:core-path", "trait:deprecation"))
    with client(database) as http:
        answer = http.get(f"{BASE}/pull-requests/101/analysis").json()

    assert (answer["state"], answer["failure"], answer["number"]) == ("analysed", None, 101)
    assert answer["pull_request"]["url"] == "https://github.com/lumen/lumen/pull/101"
    assert answer["pull_request"]["author"] == "ada"
    assert [(tag["namespace"], tag["value"], tag["rule"]) for tag in answer["analysis"]["tags"]] == [
        ("risk", "core-path", "test"),
        ("trait", "deprecation", "test"),
    ]


def test_names_are_found_without_case_and_shown_as_the_host_writes_them(database: Database) -> None:
    store_merge(database, 101)
    with client(database) as http:
        answer = http.get("/api/v1/repositories/LUMEN/Lumen/pull-requests/101/analysis")

    assert answer.json()["repository"]["full_name"] == "lumen/lumen"


def test_what_is_not_analysed_is_told_apart(database: Database) -> None:
    store_merge(database, 1, analysed=False)
    store_merge(database, 2, analysed=False, captured=False)
    store_merge(database, 3, analysed=False)
    deliver(database, 3, dead=True)
    deliver(database, 4)
    deliver(database, 5, dead=True)
    deliver(database, 6, action="edited", dead=True)
    store_merge(database, 7)
    deliver(database, 7, action="edited", dead=True)
    with client(database) as http:
        answers = {number: http.get(f"{BASE}/pull-requests/{number}/analysis") for number in range(1, 9)}

    states = {number: answer.json().get("state") for number, answer in answers.items()}
    assert states == {
        1: "waiting",
        2: "not-captured",
        3: "failed",
        4: "waiting",
        5: "failed",
        6: None,
        7: "analysed",
        8: None,
    }
    assert answers[3].json()["failure"] == answers[5].json()["failure"] == "the payload has no title"
    assert answers[4].json()["pull_request"] is None
    assert answers[8].status_code == 404
    assert answers[8].json()["type"] == "urn:mergecast:problem:unknown-pull-request"


def test_c13_a_merge_that_waits_for_access_is_parked_and_says_for_what(database: Database) -> None:
    park(database, 3)
    store_merge(database, 4, analysed=False)
    park(database, 4)
    deliver(database, 5)
    with client(database) as http:
        answers = [http.get(f"{BASE}/pull-requests/{number}/analysis").json() for number in (3, 4, 5)]
        ready = http.get("/readyz").json()

    told = [(answer["state"], answer["failure"]) for answer in answers]
    assert told == [("parked", "the App is suspended"), ("parked", "the App is suspended"), ("waiting", None)]
    assert ready["parked_deliveries"] == 2


def test_a_repository_of_which_only_a_delivery_is_known_is_waiting(database: Database) -> None:
    deliver(database, 4)
    with client(database) as http:
        answers = [http.get(f"{BASE}/pull-requests/{number}/analysis") for number in (4, 5)]

    assert answers[0].json()["state"] == "waiting"
    assert answers[1].json()["type"] == "urn:mergecast:problem:unknown-repository"


def test_an_unknown_repository_is_404_with_a_way_out(database: Database) -> None:
    with client(database) as http:
        answers = [
            http.get(BASE + path) for path in ("/pull-requests/1/analysis", f"/weeks/{WEEK}/pull-requests", "/digests")
        ]

    assert {(answer.status_code, answer.json()["type"]) for answer in answers} == {
        (404, "urn:mergecast:problem:unknown-repository")
    }
    assert all("/api/v1/repositories" in answer.json()["way_out"] for answer in answers)


CANNOT_BE_ASKED = (
    f"{BASE}/pull-requests/0/analysis",
    f"{BASE}/pull-requests/-1/analysis",
    f"{BASE}/pull-requests/1.5/analysis",
    f"{BASE}/pull-requests/{2**63}/analysis",
    f"{BASE}/pull-requests/{10**400}/analysis",
    f"{BASE}/weeks/2026-W54/pull-requests",
    f"{BASE}/weeks/2026-W1/pull-requests",
    f"{BASE}/weeks/2026-19/pull-requests",
    f"{BASE}/weeks/0000-W01/pull-requests",
    f"{BASE}/weeks/9999-W53/pull-requests",
    f"{BASE}/digests/next",
    f"{LIST}?limit=501",
    f"{LIST}?limit=ten",
    f"{LIST}?tag=deprecation",
    f"{LIST}?tag=color:red",
    f"{LIST}?tag=trait:a%00b",
    f"{LIST}?risk=everything",
    f"{LIST}?area=",
    f"{LIST}?after=!!!",
    f"{LIST}?after=YWZ0ZXI6LTE",
    f"{LIST}?after=é",
    f"{LIST}?host=a%00b",
    f"{LIST}?risks=core-path",
    "/api/v1/repositories/lu%00men/lumen/digests",
    "/api/v1/repositories/lumen/%F0%9F%8E%89/digests",
    f"/api/v1/repositories/{'l' * 101}/lumen/digests",
)


def test_what_cannot_be_asked_is_422_and_names_the_fault(database: Database) -> None:
    with client(database) as http:
        answers = {path: http.get(path) for path in CANNOT_BE_ASKED}

    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(CANNOT_BE_ASKED, 422)
    assert not [path for path, answer in answers.items() if not answer.json()["errors"][0]["field"]]
    assert all(answer.json()["way_out"] for answer in answers.values())


def test_c46_ids_are_exact_json_numbers(database: Database) -> None:
    big = RepositoryRef(full_name="big/ids", id=5_000_000_000, default_branch="main")
    largest = 2**63 - 1
    store_merge(database, 4_000_000_000, repository=big, merged_at=MONDAY)
    store_merge(database, largest, repository=big, merged_at=MONDAY + timedelta(hours=1))
    with client(database) as http:
        analysis = http.get("/api/v1/repositories/big/ids/pull-requests/4000000000/analysis")
        listed = http.get(f"/api/v1/repositories/big/ids/weeks/{WEEK}/pull-requests")

    assert '"id":5000000000' in analysis.text
    assert '"number":4000000000' in analysis.text
    assert f'"number":{largest}' in listed.text


def test_the_list_of_a_week_is_the_captured_merges_in_order(database: Database) -> None:
    store_merge(database, 3)
    store_merge(database, 1, analysed=False, user=Person(login="helper[bot]", type="Bot"))
    store_merge(database, 2, captured=False)
    store_merge(database, 4, merged_at=MONDAY - timedelta(days=1))
    with client(database) as http:
        answer = http.get(LIST).json()

    assert [item["pull_request"]["number"] for item in answer["items"]] == [1, 3]
    assert [item["analysed"] for item in answer["items"]] == [False, True]
    assert answer["items"][0]["pull_request"]["bot"] is True
    assert (answer["next"], answer["period"]["start"], answer["period"]["end"]) == (
        None,
        "2026-05-04T00:00:00Z",
        "2026-05-11T00:00:00Z",
    )


def test_filters_narrow_the_list_and_add_up(database: Database) -> None:
    store_merge(database, 1, tags=("risk:core-path", "trait:deprecation"), areas=("core",))
    store_merge(database, 2, tags=("risk:core-path",), areas=("docs", "a/b c"))
    store_merge(database, 3, tags=("trait:deprecation",), areas=("docs",))
    store_merge(database, 4, analysed=False)
    with client(database) as http:
        found = {
            query: numbers(http, query)
            for query in (
                "?risk=core-path",
                "?tag=trait:deprecation",
                "?area=docs",
                "?area=a%2Fb%20c",
                "?risk=core-path&area=docs",
                "?tag=risk:core-path&risk=core-path",
                "?area=nowhere",
                "?area=%00",
            )
        }

    assert found == {
        "?risk=core-path": [1, 2],
        "?tag=trait:deprecation": [1, 3],
        "?area=docs": [2, 3],
        "?area=a%2Fb%20c": [2],
        "?risk=core-path&area=docs": [2],
        "?tag=risk:core-path&risk=core-path": [1, 2],
        "?area=nowhere": [],
        "?area=%00": [],
    }


def test_pages_join_to_the_whole_list(database: Database) -> None:
    same_time: dict[str, Any] = {"merged_at": MONDAY}
    for number in range(1, 8):
        store_merge(database, number, **(same_time if number > 3 else {}))
    with client(database) as http:
        whole = numbers(http)
        paged = {size: pages(http, size) for size in (1, 2, 3, 7)}

    assert len(whole) == 7
    assert {size: [len(page) for page in found] for size, found in paged.items()} == {
        1: [1] * 7,
        2: [2, 2, 2, 1],
        3: [3, 3, 1],
        7: [7],
    }
    assert all([number for page in found for number in page] == whole for found in paged.values())


def pages(http: TestClient, size: int) -> list[list[int]]:
    """The numbers of each page, following ``next``."""
    found: list[list[int]] = []
    after: str | None = ""
    while after is not None:
        answer = http.get(LIST, params={"limit": size} | ({"after": after} if after else {})).json()
        found.append([item["pull_request"]["number"] for item in answer["items"]])
        after = answer["next"]
    return found


def test_the_page_size_is_a_setting(database: Database) -> None:
    for number in (1, 2, 3):
        store_merge(database, number)
    with client(database, TOKEN, page_size=2) as http:
        assert numbers(http) == [1, 2]
        assert numbers(http, "?limit=3") == [1, 2, 3]
