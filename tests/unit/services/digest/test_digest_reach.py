"""The must-act table holds what users, operators or forks would act on, and nothing of the project's own house."""

from __future__ import annotations

from typing import Any

import pytest

from services.digest.aggregate import aggregate
from services.digest.must_act import find_must_act
from shared.domain.analysis import Evidence, Tag
from shared.domain.digest import MustAct
from shared.domain.pull_request import ChangedFile, RepositoryRef
from shared.domain.taxonomy import ChangeType, KeyReason, Namespace, Risk, Trait
from tests.builders import make_file
from tests.unit.services.digest.weeks import make_frame, make_key, make_merge, make_tag

DEV_SECTION = ' {\n   "name": "pages",\n   "devDependencies": {\n+    "tidy-kit": "^2.1.0",\n   }\n }'
OWN_SECTION = ' {\n   "name": "pages",\n   "dependencies": {\n+    "tidy-kit": "^2.1.0",\n   }\n }'
DEV_TOML = " [dev-dependencies]\n+tidy-kit = 2.1"
HUNK = '@@ -10,3 +10,4 @@ "devDependencies": {\n     "left": "1.0.0",\n+    "tidy-kit": "^2.1.0",'


def rows_of(title: str = "Tidy pages", **overrides: Any) -> tuple[MustAct, ...]:
    return find_must_act([make_merge(1, title, **overrides)], set())


def dependency(why: str, path: str = "package.json", quote: str | None = None) -> Tag:
    return Tag(
        namespace=Namespace.RISK,
        value=Risk.DEPENDENCY_CHANGE,
        rule="test",
        evidence=(Evidence(why=why, path=path, quote=quote),),
    )


@pytest.mark.parametrize(
    ("why", "path"),
    [
        ("left-pad: new, workspace:*", "packages/pages/package.json"),
        ("left-pad: new, catalog:", "packages/pages/package.json"),
        ("left-pad: catalog: → removed", "package.json"),
        ("left-pad: new, link:../pad", "package.json"),
        ("page-store: new, crates/page-store", "Cargo.toml"),
        ("@lumen/pages: 1.0.0 → 1.1.0", "package.json"),
        ("@lumen.e2e/pages: new, 1.0.0", "package.json"),
        ("lumen: 0.16.0 → 0.16.1", "Cargo.toml"),
        ("lumen_pages: 0.0.6 → 0.0.7", "Cargo.toml"),
        ("github.com/lumen/lumen/api: v1.0.0 → v1.1.0", "go.mod"),
        ("go.lumen.example/lumen/client: v1.0.0 → v1.1.0", "go.mod"),
        ("napi8: new", "Cargo.toml"),
        ("@acme/plugin: new", "pnpm-workspace.yaml"),
        ("left-pad: any version → any version", "package.json"),
        ("left-pad: ^1.2 → ^1.2", "package.json"),
        ("left-pad: new, 1.2", "pages/.fixtures/pad/package.json"),
        ("left-pad: new, 1.2", "benchmarks/package.json"),
        ("left-pad: new, 1.2", "requirements/test.txt"),
        ("left-pad: new, 1.2", "dev-requirements.txt"),
        ("@types/node: ^20 → ^22", "package.json"),
        ("pytest-xdist: 3.1 → 3.2", "pyproject.toml"),
        ("org.junit.jupiter: 5.1 → 5.2", ".mvn/extensions.xml"),
        ("mockito-core: 5.1 → 5.2", "gradle/libs.versions.toml"),
    ],
)
def test_dependencies_of_the_house_are_not_told(why: str, path: str) -> None:
    assert rows_of(tags=(dependency(why, path),)) == ()


@pytest.mark.parametrize(
    ("why", "path"),
    [
        ("left-pad: new, ^1.2", "package.json"),
        ("left-pad: 1.2 → removed", "package.json"),
        ("tls: workspace:* → 1.3", "Cargo.toml"),
        ("channel: 1.95.0 → 1.97.0", "rust-toolchain.toml"),
        ("golang.org/x/net: v0.1.0 → v0.2.0", "go.mod"),
        ("github.com/lumen/relay: v0.1.0 → v0.2.0", "go.mod"),
        ("left-pad: new", "requirements/common.txt"),
        ("contest-kit: new, 1.2", "latest/package.json"),
    ],
)
def test_dependencies_that_are_needed_to_run_are_told(why: str, path: str) -> None:
    assert [row.kind for row in rows_of(tags=(dependency(why, path),))] == ["dependency-change"]


@pytest.mark.parametrize(
    ("full_name", "why"),
    [
        ("acme/core", "core-js: 3.1 → 3.2"),
        ("acme/cli", "cli-table: 1.1 → 1.2"),
        ("acme/finch", "@acme/panels: 1.1 → 1.2"),
        ("finch/finch", "github.com/finch/relay: v1.1.0 → v1.2.0"),
    ],
)
def test_a_package_of_somebody_else_is_not_taken_for_an_own_one(full_name: str, why: str) -> None:
    rows = rows_of(tags=(dependency(why),), repository=RepositoryRef(full_name=full_name))

    assert [row.kind for row in rows] == ["dependency-change"]


@pytest.mark.parametrize(
    ("path", "patch", "told"),
    [
        ("package.json", DEV_SECTION, 0),
        ("package.json", OWN_SECTION, 1),
        ("package.json", HUNK, 0),
        ("Cargo.toml", DEV_TOML, 0),
        ("package.json", None, 1),
    ],
)
def test_the_section_of_a_manifest_tells_what_only_developers_need(path: str, patch: str | None, told: int) -> None:
    quote = "tidy-kit = 2.1" if path == "Cargo.toml" else '"tidy-kit": "^2.1.0",'
    tag = dependency("tidy-kit: new, ^2.1.0", path, quote)

    assert len(rows_of(tags=(tag,), files=(make_file(path, patch=patch),))) == told


