"""Every output language says the same: same keys, same placeholders, words for the whole vocabulary."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from services.digest import must_act
from services.digest.act_on_facts import FACT_KINDS
from services.digest.narrate import NARRATORS
from services.digest.net import NOT_FIT
from services.digest.themes import METHODS
from shared.domain.facts import Subject
from shared.domain.provenance import Unread as NotRead
from shared.domain.pull_request import Unread
from shared.domain.reading import DropReason
from shared.domain.taxonomy import ChangeType, KeyReason, RelationKind, ReviewOutcome, Risk, Trait
from shared.rendering.locale import LANGUAGES, PLURAL_FORMS, load_locale, placeholders
from shared.rendering.phrasebook import said
from shared.settings import values

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "shared" / "rendering" / "locales"
MUST_ACT_KINDS = {
    *FACT_KINDS,
    *must_act.KINDS.values(),
    must_act.ENVIRONMENT_VARIABLE,
    must_act.MIGRATION,
    must_act.VERSION_BUMP,
}
PLURALS = {"en": {"one", "other"}, "zh-CN": {"other"}}
languages = pytest.mark.parametrize("language", LANGUAGES)


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping) and not set(value) <= PLURAL_FORMS:
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def sentences(language: str) -> dict[str, list[str]]:
    tree = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    return {key: list(value.values()) if isinstance(value, Mapping) else [value] for key, value in leaves(tree)}


def test_every_file_is_a_language_that_settings_offer() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(LANGUAGES) == set(values.LANGUAGES)


@languages
def test_same_keys_and_placeholders_as_english(language: str) -> None:
    english, other = sentences("en"), sentences(language)
    assert set(other) == set(english)
    for key, forms in other.items():
        wanted = {placeholders(form) for form in english[key]}
        assert {placeholders(form) for form in forms} == wanted, key
        assert len(wanted) == 1, key


@languages
def test_every_leaf_is_text_or_plural_forms_of_the_language(language: str) -> None:
    for key, value in leaves(tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))):
        assert isinstance(value, str) or set(value) == PLURALS[language], key
        for form in [value] if isinstance(value, str) else value.values():
            assert isinstance(form, str)
            assert re.sub(r"\{[a-z_]+\}", "", form).count("{") == 0, key
            assert form.strip() or key == "joining.sentence", key


@languages
def test_no_sentence_holds_a_number(language: str) -> None:
    for key, forms in sentences(language).items():
        for form in forms:
            assert not re.search(r"\d", form), key


@languages
def test_no_sentence_can_mention_or_link(language: str) -> None:
    for key, forms in sentences(language).items():
        for form in forms:
            assert not re.search(r"[@<>]|#\w|://", form.replace("> ", "")), key


@languages
@pytest.mark.parametrize("part", ["title", "mechanism", "exposed", "verify"])
@pytest.mark.parametrize("risk", Risk)
def test_every_risk_is_told_whole(language: str, risk: Risk, part: str) -> None:
    assert load_locale(language).text(f"risks.{risk}.{part}")


@languages
def test_the_whole_vocabulary_has_words(language: str) -> None:
    locale = load_locale(language)
    wanted = {
        "change_types": ChangeType,
        "single_types": ChangeType,
        "traits": Trait,
        "reasons": KeyReason,
        "reason_meanings": KeyReason,
        "relations": RelationKind,
        "must_act_kinds": MUST_ACT_KINDS,
        "fact_subjects": Subject,
        "found_by": METHODS,
        "unread": Unread,
        "sections": [key for key, _ in NARRATORS],
        "degraded": ["failed-analyses"],
        "model.dropped": [*get_args(DropReason), NOT_FIT],
        "model.unread": get_args(NotRead),
        "model.outcomes": ReviewOutcome,
    }
    missing = [
        f"{prefix}.{name}" for prefix, names in wanted.items() for name in names if not locale.knows(f"{prefix}.{name}")
    ]
    assert missing == []


def test_chinese_uses_its_own_punctuation() -> None:
    for key, forms in sentences("zh-CN").items():
        for form in forms:
            words = re.sub(r"\{[a-z_]+\}|`[^`]*`|\[rule\]", "x", form)
            assert not re.search(r"[\u4e00-\u9fff] ?[,;:!?]|[\u4e00-\u9fff]\.(?!\w)|[\u4e00-\u9fff]\(", words), key


def rule_sentences() -> Iterator[tuple[str, str]]:
    """Every sentence that a rule writes out where it makes evidence: constants, and templates with X for what varies."""
    for path in [
        *(ROOT / "services/analyzer/rules").glob("*.py"),
        *(ROOT / "services/digest/window_rules").glob("*.py"),
    ]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Evidence":
                for keyword in node.keywords:
                    if keyword.arg == "why" and isinstance(keyword.value, ast.Constant | ast.JoinedStr):
                        yield path.stem, _written(keyword.value)


def _written(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)


def advice_and_reasons() -> Iterator[str]:
    """The sentences of the follow-ups and of the reasons of key pull requests: everything there of four words or more."""
    for path in (ROOT / "services/digest/advice.py", ROOT / "services/analyzer/key_reasons.py"):
        tree = ast.parse(path.read_text("utf-8"))
        skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            plain = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner
            if (isinstance(node, ast.JoinedStr) or plain) and id(node) not in skipped:
                written = _written(node)
                if re.fullmatch(r"[\w:'“”(),;.#\- ]+", written) and written.count(" ") >= 3:
                    yield written


@pytest.mark.parametrize("sentence", sorted(set(advice_and_reasons())))
def test_advice_and_reasons_are_said_in_chinese(sentence: str) -> None:
    told = "".join(span.text for span in said(sentence, load_locale("zh-CN")))
    assert re.search(r"[\u4e00-\u9fff]", told), sentence


RISK_RULES = {str(risk).replace("-", "_") for risk in Risk} | {"reverts", "new_default", "removals"}


@pytest.mark.parametrize(
    ("rule", "sentence"), [pair for pair in rule_sentences() if pair[0] in RISK_RULES and not pair[1].endswith("and 7")]
)
def test_what_the_rules_of_risks_say_is_said_in_chinese(rule: str, sentence: str) -> None:
    told = "".join(span.text for span in said(sentence, load_locale("zh-CN")))
    assert re.search(r"[\u4e00-\u9fff]", told), (rule, sentence)
    assert re.findall(r"\d+", told) == re.findall(r"\d+", sentence)
