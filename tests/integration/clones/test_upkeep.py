"""A kept clone: whole or not at all, one process at a time, and made again when it is broken; on real repositories."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from shared.domain.errors import Postponed
from shared.sources.git_history import GitHistory, commands
from shared.sources.git_history.remote import Remote
from shared.sources.git_history.upkeep import CloneInUse, KeptClone
from tests.git_repository import MONDAY, NEXT_MONDAY, GitRepository
from tests.integration.clones.remotes import SlowSsh, alive, at, calls, recording_git, refused

ROOT = Path(__file__).parents[3]
NOW = MONDAY + timedelta(days=1)


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def clone(repository: GitRepository, tmp_path: Path, clock: Clock) -> KeptClone:
    return KeptClone(at(repository.path), tmp_path / "clones", clock)


def over_ssh(repository: GitRepository, tmp_path: Path, clock: Clock) -> KeptClone:
    return KeptClone(Remote(f"ssh://host.invalid{repository.path}"), tmp_path / "clones", clock)


def numbers(clone: KeptClone) -> list[int]:
    return [one.number for one in GitHistory(clone.folder, "lumen/lumen").merged_between(MONDAY, NEXT_MONDAY)]


def folders(clone: KeptClone) -> list[Path]:
    return [left for left in clone.folder.parent.iterdir() if left.is_dir()]


def test_a_clone_is_made_bare_with_every_branch_and_no_tag_then_fetched(repository, clone, clock):
    repository.git("tag", "v1")
    repository.git("branch", "release/1.x")
    clone.keep(60)
    assert numbers(clone) == [1, 2, 3]
    refs = GitHistory(clone.folder)._clone.ask_all("for-each-ref", "--format=%(refname)")
    assert refs == ["refs/heads/main", "refs/heads/release/1.x"]
    assert not list((clone.folder / "hooks").glob("*"))

    repository.git("branch", "-D", "release/1.x")
    commit = repository.commit("Change (#4)", {"a.py": "4\n"}, at=MONDAY + timedelta(hours=5))
    assert not clone.has(commit)
    clock.move(minutes=15)
    clone.keep(60)
    assert clone.has(commit)
    assert numbers(clone) == [1, 2, 3, 4]
    assert GitHistory(clone.folder)._clone.ask_all("for-each-ref", "--format=%(refname)") == ["refs/heads/main"]
    assert (clone.state().fetched_at, clone.state().failure) == (clock(), None)
    assert clone.size() > 1000


def test_a_force_push_is_followed_and_the_vanished_merge_is_kept(repository, clone):
    clone.keep(60)
    before = repository.git("rev-parse", "HEAD")
    repository.git("commit", "-q", "--amend", "-m", "Changed (#3)")
    clone.keep(60)
    assert clone.has(repository.git("rev-parse", "HEAD"))
    assert clone.has(before)


def test_a_remote_that_is_away_is_postponed_with_the_age_and_found_again(repository, clone, clock, tmp_path):
    told = refused_while_away(repository, lambda: clone.keep(60))
    assert "cannot be fetched" in told
    assert "old" not in told
    assert folders(clone) == []

    clone.keep(60)
    clock.move(hours=3)
    told = refused_while_away(repository, lambda: clone.keep(60))
    assert "Its clone is 3 h old." in told
    assert clone.state().failure
    assert numbers(clone) == [1, 2, 3]
    clone.keep(60)
    assert clone.state().age(clock()) == timedelta(0)


def refused_while_away(repository: GitRepository, act) -> str:
    away = repository.path.with_name("away")
    repository.path.rename(away)
    try:
        return refused(act)
    finally:
        away.rename(repository.path)


@pytest.mark.parametrize("damage", ["pack", "head", "half-made"])
def test_a_broken_clone_is_made_again_and_no_other_left(repository, clone, clock, damage):
    clone.keep(60)
    subprocess.run(["git", "--git-dir", str(clone.folder), "repack", "-adq"], check=True)
    [pack] = clone.folder.glob("objects/pack/*.pack")
    if damage == "pack":
        pack.chmod(0o600)
        os.truncate(pack, pack.stat().st_size // 2)
    elif damage == "head":
        (clone.folder / "HEAD").write_text("nonsense")
    else:
        (clone.folder / "HEAD").unlink()
    clock.move(hours=2)

    clone.keep(60)

    assert numbers(clone) == [1, 2, 3]
    assert folders(clone) == [clone.folder]


def test_damage_that_only_a_reader_notices_is_looked_for_when_he_says_so(repository, clone):
    clone.keep(60)
    subprocess.run(["git", "--git-dir", str(clone.folder), "repack", "-adq"], check=True)
    [pack] = clone.folder.glob("objects/pack/*.pack")
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 0xFF
    pack.chmod(0o600)
    pack.write_bytes(content)
    clone.suspect()
    assert clone.suspected
    clone.keep(60)

    assert not clone.suspected
    subprocess.run(["git", "--git-dir", str(clone.folder), "fsck", "--full"], check=True, capture_output=True)


def test_a_sound_clone_that_was_suspected_is_kept(repository, clone):
    clone.keep(60)
    (clone.folder / "witness").touch()
    clone.suspect()
    clone.keep(60)
    assert not clone.suspected
    assert (clone.folder / "witness").exists()


def test_a_killed_clone_leaves_none_and_the_next_makes_it(repository, tmp_path, clock, ssh: SlowSsh):
    ssh.hang.touch()
    clone = over_ssh(repository, tmp_path, clock)
    program = (
        "import sys; from datetime import UTC, datetime; from pathlib import Path\n"
        "from shared.sources.git_history.remote import Remote\n"
        "from shared.sources.git_history.upkeep import KeptClone\n"
        "KeptClone(Remote(sys.argv[1]), Path(sys.argv[2]), lambda: datetime.now(UTC)).keep(300)"
    )
    arguments = [sys.executable, "-c", program, clone.remote.url, str(tmp_path / "clones")]
    with subprocess.Popen(arguments, env=os.environ | {"PYTHONPATH": str(ROOT)}) as process:
        helper = ssh.helper()
        assert "works on the clone" in refused(lambda: clone.keep(60))
        process.kill()
        process.wait(30)
    assert not clone.made
    assert "was not ended" in clone.state().failure
    os.killpg(os.getpgid(helper), signal.SIGKILL)
    ssh.hang.unlink()

    clone.keep(60)

    assert numbers(clone) == [1, 2, 3]
    assert folders(clone) == [clone.folder]


def test_two_workers_at_once_ask_the_remote_once(repository, tmp_path, clock, ssh: SlowSsh):
    clone = over_ssh(repository, tmp_path, clock)
    clone.keep(60)
    clock.move(minutes=15)
    commit = repository.commit("Change (#4)", {"a.py": "4\n"})
    ssh.hang.touch()
    problems: list[Postponed] = []

    def work() -> None:
        try:
            clone.fetch(60, 60, unless=lambda: clone.has(commit))
        except Postponed as error:
            problems.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    ssh.helper()
    with pytest.raises(CloneInUse):
        clone.fetch(60, 0, unless=lambda: False)
    ssh.begun.unlink()
    ssh.hang.unlink()
    for worker in workers:
        worker.join(60)

    assert problems == []
    assert clone.has(commit)


def test_the_remote_is_asked_at_most_once_a_minute(repository, clone, clock):
    assert "has no clone yet" in refused(lambda: clone.fetch(60, 0, unless=lambda: False))
    clone.keep(60)
    commit = repository.commit("Change (#4)", {"a.py": "4\n"})
    clock.move(seconds=59)
    with pytest.raises(Postponed, match="asked just now") as caught:
        clone.fetch(60, 0, unless=lambda: False)
    assert caught.value.until == NOW + timedelta(seconds=60)
    clock.move(seconds=1)
    clone.fetch(60, 0, unless=lambda: False)
    assert clone.has(commit)


def test_a_deadline_ends_git_and_its_helper(repository, tmp_path, clock, ssh: SlowSsh):
    ssh.hang.touch()
    assert "took longer than 2 s" in refused(lambda: over_ssh(repository, tmp_path, clock).keep(2))
    assert not alive(ssh.helper())


def test_locks_of_a_killed_git_are_taken_away_when_they_are_old(repository, clone, clock):
    clone.keep(60)
    repository.commit("Change (#4)", {"a.py": "4\n"}, at=MONDAY + timedelta(hours=5))
    left = [clone.folder / "packed-refs.lock", clone.folder / "refs" / "heads" / "main.lock"]
    for lock in left:
        lock.touch()
        os.utime(lock, (1, 1))
    clone.keep(60)
    assert not [lock for lock in left if lock.exists()]
    assert numbers(clone) == [1, 2, 3, 4]


def test_a_full_disk_is_said(repository, clone, tmp_path, monkeypatch):
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text("#!/bin/sh\necho 'fatal: write error: No space left on device' >&2\nexit 128\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(git.parent), prepend=os.pathsep)
    assert "the disk is full" in refused(lambda: clone.keep(60))


def test_tidying_is_for_clones_that_need_it_and_once_a_day(repository, clone, clock, tmp_path, monkeypatch):
    clone.keep(60)
    folder = recording_git(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    commands.git.cache_clear()
    clone.tidy(60)
    clone.tidy(60)
    clock.move(days=1)
    clone.tidy(60)
    assert len([call for call in calls(folder) if " gc --auto " in call]) == 2
    assert numbers(clone) == [1, 2, 3]
