"""What the files of a merge look like when they are read from a clone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from shared.domain.pull_request import ChangedFile, PullRequest, Unread
from shared.sources.convention_texts import ConventionTexts
from shared.sources.git_history import GitHistory, diffs, patches
from tests.git_repository import MONDAY, NEXT_MONDAY, GitRepository

LINES = "".join(f"line {number}\n" for number in range(40))
NOISE = bytes(range(256)) * 20


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "lumen")


def merged(path: Path) -> list[PullRequest]:
    return list(GitHistory(path, "lumen/lumen").merged_between(MONDAY, NEXT_MONDAY))


def files_of(path: Path) -> list[ChangedFile]:
    (found,) = merged(path)
    return list(found.files or ())


def test_c43_renames_keep_their_previous_names(repository: GitRepository) -> None:
    repository.commit("Before", {"old/pure.py": LINES, "old/edited.py": LINES + "x\n", "text.md": "rename from a\n"})
    repository.commit(
        "Move (#1)",
        {
            "old/pure.py": None,
            "new/pure.py": LINES,
            "old/edited.py": None,
            "new/edited.py": LINES + "y\n",
            "text.md": "rename from b\nrename to c\nsimilarity index 100%\n",
        },
    )
    edited, pure, text = files_of(repository.path)
    assert (pure.status, pure.previous_filename, pure.patch, pure.unread) == ("renamed", "old/pure.py", None, None)
    assert (pure.additions, pure.deletions) == (0, 0)
    assert (edited.status, edited.previous_filename) == ("renamed", "old/edited.py")
    assert (edited.additions, edited.deletions) == (1, 1)
    assert (edited.patch or "").endswith("-x\n+y")
    assert (text.status, text.previous_filename, text.additions) == ("modified", None, 3)


def test_c41_binary_content_is_not_read(repository: GitRepository) -> None:
    repository.commit("Before", {"gone.png": NOISE, "changed.png": NOISE})
    repository.commit(
        "Pictures (#1)", {"gone.png": None, "changed.png": NOISE + b"x", "new.png": NOISE * 2, "empty": ""}
    )
    found = {file.filename: file for file in files_of(repository.path)}
    assert {name: file.status for name, file in found.items()} == {
        "changed.png": "modified",
        "empty": "added",
        "gone.png": "removed",
        "new.png": "added",
    }
    assert {name for name, file in found.items() if file.unread is Unread.BINARY} == {
        "changed.png",
        "gone.png",
        "new.png",
    }
    assert all(file.patch is None for file in found.values())
    assert found["empty"].unread is None


def test_c44_submodule_pointers(repository: GitRepository) -> None:
    old, new = "a" * 40, "b" * 40
    repository.submodule("vendor/lib", old)
    repository.commit("Before", {"test.py": "'Subproject commit 1'\n"})
    repository.submodule("vendor/lib", new)
    repository.submodule("vendor/added", new)
    repository.commit("Bump (#1)", {"test.py": f"'Subproject commit {old}'\n"})
    text, added, bumped = files_of(repository.path)
    assert (bumped.filename, bumped.submodule, bumped.status) == ("vendor/lib", (old, new), "modified")
    assert bumped.patch == f"@@ -1 +1 @@\n-Subproject commit {old}\n+Subproject commit {new}"
    assert (added.submodule, added.status, added.unread) == ((None, new), "added", None)
    assert text.submodule is None


def test_c39_paths_and_patches_that_are_not_utf8(repository: GitRepository) -> None:
    path = b"caf\xe9/\xff.txt"
    strange = 'tab\tquote" new\nline\\.txt'
    repository.commit(
        "Odd (#1)", {path: b"gr\xfc\xdfe\n\xd6\xd0\n", strange: "x\ndiff --git a/b b/b\n", "日本.txt": "é\n"}
    )
    found = {file.filename: file for file in files_of(repository.path)}
    assert set(found) == {"caf\ufffd/\ufffd.txt", strange, "日本.txt"}
    assert found["caf\ufffd/\ufffd.txt"].patch == "@@ -0,0 +1,2 @@\n+gr\ufffd\ufffde\n+\ufffd\ufffd"
    assert found[strange].patch == "@@ -0,0 +1,2 @@\n+x\n+diff --git a/b b/b"
    assert found["日本.txt"].patch == "@@ -0,0 +1 @@\n+é"


def test_kinds_of_change(repository: GitRepository) -> None:
    repository.commit("Before", {"mode.sh": "x\n", "kind": "target\n", "gone": "1\n2\n", "crlf.txt": "a\r\nb\r\n"})
    repository.commit("Remove the kind", {"kind": None})
    (repository.path / "kind").symlink_to("target")
    repository.commit("As a link", {})
    (repository.path / "kind").unlink()
    (repository.path / "mode.sh").chmod(0o755)
    repository.commit("Change (#1)", {"kind": "text\n", "gone": None, "crlf.txt": "a\r\nc\r\n"})
    found = {file.filename: file for file in files_of(repository.path)}
    assert {name: file.status for name, file in found.items()} == {
        "mode.sh": "changed",
        "kind": "changed",
        "gone": "removed",
        "crlf.txt": "modified",
    }
    assert (found["mode.sh"].patch, found["mode.sh"].unread) == (None, None)
    assert (found["kind"].additions, found["kind"].deletions) == (1, 1)
    assert found["gone"].patch == "@@ -1,2 +0,0 @@\n-1\n-2"
    assert found["crlf.txt"].patch == "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r"


def test_the_first_commit_of_all_can_be_a_merge(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "lumen")
    repository.git("checkout", "-q", "--orphan", "fresh")
    repository.commit("All of it (#1)", {"a.py": "1\n"})
    (found,) = list(GitHistory(repository.path, branch="fresh").merged_between(MONDAY, NEXT_MONDAY))
    assert [file.filename for file in found.files or ()] == ["README.md", "a.py"]
    assert found.base_sha is None


def test_large_patches_are_counted_but_not_kept(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patches, "PATCH_LIMIT", 1000)
    monkeypatch.setattr(diffs, "MERGE_LIMIT", 1000)
    repository.commit("Before", {"big.txt": LINES * 4})
    repository.commit(
        "Change (#1)",
        {
            "a.txt": LINES,
            "b.txt": LINES,
            "big.txt": LINES * 2,
            "c.txt": LINES,
            "d.txt": LINES,
            "huge.json": LINES * 9000,
        },
    )
    found = {file.filename: file for file in files_of(repository.path)}
    assert (found["huge.json"].unread, found["huge.json"].additions) == (Unread.TOO_LARGE, 360_000)
    assert (found["big.txt"].unread, found["big.txt"].deletions) == (Unread.TOO_LARGE, 80)
    kept = [name for name, file in found.items() if file.patch is not None]
    assert kept == ["a.txt", "b.txt"], "no more than the limit of one merge"
    assert found["d.txt"].unread is Unread.TOO_LARGE


def test_content_too_large_for_a_diff_is_not_called_binary(repository: GitRepository) -> None:
    repository.commit("Data (#1)", {"data.csv": b"a,b,c\n" * 2_900_000, "small.bin": NOISE})
    big, small = files_of(repository.path)
    assert (big.unread, small.unread) == (Unread.TOO_LARGE, Unread.BINARY)


def test_config_and_attributes_of_a_clone_have_no_say(repository: GitRepository, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\n")
    script.chmod(0o755)
    repository.commit("Before", {"a.py": "1\n", ".gitattributes": "*.py diff=evil\n*.md -diff\n"})
    repository.commit("Change (#1)", {"a.py": "2\n", "b.md": "x\n"})
    plain = merged(repository.path)
    for name, value in {
        "diff.external": str(script),
        "diff.evil.command": str(script),
        "diff.evil.textconv": str(script),
        "core.pager": str(script),
        "core.fsmonitor": str(script),
        "log.showSignature": "true",
        "gpg.program": str(script),
        "diff.noprefix": "true",
        "diff.renames": "false",
        "log.follow": "true",
        "diff.context": "0",
        "diff.orderFile": str(script),
        "color.ui": "always",
        "core.quotePath": "false",
    }.items():
        repository.git("config", name, value)
    assert merged(repository.path) == plain
    assert not canary.exists()


def partial_clone(repository: GitRepository, place: Path) -> Path:
    repository.git("config", "uploadpack.allowFilter", "true")
    source = f"file://{repository.path}"
    subprocess.run(["git", "clone", "-q", "--bare", "--filter=blob:none", source, str(place)], check=True)
    return place


def test_a_partial_clone_counts_what_it_does_not_have(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "c" * 40
    repository.submodule("lib", old)
    repository.commit("Before", {"a.py": LINES, "moved.py": LINES + "m\n", ".github/labeler.yml": "x: y\n"})
    repository.submodule("lib", "d" * 40)
    repository.commit("Change (#1)", {"a.py": "1\n", "b.py": "1\n", "moved.py": None, "to.py": LINES + "m\n"})
    repository.commit("Another (#2)", {"c.py": "1\n"})
    repository.commit("Names", {".mailmap": "Ada Rock <11+ada@users.noreply.github.com>\n"})
    place = partial_clone(repository, tmp_path / "partial.git")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    first, second = merged(place)
    found = {file.filename: file for file in first.files or ()}
    assert {name: (file.status, file.unread) for name, file in found.items()} == {
        "a.py": ("modified", Unread.MISSING_OBJECT),
        "b.py": ("added", Unread.MISSING_OBJECT),
        "lib": ("modified", None),
        "to.py": ("renamed", None),
    }
    assert (first.changed_files, first.additions) == (4, 1)
    assert [file.unread for file in second.files or ()] == [Unread.MISSING_OBJECT]
    conventions = GitHistory(place, "lumen/lumen").conventions()
    assert isinstance(conventions, ConventionTexts)
    lacking = {".github/labeler.yml": "the clone does not hold its content"}
    assert (conventions, conventions.unreadable) == ({}, lacking)
    listed = subprocess.run(
        ["git", "-C", str(place), "cat-file", "--batch-all-objects", "--batch-check"], capture_output=True, check=True
    )
    assert b" blob " not in listed.stdout, "nothing was fetched behind our back"


def test_a_clone_that_has_lost_some_objects(repository: GitRepository) -> None:
    repository.commit("Before", {"a.py": LINES, "b.py": LINES * 2, "c/d.py": LINES * 3})
    repository.commit(
        "Change (#1)", {"a.py": LINES + "a\n", "b.py": LINES * 2 + "b\n", "c/d.py": None, "c/e.py": LINES * 3 + "c\n"}
    )
    repository.commit("Whole (#2)", {"f.py": "1\n"})
    lost = repository.git("rev-parse", "HEAD~1:b.py")
    (repository.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    first, second = merged(repository.path)
    assert [(file.filename, file.status, file.unread, file.additions) for file in first.files or ()] == [
        ("a.py", "modified", None, 1),
        ("b.py", "modified", Unread.MISSING_OBJECT, 0),
        ("c/e.py", "renamed", None, 1),
    ]
    assert [file.patch for file in second.files or ()] == ["@@ -0,0 +1 @@\n+1"]


def test_a_clone_that_has_lost_a_folder_listing(repository: GitRepository) -> None:
    repository.commit("Change (#1)", {"deep/a.py": "1\n"})
    repository.commit("Whole (#2)", {"f.py": "1\n"})
    lost = repository.git("rev-parse", "HEAD~1:")
    (repository.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    first, second = merged(repository.path)
    assert (first.files, first.changed_files, first.title) == (None, 0, "Change")
    assert second.files is None, "it differs from a listing that is gone"


def test_many_missing_files_fit_the_pipes(repository: GitRepository, tmp_path: Path) -> None:
    repository.commit("Many (#1)", {f"folder/{number:04}.txt": f"{number}\n" for number in range(1500)})
    place = partial_clone(repository, tmp_path / "partial.git")
    assert {file.unread for file in files_of(place)} == {Unread.MISSING_OBJECT}
    blob = repository.git("rev-parse", "HEAD:folder/0003.txt")
    folder = place / "objects" / blob[:2]
    folder.mkdir(exist_ok=True)
    shutil.copy(repository.path / ".git" / "objects" / blob[:2] / blob[2:], folder)
    read = [file for file in files_of(place) if file.unread is None]
    assert [(file.filename, file.patch) for file in read] == [("folder/0003.txt", "@@ -0,0 +1 @@\n+3")]
