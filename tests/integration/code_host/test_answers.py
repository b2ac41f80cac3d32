"""What each answer of the host becomes: pages, redirects, refusals, and answers that are none (R-52, C-25, C-42)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.code_host import path_of
from shared.domain.errors import Absent, HostAway, MergecastError, Parked, Permanent, Postponed, Transient
from shared.domain.pull_request import RepositoryRef
from tests.servers.github import Fault, GitHubServer

PULLS = "/repositories/5000000001/pulls"
ISSUES = "/repos/acme/engine/issues"
QUERY = "query($o:String!,$n:String!,$p:Int!){repository(owner:$o,name:$n){pullRequest(number:$p){title}}}"


def test_a_list_is_read_page_by_page(stage: Any) -> None:
    for number in range(2, 6):
        stage.repository.open_pull(f"Change {number}")
    host, parameters, seen = stage.host(), {"state": "all", "per_page": "2"}, []
    first = host.read(PULLS, parameters)
    answer = first
    while True:
        seen += [pull["number"] for pull in answer.body]
        if answer.next is None:
            break
        answer = host.read(PULLS, answer.next)
    assert sorted(seen) == [1, 2, 3, 4, 5]
    assert first.last is not None
    assert first.last["page"] == "3"


def test_text_that_no_database_takes_is_cleaned(stage: Any) -> None:
    stage.repository.open_pull("A NUL \x00 in the title").merge()
    assert stage.host().read(f"{PULLS}/2").body["title"] == "A NUL \ufffd in the title"


def test_c25_a_renamed_repository_is_read_with_the_query_kept(stage: Any) -> None:
    """PyGithub alone would ask the new place for its default list, the open ones (P1)."""
    stage.repository.open_pull("Still open")
    stage.repository.rename("acme/motor")
    by_name = stage.host().read("/repos/acme/engine/pulls", {"state": "closed", "per_page": "10"})
    assert [pull["number"] for pull in by_name.body] == [1]
    assert [one.status for one in stage.github.log] == [301, 200]
    by_id = stage.host().read(f"{path_of(stage.about)}/pulls", {"state": "closed"}, about=stage.about)
    assert [pull["number"] for pull in by_id.body] == [1]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_every_kind_of_redirect_keeps_the_query(stage: Any, status: int) -> None:
    stage.repository.open_pull("Still open")
    location = f"{stage.github.api_url}{PULLS}"
    stage.github.faults.add(Fault(path="^/old", kind="moved", status=status, location=location))
    assert [pull["number"] for pull in stage.host().read("/old", {"state": "closed"}).body] == [1]


def test_a_renamed_repository_is_found_by_its_app(stage: Any) -> None:
    stage.github.world.app.install("acme")
    stage.repository.rename("acme/motor")
    about = RepositoryRef(full_name="acme/engine")
    assert stage.app().read(path_of(about), about=about).body["full_name"] == "acme/motor"


def test_no_redirect_leads_to_another_host(stage: Any) -> None:
    host = stage.host()
    with GitHubServer() as elsewhere:
        for location in (f"{elsewhere.api_url}{PULLS}", "http://127.0.0.1:port/", "/elsewhere"):
            stage.github.faults.add(Fault(path="pulls$", kind="moved", location=location))
            with pytest.raises(Transient, match=r"not the API's|cannot be read"):
                host.read(PULLS)
        stage.github.faults.add(Fault(path="issues$", kind="moved", location=f"{elsewhere.api_url}/issues"))
        with pytest.raises(Transient, match="not the API's"):
            host.act(f"{path_of(stage.about)}/issues", {"title": "Digest"})
        assert elsewhere.log == []


def test_redirects_without_an_end_are_given_up(stage: Any) -> None:
    location = f"{stage.github.api_url}{PULLS}"
    stage.github.faults.add(Fault(path="pulls$", kind="moved", location=location, times=None))
    with pytest.raises(Transient, match="on and on"):
        stage.host().read(PULLS)
    assert stage.asked() == 3


def test_c25_an_issue_is_created_once_at_the_new_place(stage: Any) -> None:
    """A 307 is no success (P3): at the old place nothing was done."""
    stage.github.world.token("writer", {"metadata": "read", "issues": "write"})
    stage.repository.rename("acme/motor")
    made = stage.host(token="ghp_writer").act(ISSUES, {"title": "Digest"}, about=stage.about)
    assert made.body["number"] > 1
    assert [one.status for one in stage.github.log] == [307, 201]
    assert stage.github.log[1].path == "/repositories/5000000001/issues"


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_write_that_is_sent_nowhere_known_is_a_failure(stage: Any, status: int) -> None:
    location = f"{stage.github.api_url}{ISSUES}"
    stage.github.faults.add(Fault(path="issues$", kind="moved", status=status, location=location, times=None))
    with pytest.raises(Permanent, match="elsewhere"):
        stage.host().act(ISSUES, {"title": "Digest"}, about=stage.about)
    assert stage.asked("issues") == (2 if status == 307 else 1)


@pytest.mark.parametrize("kind", ["after-effect", "server-error", "cut", "unauthorized", "bare-429"])
def test_a_write_is_never_repeated(stage: Any, kind: str) -> None:
    stage.github.world.token("writer", {"metadata": "read", "issues": "write"})
    stage.github.faults.add(Fault(path="issues$", kind=kind, times=None))
    with pytest.raises((Postponed, Parked)) as refusal:
        stage.host(token="ghp_writer").act(ISSUES, {"title": "Digest"})
    assert stage.asked("issues") == 1
    assert ("look before it is sent again" in str(refusal.value)) is (kind in {"after-effect", "server-error", "cut"})


@pytest.mark.parametrize("kind", ["html-200", "not-json", "empty-list"])
def test_a_write_whose_answer_does_not_say_what_was_done_is_a_failure(stage: Any, kind: str) -> None:
    stage.github.faults.add(Fault(path="issues$", kind=kind))
    with pytest.raises(Transient):
        stage.host().act(ISSUES, {"title": "Digest"})


@pytest.mark.parametrize("kind", ["html-200", "not-json"])
def test_what_is_not_the_apis_answer_is_transient(stage: Any, kind: str) -> None:
    host = stage.host()
    stage.github.faults.add(Fault(path="pulls|graphql", kind=kind, times=2))
    with pytest.raises(Transient):
        host.read(PULLS)
    with pytest.raises(Transient):
        host.query(QUERY, {"o": "acme", "n": "engine", "p": 1})


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"kind": "not-found"}, Absent),
        ({"kind": "gone"}, Absent),
        ({"kind": "legal-block"}, Absent),
        ({"kind": "forbidden"}, Parked),
        ({"kind": "not-found", "status": 406}, Permanent),
        ({"kind": "not-found", "status": 422}, Permanent),
    ],
)
def test_what_a_refusal_means(stage: Any, fault: dict[str, Any], error: type[MergecastError]) -> None:
    stage.github.faults.add(Fault(path="pulls/1$", **fault))
    with pytest.raises(error) as refusal:
        stage.host().read(f"{PULLS}/1", about=stage.about)
    assert "acme/engine" in str(refusal.value)
    assert refusal.value.way_out
    assert stage.asked() == 1


def test_c42_a_406_is_told_as_permanent_and_not_asked_again(stage: Any) -> None:
    stage.github.faults.add(Fault(path="pulls/1$", kind="not-found", status=406, times=None))
    with pytest.raises(Permanent, match="too large"):
        stage.host().read(f"{PULLS}/1")
    assert stage.asked() == 1


@pytest.mark.parametrize("status", [403, 410, 451])
def test_a_blocked_repository_is_not_there(stage: Any, status: int) -> None:
    stage.repository.blocked = status
    with pytest.raises(Absent):
        stage.host().read(PULLS)


def test_a_query_gives_its_data(stage: Any) -> None:
    host = stage.host()
    names = {"o": "acme", "n": "engine"}
    assert host.query(QUERY, names | {"p": 1})["repository"]["pullRequest"]["title"] == "Keep the queue in order"
    with pytest.raises(Absent):
        host.query(QUERY, names | {"p": 99})
    with pytest.raises(Permanent):
        host.query("{repository(owner:1){unknown}}", {})
    assert stage.github.writes == []


def test_a_query_that_the_host_fails_on_waits_and_costs_no_try(stage: Any) -> None:
    stage.github.faults.add(Fault(path="graphql", kind="graphql-error"))
    with pytest.raises(HostAway, match="does not serve"):
        stage.host().query(QUERY, {"o": "acme", "n": "engine", "p": 1})
