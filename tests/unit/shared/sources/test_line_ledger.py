"""The ledger of lines: which merge brought what another one changes, without a clone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.pull_request import ChangedFile, Unread
from shared.sources.git_history.hunks import Block, blocks_of
from shared.sources.git_history.ledger import MOST_LINES, Applied, LineLedger, is_telling

PATH = "core/ring.py"


def patch_of(start: int, removed: tuple[str, ...] = (), added: tuple[str, ...] = ()) -> str:
    old = start if removed else max(start - 1, 0)
    lines = [f"-{line}" for line in removed] + [f"+{line}" for line in added]
    return "\n".join([f"@@ -{old},{len(removed)} +{start},{len(added)} @@", *lines])


def change(patch: str | None = None, **more: Any) -> ChangedFile:
    lines = (patch or "").split("\n")
    counts = {sign: sum(line.startswith(sign) for line in lines) for sign in "+-"}
    return ChangedFile(
        **({"filename": PATH, "patch": patch, "additions": counts["+"], "deletions": counts["-"]} | more)
    )


def named(*words: str) -> tuple[str, ...]:
    return tuple(f"{word} = ring.lease_of({word})" for word in words)


def applied(ledger: LineLedger, origin: int, *files: ChangedFile) -> Applied:
    return ledger.apply(origin, files)


def test_blocks_know_their_place_in_the_old_file() -> None:
    patch = "@@ -3,4 +3,4 @@ def f():\n a\n-b\n+B\n c\n-d\n@@ -20,0 +20,2 @@\n+x\n+y\n\\ No newline at end of file"

    assert list(blocks_of(patch)) == [Block(3, ("b",), ("B",)), Block(5, ("d",), ()), Block(20, (), ("x", "y"))]


def test_a_removal_behind_an_addition_is_the_next_place() -> None:
    assert list(blocks_of("@@ -1,2 +1,1 @@\n-a\n+A\n-b")) == [Block(0, ("a",), ("A",)), Block(1, ("b",), ())]


@given(st.text(alphabet="+-@ 123,\nab\\", max_size=200))
def test_no_patch_breaks_the_reading(patch: str) -> None:
    applied(LineLedger(), 1, change(patch))


def test_lines_are_traced_to_what_brought_them_through_later_shifts() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(10, added=named("one", "two", "three"))))
    applied(ledger, 2, change(patch_of(1, added=named("above"))))

    told = applied(ledger, 3, change(patch_of(12, removed=named("two"), added=named("zwei"))))

    assert told.lines == {(PATH, 1): 1}
    assert applied(ledger, 4, change(patch_of(12, removed=named("zwei")))).lines == {(PATH, 3): 1}


def test_lines_from_before_the_ledger_are_older() -> None:
    told = applied(LineLedger(), 1, change(patch_of(400, removed=named("old"), added=named("new"))))

    assert told.lines == {(PATH, 0): 1}


def test_blank_lines_brackets_and_comments_do_not_count() -> None:
    removed = ("", "    }", "# said", "// said", "else", "value")

    assert applied(LineLedger(), 1, change(patch_of(1, removed=removed))).lines == {(PATH, 0): 2}
    assert not is_telling("  * a star of a comment")
    assert is_telling("*pointer = value;")


def test_moved_and_reindented_lines_keep_their_origin_and_are_no_change() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(1, added=named("one", "two"))))
    away = change(patch_of(1, removed=named("one", "two")))
    there = change(patch_of(1, added=tuple(f"    {line}" for line in named("one", "two"))), filename="b.py")

    assert applied(ledger, 2, away, there).lines == {}
    gone = change(patch_of(1, removed=(f"    {named('one')[0]}",)), filename="b.py")
    assert applied(ledger, 3, gone).lines == {("b.py", 1): 1}


def test_a_pure_addition_looks_at_its_neighbours() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(5, added=named("one", "two", "three", "four"))))

    told = applied(ledger, 2, change(patch_of(7, added=named("between"))))

    assert (told.lines, told.near) == ({}, {(PATH, 1): 4})


def test_a_rename_takes_its_lines_along() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(1, added=named("one"))))
    applied(ledger, 2, change(filename="new.py", previous_filename=PATH, status="renamed"))

    told = applied(ledger, 3, change(patch_of(1, removed=named("one")), filename="new.py"))

    assert told.lines == {("new.py", 1): 1}
    assert applied(ledger, 4, change(patch_of(1, removed=named("one")))).lines == {(PATH, 0): 1}


def test_a_rename_with_changes_counts_under_the_old_name() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(1, added=named("one"))))
    patch = patch_of(1, removed=named("one"), added=named("uno"))

    told = applied(ledger, 2, change(patch, filename="new.py", previous_filename=PATH, status="renamed"))

    assert told.lines == {(PATH, 1): 1}


def test_a_removed_file_is_forgotten() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(1, added=named("one"))))
    assert applied(ledger, 2, change(patch_of(1, removed=named("one")), status="removed")).lines == {(PATH, 1): 1}

    assert applied(ledger, 3, change(patch_of(1, removed=named("x")))).lines == {(PATH, 0): 1}


@pytest.mark.parametrize("reason", Unread)
def test_a_file_that_was_not_read_is_untraced_and_older_from_then_on(reason: Unread) -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(1, added=named("one"))))

    told = applied(ledger, 2, change(unread=reason, deletions=4))

    assert (told.lines, told.untraced) == ({}, {str(reason): 4})
    assert applied(ledger, 3, change(patch_of(1, removed=named("one")))).lines == {(PATH, 0): 1}


def test_a_mass_change_and_a_submodule_are_untraced() -> None:
    told = applied(LineLedger(), 1, change(patch_of(1, removed=("x",)), deletions=MOST_LINES + 1))
    pointer = applied(LineLedger(), 1, change(patch_of(1, removed=("x",)), submodule=("a" * 40, "b" * 40)))

    assert told.untraced == {"too-many": MOST_LINES + 1}
    assert pointer.untraced == {"submodule": 1}


def test_a_place_far_beyond_any_file_costs_nothing() -> None:
    ledger = LineLedger()
    patch = "@@ -999999999,0 +999999999,1 @@\n+value = 1"

    assert applied(ledger, 1, change(patch)).lines == {}
    assert applied(ledger, 2, change(patch_of(1, removed=("value = 1",)))).lines == {(PATH, 0): 1}


def test_what_was_forgotten_is_older() -> None:
    ledger = LineLedger()
    applied(ledger, 1, change(patch_of(1, added=named("one"))))
    ledger.forget()

    assert applied(ledger, 2, change(patch_of(1, removed=named("one")))).lines == {(PATH, 0): 1}
