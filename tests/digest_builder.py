"""A digest with at least one of everything, written by hand; every field can be overridden."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from shared.domain.digest import (
    AreaFigure,
    Completeness,
    CoverageAccount,
    Digest,
    DigestRelation,
    FollowUp,
    KeyPullRequest,
    Ledger,
    ListedPullRequest,
    MustAct,
    Provenance,
    RiskFinding,
    Theme,
    WeekFigures,
)
from shared.domain.period import parse_week
from shared.domain.taxonomy import ChangeType, KeyReason, Origin, RelationKind

PERIOD = parse_week("2026-W19")
GENERATED_AT = datetime(2026, 5, 11, 6, 0, tzinfo=UTC)
REPOSITORY = "lumen/lumen"

_TITLES = {
    201: "Rename `Queue.take` to `Queue.pop`",
    202: "[Store] Move the ledger to one table [1/3]",
    203: "[Store] Move the receipts to one table [2/3]",
    204: "[Store] Move the claims to one table [3/3]",
    205: "Fix a lost wake-up when two workers finish together",
    206: 'Revert "Cache the compiled plans"',
    207: "Cache the compiled plans",
    208: "Bump ring from 0.17.1 to 0.17.2",
    209: "docs: say how leases are renewed",
    210: "Raise the default batch size from 8 to 32",
    211: "Report progress while a snapshot is read",
    212: "Keep the queue in order",
}
_TYPES = {
    201: ChangeType.FEAT,
    202: ChangeType.REFACTOR,
    203: ChangeType.REFACTOR,
    204: ChangeType.REFACTOR,
    205: ChangeType.FIX,
    206: ChangeType.REVERT,
    207: ChangeType.PERF,
    208: ChangeType.BUILD,
    209: ChangeType.DOCS,
    210: ChangeType.FEAT,
    211: ChangeType.FEAT,
    212: ChangeType.FIX,
}
_AREAS = {
    "queue": (201, 205, 212),
    "store": (202, 203, 204, 211),
    "planner": (206, 207, 210),
    "dependencies": (208,),
}
_STATES = {
    **dict.fromkeys((201, 205, 210), "featured"),
    **dict.fromkeys((202, 203, 204, 206, 207), "grouped"),
    212: "failed",
}
_RISKS = {
    "core-path": {201: "queue/take.py is on the core path 'queue/**'.", 205: "queue/wake.py is a core path."},
    "missing-tests": {205: "1 source file changed, no test file; see also #201.", 210: "2 source files, no test."},
    "breaking-change": {201: "The title renames a public name."},
    "configuration-change": {210: "lumen.toml changed."},
    "dependency-change": {208: "Cargo.lock changed."},
    "revert": {206: "The title begins with “Revert”."},
}


_STORE = Theme(
    key="series-store",
    title="Store: one table",
    pull_requests=(202, 203, 204),
    found_by="numbered-series",
    areas=("store",),
)
_MUST_ACT = (
    MustAct(
        number=201, kind="breaking-change", old="Queue.take", new="Queue.pop", what="Renamed.", place="queue/take.py"
    ),
    MustAct(
        number=210,
        kind="new-default",
        old="8",
        new="32",
        what="Default of batch_size.",
        way_back="Set batch_size = 8.",
    ),
    MustAct(number=208, kind="dependency-change", what="ring 0.17.1 to 0.17.2"),
)
_FOLLOW_UPS = (
    FollowUp(key="add-tests:205", text="ada: add a test for #205.", pull_requests=(205,)),
    FollowUp(key="settle-revert:207", text="Say why #207 was taken back.", pull_requests=(207,), state="open"),
)
_PREVIOUS = WeekFigures(
    week="2026-W18",
    merged_total=10,
    change_types={ChangeType.FIX: 4, ChangeType.FEAT: 6},
    areas={"queue": 2, "store": 1, "planner": 5},
    risks={"core-path": 1, "missing-tests": 4},
    people=5,
)
_COVERAGE = CoverageAccount(
    files_changed=44, files_seen=43, files_read=30, unread={"binary": 1, "not-given": 12}, partial=(211,)
)


def make_listed(number: int, **overrides: Any) -> ListedPullRequest:
    """A listed merge; numbers from 201 to 212 have their own title, type, areas and marks."""
    risks = tuple(f"risk:{risk}" for risk, numbers in _RISKS.items() if number in numbers)
    values: dict[str, Any] = {
        "number": number,
        "title": _TITLES.get(number, f"Change the thing with a name {number}"),
        "url": f"https://github.com/{REPOSITORY}/pull/{number}",
        "author": "ada" if number % 2 else "grace",
        "merged_at": PERIOD.start + timedelta(hours=6 * (number % 27)),
        "additions": number % 17 * 10,
        "deletions": number % 5 * 4,
        "changed_files": number % 6 + 1,
        "change_type": _TYPES.get(number, ChangeType.CHORE),
        "areas": tuple(area for area, numbers in _AREAS.items() if number in numbers),
        "tags": risks,
        "importance": len(risks) * 10,
        "state": _STATES.get(number, "condensed"),
    }
    return ListedPullRequest(**(values | overrides))


def rich_digest(**overrides: Any) -> Digest:
    """A week of twelve merges with every kind of statement in it."""
    listed = (
        make_listed(201, co_authors=("linus",)),
        *(make_listed(number) for number in (202, 203, 204, 205, 206)),
        make_listed(207, tags=("trait:reverted",)),
        make_listed(208, author="dependabot[bot]", bot=True, tags=("risk:dependency-change", "trait:version-bump")),
        *(make_listed(number) for number in (209, 210)),
        make_listed(211, partial=True),
        make_listed(212),
    )
    values = _frame(listed) | {
        "elsewhere": {"release/2.4": (198, 199)},
        "completeness": Completeness(known_to_host=12, captured=12, checked_at=GENERATED_AT),
        "areas": _areas(),
        "risks": tuple(
            RiskFinding(tag=tag, origin=Origin.RULE, pull_requests=tuple(evidence), evidence=evidence)
            for tag, evidence in _RISKS.items()
        ),
        "themes": (_STORE,),
        "key_pull_requests": (_key(201, KeyReason.CONTRACT, "a public name changes"), _key(205, KeyReason.ASSUMPTION)),
        "must_act": _MUST_ACT,
        "relations": (
            _relation(RelationKind.REVERTS, 206, 207),
            _relation(RelationKind.CONTINUES, 203, 202, label="2/3"),
            _relation(RelationKind.BACKPORTS, 211, 150, label="release/2.4"),
        ),
        "follow_ups": _FOLLOW_UPS,
        "people": ("ada", "grace", "linus"),
        "bots": (208,),
        "late": (180,),
        "previous": _PREVIOUS,
        "coverage": _COVERAGE,
    }
    return Digest(**(values | overrides))


def empty_digest(**overrides: Any) -> Digest:
    """A week in which nothing was merged."""
    return Digest(**(_frame(()) | overrides))


def titled_digest(titles: list[str], **overrides: Any) -> Digest:
    """A week whose merges have these titles; nothing else is remarkable about them."""
    listed = tuple(make_listed(1000 + place, title=title, state="condensed") for place, title in enumerate(titles))
    return Digest(**(_frame(listed) | {"people": ("ada", "grace")} | overrides))


def ledger_of(listed: tuple[ListedPullRequest, ...]) -> Ledger:
    """The ledger that the states of ``listed`` add up to."""
    return Ledger(
        **{
            state: tuple(one.number for one in listed if one.state == state)
            for state in ("featured", "grouped", "condensed", "failed")
        }
    )


def types_of(listed: tuple[ListedPullRequest, ...]) -> dict[ChangeType, tuple[int, ...]]:
    """The numbers of ``listed`` by change type."""
    return {
        kind: numbers
        for kind in ChangeType
        if (numbers := tuple(one.number for one in listed if one.change_type is kind))
    }


def _frame(listed: tuple[ListedPullRequest, ...]) -> dict[str, Any]:
    """What every digest of these merges has."""
    return {
        "repository": REPOSITORY,
        "branch": "main",
        "period": PERIOD,
        "merged_total": len(listed),
        "items_total": len(listed),
        "pull_requests": listed,
        "ledger": ledger_of(listed),
        "change_types": types_of(listed),
        "provenance": Provenance(ruleset_version="2026.05", generated_at=GENERATED_AT),
    }


def _areas() -> tuple[AreaFigure, ...]:
    return tuple(
        AreaFigure(name=name, pull_requests=numbers, previous=previous, share=len(numbers) / 12)
        for (name, numbers), previous in zip(_AREAS.items(), (2, 1, 5, 0), strict=True)
    )


def _key(number: int, reason: KeyReason, why: str = "") -> KeyPullRequest:
    listed = make_listed(number)
    return KeyPullRequest(
        number=number, title=listed.title, url=listed.url, author=listed.author, reason=reason, reason_why=why
    )


def _relation(kind: RelationKind, source: int, to: int, label: str | None = None) -> DigestRelation:
    return DigestRelation(kind=kind, source=source, to=to, confidence=0.9, evidence="The title says so.", label=label)
