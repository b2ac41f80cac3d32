"""Which files a model sees: what facts and rules point to first, tests and generated files as counts."""

from __future__ import annotations

from typing import Any

from shared.domain.analysis import Evidence, Tag
from shared.domain.facts import Fact, FactKind, Place, Reach, Subject
from shared.domain.taxonomy import Namespace, Risk
from tests.builders import make_analysis, make_file
from tests.unit.services.analyzer.examined import added
from tests.unit.services.analyzer.packing.packed import account, document, packed

WORK = added("queue.close()", "return size")


def changed(name: str, patch: str = WORK, **more: Any) -> Any:
    return make_file(name, patch=patch, **more)


def paths(fields: dict[str, Any]) -> list[str]:
    return [entry["path"] for entry in fields["diffs"]]


def test_tests_generated_vendored_and_lock_files_are_only_counted() -> None:
    names = ("src/queue.py", "tests/test_queue.py", "poetry.lock", "vendor/a.go", "api/queue_pb2.py")
    fields = document(files=tuple(changed(name) for name in names))

    assert paths(fields) == ["src/queue.py"]
    assert fields["counts"]["kinds"]["test"] == 1
    assert fields["counts"]["kinds"]["generated"] == 2
    assert fields["files"] == ["tests/test_queue.py +3 -1"]


def test_tests_are_shown_where_nothing_else_was_changed() -> None:
    assert paths(document(files=(changed("tests/test_queue.py"),))) == ["tests/test_queue.py"]


def test_documentation_is_shown_where_no_code_was_changed() -> None:
    assert paths(document(files=(changed("docs/queue.md"), changed("tests/test_queue.py")))) == ["docs/queue.md"]
    assert paths(document(files=(changed("docs/queue.md"), changed("src/queue.py")))) == ["src/queue.py"]


def test_what_facts_and_rules_point_to_comes_first() -> None:
    fact = Fact(
        kind=FactKind.DEFAULT_CHANGED,
        subject=Subject.OPTION,
        name="--size",
        old="1",
        new="2",
        after=Place(path="src/small.py", line=2),
        reach=Reach.PUBLIC,
    )
    core = Tag(
        namespace=Namespace.RISK,
        value=Risk.CORE_PATH,
        rule="core-path",
        evidence=(Evidence(why="core", path="src/core.py"),),
    )
    files = (
        changed("src/large.py", additions=900),
        changed("src/core.py", added("a()")),
        changed("src/small.py", added("b()")),
    )
    fields = document(analysis=make_analysis(facts=(fact,), tags=(core,)), files=files)

    assert paths(fields) == ["src/small.py", "src/core.py", "src/large.py"]
    assert fields["facts"] == ["option default-changed: --size 1 → 2 (public, src/small.py)"]
    assert fields["found_by_rules"]["risks"] == ["core-path"]


def test_the_hunk_with_a_fact_is_kept_when_not_all_fit() -> None:
    hunks = [
        f"@@ -{at * 100},20 +{at * 100},20 @@\n" + "\n".join(f"+value_{at}_{line} = {line}" for line in range(20))
        for at in range(1, 60)
    ]
    fact = Fact(kind=FactKind.ADDED, subject=Subject.FUNCTION, name="f", after=Place(path="src/a.py", line=5_003))
    entry = document(
        budget=1_500, analysis=make_analysis(facts=(fact,)), files=(changed("src/a.py", "\n".join(hunks)),)
    )["diffs"][0]

    assert "value_50_3 = 3" in entry["patch"]
    assert "value_59_3 = 3" not in entry["patch"]


def test_what_was_changed_alike_in_many_files_is_shown_once() -> None:
    fields = document(files=tuple(changed(f"src/part_{at}.py") for at in range(4)))

    assert [entry["patch"].count("queue.close()") for entry in fields["diffs"]] == [1, 0, 0, 0]
    assert fields["diffs"][1]["patch"] == "… 1 more changed as in src/part_0.py"


def test_added_and_renamed_files_say_so() -> None:
    files = (
        changed("src/new.py", status="added"),
        changed("src/now.py", added("other()"), status="renamed", previous_filename="src/then.py"),
    )
    first, second = sorted(document(files=files)["diffs"], key=lambda entry: entry["path"])

    assert first["status"] == "added"
    assert (second["status"], second["previous"]) == ("renamed", "src/then.py")


def test_the_account_is_whole_only_when_every_patch_was_shown() -> None:
    whole = account(packed(files=(changed("src/queue.py"),)), "diff")
    part = account(packed(files=(changed("src/queue.py"), changed("tests/test_queue.py"))), "diff")

    assert (whole.characters, whole.pieces) == (whole.of_characters, whole.of_pieces)
    assert part.characters < part.of_characters
    assert (part.pieces, part.of_pieces) == (1, 2)


def test_one_large_file_does_not_take_the_room_of_the_others() -> None:
    large = "\n".join(
        f"@@ -{at},9 +{at},9 @@\n" + "\n".join(f"+x_{at}_{line} = {line}" for line in range(9))
        for at in range(1, 900, 10)
    )
    fields = document(
        files=(
            changed("src/large.py", large, additions=900),
            changed("src/b.py", added("b()")),
            changed("src/c.py", added("c()")),
        )
    )

    assert set(paths(fields)) == {"src/large.py", "src/b.py", "src/c.py"}