@pytest.mark.parametrize(
    ("title", "kind", "files"),
    [
        ("Remove bespoke page iterator", ChangeType.REFACTOR, (make_file("crates/pages/src/iter.rs"),)),
        ("Remove single-use page conversions", ChangeType.REFACTOR, (make_file("crates/pages/src/lib.rs"),)),
        ("Remove what the writer left", ChangeType.FIX, (make_file("src/a.ts", status="removed"), make_file("x.md"))),
        ("Drop stale stubs", ChangeType.REFACTOR, (make_file("a/resources/mdtest/pages.md"), make_file("a/src/b.rs"))),
    ],
)
def test_a_removal_inside_the_code_is_not_told(title: str, kind: ChangeType, files: tuple[ChangedFile, ...]) -> None:
    assert rows_of(title, kind=kind, files=files, tags=(make_tag(Trait.REMOVAL, "words of the title"),)) == ()


@pytest.mark.parametrize(
    ("title", "kind", "files"),
    [
        ("Remove tree layout", ChangeType.REFACTOR, (make_file("lumen/layout/tree.py", status="removed"),)),
        ("Remove tree layout", ChangeType.REFACTOR, (make_file("lumen/layout.py"), make_file("docs/layout.md"))),
        ("Remove tree layout", ChangeType.REFACTOR, (make_file("lumen/layout.py"), make_file("api/layout.proto"))),
        ("Drop support for tree layouts", ChangeType.FIX, (make_file("lumen/layout.py"),)),
        ("Remove the --tree flag", ChangeType.CHORE, (make_file("lumen/layout.py"),)),
        ("Remove tree layout", ChangeType.REFACTOR, None),
    ],
)
def test_a_removal_that_reaches_somebody_is_told(
    title: str, kind: ChangeType, files: tuple[ChangedFile, ...] | None
) -> None:
    rows = rows_of(title, kind=kind, files=files, tags=(make_tag(Trait.REMOVAL, "words of the title"),))

    assert [row.kind for row in rows] == ["removal"]


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        ("-#[deprecated(note = 1)]\n-fn a()\n+#[deprecated(\n+    note = 1\n+)]\n+fn a()", 0),
        (" fn a()\n+// nothing here", 0),
        ("+#[deprecated(note = 1)]\n fn a()", 1),
        (None, 1),
    ],
)
def test_a_mark_of_deprecation_counts_only_when_it_is_new(patch: str | None, told: int) -> None:
    tag = make_tag(Trait.DEPRECATION, "a mark of deprecation is added", path="src/a.rs", quote="#[deprecated(")

    assert len(rows_of("Lay out anew", tags=(tag,), files=(make_file("src/a.rs", patch=patch),))) == told


@pytest.mark.parametrize(
    ("title", "kind", "told"),
    [
        ("Open pages lazily by default", ChangeType.FEAT, 1),
        ("chore(playground): default to the new pages", ChangeType.CHORE, 0),
        ("Optimize development builds by default", ChangeType.PERF, 0),
        ("Run the internal checker by default", ChangeType.FEAT, 0),
    ],
)
def test_a_default_of_the_house_is_not_told(title: str, kind: ChangeType, told: int) -> None:
    tags = (
        make_tag(Trait.NEW_DEFAULT, "words of the title", quote="default"),
        make_tag(Risk.CONFIGURATION_CHANGE, "words of the title", quote="default"),
    )

    assert len(rows_of(title, kind=kind, tags=tags)) == told


def test_rows_are_ordered_by_reach_and_a_large_feature_does_not_lift_its_pins() -> None:
    merges = [
        make_merge(1, "Rework pages", score=90, tags=(dependency("left-pad: 1 → 2"),)),
        make_merge(2, "Deprecate trees", score=5, tags=(make_tag(Trait.DEPRECATION, "words of the title"),)),
        make_merge(
            3,
            "Deprecate leaves",
            score=5,
            paths=("src/leaves.ts", "docs/leaves.md"),
            tags=(make_tag(Trait.DEPRECATION, "words of the title"),),
        ),
    ]

    assert [row.number for row in find_must_act(merges, set())] == [3, 2, 1]


def test_the_digest_tells_which_merges_found_no_room_in_the_table() -> None:
    breaking = [make_merge(n, tags=(make_tag(Risk.BREAKING_CHANGE),)) for n in range(1, 46)]

    digest = aggregate(breaking, make_frame())

    assert len(digest.must_act) == 40
    assert digest.must_act_cut == (41, 42, 43, 44, 45)
    assert not {row.number for row in digest.must_act} & set(digest.must_act_cut)


def test_nothing_is_key_or_advised_as_must_act_that_asks_nobody_to_act() -> None:
    tag = make_tag(Trait.REMOVAL, "words of the title")
    house = make_key(1, 60, KeyReason.MUST_ACT, title="Remove bespoke iterator", kind=ChangeType.REFACTOR, tags=(tag,))
    users = make_key(2, 50, KeyReason.MUST_ACT, title="Drop XML support", tags=(tag,))

    digest = aggregate([house, users], make_frame())

    assert [key.number for key in digest.key_pull_requests] == [2]
    assert [one.key for one in digest.follow_ups if one.key.startswith("check-upgrade")] == ["check-upgrade:2"]
