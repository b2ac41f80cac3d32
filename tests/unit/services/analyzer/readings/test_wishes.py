"""Which merges a model is to read, by settings, repository and what rules found."""

from __future__ import annotations

from typing import Any

import pytest

from services.analyzer.readings import wishes
from services.analyzer.readings.read import fingerprint_of
from services.analyzer.readings.wishes import Wish, wish
from shared.domain.analysis import NO_MODEL, Analysis, Importance, Tag
from shared.domain.taxonomy import Namespace, Trait
from shared.settings import ModelSettings, Settings
from tests.builders import make_analysis


def analysis(*traits: Trait, score: int = 10) -> Analysis:
    tags = tuple(Tag(namespace=Namespace.TRAIT, value=trait, rule="any") for trait in traits)
    return make_analysis(tags=tags, importance=Importance(score=score))


def settings(**model: Any) -> Settings:
    return Settings(model=ModelSettings(**({"name": "small"} | model)))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (analysis(), Wish("small", wishes.NOT_YET, "1")),
        (analysis(Trait.BOT), Wish("small", wishes.NOT_YET, "1")),
        (analysis(Trait.VERSION_BUMP), Wish("small", wishes.NOT_YET, "1")),
        (analysis(Trait.BOT, Trait.VERSION_BUMP), Wish("", wishes.NOTHING_TO_READ)),
        (analysis(Trait.GENERATED_ONLY), Wish("", wishes.NOTHING_TO_READ)),
        (analysis(score=-1), Wish("", wishes.UNIMPORTANT)),
        (analysis(score=30), Wish("large", wishes.NOT_YET, "1")),
    ],
)
def test_rules_decide_who_reads_a_merge(found: Analysis, expected: Wish) -> None:
    assert wish(settings(strong_name="large", lowest_importance=0), found, switched_on=True) == expected


def test_without_a_model_or_where_it_is_switched_off_nobody_does() -> None:
    assert wish(Settings(), analysis(), switched_on=True) == Wish("", NO_MODEL)
    assert wish(settings(), analysis(), switched_on=False) == Wish("", wishes.SWITCHED_OFF)


def test_each_part_of_a_reading_has_a_hand_in_its_fingerprint() -> None:
    parts = ("base", "1", "small", "English")
    others = [fingerprint_of(*parts[:at], "another", *parts[at + 1 :]) for at in range(len(parts))]

    assert len({fingerprint_of(*parts), *others}) == 5
    assert fingerprint_of(*parts) == fingerprint_of(*parts)
