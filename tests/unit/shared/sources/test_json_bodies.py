"""Bodies of deliveries: JSON objects in UTF-8 and nothing else."""

from __future__ import annotations

import pytest

from shared.sources.github_payloads import Unfit
from shared.sources.json_bodies import decoded


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"\xff{}", "not UTF-8 .byte 0."),
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"a": NaN}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"),
    ],
)
def test_what_is_no_json_object_is_unfit_and_said_why(body: bytes, says: str) -> None:
    with pytest.raises(Unfit, match=says):
        decoded(body)


def test_r41_text_that_a_database_refuses_is_cleaned_and_all_other_text_stays() -> None:
    assert decoded('{"a\\u0000": ["\\ud800b", "\\ud83e\\udd86", "é\\u00e9"], "n": 1}'.encode()) == {
        "a\ufffd": ["\ufffdb", "🦆", "éé"],
        "n": 1,
    }
