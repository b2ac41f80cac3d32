from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from services.webhook.intake import source_of


@pytest.mark.parametrize(
    ("installation", "headers", "source"),
    [
        (9, {}, "installation:9"),
        (9, {"X-GitHub-Hook-ID": "5"}, "installation:9"),
        (None, {"X-GitHub-Hook-ID": "548201377"}, "hook:548201377"),
        (None, {"X-GitHub-Hook-ID": ""}, "hook:unknown"),
        (None, {"X-GitHub-Hook-ID": "5; drop"}, "hook:unknown"),
        (None, {"X-GitHub-Hook-ID": "5" * 21}, "hook:unknown"),
        (None, {"X-GitHub-Hook-ID": "٥"}, "hook:unknown"),
        (None, {}, "hook:unknown"),
    ],
)
def test_r10_the_sender_is_the_installation_or_else_the_hook(
    installation: int | None, headers: dict[str, str], source: str
) -> None:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    assert source_of(installation, Headers(raw=raw)) == source
