"""How long a host remembers the deliveries of its hooks."""

from __future__ import annotations

import pytest

from shared.sources.github_api.hook_deliveries import kept_for


@pytest.mark.parametrize(
    ("host", "days"),
    [("github.com", 3), ("acme.ghe.com", 3), ("github.acme.example", 7), ("ghe.com.example", 7), ("notghe.com", 7)],
)
def test_a_server_of_ones_own_keeps_deliveries_for_longer(host: str, days: int) -> None:
    assert kept_for(host).days == days
