"""The history behind merges, read from real repositories: origins of changed lines, churn, and the limits of both."""

from __future__ import annotations

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from shared.domain.code_history import CodeHistory
from shared.domain.pull_request import PullRequest
from shared.sources.git_history import GitHistory, tracing
from shared.sources.git_history.trace_cache import TraceCache, prune
from tests.builders import make_pull_request
from tests.git_repository import MONDAY, NEXT_MONDAY, GitRepository

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "lumen")


def code(*changed: int, lines: int = 30, word: str = "old") -> str:
    return "".join(f"{word if n in changed else 'first'}_{n} = ring.lease({n})\n" for n in range(lines))


def merges(path: Path, **more: Path) -> dict[int, PullRequest]:
    found = GitHistory(path, "lumen/lumen", traces=more.get("traces")).merged_between(MONDAY, NEXT_MONDAY)
    return {merge.number: merge for merge in found}


def history_of(path: Path, number: int, **more: Path) -> CodeHistory:
    found = merges(path, **more)[number].history
    assert found is not None
    return found


def a_fault_and_its_repair(repository: GitRepository) -> None:
    repository.commit("Begin the ring (#1)", {"ring.py": code()}, at=MONDAY - 3 * WEEK - DAY)
    repository.commit("Lease by word (#2)", {"ring.py": code(3, 4, 5, word="new")}, at=MONDAY - 2 * DAY)
    repository.commit("Fix the lease (#3)", {"ring.py": code(4, 5, 20, word="fixed")}, at=MONDAY + DAY)


def test_changed_lines_lead_to_the_merge_that_brought_them(repository: GitRepository) -> None:
    a_fault_and_its_repair(repository)

    found = history_of(repository.path, 3)

    (origin,) = found.origins
    assert (origin.path, origin.number, origin.lines, origin.subject) == ("ring.py", 2, 3, "Lease by word")
    assert origin.committed_at == MONDAY - 2 * DAY
    (file,) = found.files
    assert (file.older, file.commits, file.fixes, file.created_by) == (1, 2, 0, None)
    assert file.last_changed_at == MONDAY - 2 * DAY
    assert found.untraced == {}


def test_the_pipeline_gets_the_same_history_one_merge_at_a_time(repository: GitRepository) -> None:
    a_fault_and_its_repair(repository)
    repository.commit("Fix it again (#4)", {"ring.py": code(4, word="again")}, at=MONDAY + 2 * DAY)
    door = GitHistory(repository.path, "lumen/lumen")
    whole = merges(repository.path)

    for number in (4, 3, 4):
        facts = make_pull_request(number, merge_commit_sha=whole[number].merge_commit_sha, merged_at=MONDAY + DAY)
        details = door.details(facts)
        assert details is not None
        assert facts.with_details(details).history == whole[number].history


def test_a_door_goes_on_when_the_branch_grows(repository: GitRepository) -> None:
    a_fault_and_its_repair(repository)
    door = GitHistory(repository.path, "lumen/lumen")
    third = merges(repository.path)[3]
    assert door.details(third) is not None
    repository.commit("Fix it again (#4)", {"ring.py": code(4, word="again")}, at=MONDAY + 2 * DAY)
    fourth = merges(repository.path)[4]

    details = door.details(fourth)

    assert details is not None
    assert details.history == fourth.history
    assert details.history is not None
    assert {origin.number for origin in details.history.origins} == {3}
    again = door.details(third)
    assert again is not None
    assert again.history == third.history


