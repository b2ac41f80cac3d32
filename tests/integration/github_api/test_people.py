"""Who is credited, reviewed and merged, when accounts are gone, renamed or no people at all."""

from __future__ import annotations

import pytest

from shared.domain.pull_request import GHOST
from tests.integration.github_api.asked import MERGED_AT, facts_of, open_api
from tests.servers.github import GitHubServer
from tests.servers.github.conversation import CommitSpec
from tests.servers.github.repositories import Repository

BOTH = pytest.mark.parametrize("token", [True, False])
SQUASHED = """Keep the order of the queue

Co-authored-by: Bea Stone <bea@mail.example>
co-authored-by: bea stone <BEA@mail.example>
Co-authored-by: broken line without an address
Co-authored-by: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>
Co-authored-by: Carl Green <77+carl@users.noreply.github.com>
"""


@BOTH
def test_c02_reviews_without_text_or_reviewer_count_and_pending_ones_do_not(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    pull = repository.open_pull("Reviewed")
    pull.review(None, "APPROVED", body=None)
    pull.review("alice", "DISMISSED", body="")
    pull.review("bob", "PENDING", body="not sent")
    pull.merge(at=MERGED_AT)

    reviews = open_api(github, token=token).details(facts_of(pull)).reviews

    given = [(review.user.login, review.state, review.body) for review in reviews]
    assert given == [(GHOST, "APPROVED", None), ("alice", "DISMISSED", None)]


@BOTH
def test_c04_an_author_who_is_gone_at_the_fetch_keeps_the_login_of_the_event(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    pull = repository.open_pull("Last words", author="leaver").merge(at=MERGED_AT)
    facts = facts_of(pull)
    github.world.delete_user("leaver")

    details = open_api(github, token=token).details(facts)

    assert facts.with_details(details).user.login == "leaver"
    assert details.user.login == "leaver"


@BOTH
def test_c24_co_authors_are_credited_once_each_and_no_address_is_kept(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    github.world.user("ada", name="Ada North")
    github.world.user("bea", name="Bea Stone")
    commits = [
        CommitSpec("First", "ada", "Ada North", "ada@mail.example"),
        CommitSpec("Second", "bea", "Bea Stone", "bea@mail.example"),
        CommitSpec(SQUASHED, "ada", "Ada North", "ada@mail.example"),
    ]
    pull = repository.open_pull("Together", author="ada", commits=commits).merge(at=MERGED_AT)

    details = open_api(github, token=token).details(facts_of(pull))

    assert [person.login for person in details.co_authors] == ["bea", "carl"]
    assert [person.shown for person in details.credited] == ["ada", "bea", "carl"]
    assert "mail.example" not in details.model_dump_json()


@BOTH
def test_d06_a_login_that_was_renamed_meanwhile_is_one_person(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    commits = [CommitSpec("First", "oldname", "Ada North", "ada@mail.example")]
    pull = repository.open_pull("Renamed", author="oldname", commits=commits).merge(at=MERGED_AT)
    facts = facts_of(pull)
    github.world.rename_user("oldname", "newname")
    pull.commits[0].author_login = "newname"

    assert [person.login for person in open_api(github, token=token).details(facts).credited] == ["oldname"]


@BOTH
def test_an_address_that_no_account_claims_is_the_author_unless_the_author_signs_with_an_account(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    unclaimed = CommitSpec("First", None, "Home Computer", "root@laptop.example")
    own = CommitSpec("Second", "ada", "Ada North", "ada@mail.example")
    alone = repository.open_pull("Alone", author="ada", commits=[unclaimed]).merge(at=MERGED_AT)
    both = repository.open_pull("Both", author="ada", commits=[unclaimed, own]).merge(at=MERGED_AT)
    api = open_api(github, token=token)

    assert [person.shown for person in api.details(facts_of(alone)).credited] == ["ada"]
    assert [person.shown for person in api.details(facts_of(both)).credited] == ["ada", "Home Computer"]


@pytest.mark.parametrize(("author", "merger"), [("ada", "merge-queue[bot]"), ("renovate[bot]", "grace")])
def test_c17_the_author_is_credited_and_never_the_merger(
    github: GitHubServer, repository: Repository, author: str, merger: str
) -> None:
    commits = [CommitSpec("Change", author, author, f"{author}@mail.example")]
    pull = repository.open_pull("Queued", author=author, commits=commits).merge(at=MERGED_AT, by=merger)

    details = open_api(github).details(facts_of(pull))

    assert [person.login for person in details.credited] == [author]
    assert details.user.is_bot is author.endswith("[bot]")
    assert details.merged_by is not None
    assert details.merged_by.login == merger


def test_a_bot_has_the_same_login_by_graphql_as_in_the_event(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Commented")
    pull.comment("stale[bot]", "No activity.")
    pull.merge(at=MERGED_AT)

    (by_query,) = open_api(github).details(facts_of(pull)).comments
    (by_rest,) = open_api(github, token=False).details(facts_of(pull)).comments

    assert by_query.user.is_bot
    assert by_query.user == by_rest.user


def test_c16_two_merges_by_one_push_share_their_commit_and_keep_their_pages(
    github: GitHubServer, repository: Repository
) -> None:
    sha = "e" * 40
    pulls = [repository.open_pull(f"Part {place}").merge(at=MERGED_AT, by=None, sha=sha) for place in (1, 2)]
    api = open_api(github)

    first, second = (api.details(facts_of(pull)) for pull in pulls)

    assert first.merge_commit_sha == second.merge_commit_sha == sha
    assert first.merged_by is None
    assert [first.url, second.url] == [f"https://github.com/acme/engine/pull/{number}" for number in (1, 2)]


@pytest.mark.parametrize("sha", ["a" * 40, "b" * 40, None])
def test_c18_however_it_was_merged_the_link_goes_to_the_pull_request(
    github: GitHubServer, repository: Repository, sha: str | None
) -> None:
    pull = repository.open_pull("Merged", commits=[CommitSpec("One"), CommitSpec("Two")]).merge(at=MERGED_AT, sha=sha)

    details = open_api(github).details(facts_of(pull, merge_commit_sha=sha))

    assert details.url == f"https://github.com/acme/engine/pull/{pull.number}"
    assert [commit.message for commit in details.commits] == ["One", "Two"]
    assert not any("/commits/" in line and "pulls" not in line for line in (entry.path for entry in github.log))
