"""What ``doctor`` makes of limits and of the end of a token."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.cli.github_credential import EXPIRY, expiring, expiry, limit
from shared.settings import GitHubSettings

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
RESET = int(datetime(2026, 11, 30, 12, 40, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(("days", "state"), [(-1, "wrong"), (3, "warning"), (60, "good")])
def test_the_end_of_a_token_is_told_before_it_comes(days: int, state: str) -> None:
    finding = expiring(NOW + timedelta(days=days), NOW)

    assert finding.state == state
    assert f"{NOW + timedelta(days=days):%Y-%m-%d}" in finding.told


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("2027-02-28 09:00:00 UTC", datetime(2027, 2, 28, 9, tzinfo=UTC)),
        ("2027-02-28 10:00:00 +0100", datetime(2027, 2, 28, 9, tzinfo=UTC)),
        ("soon", None),
        ("", None),
    ],
)
def test_when_a_token_ends(text: str, until: datetime | None) -> None:
    assert expiry({EXPIRY: text}) == until
    assert expiry({}) is None


@pytest.mark.parametrize(("remaining", "state"), [(4988, "good"), (0, "warning")])
def test_how_much_is_left(remaining: int, state: str) -> None:
    body = {"resources": {"core": {"limit": 5000, "remaining": remaining, "reset": RESET}}}
    finding = limit(GitHubSettings(), body)

    assert finding.state == state
    assert finding.told == f"https://api.github.com answers; {remaining:,} of 5,000 requests left until 12:40 UTC"


@pytest.mark.parametrize("body", [None, [], {}, {"resources": {"core": {"limit": "many"}}}])
def test_a_host_that_tells_of_no_limit_is_no_fault(body: object) -> None:
    assert limit(GitHubSettings(), body).state == "good"
