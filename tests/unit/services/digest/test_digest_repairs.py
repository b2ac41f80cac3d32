"""What a digest makes of repairs: which are told, the marks on both ends, and earlier news taken back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from services.digest.aggregate import aggregate
from services.digest.merges import Merge
from services.digest.narrate import narrate
from services.digest.taken_back import taken_back
from shared.domain.analysis import Relation
from shared.domain.digest import Digest, KeyPullRequest, Ledger
from shared.domain.taxonomy import ChangeType, KeyReason, RelationKind, Risk
from tests.builders import MERGED_AT
from tests.digest_builder import rich_digest
from tests.unit.services.digest.weeks import last_week, make_frame, make_merge

SEEN = "7 of 9 changed lines came with it, merged 2.3 days before; both titles say “ring”"
CAUSE = make_merge(10, "Keep leases in a ring", merged_at=MERGED_AT - timedelta(days=2))
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh-CN"])


def repair(number: int = 11, to: int = 10, confidence: float = 0.9, **more: Any) -> Merge:
    kind = more.pop("kind", RelationKind.REPAIRS)
    commit = f"{to:040x}" if more.pop("traced", True) else None
    relation = Relation(kind=kind, source=number, target=to, target_commit=commit, confidence=confidence, evidence=SEEN)
    relations = (relation, *more.pop("also", ()))
    values = {"kind": ChangeType.FIX, "relations": relations, "merged_at": MERGED_AT + timedelta(hours=7)}
    return make_merge(number, "Fix a lost wake-up", **(values | more))


def digest_of(*merges: Merge, previous: Digest | None = None, earlier: list[Merge] | None = None) -> Digest:
    return aggregate(merges, make_frame(), previous_digest=previous, earlier=earlier)


def marked(digest: Digest) -> dict[int, str]:
    return next((risk.evidence for risk in digest.risks if risk.tag == Risk.BROKEN_AND_REPAIRED), {})


def lines(digest: Digest, section: str, language: str = "en") -> list[str]:
    made = narrate(digest, [language]).sections[language]
    return [one.text for part in made if part.key == section for one in part.paragraphs]


def test_broken_and_repaired_within_the_week() -> None:
    digest = digest_of(CAUSE, repair())

    assert marked(digest) == {
        10: "Repaired by #11, 2.3 days later",
        11: "Repairs #10, merged 2.3 days before",
    }
    assert "trait:repaired" in digest.pull_request(10).tags
    assert "trait:repaired" not in digest.pull_request(11).tags
    (relation,) = json.loads(digest.to_json())["relations"]
    assert relation == {
        "kind": "repairs",
        "from": 11,
        "to": 10,
        "confidence": 0.9,
        "evidence": SEEN,
        "label": None,
    }
    (risk,) = [one for one in json.loads(digest.to_json())["risks"] if one["tag"] == "broken-and-repaired"]
    assert risk["pull_requests"] == [10, 11]


@pytest.mark.parametrize("earlier", [None, last_week([make_merge(10, merged_at=MERGED_AT)])])
def test_of_a_target_of_earlier_weeks_only_the_repair_is_marked(earlier: list[Merge] | None) -> None:
    digest = digest_of(repair(), earlier=earlier)

    assert set(marked(digest)) == {11}
    assert [(one.source, one.to) for one in digest.relations] == [(11, 10)]


def test_a_guess_is_kept_in_the_data_and_told_nowhere() -> None:
    digest = digest_of(CAUSE, repair(confidence=0.6))

    assert [one.confidence for one in digest.relations] == [0.6]
    assert marked(digest) == {}
    assert not {10, 11} & set(digest.ledger.grouped)
    text = "\n".join(one for part in ("risks", "reverts_and_relations") for one in lines(digest, part))
    assert "#10" not in text.replace("(#10", "")


def test_an_issue_number_is_no_target_but_a_named_cause_is() -> None:
    assert digest_of(repair(confidence=0.85, traced=False)).relations == ()
    assert len(digest_of(repair(confidence=0.92, traced=False)).relations) == 1
    assert len(digest_of(CAUSE, repair(confidence=0.85, traced=False)).relations) == 1


def test_nothing_repairs_what_was_merged_later() -> None:
    later = make_merge(10, merged_at=MERGED_AT + timedelta(days=1))

    assert digest_of(later, repair()).relations == ()


def test_a_revert_of_the_same_merge_says_more_than_a_repair() -> None:
    revert = Relation(kind=RelationKind.REVERTS, source=11, target=10)

    assert [one.kind for one in digest_of(CAUSE, repair(also=(revert,))).relations] == [RelationKind.REVERTS]


@LANGUAGES
def test_the_risks_tell_what_broke_what_repaired_it_and_when(language: str) -> None:
    older = repair(12, to=3, confidence=0.95, paths=("lumen/other.py",))
    told = lines(digest_of(CAUSE, repair(), older), "risks", language)

    (within,) = [line for line in told if "#10" in line]
    (before,) = [line for line in told if "#3" in line]
    assert "Keep leases in a ring" in within
    assert "Fix a lost wake-up" in within
    assert "2.3" in within
    assert "“ring”" in within
    assert "#12" in before
    if language == "en":
        assert within.startswith(
            "Introduced by #10 Keep leases in a ring, repaired by #11 Fix a lost wake-up after 2.3"
        )
        assert before.startswith("Introduced by #3 before this week, repaired by #12")
    else:
        assert "changed lines" not in within + before


@LANGUAGES
def test_repairs_are_not_told_twice(language: str) -> None:
    assert lines(digest_of(CAUSE, repair()), "reverts_and_relations", language) == []


@LANGUAGES
def test_a_sure_follow_up_is_told_among_the_relations(language: str) -> None:
    sure = digest_of(CAUSE, repair(kind=RelationKind.FOLLOWS_UP))
    guess = digest_of(CAUSE, repair(kind=RelationKind.FOLLOWS_UP, confidence=0.7))

    assert len(lines(sure, "reverts_and_relations", language)) == 1
    assert lines(guess, "reverts_and_relations", language) == []


def test_many_repairs_end_in_a_list() -> None:
    digest = digest_of(*(repair(number, to=number - 100) for number in range(200, 220)))

    told = lines(digest, "risks")
    assert len([line for line in told if line.startswith("Introduced by")]) == 12
    assert any(line.startswith("All 20,") for line in told)


def news(*key: int, featured: tuple[int, ...] = ()) -> Digest:
    """A digest before that told of ``key`` and ``featured``."""
    told = tuple(
        KeyPullRequest(number=n, title="x", url=f"https://x/{n}", author="ada", reason=KeyReason.DECISION) for n in key
    )
    return rich_digest(key_pull_requests=told, ledger=Ledger(featured=featured), follow_ups=())


@pytest.mark.parametrize(
    ("previous", "kind", "expected"),
    [
        (news(10), RelationKind.REPAIRS, [(10, 11, "repairs")]),
        (news(featured=(10,)), RelationKind.REPAIRS, [(10, 11, "repairs")]),
        (news(10), RelationKind.REVERTS, [(10, 11, "reverts")]),
        (news(9), RelationKind.REPAIRS, []),
        (news(10), RelationKind.FOLLOWS_UP, []),
        (None, RelationKind.REPAIRS, []),
    ],
)
def test_earlier_news_is_taken_back(
    previous: Digest | None, kind: RelationKind, expected: list[tuple[int, int, str]]
) -> None:
    digest = digest_of(repair(kind=kind), previous=previous)

    assert [(one.to, one.source, one.kind) for one in digest.taken_back] == expected


def test_a_guess_takes_nothing_back_and_a_revert_goes_before_a_repair() -> None:
    assert digest_of(repair(confidence=0.7), previous=news(10)).taken_back == ()
    revert = repair(12, kind=RelationKind.REVERTS)
    (one,) = taken_back(digest_of(repair(), revert).relations, news(10))
    assert (one.source, one.kind) == (12, RelationKind.REVERTS)


@LANGUAGES
@pytest.mark.parametrize("kind", [RelationKind.REPAIRS, RelationKind.REVERTS])
def test_earlier_news_taken_back_is_told_first_among_the_follow_ups(language: str, kind: RelationKind) -> None:
    first = lines(digest_of(repair(kind=kind), previous=news(10)), "follow_ups", language)[0]

    assert "#10" in first
    assert "Fix a lost wake-up #11" in first or "#11 Fix a lost wake-up" in first
    if language == "en":
        assert first.startswith("Told in the digest before: #10 was ")


def test_a_document_from_before_repairs_is_still_read() -> None:
    document = json.loads(rich_digest().to_json())
    del document["taken_back"]

    assert Digest.model_validate(document).taken_back == ()
