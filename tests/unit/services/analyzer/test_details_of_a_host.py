"""When the code host is asked for details, and what its refusals leave of what is known otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest
from pydantic import SecretStr

from services.analyzer import details
from services.analyzer.details import DetailSource, DetailSources
from shared.code_host import Answer, CodeHost
from shared.domain.errors import Absent, MergecastError, Parked, Permanent, Postponed, Transient
from shared.domain.pull_request import DetailSource as Origin
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings, Settings
from shared.settings.code_host import GitHubSettings
from tests.builders import MERGED_AT, REPOSITORY, make_file, make_pull_request

FACTS = make_pull_request(101, files=None)
NAME = REPOSITORY.full_name


class Host:
    """Answers every question about a merge alike, or raises; counts the questions."""

    host = "github.com"
    can_query = True

    def __init__(self, error: MergecastError | None = None, meet: Callable[[], object] = lambda: None) -> None:
        self.error = error
        self.meet = meet
        self.questions = 0
        self.texts: dict[str, str] = {}
        self.withheld = False
        """Whether the content is null, as it is for a credential that may not see it."""

    def query(self, document: str, variables: dict[str, Any], **_: Any) -> dict[str, Any]:
        self._ask()
        if "Conventions" in document:
            head = None if self.withheld else {"oid": "a" * 40}
            held = {"file0": {"text": self.texts["labeler"]}} if self.texts and not self.withheld else {}
            return {"repository": {"databaseId": REPOSITORY.id, "head": head, **held}}
        review = {"author": {"login": "alice", "__typename": "User"}, "state": "APPROVED"}
        pull = {"changedFiles": 1, "reviews": {"nodes": [review | {"submittedAt": "2026-05-06T11:00:00Z"}]}}
        return {"repository": {"databaseId": REPOSITORY.id, "pullRequest": pull}}

    def read(self, path: str, *_: Any, **__: Any) -> Answer:
        self._ask()
        return Answer([{"filename": "from/host.py", "status": "modified", "patch": "@@ -1 +1 @@\n-a\n+b"}], None)

    def _ask(self) -> None:
        self.questions += 1
        self.meet()
        if self.error is not None:
            raise self.error


class Own:
    """A source on this machine that knows one merge."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self._texts = texts or {}

    def details(self, facts: PullRequest) -> PullRequest | None:
        return make_pull_request(101, files=(make_file("from/own.py"),)) if facts.number == 101 else None

    def sources(self, pull_request: PullRequest) -> dict[str, tuple[str | None, str | None]]:
        return {pull_request.files[0].filename: ("old", "new")} if pull_request.files else {}

    def conventions(self) -> dict[str, str]:
        return self._texts


def sources(asked: Host | None, own: DetailSource | None = None, **listed: Any) -> DetailSources:
    settings = Settings(
        github=GitHubSettings(token=SecretStr("canary")), repositories=(RepositorySettings(full_name=NAME, **listed),)
    )
    return DetailSources(settings, lambda _: own, lambda: MERGED_AT, cast("CodeHost | None", asked))


def files_of(found: details.Details) -> list[str]:
    return [file.filename for file in (found.pull_request and found.pull_request.files) or ()]


@pytest.mark.parametrize(
    ("own", "listed", "files", "questions"),
    [
        (None, {}, ["from/host.py"], 2),
        (None, {"api": True}, ["from/host.py"], 2),
        (None, {"api": False}, [], 0),
        (None, {"host": "git.corp.example"}, [], 0),
        (Own(), {}, ["from/own.py"], 0),
        (Own(), {"api": False}, ["from/own.py"], 0),
        (Own(), {"api": True}, ["from/own.py"], 1),
    ],
)
def test_the_settings_say_whether_the_host_is_asked(
    own: Own | None, listed: dict[str, Any], files: list[str], questions: int
) -> None:
    host = Host()

    found = sources(host, own, **listed).details(FACTS)

    assert files_of(found) == files
    assert host.questions == questions
    assert found.note is None


