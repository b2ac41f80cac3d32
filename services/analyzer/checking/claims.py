"""Checks one sentence of a model with its quotations: kept as far as the merge supports it, or dropped for a reason."""

from __future__ import annotations

import re
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

_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}")
_HOST_AND_PATH = re.compile(
    r"(?<![A-Za-z0-9_./-])(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?::\d{1,5})?/[!-~]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Demand:
    """What a field of the answer demands beyond what every sentence must hold to."""

    fields: Collection[str] = QUOTABLE
    """Where its quotations must stand."""
    is_limit: bool = False
    """It is itself one of the limits that its quotations have, and need not name the others."""
    shown: bool = False
    """What it names must stand in the diff: it tells people what to do."""
    reviewed: bool = False
    """What it names may stand in the review alone."""
    no_title: bool = False
    """It must say more than the title."""
    done: bool = False
    """It says what is so now: without a word of the diff or of the review behind it, it is the author's promise."""
    inferred: bool = False
    """It says what may follow, in words that its quotations need not have, but the description does."""


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
    if reason := _beyond_quotes(said, found.quotes, evidence, demand):
        return reason
    announced = _announced(check(words, evidence.facts), demand)
    named = _named(said, evidence, demand)
    if announced is None or named is None:
        return "identifier-not-in-diff"
    announced = announced or named
    promised = demand.done and not evidence.facts.gaps and all(quote.field in _AUTHORS for quote in found.quotes)
    return Claim(text=said, quotes=found.quotes, announced=announced or promised)


def unfit(said: str, evidence: Evidence) -> DropReason | None:
    """Return why words of a model may not be printed at all, or None."""
    if not any(sign.isalnum() for sign in said):
        return "empty"
    if len(said) > LONGEST_CLAIM:
        return "too-long"
    named = evidence.people.named_in(said) or evidence.references.named_in(said)
    if named or not is_plain(said) or _holds_host(said, evidence) or redact(said).found:
        return "not-plain-text"
    return None if is_for_models(said) else "not-for-models"


def _holds_host(said: str, evidence: Evidence) -> bool:
    """Whether it holds a name with a point and a path behind it (``word.word/word``) that is no path of the merge."""
    paths = evidence.facts.paths.text.split("\n")
    hosts = (found[0].rstrip(".,;:!?") for found in _HOST_AND_PATH.finditer(said))
    return any(not any(f"/{host}" in f"/{path}" for path in paths) for host in hosts)


def _beyond_quotes(said: str, quotes: Sequence[Quote], evidence: Evidence, demand: Demand) -> DropReason | None:
    """Whether it says a figure that its quotations do not, leaves out a limit of theirs, or has no word of them."""
    words = _without_marks([quote.text for quote in quotes])
    if unsupported_figures(said, words) or unsupported_digits(said, words) or unsupported_number_words(said, words):
        return "figure-not-in-quotes"
    around = _without_marks([evidence.surroundings.of(quote) for quote in quotes])
    lost = set(lost_qualifiers(said, around))
    if demand.is_limit and lost:
        general = set(lost_qualifiers("", around))
        lost = lost - general if general - lost else lost
    if lost:
        return "limit-lost"
    return "unrelated-to-quotes" if evidence.is_unrelated(said, quotes, inferred=demand.inferred) else None


def _without_marks(texts: list[str]) -> list[str]:
    """The texts, and those with backticks once more without."""
    return texts + [text.replace("`", "") for text in texts if "`" in text]


def _announced(findings: Sequence[Finding], demand: Demand) -> bool | None:
    """Whether only the description shows something that the sentence names; None when it may not name it.

    A sentence about an effect stays, marked as announced: the reader is told whose word it is. One that tells people
    what to do goes when the whole diff was read and does not show what it names: that would be an order out of thin
    air.
    """
    announced = False
    for finding in _names(findings):
        where = finding.support.where
        if _could_be_host(finding):
            return None
        if where is Where.NOWHERE or (where is Where.REVIEW and not demand.reviewed):
            return None
        if where is Where.DESCRIPTION and demand.shown and finding.complete:
            return None
        announced = announced or (where is Where.DESCRIPTION and _is_name(finding.mention))
    return announced


def _could_be_host(finding: Finding) -> bool:
    """Whether only people's words hold two or more labels with points between: no list of endings is ever whole."""
    return (
        finding.support.where in (Where.DESCRIPTION, Where.REVIEW) and _HOST.fullmatch(finding.mention.text) is not None
    )


def _named(said: str, evidence: Evidence, demand: Demand) -> bool | None:
    """The same for names that are no token: of people, firms and products, short options, compounds with dashes."""
    vocabulary = evidence.vocabulary
    if vocabulary.lacks_option(said) or vocabulary.lacks_name(said):
        return None
    places = set(vocabulary.compounds(said))
    if Where.NOWHERE in places or (Where.REVIEW in places and not demand.reviewed):
        return None
    if Where.DESCRIPTION in places and demand.shown and not evidence.facts.gaps:
        return None
    return Where.DESCRIPTION in places


def _is_name(mention: Mention) -> bool:
    """Whether a token names a thing of the software; words of a language in backticks (``async for``) do not."""
    return (mention.kind in _NAMES and not mention.text.replace(" ", "").isalpha()) or mention.kind is MentionKind.NAME


def _names(findings: Sequence[Finding]) -> Iterator[Finding]:
    for finding in findings:
        kind, text = finding.mention.kind, finding.mention.text
        common = kind is MentionKind.ACRONYM and not finding.mention.quoted and text in _COMMON
        if kind is not MentionKind.FIGURE and not (common and finding.support.where is Where.NOWHERE):
            yield finding
