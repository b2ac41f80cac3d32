"""What every rule must keep: purity, determinism, the closed vocabulary, evidence, and calm before hostile text."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.analyzer.examine import examine
from services.analyzer.rules import RULES, build_context
from shared.domain.analysis import Relation, Tag
from shared.domain.pull_request import (
    ChangedFile,
    CheckResult,
    Comment,
    Commit,
    Person,
    PullRequest,
    Review,
    ReviewThread,
)
from shared.domain.taxonomy import CLOSED_VALUES, Namespace
from shared.settings import RepositorySettings
from tests.architecture.source_tree import source_files
from tests.builders import MERGED_AT, make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))
PURE = [
    file
    for file in source_files("services")
    if f"{file.module}.".startswith(("services.analyzer.rules.", "services.analyzer.reading."))
    or file.module.rsplit(".", 1)[-1]
    in {"combine", "examine", "importance", "key_reasons", "effects", "marks", "conventions", "review_insight"}
]
IMPURE = {"os", "pathlib", "time", "random", "secrets", "socket", "subprocess", "threading", "urllib", "datetime", "io"}

WORDS = st.sampled_from(
    [
        *(
            "Revert",
            '"',
            "(#12)",
            "#3",
            "[Bugfix]",
            "[2/N]",
            "feat(x)!:",
            "fix:",
            "by default",
            "deprecate",
            "Depends on #9",
        ),
        *("BREAKING CHANGE: x", "<!--", "-->", "```", "- [x] Breaking", "- [ ] a", "cherry picked from commit abcdef1"),
        *(
            "__->__ #1",
            "CVE-2026-1234",
            "remove support",
            "\u202e",
            "\u0000",
            "é",
            "e\u0301",
            "🐛",
            "org/x#4",
            "\r\n",
            "`",
        ),
    ]
)
TEXT = st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=14).map(" ".join)
PATHS = st.one_of(
    st.text(min_size=1, max_size=40),
    st.lists(
        st.sampled_from(["src", "tests", "docs", "core", "vendor", ".github", "..", "", "v1"]), max_size=6
    ).flatmap(
        lambda parts: st.sampled_from(["a.py", "go.mod", "Dockerfile", "x.rs", "package.json", "uv.lock", ""]).map(
            lambda name: "/".join([*parts, name])
        )
    ),
)
PATCHES = st.one_of(
    st.none(),
    st.text(max_size=60),
    st.lists(TEXT, max_size=6).map(
        lambda lines: "@@ -1 +1 @@\n" + "\n".join(f"+{line}\n-{line[::-1]}" for line in lines)
    ),
)

PEOPLE = st.builds(
    Person, login=st.one_of(st.none(), st.sampled_from(["ada", "bea", "ghost", "x[bot]"]), st.text(max_size=10))
)
TIMES = st.one_of(st.none(), st.timedeltas(timedelta(days=-9), timedelta(days=90)).map(lambda gap: MERGED_AT - gap))
COMMENTS = st.builds(
    Comment, user=PEOPLE, body=TEXT, created_at=TIMES, path=st.one_of(st.none(), PATHS), line=st.integers(1, 3)
)
REVIEWS = st.builds(
    Review,
    user=PEOPLE,
    state=st.sampled_from(["APPROVED", "CHANGES_REQUESTED", "DISMISSED", "COMMENTED", "X"]),
    body=st.one_of(st.none(), TEXT),
    submitted_at=TIMES,
    html_url=st.one_of(st.none(), TEXT),
)
THREADS = st.builds(
    ReviewThread,
    path=st.one_of(st.none(), PATHS),
    resolved=st.sampled_from([None, True, False]),
    outdated=st.booleans(),
    comments=st.lists(COMMENTS, max_size=4).map(tuple),
)
CHECKS = st.builds(CheckResult, name=TEXT, conclusion=st.sampled_from(["success", "failure", "pending", "x"]))


@st.composite
def reviews(draw: Any) -> dict[str, Any]:
    return {
        "created_at": draw(TIMES),
        "author_association": draw(st.sampled_from([None, "FIRST_TIMER", "x"])),
        "merged_by": draw(st.one_of(st.none(), PEOPLE)),
        "reviews": tuple(draw(st.lists(REVIEWS, max_size=5))),
        "review_comments": tuple(draw(st.lists(COMMENTS, max_size=3))),
        "review_threads": draw(st.one_of(st.none(), st.lists(THREADS, max_size=3).map(tuple))),
        "checks": draw(st.one_of(st.none(), st.lists(CHECKS, max_size=3).map(tuple))),
        "reviews_known": draw(st.booleans()),
    }


@st.composite
def pull_requests(draw: Any) -> PullRequest:
    files = draw(
        st.one_of(
            st.none(),
            st.lists(
                st.builds(
                    ChangedFile,
                    filename=PATHS,
                    status=st.sampled_from(
                        ["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]
                    ),
                    additions=st.integers(0, 5_000),
                    deletions=st.integers(0, 5_000),
                    previous_filename=st.one_of(st.none(), PATHS),
                    patch=PATCHES,
                    submodule=st.one_of(st.none(), st.just((None, "b" * 40)), st.just(("a" * 40, None))),
                ),
                max_size=5,
            ).map(tuple),
        )
    )
    return make_pull_request(
        draw(st.integers(1, 2**40)),
        title=draw(TEXT),
        body=draw(st.one_of(st.none(), TEXT)),
        labels=tuple(draw(st.lists(TEXT, max_size=3))),
        user=draw(st.builds(Person, login=st.one_of(st.none(), st.text(max_size=10)), name=st.one_of(st.none(), TEXT))),
        files=files,
        commits=tuple(draw(st.lists(st.builds(Commit, sha=st.just("c" * 40), message=TEXT), max_size=2))),
        comments=tuple(draw(st.lists(st.builds(Comment, body=TEXT), max_size=2))),
        base_ref=draw(st.sampled_from(["main", "release/1.x", ""])),
        **draw(reviews()),
    )


@pytest.mark.parametrize("file", PURE, ids=lambda file: file.module)
def test_rules_and_what_they_read_are_pure(file):
    imported = {name.split(".")[0] for name in file.imports}

    assert not imported & IMPURE
    assert "open(" not in file.text.replace("_open(", "")


def test_each_rule_has_a_name_of_its_own_like_its_file():
    names = [rule.name for rule in RULES]

    assert len(names) == len(set(names))
    assert all(rule.name.replace("-", "_") == rule.__name__.rsplit(".", 1)[-1] for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pull_request=pull_requests())
def test_a_rule_never_raises_and_keeps_to_the_vocabulary(rule, pull_request):
    first = list(rule.examine(pull_request, CONTEXT))

    assert first == list(rule.examine(pull_request, CONTEXT.about(pull_request)))
    for finding in first:
        if isinstance(finding, Tag):
            assert finding.rule == rule.name
            assert finding.evidence
            assert finding.namespace is Namespace.AREA or finding.value in CLOSED_VALUES[finding.namespace]
            assert all(len(e.quote or "") <= 400 and "\n" not in (e.quote or "") for e in finding.evidence)
        else:
            assert isinstance(finding, Relation)
            assert finding.source == pull_request.number != finding.target


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pull_request=pull_requests())
def test_an_examination_is_deterministic_and_whole(pull_request):
    analysis = examine(pull_request, CONTEXT)

    assert analysis == examine(pull_request, CONTEXT)
    assert analysis.summary
    assert sum(tag.namespace is Namespace.TYPE for tag in analysis.tags) == 1
    assert len(analysis.areas) == len(set(analysis.areas)) <= 4
    assert len({tag.name for tag in analysis.tags}) == len(analysis.tags)
    assert analysis.importance.score == sum(factor.points for factor in analysis.importance.factors)


@pytest.mark.parametrize(
    "overrides",
    [
        {"files": (make_file("a.py", patch="@@ -1 +1 @@\n+" + "a" * 5_000_000),)},
        {"files": (make_file("requirements.txt", patch="@@ -1 +1 @@\n+" + "a" * 5_000_000),)},
        {"files": (make_file("requirements.txt", patch="@@\n" + ("+" + "a " * 190 + "\n") * 4_000),)},
        {"files": (make_file("a.sh", patch="@@\n" + ("+" + "${A" * 90 + "\n") * 4_000),)},
        *(
            {"files": (make_file(path, patch="@@\n" + ("-" + line + "\n+" + line + "x\n") * 2_000),)}
            for path in (
                "package.json",
                "Cargo.toml",
                "build.gradle",
                "pom.xml",
                "Dockerfile",
                "setup.py",
                "settings.py",
            )
            for line in ('"a": ' * 78, "default(1 " * 39, '"--a" default ' * 28, " " * 390)
        ),
        {"body": "```release-note\n" * 4_000},
        {"body": "## Upgrade notes\n" * 3_800},
        {"body": "new A_B_C " * 6_000},
        {"title": "remove `a`: " * 33},
        {"body": "<!--" * 16_000},
        {"body": "`" * 65_000},
        {"body": (" " * 1_999 + "x\n") * 32},
        {"body": "(#1 " * 16_000},
        {"title": "[" * 1_000},
        {"title": 'Revert "' * 200},
        *(
            {
                "reviews": (Review(user=Person(login="bea"), state="CHANGES_REQUESTED", body=text),),
                "reviews_known": True,
            }
            for text in ("[a](" * 16_000, "![" * 32_000, "<details " * 7_000, "in a " * 13_000, "not to be " * 6_500)
        ),
        {
            "review_threads": tuple(
                ReviewThread(
                    resolved=False,
                    comments=tuple(Comment(user=Person(login=name), body="Thanks " * 9_000) for name in ("bea", "ada")),
                )
                for _ in range(200)
            )
        },
    ],
    ids=lambda overrides: next(iter(overrides)),
)
def test_no_text_makes_a_rule_hang(overrides):
    started = time.perf_counter()
    examine(make_pull_request(**overrides), CONTEXT)

    assert time.perf_counter() - started < 5