def test_a_merge_of_another_host_is_never_asked_about() -> None:
    host = Host()
    elsewhere = REPOSITORY.model_copy(update={"host": "git.corp.example"})

    assert sources(host).details(FACTS.model_copy(update={"repository": elsewhere})) == details.Details()
    assert host.questions == 0


def test_nothing_is_asked_of_a_host_that_is_not_there() -> None:
    assert sources(None).details(FACTS) == details.Details()


def test_the_review_of_the_host_joins_the_files_of_the_own_source() -> None:
    found = sources(Host(), Own(), api=True).details(FACTS).pull_request

    assert found is not None
    assert [review.user.login for review in found.reviews] == ["alice"]
    assert found.reviews_known
    assert found.detail_source is Origin.RECORDS


def test_what_the_own_source_lacks_comes_from_the_host_with_a_note() -> None:
    found = sources(Host(), Own(), api=True).details(make_pull_request(999, files=None))

    assert files_of(found) == ["from/host.py"]
    assert "does not have" in (found.note or "")


@pytest.mark.parametrize("error", [Absent("GitHub has nothing there."), Permanent("GitHub does not give it.")])
@pytest.mark.parametrize("own", [None, Own()])
def test_what_the_host_will_never_give_is_a_note(error: MergecastError, own: Own | None) -> None:
    source = sources(Host(error), own, api=True)
    old = FACTS.model_copy(update={"merged_at": MERGED_AT.replace(year=2025)})

    found = source.details(old)

    assert files_of(found) == (["from/own.py"] if own else [])
    assert "unavailable" in (found.note or "")


@pytest.mark.parametrize("error", [Postponed("limit", MERGED_AT), Parked("no right"), Transient("odd")])
@pytest.mark.parametrize("own", [None, Own()])
def test_a_refusal_that_says_when_to_ask_again_passes(error: MergecastError, own: Own | None) -> None:
    with pytest.raises(type(error)):
        sources(Host(error), own, api=True).details(FACTS)


def test_two_merges_of_one_repository_are_asked_about_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=30)
    source = sources(Host(meet=together.wait))

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(source.details, [FACTS, FACTS]))

    assert [files_of(each) for each in found] == [["from/host.py"]] * 2


def test_only_the_own_source_has_whole_texts() -> None:
    pull_request = make_pull_request(101)

    assert sources(Host()).texts(pull_request) is None
    assert sources(Host(), Own(), api=True).texts(pull_request)


def test_conventions_of_the_host_count_where_the_own_source_has_none() -> None:
    host = Host()
    host.texts["labeler"] = "engine-room:\n  - src/**\n"

    assert sources(host).context(NAME).labeler
    assert sources(host, Own(), api=True).context(NAME).labeler
    assert not sources(host, Own({"CODEOWNERS": "/a @acme/b\n"}), api=True).context(NAME).labeler


def test_the_last_conventions_stay_in_force_while_the_host_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(details.time, "monotonic", lambda: now)
    host = Host()
    host.texts["labeler"] = "engine-room:\n  - src/**\n"
    source = sources(host)
    first = source.context(NAME)

    host.error, now = Postponed("limit", MERGED_AT), now + details.CONVENTIONS_LAST + 1
    assert source.context(NAME) is first
    host.error, host.withheld, now = None, True, now + details.CONVENTIONS_RETRY + 1
    assert source.context(NAME) is first
    host.withheld, host.texts, now = False, {}, now + details.CONVENTIONS_RETRY + 1
    assert not source.context(NAME).labeler


def test_conventions_that_could_never_be_read_are_asked_for_again_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1_000.0
    monkeypatch.setattr(details.time, "monotonic", lambda: now)
    host = Host(Parked("no right"))
    source = sources(host)

    assert not source.context(NAME).labeler
    host.error, host.texts["labeler"] = None, "engine-room:\n  - src/**\n"
    assert not source.context(NAME).labeler
    now += details.CONVENTIONS_RETRY + 1
    assert source.context(NAME).labeler
