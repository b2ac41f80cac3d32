"""The pure parts of reading a clone: subjects, addresses, diffs."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import InvalidInput
from shared.sources.git_history import patches
from shared.sources.git_history.addresses import (
    checked_url,
    chosen_repository,
    repository_of_url,
    without_credentials,
)
from shared.sources.git_history.merges import pull_requests_named
from shared.sources.git_history.patches import Garbled, Section, cut, raw_entries


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("Keep order (#12)", [(12, "Keep order")]),
        ("Keep order(#12) ", [(12, "Keep order")]),
        ('Revert "Keep order (#12)" (#34)', [(34, 'Revert "Keep order (#12)"')]),
        ("Keep order (#12) (#34)", [(34, "Keep order (#12)")]),
        ("Keep order (#12) (#12)", [(12, "Keep order")]),
        ("Keep order (#1 and #2) (#34)", [(34, "Keep order (#1 and #2)")]),
        ("Merge pull request #7 from ada/topic\n\nKeep order\n\nWhy.", [(7, "Keep order")]),
        ("Merge pull request #7 from ada/topic\n\nKeep order (#7)", [(7, "Keep order")]),
        ("Merge pull request #7 from ada/topic", [(7, "ada/topic")]),
        ("Merge pull request 'Keep order' (#7) from topic into main", [(7, "Keep order")]),
        ("Auto merge of #7 - ada:topic, r=bo\n\nKeep order\n\nWhy.", [(7, "Keep order")]),
        ("Merge #7 #8\n\n7: Keep order r=bo a=ada\n\n8: Mend r=bo a=cy", [(7, "Keep order"), (8, "Mend")]),
        ("Merge #7", [(7, "#7")]),
        ("Keep order", []),
        ("Keep order #12", []),
        ("See (#12) for order", []),
        ("Merge branch 'main'", []),
        ("Keep order (#0)", []),
        ("Keep order (#12345678901)", []),
        ("Keep order (#١٢)", []),
        ("(#12)", []),
        ("", []),
        ('Revert "Keep order (#12)"', []),
        ("Keep order (!12)", []),
    ],
)
def test_pull_requests_in_a_message(message: str, named: list[tuple[int, str]]) -> None:
    assert [(one.number, one.title) for one in pull_requests_named(message)] == named


@given(st.text(max_size=200))
def test_no_message_raises(message: str) -> None:
    for one in pull_requests_named(message):
        assert one.number > 0
        assert one.title


@pytest.mark.parametrize("subject", ["a " * 200_000, " " * 400_000, "(#" * 200_000, "Merge" + " #1" * 100_000 + "x"])
def test_hostile_subjects_take_no_time(subject: str) -> None:
    began = time.perf_counter()
    pull_requests_named(subject)
    pull_requests_named(f"Merge #1\n\n1: {subject}")
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        ("https://github.com/lumen/lumen.git", ("github.com", "lumen/lumen")),
        ("https://ada:secret@GitHub.com/lumen/lumen/", ("github.com", "lumen/lumen")),
        ("https://git.corp.example:8443/lumen/lumen", ("git.corp.example:8443", "lumen/lumen")),
        ("https://git.corp.example:443/lumen/lumen", ("git.corp.example", "lumen/lumen")),
        ("git@github.com:lumen/lumen.git", ("github.com", "lumen/lumen")),
        ("github.com:lumen/lumen", ("github.com", "lumen/lumen")),
        ("ssh://git@ssh.github.com:443/lumen/lumen.git", ("github.com", "lumen/lumen")),
        ("ssh://git@git.corp.example:2222/lumen/lumen.git", ("git.corp.example", "lumen/lumen")),
        ("git://git.corp.example/lumen/lumen", ("git.corp.example", "lumen/lumen")),
        ("https://gitlab.example/group/sub/lumen", ("gitlab.example", "group/sub/lumen")),
        ("/srv/git/lumen.git", None),
        ("../lumen", None),
        ("file:///srv/git/lumen.git", None),
        ("https://github.com/x", None),
        ("https://github.com/a/../b", None),
        ("https://[x/a/b", None),
        ("https://github.com:99999/a/b", None),
        ("", None),
        ("ext::sh -c x", None),
        ("C:\\lumen\\lumen", None),
    ],
)
def test_repository_of_an_origin(url: str, repository: tuple[str, str] | None) -> None:
    found = repository_of_url(url)
    assert (found and (found.host, found.full_name)) == repository


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ada:canary@github.com/a/b?token=canary#canary", "https://github.com/a/b"),
        ("https://canary@github.com/a/b", "https://github.com/a/b"),
        ("ssh://git@github.com/a/b", "ssh://git@github.com/a/b"),
        ("ssh://git:canary@github.com/a/b", "ssh://github.com/a/b"),
        ("git@github.com:a/b", "git@github.com:a/b"),
    ],
)
def test_c56_credentials_are_not_shown(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
    assert checked_url(url) == url


@given(st.text(max_size=60))
def test_no_address_raises_anything_but_invalid_input(url: str) -> None:
    repository_of_url(url)
    without_credentials(url)
    for read in (checked_url, lambda name: chosen_repository(name, None)):
        try:
            read(url)
        except InvalidInput:
            continue


ONE, TWO = "1" * 40, "2" * 40
LISTING = (
    f":100644 100644 {ONE} {TWO} M\0a.py\0:000000 160000 {'0' * 40} {TWO} A\0lib\0"
    f":100644 120000 {ONE} {TWO} T\0kind\0:100644 100644 {ONE} {ONE} R100\0old\0new\0"
).encode()
BODY = (
    b"diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@ def f():\n x\n--- a\n+++ b\n y\n"
    b"diff --git a/lib b/lib\nnew file mode 160000\nindex 0..2\n--- /dev/null\n+++ b/lib\n@@ -0,0 +1 @@\n+Subproject commit 2\n"
    b"diff --git a/kind b/kind\ndeleted file mode 100644\nBinary files a/kind and /dev/null differ\n"
    b"diff --git a/kind b/kind\nnew file mode 120000\n--- /dev/null\n+++ b/kind\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
    b"diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
)


def pieces(output: bytes, size: int) -> Iterator[bytes]:
    return (output[at : at + size] for at in range(0, len(output), size))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 64, 10_000])
def test_output_is_cut_the_same_however_it_arrives(size: int) -> None:
    entries, *sections = cut(pieces(LISTING + b"\0" + BODY, size))
    assert isinstance(entries, list)
    assert [(entry.letter, entry.path, entry.previous, entry.sections) for entry in entries] == [
        ("M", b"a.py", None, 1),
        ("A", b"lib", None, 1),
        ("T", b"kind", None, 2),
        ("R", b"new", b"old", 1),
    ]
    assert [entry.blobs for entry in entries] == [(ONE, TWO), (), (ONE, TWO), ()]
    assert sections == [
        Section(b"@@ -1,3 +1,3 @@ def f():\n x\n--- a\n+++ b\n y", additions=1, deletions=1),
        Section(b"@@ -0,0 +1 @@\n+Subproject commit 2", additions=1),
        Section(binary=True),
        Section(b"@@ -0,0 +1 @@\n+x\n\\ No newline at end of file", additions=1),
        Section(),
    ]


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_lines_beyond_the_limit_are_counted(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patches, "PATCH_LIMIT", 40)
    hunk = b"@@ -1,9 +1,9 @@\n" + b"+a\n-b\n" * 20
    listing = f":100644 100644 {ONE} {TWO} M\0a\0\0".encode()
    _, section = cut(pieces(listing + b"diff --git a/a b/a\n--- a/a\n+++ b/a\n" + hunk, size))
    assert section == Section(b"", additions=20, deletions=20, too_large=True)


def test_no_output_is_no_change() -> None:
    assert list(cut([])) == [[]]
    assert list(cut([b""])) == [[]]


@given(st.binary(max_size=200))
def test_output_of_another_shape_is_noticed(output: bytes) -> None:
    for read in (lambda: raw_entries(output), lambda: list(cut([output]))):
        try:
            read()
        except Garbled:
            continue
