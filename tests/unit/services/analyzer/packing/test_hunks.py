"""A patch is told by its changed lines: hunks found, long runs shortened, signs kept."""

from __future__ import annotations

from services.analyzer.packing.hunks import MOST_HUNKS, Hunk, hunks_of, raw, telling_lines

PATCH = """\
@@ -10,7 +10,8 @@ class Queue:
     far = 0
     near = 1
     nearer = 2
-    size = 3
+    size = 4
+
+    bytes = 5
     behind = 6
@@ -90,2 +91,2 @@
-old
+new"""


def lines(patch: str) -> list[str]:
    (hunk,) = hunks_of(patch)
    return telling_lines(raw(patch, hunk), cut_off=False).split("\n")


def test_hunks_know_their_lines_on_both_sides() -> None:
    first, second = hunks_of(PATCH)

    assert (first.old, first.new) == ((10, 17), (10, 18))
    assert second.holds(92, after=True)
    assert not second.holds(92, after=False)
    assert raw(PATCH, second).startswith("@@ -90")


def test_a_hunk_is_its_changed_lines_with_two_around_dedented() -> None:
    patch = PATCH.split("\n@@ -90", maxsplit=1)[0]

    assert lines(patch) == [
        "@@ class Queue:",
        " near = 1",
        " nearer = 2",
        "-size = 3",
        "+size = 4",
        "+bytes = 5",
        " behind = 6",
    ]


def test_a_patch_without_header_is_one_hunk() -> None:
    assert hunks_of("+a\n+b") == [Hunk(0, 5)]
    assert lines("+a\n+b") == ["@@", "+a", "+b"]
    assert hunks_of("") == []


def test_of_a_long_run_the_beginning_and_what_it_defines_is_kept() -> None:
    body = [f"+    x{at} = {at}" for at in range(100)]
    body[80] = "+    def close(self):"
    told = lines("@@ -0,0 +1,100 @@\n" + "\n".join(body))

    assert "+def close(self):" in told
    assert told[1] == "+x0 = 0"
    assert told[-3:] == ["+…", "+def close(self):", "+… 69 more lines"]
    assert len(told) < 45


def test_what_was_removed_is_told_by_its_first_lines() -> None:
    told = lines("@@ -1,50 +0,0 @@\n" + "\n".join(f"-gone {at}" for at in range(50)))

    assert told[1:] == [*(f"-gone {at}" for at in range(6)), "-… 44 more lines"]


def test_imports_and_licences_make_room_in_long_runs_only() -> None:
    head = ["+# Copyright Lumen", "+import os", "+from a import b"]
    work = [f"+work({at})" for at in range(10)]

    assert lines("@@ -0,0 +1,3 @@\n" + "\n".join(head))[1:] == head
    assert lines("@@ -0,0 +1,13 @@\n" + "\n".join([*head, *work]))[1:] == work


def test_long_lines_are_cut() -> None:
    assert len(lines("@@ -0,0 +1 @@\n+" + "x " * 500)[1]) == 202


def test_a_long_hunk_is_read_to_a_whole_line_and_says_that_it_goes_on() -> None:
    patch = "@@ -0,0 +1,9000 @@\n" + "\n".join(f"+line {at}" for at in range(9_000))
    (hunk,) = hunks_of(patch)
    piece = raw(patch, hunk)

    assert len(piece) <= 8_000
    assert patch[len(piece)] == "\n"
    assert telling_lines(piece, cut_off=True).endswith("\n…")


def test_the_number_of_hunks_is_bounded() -> None:
    assert len(hunks_of("\n".join("@@ -1 +1 @@\n+a" for _ in range(5_000)))) == MOST_HUNKS
