"""Clones that cannot be read: each one clear line; and what is fetched from elsewhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from shared.domain.errors import InvalidInput
from shared.sources.git_history import GitHistory, commands, fetch_clone
from shared.sources.merge_records import MergeRecords, dump
from shared.sources.opening import open_source
from tests.builders import make_pull_request
from tests.git_repository import MONDAY, NEXT_MONDAY, GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "lumen")
    for number in range(1, 6):
        made.commit(f"Change (#{number})", {"a.py": f"{number}\n"}, at=MONDAY + timedelta(days=number))
    return made


def numbers(source: GitHistory | MergeRecords) -> list[int]:
    return [one.number for one in source.merged_between(MONDAY, NEXT_MONDAY)]


def refusal(source: GitHistory) -> str:
    with pytest.raises(InvalidInput) as caught:
        numbers(source)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def folders(cache: Path) -> list[Path]:
    """The clones in a cache, half-made ones too."""
    return [left for left in cache.iterdir() if left.is_dir()]


def test_no_clone(tmp_path: Path, repository: GitRepository) -> None:
    (repository.path / "inner").mkdir()
    assert "not a git repository" in refusal(GitHistory(tmp_path))
    assert "not a git repository" in refusal(GitHistory(repository.path / "inner"))
    assert "no folder" in refusal(GitHistory(tmp_path / "absent"))


def test_a_clone_without_commits_or_with_a_broken_config(tmp_path: Path, repository: GitRepository) -> None:
    empty = tmp_path / "empty"
    subprocess.run(["git", "init", "-q", str(empty)], check=True)
    assert "has no commits" in refusal(GitHistory(empty, "lumen/lumen"))
    (repository.path / ".git" / "config").write_text("[core\n")
    assert "bad config" in refusal(GitHistory(repository.path, "lumen/lumen"))


@pytest.mark.parametrize("branch", ["absent", "--output=/tmp/x", "-x", "main..HEAD", "a b", "main^{/x}", "", "a\x00b"])
def test_no_such_branch(repository: GitRepository, branch: str) -> None:
    assert "branch" in refusal(GitHistory(repository.path, branch=branch))


def test_the_branches_that_there_are_get_named(repository: GitRepository) -> None:
    repository.git("branch", "topic")
    assert "It has main, topic." in refusal(GitHistory(repository.path, branch="absent"))


@pytest.mark.parametrize("origin", [None, "/srv/git/lumen.git", "ext::sh -c true"])
def test_an_origin_that_names_no_repository(tmp_path: Path, origin: str | None) -> None:
    made = GitRepository(tmp_path / "nameless", origin)
    made.commit("Change (#1)", {"a.py": "1\n"})
    assert "--repository OWNER/NAME" in refusal(GitHistory(made.path))
    assert numbers(GitHistory(made.path, "lumen/lumen")) == [1]
    assert "not a repository name" in refusal(GitHistory(made.path, "no name"))


def test_credentials_of_the_origin_are_not_kept(tmp_path: Path) -> None:
    made = GitRepository(tmp_path / "x", "https://ada:canary@git.corp.example:8443/lumen/lumen.git")
    repository = GitHistory(made.path).repository
    assert (repository.host, repository.full_name) == ("git.corp.example:8443", "lumen/lumen")


def test_a_shallow_clone_must_reach_back_to_the_window(repository: GitRepository, tmp_path: Path) -> None:
    source = f"file://{repository.path}"
    for depth in ("1", "3", "6"):
        subprocess.run(["git", "clone", "-q", "--bare", "--depth", depth, source, str(tmp_path / depth)], check=True)
    for depth in ("1", "3"):
        assert "git fetch --unshallow" in refusal(GitHistory(tmp_path / depth, "lumen/lumen"))
    # Its first commit is that of four weeks before.
    assert numbers(GitHistory(tmp_path / "6", "lumen/lumen")) == [1, 2, 3, 4, 5]
    with pytest.raises(InvalidInput, match="shallow"):
        list(GitHistory(tmp_path / "1", "lumen/lumen").merged_between(MONDAY - timedelta(weeks=9), MONDAY))


def test_details_of_the_commit_at_which_a_shallow_clone_ends_are_not_guessed(
    repository: GitRepository, tmp_path: Path
) -> None:
    source = f"file://{repository.path}"
    subprocess.run(["git", "clone", "-q", "--bare", "--depth", "2", source, str(tmp_path / "shallow")], check=True)
    history = GitHistory(tmp_path / "shallow", "lumen/lumen")
    last, before = (repository.git("rev-parse", name) for name in ("HEAD", "HEAD~1"))
    assert history.details(make_pull_request(4, merge_commit_sha=before)) is None
    assert history.details(make_pull_request(5, merge_commit_sha=last)) is not None


def test_fetching_into_the_cache_and_refreshing(repository: GitRepository, tmp_path: Path) -> None:
    url, cache = f"file://{repository.path}", tmp_path / "cache"
    seen: list[tuple[int, int | None]] = []
    place = fetch_clone(url, cache, lambda done, total: seen.append((done, total)))
    assert numbers(GitHistory(place, "lumen/lumen")) == [1, 2, 3, 4, 5]
    assert seen
    assert all(total is not None and done <= total for done, total in seen)
    repository.commit("Change (#6)", {"a.py": "6\n"}, at=MONDAY)
    repository.git("branch", "-m", "main", "trunk")
    assert fetch_clone(url, cache) == place
    refreshed = GitHistory(place, "lumen/lumen")
    assert sorted(numbers(refreshed)) == [1, 2, 3, 4, 5, 6]
    assert refreshed.branch == "trunk", "C-15: the default branch was renamed"
    assert folders(cache) == [place]


@pytest.mark.parametrize(
    "url",
    [
        "-oProxyCommand=touch /tmp/x",
        "--upload-pack=touch",
        "ext::sh -c touch% /tmp/x",
        "fd::17",
        "file::/x",
        "ssh://-oProxyCommand=touch/x",
        "ftp://example.org/x",
        "https://exa mple.org/x",
        "https://example.org/x\n",
        "x",
        "persistent-https://example.org/x",
        "git@-oProxyCommand=x:a/b",
    ],
)
def test_addresses_that_git_must_not_see(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InvalidInput, match=r"not an address that may be cloned|not the URL of a clone"):
        fetch_clone(url, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_failed_fetch_leaves_nothing_and_tells_no_secret(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        fetch_clone("http://ada:canary@127.0.0.1:9/lumen/lumen.git", tmp_path / "cache")
    assert "canary" not in str(caught.value)
    assert "http://127.0.0.1:9/lumen/lumen.git cannot be fetched" in str(caught.value)
    assert folders(tmp_path / "cache") == []


def test_an_interrupted_fetch_leaves_no_half_clone_and_no_process(tmp_path: Path) -> None:
    """An ssh that never answers stands for a slow network; the interruption comes while git waits for it."""
    started = tmp_path / "started"
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\necho $$ > {started}.new && mv {started}.new {started}\nexec sleep 300\n")
    ssh.chmod(0o755)
    program = (
        "import signal, sys; from pathlib import Path; from shared.sources.git_history import fetch_clone\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a suite in the background ignores it
        "fetch_clone('git@example.invalid:lumen/lumen.git', Path(sys.argv[1]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "cache")],
        env=os.environ | {"GIT_SSH_COMMAND": str(ssh), "PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
    )
    with process:
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        helper = int(started.read_text())
        process.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in process.communicate(timeout=60)[1]
    assert folders(tmp_path / "cache") == []
    assert not alive(helper)


def alive(process: int) -> bool:
    """Whether a process runs; a dead one that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_opening_each_kind_of_source(repository: GitRepository, tmp_path: Path) -> None:
    records = tmp_path / "merges.NDJSON"
    records.write_text(dump(make_pull_request(9, merged_at=MONDAY)) + "\n")
    cache = tmp_path / "cache"
    for source, expected in (
        (str(records), [9]),
        (str(repository.path), [1, 2, 3, 4, 5]),
        (f"file://{repository.path}", [1, 2, 3, 4, 5]),
    ):
        opened = open_source(source, repository="lumen/lumen", branch=None, cache=cache)
        assert numbers(opened) == expected


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("absent.jsonl", "no file or folder"),
        ("./absent", "no file or folder"),
        ("lumen/lumen", "A SOURCE is"),
        ("note.txt", "A SOURCE is"),
        ("ext::sh -c true", "not an address"),
        ("empty.jsonl", "holds no merge record"),
    ],
)
def test_what_is_no_source(source: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text("x")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InvalidInput, match=says):
        open_source(source, repository=None, branch=None, cache=tmp_path / "cache")


def test_a_branch_of_merge_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / "merges.jsonl").write_text(dump(make_pull_request()) + "\n")
    with pytest.raises(InvalidInput, match="only be chosen in a clone"):
        open_source(str(tmp_path / "merges.jsonl"), repository=None, branch="main", cache=tmp_path)


def test_a_machine_without_git(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    commands.git.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")
    try:
        assert "needs git" in refusal(GitHistory(repository.path))
    finally:
        commands.git.cache_clear()