def test_the_commits_of_a_branch_count_as_their_merge(repository: GitRepository) -> None:
    repository.commit("Begin the ring (#1)", {"ring.py": code()}, at=MONDAY - 3 * WEEK - DAY)
    repository.git("checkout", "-q", "-b", "words")
    repository.commit("One", {"ring.py": code(3, word="new")}, at=MONDAY - 5 * DAY)
    repository.commit("Two", {"ring.py": code(3, 4, word="new")}, at=MONDAY - 4 * DAY)
    repository.git("checkout", "-q", "main")
    repository.merge("words", "Merge pull request #2 from ada/words\n\nLease by word", at=MONDAY - 2 * DAY)
    repository.commit("Fix the lease (#3)", {"ring.py": code(3, 4, word="fixed")}, at=MONDAY + DAY)

    (origin,) = history_of(repository.path, 3).origins

    assert (origin.number, origin.lines, origin.committed_at) == (2, 2, MONDAY - 2 * DAY)


def test_a_rebase_merge_is_one_and_does_not_blame_itself(repository: GitRepository) -> None:
    repository.commit("Begin the ring (#1)", {"ring.py": code()}, at=MONDAY - 3 * WEEK - DAY)
    repository.commit("Lease by word (#2)", {"ring.py": code(3, word="new")}, at=MONDAY + DAY)
    repository.commit("Better words (#2)", {"ring.py": code(3, word="better")}, at=MONDAY + DAY)

    found = history_of(repository.path, 2)

    assert found.origins == ()
    assert found.files[0].older == 1


def test_a_commit_without_a_number_is_kept_by_its_id(repository: GitRepository) -> None:
    sha = repository.commit("Pushed by hand", {"ring.py": code()}, at=MONDAY - DAY)
    repository.commit("Fix it (#3)", {"ring.py": code(3, word="fixed")}, at=MONDAY + DAY)

    (origin,) = history_of(repository.path, 3).origins

    assert (origin.number, origin.commit) == (None, sha)


def test_new_files_tell_who_brought_them_and_how_often_they_were_fixed(repository: GitRepository) -> None:
    repository.commit("Add a ring (#1)", {"ring.py": code()}, at=MONDAY - 3 * DAY)
    repository.commit("Fix its end (#2)", {"ring.py": code(3, word="a")}, at=MONDAY - 2 * DAY)
    repository.commit("Grow it (#3)", {"ring.py": code(9, word="b")}, at=MONDAY + DAY)

    (file,) = history_of(repository.path, 3).files

    assert (file.commits, file.fixes, file.created_by, file.created_at) == (2, 1, 1, MONDAY - 3 * DAY)


def test_lines_and_churn_follow_a_rename(repository: GitRepository) -> None:
    repository.commit("Add a ring (#1)", {"ring.py": code()}, at=MONDAY - 3 * DAY)
    repository.commit("Move it (#2)", {"ring.py": None, "core/ring.py": code(29, word="m")}, at=MONDAY - 2 * DAY)
    repository.commit("Fix it (#3)", {"core/ring.py": code(3, word="b")}, at=MONDAY + DAY)

    found = history_of(repository.path, 3)

    assert {(one.path, one.number): one.lines for one in found.origins} == {
        ("core/ring.py", 1): 1,
        ("core/ring.py", 2): 1,
    }
    assert [(file.path, file.commits, file.created_by) for file in found.files] == [("core/ring.py", 2, 1)]


