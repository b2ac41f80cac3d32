from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.web.parameters import cursor_of, number_in
from shared.problems import Problem


@given(st.integers(min_value=1, max_value=2**63 - 1))
def test_a_cursor_gives_back_its_number(number: int) -> None:
    assert number_in(cursor_of(number)) == number


def test_no_cursor_is_the_first_page() -> None:
    assert number_in(None) is None


@given(st.text(max_size=100))
def test_a_text_that_is_no_cursor_is_a_problem(text: str) -> None:
    with pytest.raises(Problem) as raised:
        number_in(f"{text}!")

    assert (raised.value.status, raised.value.faults[0].field) == (422, "query.after")


@pytest.mark.parametrize("cursor", [cursor_of(7) + "=", cursor_of(7) + "A", cursor_of(-7), "", "YWZ0ZXI6MDc"])
def test_only_the_cursor_itself_is_taken(cursor: str) -> None:
    with pytest.raises(Problem):
        number_in(cursor)
