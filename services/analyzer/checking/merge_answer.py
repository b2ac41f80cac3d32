"""Checks a model's whole answer about one merge and keeps, as a reading, what the merge supports; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from services.analyzer.checking.claims import Demand, examined
from services.analyzer.checking.echoes import repeats_title
from services.analyzer.checking.evidence import REVIEW_FIELDS, Evidence
from services.analyzer.checking.keywords import kept_keywords
from services.analyzer.checking.speakers import Speakers
from services.analyzer.prompts.answer import (
    MOST_CLAIMS,
    MOST_CONTESTED,
    AnsweredClaim,
    AnsweredImportance,
    AnswerPart,
    MergeAnswer,
)
from services.analyzer.prompts.wording import prompt_version
from shared.domain.analysis import Analysis
from shared.domain.pull_request import PullRequest
from shared.domain.reading import (
    ActionClaim,
    CallUsage,
    Claim,
    ContestedClaim,
    Dropped,
    DropReason,
    LimitClaim,
    Reading,
    ReasonClaim,
    RiskClaim,
    Seen,
)
from shared.domain.taxonomy import KeyReason, Risk
from shared.domain.text import fold

Mode = Literal["json_schema", "json_object", "text"]

Part = TypeVar("Part", bound=AnswerPart)

_EFFECT = Demand(no_title=True, done=True)
_ACTION = Demand(shown=True, done=True)
_WAY_BACK = Demand(shown=True)
_WHY = Demand(reviewed=True)
_INFERRED = Demand(reviewed=True, inferred=True)
_LIMIT = Demand(reviewed=True, is_limit=True)
_CONTEST = Demand(fields=REVIEW_FIELDS, reviewed=True)
_PROVEN = frozenset({KeyReason.SECURITY, KeyReason.MUST_ACT})
"""Reasons that put a merge on top of the digest: the author's word alone is not enough."""


def checked(  # noqa: PLR0913 - what is known of the calls is passed on as it is
    answer: MergeAnswer,
    pull_request: PullRequest,
    analysis: Analysis,
    *,
    model: str,
    seen: Seen,
    usage: CallUsage,
    mode: Mode,
    repaired: bool,
    language: str,
) -> Reading:
    """Return what of ``answer`` the merge supports, every claim with its quotations; the rest is counted by reason.

    Never raises, whatever a model wrote. Of hidden text and of secrets, which the model was not shown, nothing counts
    as evidence. ``analysis`` is that of the rules: its summary is the title without prefix, which is no news.
    """
    evidence = Evidence(pull_request, *_said(answer), language)
    sorter = _Sorter(evidence, analysis.summary)
    effect = sorter.claim("effect", answer.effect, _EFFECT)
    return Reading(
        model=model,
        prompt_version=prompt_version(language),
        language=language,
        mode=mode,
        repaired=repaired,
        effect=effect,
        change=sorter.claim("change", answer.change, _EFFECT, beside=effect),
        why=sorter.claim("why", answer.why, _WHY),
        limits=tuple(_limits(answer, sorter)),
        actions=tuple(_actions(answer, sorter)),
        contested=tuple(_contested(answer, sorter, evidence.speakers, analysis)),
        risks=tuple(_risks(answer, sorter)),
        reason=_reason(answer.importance, sorter, evidence.speakers),
        keywords=kept_keywords(answer.keywords, evidence),
        dropped=sorter.dropped,
        seen=seen,
        usage=usage,
    )


def _said(answer: MergeAnswer) -> tuple[list[str], list[str]]:
    """All texts of the answer, and all its quotations."""
    texts: list[str] = []
    quotes: list[str] = []
    reason = answer.importance.why if answer.importance else None
    single = (answer.effect, answer.change, answer.why, reason)
    for claim in (*single, *answer.limits, *answer.actions, *answer.contested):
        if claim is not None:
            texts.append(claim.text)
            quotes += claim.quotes
    texts += [action.way_back for action in answer.actions] + [risk.mechanism for risk in answer.risks]
    quotes += [quote for risk in answer.risks for quote in risk.quotes]
    return texts, quotes


