"""Git history as a source: every way of merging, read from real repositories."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.domain.pull_request import DetailSource, Person, PullRequest
from shared.sources.git_history import GitHistory
from tests.builders import make_pull_request
from tests.git_repository import ADA, BO, MONDAY, NEXT_MONDAY, GitRepository

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "lumen")


def week(source: GitRepository, **options: str) -> list[PullRequest]:
    return list(GitHistory(source.path, **options).merged_between(MONDAY, NEXT_MONDAY))


def only(repository: GitRepository) -> PullRequest:
    (pull_request,) = week(repository)
    return pull_request


def test_squash_merge(repository: GitRepository) -> None:
    parent = repository.git("rev-parse", "HEAD")
    message = (
        "Keep the queue in order (#12)\n\nThe queue lost its order.\n\nSigned-off-by: Ada Stone <ada@home.example>\n"
        "Co-authored-by: Bo Reed <bo@example.org>\n"
    )
    sha = repository.commit(message, {"core/queue.py": "one\ntwo\n"}, at=MONDAY + HOUR)
    found = only(repository)
    assert (found.number, found.title, found.body) == (12, "Keep the queue in order", "The queue lost its order.")
    assert found.user == Person(login="ada", name="Ada Stone", id=11)
    assert found.co_authors == (Person(login=None, name="Bo Reed"),)
    assert found.merged_by is None
    assert (found.merged_at, found.merge_commit_sha, found.base_sha) == (MONDAY + HOUR, sha, parent)
    assert found.merged_at.utcoffset() == timedelta(0)
    assert (found.base_ref, found.head_ref, found.commits) == ("main", None, ())
    assert (found.additions, found.deletions, found.changed_files) == (2, 0, 1)
    assert found.files is not None
    assert found.files[0].patch == "@@ -0,0 +1,2 @@\n+one\n+two"
    assert found.detail_source is DetailSource.CLONE
    assert found.repository.full_name == "lumen/lumen"
    assert found.repository.default_branch == "main"


def test_merge_commit(repository: GitRepository) -> None:
    base = repository.commit("A push without a pull request", {"b.txt": "b\n"}, at=MONDAY)
    repository.git("checkout", "-q", "-b", "queue", "HEAD~1")
    repository.commit("First step", {"q.py": "1\n"}, at=MONDAY + HOUR, author=BO)
    repository.commit("Second\n\nCo-authored-by: Cy <3+cy@users.noreply.github.com>", {"q.py": "2\n"}, author=ADA)
    repository.git("merge", "-q", "-m", "Merge branch 'main' into queue", "main", at=MONDAY + HOUR)
    head = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "main")
    message = "Merge pull request #7 from bo-r/fix/queue\n\nKeep the queue in order"
    sha = repository.merge("queue", message, at=MONDAY + 2 * HOUR, author=("Mo", "9+mo@users.noreply.github.com"))
    found = only(repository)
    assert (found.number, found.title, found.body) == (7, "Keep the queue in order", None)
    assert found.user == Person(login="bo-r", name="Bo Reed")
    assert [person.shown for person in found.co_authors] == ["ada", "cy"]
    assert found.merged_by == Person(login="mo", name="Mo", id=9)
    assert (found.head_ref, found.head_sha, found.base_sha) == ("fix/queue", head, base)
    assert (found.merge_commit_sha, found.merged_at) == (sha, MONDAY + 2 * HOUR)
    assert [commit.message.split("\n")[0] for commit in found.commits] == [
        "First step",
        "Second",
        "Merge branch 'main' into queue",
    ]
    assert [file.filename for file in found.files or ()] == ["q.py"], "diff against the first parent"
    assert not any("@" in commit.message for commit in found.commits)


def test_merge_commit_with_the_title_as_subject_and_a_branch_of_the_repository_itself(
    repository: GitRepository,
) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("Work", {"q.py": "1\n"}, author=BO)
    repository.git("checkout", "-q", "main")
    repository.merge("topic", "Keep the queue in order (#8)\n\nBecause.", at=MONDAY + HOUR)
    repository.git("checkout", "-q", "-b", "other")
    repository.commit("Other work", {"r.py": "1\n"}, author=BO)
    repository.git("checkout", "-q", "main")
    repository.merge("other", "Merge pull request #9 from lumen/other\n\nOther", at=MONDAY + 2 * HOUR)
    first, second = week(repository)
    assert (first.number, first.title, first.body, first.user.name) == (
        8,
        "Keep the queue in order",
        "Because.",
        "Bo Reed",
    )
    assert [commit.message.strip() for commit in first.commits] == ["Work"]
    assert second.user == Person(login=None, name="Bo Reed"), "the owner of the repository did not write it"
    assert [commit.message.strip() for commit in second.commits] == ["Other work"]


def test_rebase_merge_of_several_commits(repository: GitRepository) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.commit("Prepare the queue (#5)", {"q.py": "1\n"}, at=MONDAY - SECOND, author=BO)
    repository.commit("Use the queue (#5)", {"q.py": "2\n", "r.py": "1\n"}, at=MONDAY)
    last = repository.commit("Test the queue (#5)", {"t.py": "1\n"}, at=MONDAY)
    repository.commit("Something else (#6)", {"s.py": "1\n"}, at=MONDAY + HOUR)
    first, second = week(repository)
    assert (first.number, first.title, first.merge_commit_sha, first.base_sha) == (5, "Prepare the queue", last, base)
    assert [person.shown for person in first.credited] == ["Bo Reed", "ada"]
    assert [file.filename for file in first.files or ()] == ["q.py", "r.py", "t.py"], "the whole range in one diff"
    assert [commit.message.strip() for commit in first.commits] == [
        "Prepare the queue (#5)",
        "Use the queue (#5)",
        "Test the queue (#5)",
    ]
    assert (second.number, [file.filename for file in second.files or ()]) == (6, ["s.py"])


def test_c18_each_way_of_merging_is_one_pull_request(repository: GitRepository) -> None:
    repository.commit("Squashed (#1)", {"a.py": "1\n"}, at=MONDAY)
    repository.commit("Rebased, first (#2)", {"b.py": "1\n"}, at=MONDAY + HOUR)
    rebased = repository.commit("Rebased, last (#2)", {"c.py": "1\n"}, at=MONDAY + HOUR)
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("Merged", {"d.py": "1\n"}, at=MONDAY)
    repository.git("checkout", "-q", "main")
    repository.merge("topic", "Merge pull request #3 from ada/topic\n\nMerged", at=MONDAY + 2 * HOUR)
    history = GitHistory(repository.path)
    found = list(history.merged_between(MONDAY, NEXT_MONDAY))
    assert [one.number for one in found] == [1, 2, 3]
    # The host names only the last commit of a rebase merge.
    details = history.details(make_pull_request(2, merge_commit_sha=rebased, merged_at=MONDAY + HOUR))
    assert details is not None
    assert (details.files, details.base_sha) == (found[1].files, found[1].base_sha)


def test_c16_two_numbers_with_one_merge_commit(repository: GitRepository) -> None:
    for name in ("one", "two"):
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(f"Work {name}", {f"{name}.py": "1\n"}, at=MONDAY)
    repository.git("checkout", "-q", "main")
    message = "Merge #21 #22\n\n21: Add one r=mo a=ada\n\nWords.\n\n22: Add two r=mo a=bo\n"
    repository.git("merge", "-q", "--no-ff", "-m", message, "one", "two", at=MONDAY + HOUR)
    first, second = week(repository)
    assert [(one.number, one.title) for one in (first, second)] == [(21, "Add one"), (22, "Add two")]
    assert first.merge_commit_sha == second.merge_commit_sha
    assert first.files == second.files
    assert len(first.files or ()) == 2


@pytest.mark.parametrize(
    ("offset", "inside"),
    [(-SECOND, False), (timedelta(0), True), (SECOND, True), (7 * 24 * HOUR - SECOND, True), (7 * 24 * HOUR, False)],
)
def test_c53_the_window_is_half_open_to_the_second(repository: GitRepository, offset: timedelta, inside: bool) -> None:
    repository.commit("At the edge (#4)", {"a.py": "1\n"}, at=MONDAY + offset)
    assert [one.number for one in week(repository)] == ([4] if inside else [])


def test_a_commit_with_a_wrong_clock_hides_none_behind_it(repository: GitRepository) -> None:
    repository.commit("Before (#1)", {"a.py": "1\n"}, at=MONDAY + HOUR)
    for number in range(2, 12):
        repository.commit(f"By a machine of the past (#{number})", {"a.py": f"{number}\n"}, at=MONDAY - 9000 * HOUR)
    repository.commit("After (#20)", {"a.py": "x\n"}, at=MONDAY + 2 * HOUR)
    assert [one.number for one in week(repository)] == [1, 20]


def test_a_number_merges_once(repository: GitRepository) -> None:
    repository.commit("Add the queue (#3)", {"a.py": "1\n"}, at=MONDAY - 24 * HOUR)
    repository.commit("Other (#4)", {"b.py": "1\n"}, at=MONDAY)
    repository.commit("Mend the queue (#3)", {"a.py": "2\n"}, at=MONDAY + HOUR)
    repository.commit('Revert "Add the queue (#3)" (#5)', {"a.py": None}, at=MONDAY + 2 * HOUR)
    assert [(one.number, one.title) for one in week(repository)] == [
        (4, "Other"),
        (5, 'Revert "Add the queue (#3)"'),
    ]


def test_d03_a_vanished_merge_commit_is_found_by_number_or_not_at_all(repository: GitRepository) -> None:
    repository.commit("Keep the queue in order (#12)", {"a.py": "1\n"}, at=MONDAY + HOUR)
    history = GitHistory(repository.path)
    gone = {"merge_commit_sha": "f" * 40, "merged_at": MONDAY + HOUR}
    found = history.details(make_pull_request(12, **gone))
    assert found is not None
    assert [file.filename for file in found.files or ()] == ["a.py"]
    assert history.details(make_pull_request(13, **gone)) is None
    assert history.details(make_pull_request(13, merge_commit_sha=None, base_ref="gone", merged_at=MONDAY)) is None


def test_details_of_an_id_that_is_no_commit(repository: GitRepository) -> None:
    blob = repository.git("rev-parse", "HEAD:README.md")
    assert GitHistory(repository.path).details(make_pull_request(1, merge_commit_sha=blob, merged_at=MONDAY)) is None


def test_details_trust_the_host_on_which_pull_request_a_commit_merged(repository: GitRepository) -> None:
    sha = repository.commit("Squashed under another subject", {"a.py": "1\n"}, at=MONDAY)
    facts = make_pull_request(31, merge_commit_sha=sha, title="Known title")
    details = GitHistory(repository.path).details(facts)
    assert details is not None
    assert (details.number, details.title) == (31, "Known title")
    assert facts.with_details(details).files == details.files


def test_other_branches(repository: GitRepository) -> None:
    repository.git("checkout", "-q", "-b", "release/1.x")
    repository.commit("For the release (#2)", {"a.py": "1\n"}, at=MONDAY)
    repository.git("checkout", "-q", "main")
    repository.commit("For main (#3)", {"a.py": "2\n"}, at=MONDAY)
    (found,) = week(repository, branch="release/1.x")
    assert (found.number, found.base_ref, found.repository.default_branch) == (2, "release/1.x", "main")
    assert [one.number for one in week(repository)] == [3]


def test_c15_the_default_branch_of_a_clone_is_the_remotes(repository: GitRepository, tmp_path: Path) -> None:
    repository.git("branch", "-m", "main", "trunk")
    repository.commit("Merged (#1)", {"a.py": "1\n"}, at=MONDAY)
    repository.git("clone", "-q", str(repository.path), str(tmp_path / "work"))
    work = GitRepository(tmp_path / "other", origin=None)
    work.path = tmp_path / "work"
    work.git("checkout", "-q", "-b", "feature")
    work.commit("Not merged yet (#2)", {"b.py": "1\n"}, at=MONDAY)
    (found,) = week(work, repository="lumen/lumen")
    assert (found.number, found.base_ref) == (1, "trunk")
    assert [one.number for one in week(work, repository="lumen/lumen", branch="origin/trunk")] == [1]


def test_progress_and_order(repository: GitRepository) -> None:
    for number in (3, 1, 2):
        repository.commit(f"Change (#{number})", {"a.py": f"{number}\n"}, at=MONDAY)
    seen: list[tuple[int, int | None]] = []
    history = GitHistory(repository.path)
    found = list(history.merged_between(MONDAY, NEXT_MONDAY, lambda done, total: seen.append((done, total))))
    assert [one.number for one in found] == [1, 2, 3]
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_an_empty_week_and_the_ends_of_time(repository: GitRepository) -> None:
    history = GitHistory(repository.path)
    assert list(history.merged_between(MONDAY, NEXT_MONDAY)) == []
    assert list(history.merged_between(datetime(1, 1, 1, tzinfo=UTC), datetime(1, 1, 8, tzinfo=UTC))) == []
    assert list(history.merged_between(datetime(9999, 12, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC))) == []


def test_the_repositorys_mailmap_names_people(repository: GitRepository) -> None:
    repository.commit("Mailmap", {".mailmap": "Bo Reed-Stone <bo@new.example> <bo@example.org>\n"}, at=MONDAY)
    repository.commit("By Bo (#1)", {"a.py": "1\n"}, at=MONDAY, author=BO)
    assert only(repository).user == Person(login=None, name="Bo Reed-Stone")


def test_c24_no_address_survives(repository: GitRepository) -> None:
    trailers = "Co-authored-by: bo@example.org <bo@example.org>\nReviewed-by: Cy <cy@example.org>"
    repository.commit(
        f"Change (#1)\n\nWords.\n\n{trailers}", {"a.py": "1\n"}, author=("bo@example.org", "bo@example.org")
    )
    found = only(repository)
    assert "@example.org" not in found.model_dump_json()
    assert found.user.shown == "ghost"


def test_the_pull_requests_of_a_bare_clone_and_a_linked_work_tree_are_the_same(
    repository: GitRepository, tmp_path: Path
) -> None:
    repository.commit("Change (#1)", {"a.py": "1\n", ".gitattributes": "*.py -diff\n"}, at=MONDAY)
    repository.git("clone", "-q", "--bare", str(repository.path), str(tmp_path / "bare.git"))
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    ways = [
        list(GitHistory(path, "lumen/lumen").merged_between(MONDAY, NEXT_MONDAY))
        for path in (repository.path, tmp_path / "bare.git", tmp_path / "linked")
    ]
    assert ways[0] == ways[1] == ways[2]
    assert [file.patch for file in ways[0][0].files or ()] == ["@@ -0,0 +1 @@\n+*.py -diff", "@@ -0,0 +1 @@\n+1"]
