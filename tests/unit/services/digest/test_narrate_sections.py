"""The narrator, section by section."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.digest.narrate import narrate
from shared.domain.digest import Digest, DigestRelation, Provenance, Section, Span
from shared.domain.period import parse_week
from shared.domain.taxonomy import Origin, RelationKind
from shared.rendering import markdown
from tests.digest_builder import GENERATED_AT, empty_digest, ledger_of, make_listed, rich_digest, titled_digest

LANGUAGES = ("en", "zh-CN")
languages = pytest.mark.parametrize("language", LANGUAGES)


def told(digest: Digest, language: str = "en") -> dict[str, Section]:
    return {section.key: section for section in narrate(digest, [language]).sections[language]}


def text_of(section: Section) -> str:
    return "\n".join(one.text for one in section.paragraphs)


def spans_of(digest: Digest, language: str) -> Iterator[tuple[str, Span]]:
    for section in digest.sections[language]:
        for one in section.paragraphs:
            for span in one.spans:
                yield section.key, span


def relation(kind: RelationKind, source: int, to: int) -> DigestRelation:
    return DigestRelation(kind=kind, source=source, to=to, confidence=1.0, evidence="Seen.")


def test_must_act_is_a_table_with_the_way_back() -> None:
    section = told(rich_digest())["must_act"]
    head, *rows = [one for one in section.paragraphs if one.cells]
    assert head.heading
    assert [len(row.cells) for row in rows] == [len(head.cells)] * 3
    assert "Queue.take → Queue.pop" in rows[0].text
    assert "Set batch_size = 8." in rows[1].text


def test_must_act_has_only_columns_that_are_used() -> None:
    (row,) = [row for row in rich_digest().must_act if row.number == 208]
    section = told(rich_digest(must_act=(row,)))["must_act"]
    head = next(one for one in section.paragraphs if one.cells)
    assert [cell[0].text for cell in head.cells] == ["Kind", "What", "PR"]


def test_a_key_pull_request_is_told_with_its_reason_size_marks_relations_and_review() -> None:
    text = text_of(told(rich_digest())["key_pull_requests"])
    assert "Reason: contract (a public name changes)." in text
    assert "Feature in queue by ada and linus, merged Thu 2026-05-07: +140 −4 lines in 4 files." in text
    assert "To act on: Breaking change: Queue.take → Queue.pop." in text
    assert (
        "Risk marks [rule]: Breaking change announced and Core path." in text or "Core path and Breaking change" in text
    )
    assert "Review:" not in text


def test_a_stored_review_is_told() -> None:
    digest = rich_digest()
    key = digest.key_pull_requests[0].model_copy(update={"review": "The stored review asks for no change."})
    text = text_of(told(digest.model_copy(update={"key_pull_requests": (key,)}))["key_pull_requests"])
    assert "Review: The stored review asks for no change." in text
    chinese = text_of(told(digest.model_copy(update={"key_pull_requests": (key,)}), "zh-CN")["key_pull_requests"])
    assert "已存档的评审没有要求修改。" in chinese


@languages
def test_a_title_that_names_more_than_the_diff_shows_is_marked(language: str) -> None:
    digest = rich_digest()
    number = digest.key_pull_requests[0].number
    listed = tuple(
        one.model_copy(update={"tags": (*one.tags, "trait:announced-only")}) if one.number == number else one
        for one in digest.pull_requests
    )
    sentence = {"en": "that the merged diff does not show.", "zh-CN": "未见于合并后的差异。"}[language]

    assert sentence not in text_of(told(digest, language)["key_pull_requests"])
    marked = told(digest.model_copy(update={"pull_requests": listed}), language)
    assert text_of(marked["key_pull_requests"]).count(sentence) == 1


def test_no_key_pull_request_is_said_not_filled() -> None:
    assert text_of(told(rich_digest(key_pull_requests=()))["key_pull_requests"]).startswith(
        "None of the 12 has a reason"
    )


def test_a_series_is_one_story_in_the_order_of_merging() -> None:
    section = told(rich_digest())["changes"]
    assert section.paragraphs[0].heading
    assert section.paragraphs[0].text == "Store: one table (store)"
    assert "3 merges on Thu 2026-05-07 by grace and ada: +310 −36 lines; refactorings." in section.paragraphs[1].text
    assert [one.text[:4] for one in section.paragraphs[2:5]] == ["#202", "#203", "#204"]


def test_every_risk_has_mechanism_exposed_verify_origin_and_evidence() -> None:
    text = text_of(told(rich_digest())["risks"])
    assert "Core path [rule]: 2, the week before 1" in text
    assert "Exposed: " in text
    assert "Verify: " in text
    assert "#205: queue/wake.py is a core path." in text
    assert "#210 Raise the default batch size from 8 to 32: lumen.toml changed." in text


def test_no_risk_is_said() -> None:
    bare = titled_digest(["One", "Two"])
    assert text_of(told(bare)["risks"]) == "No risk rule fired on any of the 2."


def test_what_does_not_occur_has_no_section() -> None:
    assert set(told(titled_digest(["One"]))) == {
        "summary",
        "must_act",
        "key_pull_requests",
        "changes",
        "trends",
        "risks",
        "about",
    }


@languages
def test_a_week_without_a_merge_is_a_short_valid_digest(language: str) -> None:
    sections = told(empty_digest(), language)
    assert list(sections) == ["summary", "about"]
    assert {"en": "Nothing was merged into main", "zh-CN": "本周没有任何 PR 合入 main"}[language] in text_of(
        sections["summary"]
    )
    assert len("".join(text_of(section) for section in sections.values())) < 1500


def test_an_empty_week_after_a_busy_one_says_so() -> None:
    text = text_of(told(empty_digest(previous=rich_digest().previous))["summary"])
    assert text == "Nothing was merged into main in this week; the week before it was 10 pull requests."


@languages
def test_a_week_that_is_not_over_is_marked_first(language: str) -> None:
    provenance = Provenance(ruleset_version="1", generated_at=GENERATED_AT, so_far=True)
    first = told(rich_digest(provenance=provenance), language)["summary"].paragraphs[0]
    assert first.text.startswith({"en": "So far: this week was not over", "zh-CN": "进行中：生成本周报时"}[language])


def test_about_is_honest() -> None:
    text = text_of(told(rich_digest())["about"])
    for wanted in (
        "No language model was used",
        "12 = 3 featured + 5 grouped + 3 condensed + 1 failed",
        "from Mon 2026-05-04 00:00 UTC up to, not including, Mon 2026-05-11 00:00 UTC",
        "44 files changed, 43 seen in the lists of files, the patch of 30 read",
        "binary: 1 and not given by the source: 12",
        "12 of 12 merges known to github.com on Mon 2026-05-11 06:00 UTC",
        "#201 (Thu 2026-05-07 00:00 UTC)",
        "Corrections.",
    ):
        assert wanted in text


def test_degraded_parts_are_named_in_words() -> None:
    provenance = Provenance(
        ruleset_version="1", generated_at=GENERATED_AT, degraded=("failed-analyses", "something else")
    )
    text = text_of(told(rich_digest(provenance=provenance))["about"])
    assert "Degraded. Some merges could not be analysed" in text
    assert "something else" in text


def test_the_search_reproduces_the_half_open_window() -> None:
    (link,) = [span for key, span in spans_of(narrate(rich_digest(), ["en"]), "en") if span.kind == "link"]
    assert link.url == (
        "https://github.com/lumen/lumen/pulls?q=is%3Apr%20is%3Amerged%20base%3Amain%20"
        "merged%3A2026-05-04T00%3A00%3A00Z..2026-05-10T23%3A59%3A59Z"
    )


def test_times_are_told_in_the_zone_of_the_digest() -> None:
    shanghai = parse_week("2026-W19", "Asia/Shanghai")
    text = text_of(told(rich_digest(period=shanghai))["about"])
    assert "from Mon 2026-05-04 00:00 Asia/Shanghai" in text


def test_a_model_is_named_when_one_was_used() -> None:
    provenance = Provenance(
        mode="model", model="some-model", prompt_version="3", ruleset_version="1", generated_at=GENERATED_AT
    )
    text = text_of(told(rich_digest(provenance=provenance))["about"])
    assert "model some-model, prompt 3" in text
    assert "No language model was used" not in text


def test_a_merge_that_shares_its_commit_is_one_item() -> None:
    text = text_of(told(rich_digest(items_total=11))["about"])
    assert "told as one: 11 items" in text


def test_a_long_theme_tells_the_most_important_and_links_the_rest() -> None:
    listed = tuple(make_listed(300 + place, importance=place, state="grouped") for place in range(12))
    theme = rich_digest().themes[0].model_copy(update={"pull_requests": tuple(one.number for one in listed)})
    digest = titled_digest([]).model_copy(
        update={
            "pull_requests": listed,
            "merged_total": 12,
            "items_total": 12,
            "themes": (theme,),
            "ledger": ledger_of(listed),
        }
    )
    bullets = [one for one in told(digest)["changes"].paragraphs if one.bullet]
    assert len(bullets) == 7
    assert bullets[-1].text.startswith("Also #3")
    assert {number for one in bullets for number in one.pull_requests} == {one.number for one in listed}


def test_c16_merges_that_share_a_commit_are_one_item_in_the_text() -> None:
    same = relation(RelationKind.SAME_COMMIT, 203, 202)
    section = told(rich_digest(relations=(same,), items_total=11))["changes"]
    bullets = [one.text for one in section.paragraphs if one.bullet]
    assert bullets[0].startswith("#202, #203 [Store] Move the ledger")
    assert bullets[1].startswith("#204")


def test_c19_what_was_undone_is_told_unless_it_came_back() -> None:
    text = text_of(told(rich_digest())["reverts_and_relations"])
    assert text.startswith("1 was merged and undone within the week")
    back = relation(RelationKind.RELANDS, 211, 207)
    text = text_of(told(rich_digest(relations=(*rich_digest().relations, back)))["reverts_and_relations"])
    assert "undone" not in text
    assert "re-lands #207" in text


def test_a_revert_whose_target_is_not_known_is_named_in_the_summary() -> None:
    text = text_of(told(rich_digest(relations=()))["summary"])
    assert "Unsettled: #206 takes back an earlier change" in text


def test_an_uncertain_relation_says_so() -> None:
    unsure = relation(RelationKind.REVERTS, 206, 207).model_copy(update={"confidence": 0.5})
    assert "not certain" in text_of(told(rich_digest(relations=(unsure,)))["reverts_and_relations"])


def test_states_of_follow_ups_are_told_when_they_differ() -> None:
    digest = rich_digest()
    assert text_of(told(digest)["follow_ups"]) == (
        "New: ada: add a test for #205.\nStill open: Say why #207 was taken back."
    )
    only_new = digest.follow_ups[:1]
    assert text_of(told(rich_digest(follow_ups=only_new))["follow_ups"]) == "ada: add a test for #205."


def test_a_mark_that_a_model_set_has_its_own_list_and_says_so() -> None:
    judged = rich_digest().risks[0].model_copy(update={"origin": Origin.MODEL, "pull_requests": (202,), "evidence": {}})
    digest = narrate(rich_digest(risks=(*rich_digest().risks, judged)), ["en"])
    text = text_of(next(section for section in digest.sections["en"] if section.key == "risks"))
    assert "Core path [rule]: 2" in text
    assert "Core path [judged by a model]: 1" in text
    assert "### Risk, judged by a model: Core path (1)" in markdown.render(digest, "en")


def test_merges_that_refer_to_one_and_the_same_are_one_line() -> None:
    digest = titled_digest([f"Part {number}" for number in range(1, 4)])
    numbers = tuple(listed.number for listed in digest.pull_requests)
    relations = tuple(
        DigestRelation(kind=RelationKind.CONTINUES, source=number, to=90, confidence=1.0, evidence="part of a series")
        for number in numbers
    )
    told = narrate(digest.model_copy(update={"relations": relations}), ["en"])

    section = next(part for part in told.sections["en"] if part.key == "reverts_and_relations")
    about = [paragraph for paragraph in section.paragraphs if 90 in {span.number for span in paragraph.spans}]

    assert len(about) == 1
    assert about[0].text.startswith("3 merges, each “continues” #90: ")
    assert set(numbers) <= set(about[0].pull_requests)


def test_what_found_no_room_in_the_table_is_counted_and_opens() -> None:
    digest = rich_digest()
    cut = tuple(listed.number for listed in digest.pull_requests[:2])
    told = narrate(digest.model_copy(update={"must_act_cut": cut}), ["en"])

    section = next(part for part in told.sections["en"] if part.key == "must_act")

    assert section.paragraphs[-1].text.startswith("2 more have a change of these kinds")
    assert section.paragraphs[-1].pull_requests == cut