class _Sorter:
    """Examines the claims of one answer and counts what it drops."""

    def __init__(self, evidence: Evidence, summary: str) -> None:
        self._evidence = evidence
        self._summary = summary
        self._dropped: Counter[tuple[str, DropReason]] = Counter()

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What was dropped so far."""
        counts = sorted(self._dropped.items())
        return tuple(Dropped(field=field, reason=reason, count=count) for (field, reason), count in counts)

    def claim(
        self, field: str, claim: AnsweredClaim | None, demand: Demand, beside: Claim | None = None
    ) -> Claim | None:
        """The claim as it is kept; None, and counted, when it is dropped or says what ``beside`` says."""
        return None if claim is None else self.sentence(field, claim.text, claim.quotes, demand, beside)

    def sentence(
        self, field: str, text: str, quotes: Sequence[str], demand: Demand, beside: Claim | None = None
    ) -> Claim | None:
        """The same for a text and its quotations."""
        found = examined(text, quotes, self._evidence, demand)
        if isinstance(found, Claim):
            again = beside is not None and fold(beside.text) == fold(found.text)
            again = again or (demand.no_title and repeats_title(found.text, self._summary))
            if not again:
                return found
            found = "echo"
        self.drop(field, found)
        return None

    def drop(self, field: str, reason: DropReason, count: int = 1) -> None:
        """Count what is dropped."""
        if count > 0:
            self._dropped[field, reason] += count

    def few(self, field: str, given: Sequence[Part], most: int = MOST_CLAIMS) -> Sequence[Part]:
        """As many as were asked for, each text once; what is beyond counts as dropped."""
        self.drop(field, "too-long", len(given) - most)
        once = {one.model_dump_json(): one for one in given[:most]}
        self.drop(field, "echo", len(given[:most]) - len(once))
        return list(once.values())


def _limits(answer: MergeAnswer, sorter: _Sorter) -> Iterator[LimitClaim]:
    for one in sorter.few("limits", answer.limits):
        if claim := sorter.sentence("limits", one.text, one.quotes, _LIMIT):
            yield LimitClaim(**dict(claim), kind=one.kind)


def _actions(answer: MergeAnswer, sorter: _Sorter) -> Iterator[ActionClaim]:
    for one in sorter.few("actions", answer.actions):
        if claim := sorter.sentence("actions", one.text, one.quotes, _ACTION):
            back = sorter.sentence("way_back", one.way_back, one.quotes, _WAY_BACK) if one.way_back.strip() else None
            yield ActionClaim(**dict(claim), kind=one.kind, way_back=back.text if back else "")


def _contested(
    answer: MergeAnswer, sorter: _Sorter, speakers: Speakers, analysis: Analysis
) -> Iterator[ContestedClaim]:
    """Points that somebody other than the author raised; how they ended is told where a mark or rules say the same."""
    for one in sorter.few("contested", answer.contested, MOST_CONTESTED):
        claim = sorter.sentence("contested", one.text, one.quotes, _CONTEST)
        if claim and not speakers.others_said(claim.quotes):
            sorter.drop("contested", "no-quote")
        elif claim:
            outcome = speakers.outcome(one.outcome, claim.quotes, analysis)
            yield ContestedClaim(**dict(claim), outcome=outcome)


def _risks(answer: MergeAnswer, sorter: _Sorter) -> Iterator[RiskClaim]:
    """One mechanism for each risk; also for one that rules found: they know that, the model may know how."""
    told: set[Risk] = set()
    for one in sorter.few("risks", answer.risks):
        if one.risk in told:
            sorter.drop("risks", "echo")
        elif claim := sorter.sentence("risks", one.mechanism, one.quotes, _INFERRED):
            told.add(one.risk)
            yield RiskClaim(**dict(claim), risk=one.risk)


def _reason(importance: AnsweredImportance | None, sorter: _Sorter, speakers: Speakers) -> ReasonClaim | None:
    if importance is None or importance.reason is None:
        return None
    claim = sorter.claim("importance", importance.why, _INFERRED)
    if claim is None:
        return None
    if importance.reason in _PROVEN and not _is_proven(claim, speakers):
        sorter.drop("importance", "not-for-models")
        return None
    return ReasonClaim(**dict(claim), reason=importance.reason)


def _is_proven(claim: Claim, speakers: Speakers) -> bool:
    """Whether the diff is quoted, or the review in words of somebody other than the author."""
    asked = [quote for quote in claim.quotes if quote.field == "review"]
    return any(quote.field == "diff" for quote in claim.quotes) or speakers.others_said(asked)
