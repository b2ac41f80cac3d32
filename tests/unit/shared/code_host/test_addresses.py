"""Paths, redirects and page links: the query is kept, and nothing leads away from the API."""

from __future__ import annotations

import pytest

from shared.code_host.addresses import Request, moved, page_query, path_of
from shared.domain.errors import Transient
from shared.domain.pull_request import RepositoryRef

ADDRESS = "https://github.example/api/v3"
LISTING = Request("GET", "/repos/lumen/lumen/pulls", {"state": "closed", "page": "1"})


def test_a_repository_is_addressed_by_its_id_where_there_is_one() -> None:
    assert path_of(RepositoryRef(full_name="lumen/lumen", id=5)) == "/repositories/5"
    assert path_of(RepositoryRef(full_name="lumen/lumen")) == "/repos/lumen/lumen"


@pytest.mark.parametrize(
    ("location", "parameters"),
    [
        (f"{ADDRESS}/repositories/5/pulls", {"state": "closed", "page": "1"}),
        (f"{ADDRESS}/repositories/5/pulls?state=closed&page=2", {"state": "closed", "page": "2"}),
        ("https://github.example:443/api/v3/repositories/5/pulls?page=3", {"state": "closed", "page": "3"}),
        ("/api/v3/repositories/5/pulls", {"state": "closed", "page": "1"}),
    ],
)
def test_a_redirect_keeps_the_query(location: str, parameters: dict[str, str]) -> None:
    there = moved(LISTING, location, ADDRESS)
    assert (there.method, there.path, there.parameters) == ("GET", "/repositories/5/pulls", parameters)


@pytest.mark.parametrize(
    "location",
    [
        "https://elsewhere.example/api/v3/repositories/5/pulls",
        "https://github.example.elsewhere.example/api/v3/repositories/5/pulls",
        "https://github.example@elsewhere.example/api/v3/repositories/5/pulls",
        "http://github.example/api/v3/repositories/5/pulls",
        "https://github.example:8443/api/v3/repositories/5/pulls",
        "https://github.example/login",
        "https://github.example/api/v30/repositories/5/pulls",
        "//elsewhere.example/api/v3/repositories/5/pulls",
        "https://github.example:port/api/v3/x",
        "https://[::1/api/v3/x",
        "repositories/5/pulls",
        "",
    ],
)
def test_a_redirect_that_leaves_the_api_is_not_followed(location: str) -> None:
    with pytest.raises(Transient, match="not the API's"):
        moved(LISTING, location, ADDRESS)


def test_a_page_link_gives_its_query() -> None:
    assert page_query(LISTING, None, ADDRESS) is None
    for start in ("/repos/lumen/lumen", "/repositories/5"):
        url = f"{ADDRESS}{start}/pulls?state=closed&after=Y3Vyc29y%3D%3D&empty="
        assert page_query(LISTING, url, ADDRESS) == {"state": "closed", "after": "Y3Vyc29y==", "empty": ""}


@pytest.mark.parametrize(
    "url",
    [
        "https://elsewhere.example/api/v3/repos/lumen/lumen/pulls?page=2",
        f"{ADDRESS}/repos/lumen/lumen/issues?page=2",
        f"{ADDRESS}/user/repos?page=2",
    ],
)
def test_a_page_link_to_anything_else_is_refused(url: str) -> None:
    with pytest.raises(Transient, match="elsewhere"):
        page_query(LISTING, url, ADDRESS)
