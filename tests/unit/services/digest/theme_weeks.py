"""Invented weeks of three kinds of projects, without a story, and what is found in them."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.areas import AreaMap
from services.digest.merges import Merge
from services.digest.themes import find_themes
from shared.domain.digest import DigestRelation, Theme
from tests.unit.services.digest.weeks import make_merge

WEB = (
    ("Show the cart total in euros", "apps/shop/src/cart/Total.tsx"),
    ("Fix broken avatar on profile page", "apps/account/src/profile/Avatar.tsx"),
    ("Cache product images for a day", "packages/images/src/cache.ts"),
    ("Log slow queries", "packages/db/src/log.ts"),
    ("Round prices down", "packages/pricing/src/round.ts"),
    ("Explain the release process", "docs/release.md"),
    ("Retry webhooks after a timeout", "services/hooks/src/retry.ts"),
    ("Let guests check out", "apps/shop/src/checkout/Guest.tsx"),
    ("Faster startup of the preview server", "tools/preview/src/index.ts"),
    ("Hide empty categories", "apps/shop/src/menu/Categories.tsx"),
    ("Use UTC in invoices", "packages/billing/src/invoice.ts"),
    ("Warn about weak passwords", "apps/account/src/login/Password.tsx"),
    ("Keep filters when going back", "apps/shop/src/search/Filters.tsx"),
    ("Make toast messages readable on phones", "packages/ui/src/Toast.tsx"),
    ("Drop moment.js", "packages/dates/package.json"),
    ("Stop double clicks on pay button", "apps/shop/src/pay/Button.tsx"),
)
RUST = (
    ("Parse numbers with underscores", "crates/lexer/src/number.rs"),
    ("Better message for missing semicolons", "crates/parser/src/error.rs"),
    ("Speed up incremental builds", "crates/driver/src/incremental.rs"),
    ("Fix panic on empty match", "crates/typeck/src/matching.rs"),
    ("Document unsafe blocks", "docs/unsafe.md"),
    ("Inline small closures", "crates/opt/src/inline.rs"),
    ("Support long paths on Windows", "crates/fs/src/path.rs"),
    ("Emit warnings once", "crates/driver/src/report.rs"),
    ("Lower slices without copies", "crates/codegen/src/slice.rs"),
    ("Test overflow of shifts", "tests/ui/shift.rs"),
    ("Resolve imports in any order", "crates/resolve/src/lib.rs"),
    ("Remove nightly feature gate for labels", "crates/feature/src/gate.rs"),
)
GO = (
    ("net: close idle connections earlier", "net/conn.go"),
    ("storage: fsync the directory", "storage/dir.go"),
    ("cmd/agent: print the version", "cmd/agent/main.go"),
    ("metrics: count refused requests", "metrics/requests.go"),
    ("auth: reject expired tokens", "auth/token.go"),
    ("docs: fix typos", "docs/install.md"),
    ("raft: vote once per term", "raft/vote.go"),
    ("api: page long listings", "api/list.go"),
    ("log: rotate at midnight", "log/rotate.go"),
    ("config: accept durations", "config/parse.go"),
    ("tls: reload certificates", "tls/reload.go"),
    ("queue: drop the global lock", "queue/lock.go"),
)


def week(rows: Sequence[tuple[str, str]], start: int = 100, **overrides: object) -> list[Merge]:
    return [
        make_merge(start + place, title, paths=(path,), author=f"author-{place % 7}", **overrides)
        for place, (title, path) in enumerate(rows)
    ]


def themes_of(
    merges: Sequence[Merge], earlier: Sequence[Merge] = (), relations: Sequence[DigestRelation] = ()
) -> tuple[Theme, ...]:
    return find_themes(merges, earlier, relations, frozenset(), AreaMap.of(merges).areas)