def test_binary_and_huge_files_are_untraced_and_the_rest_is_traced(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = bytes(range(256)) * 20
    before = {"ring.py": code(), "data.bin": noise, "huge.txt": code(lines=600)}
    repository.commit("Add (#1)", before, at=MONDAY - DAY)
    after = {"ring.py": code(3, word="b"), "data.bin": noise + b"x", "huge.txt": "gone\n"}
    repository.commit("Fix (#2)", after, at=MONDAY + DAY)
    monkeypatch.setattr("shared.sources.git_history.patches.PATCH_LIMIT", 5_000)

    found = history_of(repository.path, 2)

    assert {(one.path, one.lines) for one in found.origins} >= {("ring.py", 1)}
    assert "huge.txt" not in {one.path for one in found.origins}
    assert found.untraced == {"too-large": 600}


def test_only_the_largest_origins_and_files_are_kept(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracing, "MOST_ORIGINS", 2)
    monkeypatch.setattr(tracing, "MOST_FILES", 2)
    repository.commit("Add (#1)", {f"{name}.py": code() for name in "abcd"}, at=MONDAY - DAY)
    changes = {"a.py": code(1, word="x"), "b.py": code(1, 2, word="x"), "c.py": code(1, 2, 3, word="x")}
    repository.commit("Fix (#2)", changes, at=MONDAY + DAY)

    found = history_of(repository.path, 2)

    assert [one.path for one in found.origins] == ["b.py", "c.py"]
    assert [file.path for file in found.files] == ["b.py", "c.py"]
    assert found.untraced == {"too-many": 1}


def test_what_there_was_no_time_for_counts_as_not_followed(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    a_fault_and_its_repair(repository)
    monkeypatch.setattr(tracing, "_START", -100.0)

    found = history_of(repository.path, 3, traces=tmp_path / "traces")

    assert (found.origins, found.untraced) == ((), {"not-followed": 4})
    monkeypatch.undo()
    assert history_of(repository.path, 3, traces=tmp_path / "traces").origins


def test_the_end_of_a_shallow_clone_brought_nothing(repository: GitRepository, tmp_path: Path) -> None:
    a_fault_and_its_repair(repository)
    source = f"file://{repository.path}"
    subprocess.run(["git", "clone", "-q", "--depth", "2", source, str(tmp_path / "shallow")], check=True)

    found = history_of(tmp_path / "shallow", 3)

    assert (found.origins, found.untraced) == ((), {"not-followed": 4})


def test_a_clone_without_contents_is_not_completed_and_traces_nothing(
    repository: GitRepository, tmp_path: Path
) -> None:
    a_fault_and_its_repair(repository)
    repository.git("config", "uploadpack.allowFilter", "true")
    source = f"file://{repository.path}"
    arguments = ["clone", "-q", "--bare", "--filter=blob:none", source, str(tmp_path / "partial")]
    subprocess.run(["git", *arguments], check=True)

    found = history_of(tmp_path / "partial", 3)

    assert found.origins == ()
    assert [file.commits for file in found.files] == [2]


def test_settings_of_the_clone_have_no_say(repository: GitRepository) -> None:
    a_fault_and_its_repair(repository)
    usual = history_of(repository.path, 3)
    for name, value in (("diff.noprefix", "true"), ("diff.algorithm", "histogram"), ("log.showSignature", "true")):
        repository.git("config", name, value)
    repository.git("config", "diff.external", "touch /tmp/never")

    assert history_of(repository.path, 3) == usual


def test_the_cache_gives_the_same_without_reading_history(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_fault_and_its_repair(repository)
    first = history_of(repository.path, 3, traces=tmp_path / "traces")

    def never(*_: object) -> None:
        raise AssertionError("history was read again")

    monkeypatch.setattr(tracing, "first_parents", never)
    assert history_of(repository.path, 3, traces=tmp_path / "traces") == first


def test_a_spoilt_or_old_cache_is_no_error(repository: GitRepository, tmp_path: Path) -> None:
    a_fault_and_its_repair(repository)
    traces = tmp_path / "traces"
    first = history_of(repository.path, 3, traces=traces)
    for path in traces.rglob("*.json"):
        path.write_text('{"since": 1')

    assert history_of(repository.path, 3, traces=traces) == first
    for path in traces.rglob("*.json"):
        subprocess.run(["touch", "-d", "2001-01-01", str(path)], check=True)
    prune(traces)
    assert list(traces.rglob("*.json")) == []


def test_a_cache_that_cannot_be_written_is_no_error(repository: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    a_fault_and_its_repair(repository)

    assert history_of(repository.path, 3, traces=tmp_path / "file").origins
    assert TraceCache(tmp_path / "file", repository.path).get("a" * 40) is None
