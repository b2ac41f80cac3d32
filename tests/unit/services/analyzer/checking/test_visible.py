from __future__ import annotations

from time import perf_counter

import pytest

from services.analyzer.checking.evidence import Evidence
from services.analyzer.checking.relevant import MOST_READ, relevant
from services.analyzer.checking.visible import visible
from shared.domain.pull_request import Comment, Commit, PullRequest, Review, ReviewThread
from tests.attacks.corpus import HIDDEN, READABLE
from tests.builders import make_file, make_pull_request
from tests.unit.services.analyzer.checking.answers import answered, claim
from tests.unit.services.analyzer.checking.sample_merges import read
from tests.unit.services.analyzer.examined import added

SECRET_PLAN = "The treasure lies under the old oak."


def with_text(field: str, text: str) -> PullRequest:
    said = Comment(body=text)
    values = {
        "body": text,
        "commits": (Commit(sha="a" * 40, message=text),),
        "reviews": (Review(body=text),),
        "review_comments": (said,),
        "comments": (said,),
        "review_threads": (ReviewThread(comments=(said,)),),
    }
    return make_pull_request(**{field: values[field]})


FIELDS = ("body", "commits", "reviews", "review_comments", "comments", "review_threads")


@pytest.mark.parametrize("field", FIELDS)
def test_what_people_read_is_evidence(field: str) -> None:
    merge = with_text(field, f"Words before. {SECRET_PLAN}")

    assert Evidence(merge, [], []).quotes([SECRET_PLAN]).quotes


@pytest.mark.parametrize("place", sorted(set(HIDDEN) - READABLE))
@pytest.mark.parametrize("field", FIELDS)
def test_hidden_text_is_no_evidence(field: str, place: str) -> None:
    merge = with_text(field, f"Words before.\n\n{HIDDEN[place](SECRET_PLAN)}")

    assert Evidence(merge, [], []).quotes([SECRET_PLAN]).reason == "quote-not-found"


def test_a_label_is_no_evidence_and_a_patch_keeps_its_lines() -> None:
    patch = added("alpha\u200b_beta = 'a long line of code'", "second = 2")
    shown = visible(make_pull_request(labels=(SECRET_PLAN,), files=(make_file("a.py", patch=patch),)))

    assert shown.labels == ()
    assert shown.files is not None
    assert shown.files[0].patch == patch.replace("\u200b", "")


def filler(name: str, lines: int) -> str:
    return "\n@@ -1,1 +1,1 @@\n".join(
        added(*(f"{name}_{at}_{line} = compute_something_else({line})" for line in range(100)))
        for at in range(lines // 100)
    )


def test_of_a_very_large_diff_the_hunks_are_read_that_an_answer_rests_on() -> None:
    line = "self.treasure.dig(depth=oak.roots)"
    files = [make_file(f"src/f{at}.py", patch=filler("value", 3_000)) for at in range(6)]
    files.append(make_file("src/last.py", patch=f"{filler('other', 200)}\n@@ -900,1 +901,2 @@\n+{line}\n done"))
    merge = make_pull_request(files=tuple(files))
    assert sum(len(file.patch or "") for file in files) > MOST_READ

    found = Evidence(merge, ["Digs with treasure_map."], [line]).quotes([line]).quotes
    reduced = relevant(merge, ["Digs with treasure_map."], [line]).files or ()

    assert [(quote.path, quote.line) for quote in found] == [("src/last.py", 901)]
    assert reduced[0].filename == "src/last.py"
    assert {file.filename for file in reduced} == {file.filename for file in files}
    assert sum(len(file.patch or "") for file in reduced) < 1_000


def test_an_ordinary_diff_is_read_whole() -> None:
    merge = make_pull_request(files=(make_file("a.py", patch=filler("value", 100)),))

    assert relevant(merge, [], []) is merge


@pytest.mark.timeout(30)
def test_a_diff_of_nine_megabytes_is_checked_soon() -> None:
    """It takes about half a second; many hunks of it hold the words of the answer."""
    files = tuple(make_file(f"src/f{at}.py", patch=filler("value", 12_000)) for at in range(18))
    merge = make_pull_request(files=files)
    assert sum(len(file.patch or "") for file in files) > 9_000_000
    said = claim("Computes value_3 once.", "value_3_17 = compute_something_else(17)", "value that is nowhere")

    begun = perf_counter()
    reading = read(answered(said, effect=said, why=claim("Because.", "nowhere_at_all in it")), merge)

    assert reading.change is not None or reading.dropped
    assert perf_counter() - begun < 5
