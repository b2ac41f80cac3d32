"""Who is credited."""

from __future__ import annotations

from datetime import timedelta

from services.digest.aggregate import aggregate
from shared.domain.pull_request import Person
from shared.domain.taxonomy import Risk, Trait
from tests.builders import MERGED_AT
from tests.unit.services.digest.weeks import make_frame, make_merge, make_tag


def test_d06_a_renamed_login_is_credited_once_under_the_newest_name() -> None:
    merges = [
        make_merge(1, user=Person(login="ada", id=11), merged_at=MERGED_AT),
        make_merge(2, user=Person(login="ada-lovelace", id=11), merged_at=MERGED_AT + timedelta(hours=1)),
        make_merge(3, user=Person(login="grace"), co_authors=(Person(login="ADA"),)),
    ]

    digest = aggregate(merges, make_frame())

    assert digest.people == ("ada-lovelace", "grace")
    assert [listed.author for listed in digest.pull_requests] == ["ada-lovelace", "grace", "ada-lovelace"]
    assert digest.pull_request(3).co_authors == ("ada-lovelace",)


def test_c24_co_authors_are_credited_once_by_login_else_by_name() -> None:
    co_authors = (
        Person(login=None, name="Lin Wei"),
        Person(login=None, name="LIN WEI"),
        Person(login="grace", name="Grace Hopper"),
        Person(login=None, name="Grace Hopper"),
        Person(login="helper[bot]", type="Bot"),
    )

    digest = aggregate([make_merge(1, co_authors=co_authors)], make_frame())

    assert digest.people == ("ada", "grace", "Lin Wei")
    assert digest.pull_request(1).co_authors == ("Lin Wei", "grace")


def test_c24_a_bare_name_that_two_accounts_share_stands_for_neither() -> None:
    merges = [
        make_merge(1, user=Person(login="kim1", name="Kim")),
        make_merge(2, user=Person(login="kim2", name="Kim"), co_authors=(Person(login=None, name="Kim"),)),
    ]

    assert aggregate(merges, make_frame()).people == ("Kim", "kim1", "kim2")


def test_c23_bots_are_folded_to_one_line_and_a_human_with_such_a_name_is_none() -> None:
    bump = (make_tag(Risk.DEPENDENCY_CHANGE, "left-pad: 1 → 2"), make_tag(Trait.VERSION_BUMP))
    bots = [
        *(make_merge(n, f"Bump left-pad {n}", author="dependabot[bot]", tags=bump) for n in range(100, 140)),
        *(make_merge(n, f"Update {n}", author="renovate[bot]", tags=bump) for n in range(140, 160)),
        *(make_merge(n, f"Roll {n}", user=Person(login="acme-deps", type="Bot"), tags=bump) for n in range(160, 180)),
    ]
    security = make_merge(
        180, "Bump tls to 1.2.3", author="dependabot[bot]", tags=(*bump, make_tag(Trait.SECURITY_FIX))
    )
    human = make_merge(181, "Draw the robot", author="robot-lover", score=30)

    digest = aggregate([*bots, security, human], make_frame())

    assert digest.bots == tuple(range(100, 181))
    assert digest.people == ("robot-lover",)
    assert digest.ledger.featured == (181,)
    assert [item.number for item in digest.must_act if item.kind == "version-bump"] == [100]
    assert [item.number for item in digest.must_act if item.kind == "security-fix"] == [180]
    assert len(digest.ledger.condensed) == 79
    assert digest.themes == ()


def test_c17_credit_looks_at_the_author_and_never_at_who_pressed_merge() -> None:
    queue = Person(login="merge-queue[bot]", type="Bot")

    digest = aggregate([make_merge(1, merged_by=queue, score=30)], make_frame())

    assert digest.bots == ()
    assert digest.people == ("ada",)
    assert digest.ledger.featured == (1,)


def test_c04_a_deleted_author_is_a_ghost() -> None:
    assert aggregate([make_merge(1, user=Person())], make_frame()).people == ("ghost",)
