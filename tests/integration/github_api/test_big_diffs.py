"""Big and odd diffs: the caps of the host are known, kept, and told (R-51, C-40 to C-42)."""

from __future__ import annotations

import tracemalloc

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules.context import build_context
from shared.domain.pull_request import Cut, Unread
from shared.settings import RepositorySettings
from tests.integration.github_api.asked import MERGED_AT, NAME, facts_of, open_api
from tests.servers.github import GitHubServer
from tests.servers.github.conversation import FileSpec
from tests.servers.github.repositories import Repository

CONTEXT = build_context(RepositorySettings(full_name=NAME), {})
MIB = 1024 * 1024


def named(count: int, patch: str | None = "@@ -1 +1 @@\n-before\n+after") -> list[FileSpec]:
    return [FileSpec(f"part_{place // 100}/file_{place}.py", patch=patch) for place in range(count)]


@pytest.mark.parametrize("token", [True, False])
def test_c40_the_list_ends_at_three_thousand_and_the_coverage_says_so(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    pull = repository.open_pull("Vast", files=named(3_000), changed_files=4_200, additions=9_000, deletions=9_000)
    pull.merge(at=MERGED_AT)

    details = open_api(github, token=token).details(facts_of(pull))
    coverage = examine(details, CONTEXT).coverage

    assert details.cut["files"] is Cut.HOST_LIMIT
    assert (details.additions, details.deletions, details.changed_files) == (9_000, 9_000, 4_200)
    assert (coverage.files_seen, coverage.files_changed, coverage.partial) == (3_000, 4_200, True)
    assert round(100 * coverage.files_seen / coverage.files_changed) == 71
    assert len(github.log) <= 31


def test_three_thousand_files_fit_into_little_memory(github: GitHubServer, repository: Repository) -> None:
    patch = "@@ -1,40 +1,40 @@\n" + "\n".join(f"-before {line}\n+after {line}" for line in range(150))
    pull = repository.open_pull("Vast", files=named(3_001, patch)).merge(at=MERGED_AT)
    api, facts = open_api(github), facts_of(pull)

    tracemalloc.start()
    try:
        details = api.details(facts)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(details.files or ()) == 3_000
    assert peak < 200 * MIB


def test_files_past_the_lines_of_an_answer_are_too_large_and_not_binary(
    github: GitHubServer, repository: Repository
) -> None:
    shown = FileSpec("big.json", additions=19_999, deletions=0, patch="@@ -0,0 +1 @@\n+{}")
    left_out = [FileSpec(f"later_{place}.py", additions=0, deletions=0, patch=None) for place in range(3)]
    image = FileSpec("logo.png", "added", additions=0, deletions=0, patch=None)
    pull = repository.open_pull("Wide", files=[shown, *left_out, image], additions=20_900, deletions=12)
    pull.merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))
    coverage = examine(details, CONTEXT).coverage

    assert [file.unread for file in details.files or ()] == [None, *[Unread.TOO_LARGE] * 3, Unread.BINARY]
    assert (coverage.files_read, coverage.unread) == (1, {"binary": 1, "too-large": 3})
    assert (details.additions, details.deletions) == (20_900, 12)


def test_c41_a_missing_patch_has_its_reason(github: GitHubServer, repository: Repository) -> None:
    files = [
        FileSpec("only.png", "added", additions=0, deletions=0, patch=None),
        FileSpec("huge.json", "added", additions=60_000, deletions=0, patch=None),
        FileSpec("new/name.py", "renamed", additions=0, deletions=0, patch=None, previous_filename="old/name.py"),
    ]
    pull = repository.open_pull("Odd", files=files).merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    image, data, moved = details.files or ()
    assert (image.unread, data.unread, moved.unread) == (Unread.BINARY, Unread.TOO_LARGE, None)
    assert moved.previous_filename == "old/name.py"


def test_two_hundred_renames_and_one_submodule_are_read(github: GitHubServer, repository: Repository) -> None:
    renames = [
        FileSpec(f"new/{place}.py", "renamed", 0, 0, patch=None, previous_filename=f"old/{place}.py")
        for place in range(200)
    ]
    pointer = FileSpec(
        "vendor/lib",
        patch=f"@@ -1 +1 @@\n-Subproject commit {'a' * 40}\n+Subproject commit {'b' * 40}",
    )
    pull = repository.open_pull("Moved", files=[*renames, pointer]).merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))
    coverage = examine(details, CONTEXT).coverage

    assert (details.files or ())[-1].submodule == ("a" * 40, "b" * 40)
    assert coverage.files_read == 201


def test_one_line_of_two_megabytes_is_carried(github: GitHubServer, repository: Repository) -> None:
    line = "x" * (2 * MIB)
    pull = repository.open_pull("Minified", files=[FileSpec("app.min.js", patch=f"@@ -1 +1 @@\n-a\n+{line}")])
    pull.merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    assert examine(details, CONTEXT).coverage.files_seen == 1
    assert len((details.files or ())[0].patch or "") > 2 * MIB


def test_c42_the_diff_media_type_is_never_asked_for(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Vast", files=named(301)).merge(at=MERGED_AT)

    open_api(github).details(facts_of(pull))

    assert {entry.headers.get("accept") for entry in github.log} == {"application/vnd.github+json"}
    assert {entry.status for entry in github.log} == {200}
