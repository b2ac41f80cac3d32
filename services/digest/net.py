"""The last net under what a model said: the finished words of a digest, looked at once more (R-63, R-70)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from services.digest.gate import spans_of, with_mode
from shared.claims.figures import unsupported_digits, unsupported_figures, unsupported_number_words
from shared.domain.digest import Digest, KeyPullRequest, MustAct, RiskFinding, ToldReading
from shared.domain.reading import LONGEST_CLAIM, Claim
from shared.domain.taxonomy import Origin

NOT_FIT = "last-check"
"""Under this name the account counts what fell into the net."""

_EDGE = r"(?a:\b)"
"""The edge of a word of ASCII signs: Chinese ones stand beside it without a space."""
_ACTIVE = re.compile(
    rf"://|{_EDGE}www\.|{_EDGE}mailto:|@\w|#\d|(?<![=<>!])(?<!(?a:\w))!\d|{_EDGE}gh-\d|"
    rf"{_EDGE}(?:prs?|pull requests?|issues?)\s*#?\d|"
    r"(?<![.-])(?<!(?a:\w))(?:[^\W_](?:[^\W_]|-){0,62}\.){1,6}(?:com|org|net|info|biz|xyz|cn|ru)"
    r"(?![(-])(?!(?a:\w))(?!\.\w)|"
    r"\]\s?\(|!\[|`|\*\*|~~|</?[a-z!]|&#?\w+;",
    re.IGNORECASE,
)
"""Addresses, mentions, references and markup; renderers make them harmless, but a model has no business with them."""

Said = TypeVar("Said", bound=Claim)


def caught(digest: Digest) -> frozenset[str]:
    """Return the texts of a model in the sections of ``digest`` that may not be told.

    That is every one that no claim of the digest stands behind, that is more than plain words, or that holds a figure
    which is in none of the claim's quotations.
    """
    told = {
        (span.number, span.text)
        for sections in digest.sections.values()
        for section in sections
        for paragraph in section.paragraphs
        for span in spans_of(paragraph)
        if span.kind == "model"
    }
    quotes: dict[tuple[int | None, str], tuple[str, ...]] = {}
    for number, text, claim in _texts(digest):
        quotes[number, text] = (*quotes.get((number, text), ()), *(quote.text for quote in claim.quotes))
    return frozenset(text for number, text in told if not _may_be_told(text, quotes.get((number, text), ())))


def _may_be_told(text: str, quotes: Sequence[str]) -> bool:
    if not quotes or len(text) > LONGEST_CLAIM or _ACTIVE.search(unicodedata.normalize("NFKC", text)):
        return False
    if any(unicodedata.category(character)[0] == "C" for character in text):
        return False
    words = [*quotes, *(quote.replace("`", "") for quote in quotes)]
    found = (unsupported_figures, unsupported_digits, unsupported_number_words)
    return not any(unsupported(text, words) for unsupported in found)


def _texts(digest: Digest) -> Iterator[tuple[int, str, Claim]]:
    """Everything of a model that the narrators may tell, with the claim behind it."""
    for reading in digest.readings:
        yield from ((reading.number, claim.text, claim) for claim in reading.claims)
    for row in digest.must_act:
        if row.claim is not None:
            yield from ((row.number, text, row.claim) for text in (row.claim.text, row.way_back) if text)
    for risk in digest.risks:
        yield from ((number, claim.text, claim) for number, claim in risk.claims.items())


def without(digest: Digest, texts: Collection[str]) -> Digest:
    """Return ``digest`` without the claims that say one of ``texts``, and without its sections; they are counted."""
    if not texts:
        return digest
    provenance, account = digest.provenance, digest.provenance.readings
    if account is not None:
        dropped = account.dropped | {NOT_FIT: account.dropped.get(NOT_FIT, 0) + len(texts)}
        provenance = provenance.model_copy(update={"readings": account.model_copy(update={"dropped": dropped})})
    left = digest.model_copy(
        update={
            "sections": {},
            "readings": tuple(told for reading in digest.readings if (told := _reading(reading, texts)).claims),
            "key_pull_requests": tuple(key for key in digest.key_pull_requests if not _is_key_for(key, texts)),
            "must_act": tuple(_row(row, texts) for row in digest.must_act if not _is_row_of(row, texts)),
            "risks": tuple(risk for one in digest.risks if (risk := _risk(one, texts)).pull_requests),
            "provenance": provenance,
        }
    )
    return with_mode(left)


def _reading(reading: ToldReading, texts: Collection[str]) -> ToldReading:
    return reading.model_copy(
        update={
            "effect": _kept(reading.effect, texts),
            "why": _kept(reading.why, texts),
            "reason": _kept(reading.reason, texts),
            "limits": tuple(claim for claim in reading.limits if claim.text not in texts),
            "contested": tuple(claim for claim in reading.contested if claim.text not in texts),
        }
    )


def _kept(claim: Said | None, texts: Collection[str]) -> Said | None:
    return None if claim is None or claim.text in texts else claim


def _is_key_for(key: KeyPullRequest, texts: Collection[str]) -> bool:
    """Whether a pull request is key for nothing but what may not be told; it is told by name all the same."""
    return key.reason_origin is Origin.MODEL and key.reason_why.rstrip(" .。") in texts


def _is_row_of(row: MustAct, texts: Collection[str]) -> bool:
    return row.claim is not None and row.claim.text in texts


def _row(row: MustAct, texts: Collection[str]) -> MustAct:
    if row.claim is None or row.way_back not in texts:
        return row
    return row.model_copy(update={"way_back": None})


def _risk(risk: RiskFinding, texts: Collection[str]) -> RiskFinding:
    claims = {number: claim for number, claim in risk.claims.items() if claim.text not in texts}
    if len(claims) == len(risk.claims) or risk.origin is not Origin.MODEL:
        return risk.model_copy(update={"claims": claims})
    return risk.model_copy(
        update={
            "claims": claims,
            "pull_requests": tuple(claims),
            "evidence": {number: risk.evidence[number] for number in claims},
            "links": {number: url for number, url in risk.links.items() if number in claims},
        }
    )
