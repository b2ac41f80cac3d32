"""Functions that begin to answer nothing, which only whole sources can tell."""

from __future__ import annotations

import pytest

from services.analyzer.facts import answers
from shared.domain.facts import ReadFrom
from tests.unit.services.analyzer.facts.written import facts_of, told


def look_up(*lines: str) -> str:
    return "class Store:\n    def look_up(self, key):\n" + "".join(f"        {line}\n" for line in lines)


BEFORE = look_up("row = self.rows[key]", "return row")
AFTER = look_up("row = self.rows[key]", "if row.open:", "    return None", "return row")


def test_a_look_up_that_may_answer_none_now_is_told_from_sources() -> None:
    files = {"pkg/store.py": (BEFORE, AFTER)}

    facts = facts_of(files, answers, sources=True)

    assert told(facts) == {("changed", "function", "Store.look_up", None, "return None")}
    assert facts[0].read_from is ReadFrom.SOURCES
    assert facts_of(files, answers) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (look_up("if not key:", "    return None", "return self.rows[key]"), AFTER),
        (look_up("self.rows.pop(key)"), look_up("if not key:", "    return", "self.rows.pop(key)")),
        (BEFORE, look_up("def inner():", "    return None", "row = self.rows[key]", "return row")),
        (BEFORE, look_up("# return None", "row = self.rows[key]", "return row")),
        ("", AFTER),
    ],
    ids=["it did before", "it never answered", "of an inner function", "a comment", "a new one"],
)
def test_look_alikes_are_not_told(before: str, after: str) -> None:
    assert facts_of({"pkg/store.py": (before, after)}, answers, sources=True) == []
