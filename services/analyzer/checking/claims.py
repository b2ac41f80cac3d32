"""Checks one sentence of a model with its quotations: kept as far as the merge supports it, or dropped for a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from services.analyzer.checking.echoes import repeats_prompt, repeats_title
from services.analyzer.checking.evidence import QUOTABLE, Evidence
from services.analyzer.checking.judgements import is_for_models
from services.analyzer.checking.plain_text import is_plain, plain_words, without_code_marks
from shared.claims.figures import lost_qualifiers, unsupported_digits, unsupported_figures, unsupported_number_words
from shared.claims.identifiers import Mention, MentionKind
from shared.claims.support import Finding, Where, check
from shared.domain.reading import LONGEST_CLAIM, Claim, DropReason, Quote
from shared.redaction import redact

_COMMON = frozenset(
    {"API", "APIS", "CI", "CLI", "CPU", "CSV", "HTML", "HTTP", "HTTPS", "ID", "IDS", "IO", "JSON", "SDK", "SQL", "TCP"}
    | {"TLS", "TOML", "TTL", "UI", "URL", "URLS", "UTF", "YAML"}
)
"""Words in capitals that name no thing of the merge: a sentence may use them where a patch does not."""
_AUTHORS = frozenset({"title", "body", "commit"})
_NAMES = frozenset(
    {MentionKind.PATH, MentionKind.FLAG, MentionKind.VARIABLE, MentionKind.NAME, MentionKind.CODE, MentionKind.VERSION}
)


@dataclass(frozen=True, slots=True)
class Demand:
    """What a field of the answer demands beyond what every sentence must hold to."""

    fields: Collection[str] = QUOTABLE
    """Where its quotations must stand."""
    keeps_limits: bool = False
    """No limit of a quotation may be lost."""
    shown: bool = False
    """What it names must stand in the diff: it tells people what to do."""
    reviewed: bool = False
    """What it names may stand in the review alone."""
    no_title: bool = False
    """It must say more than the title."""
    done: bool = False
    """It says what is so now: without a word of the diff or of the review behind it, it is the author's promise."""


def examined(text: str, quotes: Sequence[str], evidence: Evidence, demand: Demand) -> Claim | DropReason:
    """Return the claim as it is kept, or why it is dropped; never raises."""
    words = plain_words(text)
    said = without_code_marks(words)
    if reason := unfit(said, evidence):
        return reason
    if repeats_prompt(said) or (demand.no_title and repeats_title(said, evidence.title)):
        return "echo"
    found = evidence.quotes(quotes, demand.fields)
    if found.reason is not None:
        return found.reason
    if reason := _beyond_quotes(said, found.quotes, demand):
        return reason
    announced = _announced(check(words, evidence.facts), demand)
    if announced is None:
        return "identifier-not-in-diff"
    promised = demand.done and not evidence.facts.gaps and all(quote.field in _AUTHORS for quote in found.quotes)
    return Claim(text=said, quotes=found.quotes, announced=announced or promised)


def unfit(said: str, evidence: Evidence) -> DropReason | None:
    """Return why words of a model may not be printed at all, or None."""
    if not any(sign.isalnum() for sign in said):
        return "empty"
    if len(said) > LONGEST_CLAIM:
        return "too-long"
    named = evidence.people.named_in(said) or evidence.references.named_in(said)
    if named or not is_plain(said) or redact(said).found:
        return "not-plain-text"
    return None if is_for_models(said) else "not-for-models"


def _beyond_quotes(said: str, quotes: Sequence[Quote], demand: Demand) -> DropReason | None:
    """Whether the sentence says a figure that its quotations do not, or leaves out a limit that they have."""
    words = [quote.text for quote in quotes]
    words += [text.replace("`", "") for text in words if "`" in text]
    if unsupported_figures(said, words) or unsupported_digits(said, words) or unsupported_number_words(said, words):
        return "figure-not-in-quotes"
    return "limit-lost" if demand.keeps_limits and lost_qualifiers(said, words) else None


def _announced(findings: Sequence[Finding], demand: Demand) -> bool | None:
    """Whether only the description shows something that the sentence names; None when it may not name it.

    A sentence about an effect stays, marked as announced: the reader is told whose word it is. One that tells people
    what to do goes when the whole diff was read and does not show what it names: that would be an order out of thin
    air.
    """
    announced = False
    for finding in _names(findings):
        where = finding.support.where
        if where is Where.NOWHERE or (where is Where.REVIEW and not demand.reviewed):
            return None
        if where is Where.DESCRIPTION and demand.shown and finding.complete:
            return None
        announced = announced or (where is Where.DESCRIPTION and _is_name(finding.mention))
    return announced


def _is_name(mention: Mention) -> bool:
    """Whether a token names a thing of the software; words of a language in backticks (``async for``) do not."""
    return (mention.kind in _NAMES and not mention.text.replace(" ", "").isalpha()) or mention.kind is MentionKind.NAME


def _names(findings: Sequence[Finding]) -> Iterator[Finding]:
    for finding in findings:
        kind, text = finding.mention.kind, finding.mention.text
        common = kind is MentionKind.ACRONYM and not finding.mention.quoted and text in _COMMON
        if kind is not MentionKind.FIGURE and not (common and finding.support.where is Where.NOWHERE):
            yield finding
