"""What every rule over a window promises, and what each of them finds."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.digest.merges import Merge
from services.digest.window_rules import WINDOW_RULES, WindowRule
from services.digest.window_rules.hot_file import HotFile
from shared.domain.analysis import Relation, Tag
from shared.domain.taxonomy import CLOSED_VALUES, ChangeType, Namespace, RelationKind, Risk, Trait
from tests.builders import MERGED_AT
from tests.unit.services.digest.weeks import last_week, make_failure, make_merge

EVERY_RULE = pytest.mark.parametrize("rule", WINDOW_RULES, ids=lambda rule: rule.name)


def busy_week(size: int = 12) -> list[Merge]:
    """A week in which every rule finds something."""
    revert = Relation(kind=RelationKind.REVERTS, source=90, target=1)
    repair = Relation(kind=RelationKind.REPAIRS, source=89, target=2)
    return [
        *(
            make_merge(n, f"[db][{n}/N] Step {n}", kind=ChangeType.FIX, author=f"u{n % 4}", paths=("db/page.go",))
            for n in range(1, size + 1)
        ),
        make_merge(90, 'Revert "x"', relations=(revert,), merged_at=MERGED_AT + timedelta(hours=1)),
        make_merge(89, "Fix y", relations=(repair,), merged_at=MERGED_AT + timedelta(hours=2)),
        make_failure(91),
        make_merge(92, files=None),
    ]


@EVERY_RULE
def test_the_name_is_a_slug_and_signs_the_tags(rule: WindowRule) -> None:
    tags = [tag for _, tag in rule.examine(busy_week(), [])]

    assert tags
    assert rule.name == rule.name.lower().replace(" ", "-").replace("_", "-")
    assert {tag.rule for tag in tags} == {rule.name}


@EVERY_RULE
def test_tags_are_of_the_vocabulary_carry_evidence_and_name_merges_of_the_window(rule: WindowRule) -> None:
    week = busy_week()

    found = list(rule.examine(week, last_week(busy_week(3))))

    assert {number for number, _ in found} <= {merge.number for merge in week}
    for _, tag in found:
        assert tag.value in CLOSED_VALUES[tag.namespace]
        assert tag.evidence
        assert all(evidence.why for evidence in tag.evidence)


@EVERY_RULE
def test_nothing_comes_of_nothing(rule: WindowRule) -> None:
    assert list(rule.examine([], [])) == []
    assert list(rule.examine([], busy_week())) == []


@EVERY_RULE
@settings(max_examples=10)
@given(order=st.permutations(range(16)))
def test_the_order_of_the_merges_does_not_matter(rule: WindowRule, order: list[int]) -> None:
    week = busy_week()

    assert by_number(rule, [week[place] for place in order]) == by_number(rule, week)


def by_number(rule: WindowRule, merges: list[Merge], earlier: list[Merge] | None = None) -> dict[int, Tag]:
    return dict(sorted(rule.examine(merges, earlier or []), key=lambda pair: pair[0]))


def test_names_are_unique() -> None:
    assert len({rule.name for rule in WINDOW_RULES}) == len(WINDOW_RULES)


def test_a_file_in_three_merges_is_hot_and_names_the_others() -> None:
    merges = [make_merge(n, author=f"u{n}", paths=("db/page.go", "docs/db.md", "tests/db_test.go")) for n in (1, 2, 3)]

    found = by_number(HotFile(), merges)

    assert set(found) == {1, 2, 3}
    assert found[2].namespace is Namespace.RISK
    assert found[2].value == Risk.HOT_FILE
    assert [(one.path, one.why) for one in found[2].evidence] == [("db/page.go", "Also changed by #1, #3.")]


def test_a_file_fixed_last_week_and_again_is_hot() -> None:
    fix = make_merge(2, kind=ChangeType.FIX, paths=("db/page.go",))
    before = last_week([make_merge(1, kind=ChangeType.FIX, paths=("db/page.go",))])

    assert set(by_number(HotFile(), [fix], before)) == {2}
    assert by_number(HotFile(), [fix]) == {}
    assert by_number(HotFile(), [make_merge(2, paths=("db/page.go",))], before) == {}


@pytest.mark.parametrize(
    "path",
    [
        "go.sum",
        "Cargo.lock",
        "docs/guide.md",
        "tests/test_db.py",
        "web/cart.test.ts",
        "ci/build.yaml",
        "vendor/x.go",
        "a_pb2.py",
    ],
)
def test_tests_prose_data_and_generated_files_are_never_hot(path: str) -> None:
    assert by_number(HotFile(), [make_merge(n, kind=ChangeType.FIX, paths=(path,)) for n in (1, 2, 3)]) == {}


def test_a_registry_that_everybody_touches_every_week_is_reported_once() -> None:
    week = [
        make_merge(n, author=f"u{n}", score=n, kind=ChangeType.FEAT, paths=("app/registry.py", f"app/part_{n}.py"))
        for n in range(1, 9)
    ]

    assert set(by_number(HotFile(), week, last_week(week))) == {8}


def test_a_bulk_change_heats_nothing() -> None:
    bulk = [make_merge(n, paths=tuple(f"src/file_{m}.rs" for m in range(60))) for n in (1, 2, 3)]

    assert by_number(HotFile(), bulk) == {}


def test_a_busy_week_is_not_flagged_as_a_whole() -> None:
    week = [make_merge(n, author=f"u{n}", paths=(f"src/file_{n // 4}.rs",)) for n in range(1, 201)]

    assert len(by_number(HotFile(), week)) <= 40


def test_each_rule_sets_its_own_tags() -> None:
    traits = {rule.name: {tag.value for _, tag in rule.examine(busy_week(), [])} for rule in WINDOW_RULES}

    assert traits == {
        "hot-file": {Risk.HOT_FILE},
        "series": {Trait.SERIES},
        "reverted": {Trait.REVERTED},
        "repaired": {Risk.BROKEN_AND_REPAIRED, Trait.REPAIRED},
    }
