"""What an error is called where it is kept and shown."""

from __future__ import annotations

import pytest

from shared.domain.errors import InvalidInput, Transient, described


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (InvalidInput("There is no week 54.", "Give another one."), "There is no week 54. Give another one."),
        (ValueError("not a number"), "ValueError: not a number"),
        (MemoryError(), "MemoryError"),
        (TimeoutError(), "TimeoutError"),
        (Transient(""), "Transient"),
    ],
)
def test_an_error_is_never_an_empty_text(error: Exception, expected: str) -> None:
    assert described(error) == expected
