"""What a remark of a review says of a request, by plain wording alone: put off, declined, done, taken back.

The patterns are narrow on purpose: a request of which nothing is said for certain stays one that was asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from shared.domain.taxonomy import ReviewOutcome


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_NOUNS = r"(?:prs?|pull[\s-]?requests?|changes?|issues?|tickets?|releases?|work)"
_LEAVING = "".join(
    rf"(?<!\b{verb} )"
    for verb in ("go", "goes", "going", "gone", "went", "fall", "falls", "falling", "fell", "drops", "dropped", "moves")
)
"""What is held in a block of code leaves its scope; a request that is put off does not."""
_DEFERRED = _any_of(
    r"\b(?:in|as|for|into) (?:(?:an?|the|my|our|some) )?(?:\w{1,12} )?follow[\s-]?ups?\b(?! (?:to|of|on|from)\b)",
    rf"\bfollow[\s-]?up {_NOUNS}\b",
    r"\b(?:will|'ll|can|could|should|let's|going to|plan to|happy to) follow[\s-]?up\b",
    rf"\b(?:in|as|for|into) (?:(?:an?|the) )?(?:another|separate) {_NOUNS}\b",
    r"\bin a new (?:pr|pull request|issue|ticket)\b",
    r"\b(?:do|fix|address|add|handle|change|move|land|tackle|leave|revisit) (?:it|this|that|these|those) later\b",
    r"\b(?:opened|filed|created|raised) (?:an? |the )?(?:new |tracking |separate |follow-up )?(?:issue|ticket)\b",
    r"\bdeferred to (?:an?|another|the) (?:\w{1,12} )?"
    r"(?:follow[\s-]?ups?|prs?|pull[\s-]?requests?|releases?|issues?|tickets?)\b(?! of\b)",
    r"^deferred\s?[.!]?$",
    r"\b(?:let's|i'd|i would|we can|(?:like|want|prefer) to|i'll|we'll) defer (?:it|this|that|these|those)\b",
    rf"{_LEAVING}\bout of (?:the )?scope\b",
    r"\b(?:leave|leaving|keep|keeping) (?:it|this|that) for (?:later|another day)\b",
    r"\bfuture work\b",
)
_LATER = _any_of(
    rf"\b(?:in|as|for|into) (?:(?:an?|the) )?(?:later|future|subsequent|next|different) {_NOUNS}\b",
)
"""Puts a thing off only after words of intent: what was changed in a later release is a story."""
_INTENT = _any_of(
    r"\b(?:will|let's|let us|would|can|could|should|may|might|going to|plan(?:ning)? to|(?:like|want|prefer|happy) to|"
    r"please|maybe|perhaps|fine|ok|okay|better|leave|keep|do|address|handle|tackle|revisit)\b",
    r"'(?:ll|d)\b",
)
_LATER_ALONE = _any_of(
    rf"^(?:in|as|for|into) (?:(?:an?|the) )?(?:later|future|subsequent|next|different) {_NOUNS},?(?: please)?\s?[.!]?$"
)
_DEEDS = (
    r"(?:add|address|adopt|change|do|drop|fix|implement|include|introduce|make|move|remove|rename|revert|split|support|"
    r"switch|touch|use)"
)
_DECLINED = _any_of(
    r"\bwon'?t ?fix\b",
    rf"\b(?:i|we) (?:will not|won't|would not|wouldn't|don't want to|do not want to) {_DEEDS}\b",
    rf"\b(?:i'd not|i'm not going to|we're not going to|i am not going to|we are not going to) {_DEEDS}\b",
    r"\bi(?:'d| would) (?:rather|prefer)(?: to)? (?:not|keep|leave|stay)\b",
    r"\bi prefer (?:not )?to (?:keep|leave|stay|change)\b",
    r"\bi (?:disagree|don't agree|do not agree)\b",
    r"\b(?:this|that|it)(?:'s| is) (?:intentional|intended|on purpose|by design)\b",
)
_OPENER = (
    r"(?:good|great|nice|thanks|thank you|ah|oh|yes|yep|right|ok|okay|sure|agreed|makes sense|you(?:'re| are) right)"
)
_ENDED = (
    r"\b(?!-\w)"
    r"(?!(?: [\w-]{1,30}){1,2} (?:is|are|was|were|must|will|can|should|have|has|need|needs)\b)"
)
"""The word is a verb: no part of another word, and not beside the subject of a sentence (``Updated rows are…``)."""
_DONE = _any_of(
    rf"^(?:{_OPENER}[a-z ]{{0,20}}[.,!:;-]? ?)?(?:(?:i|we)(?:'ve| have)? )?(?:now |just |already )?"
    r"(?:done|fixed|addressed|applied|updated|changed|removed|renamed|added|moved|reverted|simplified|rewrote|reworked|"
    rf"switched|dropped|adopted|split|resolved|corrected){_ENDED}(?! by\b| in v?\d+\.)",
    rf"^(?:{_OPENER}[.,!:;-]? ?)?(?:it|this|that)(?:'s| is| has been) (?:now |just |already )?"
    rf"(?:done|fixed|addressed|resolved|corrected){_ENDED}",
)
_TAKEN_BACK = _any_of(
    r"\bnever ?mind\b",
    r"\bnvm\b",
    r"\bignore (?:me|my)\b",
    r"\bi (?:misread|was wrong)\b",
    r"\bmy (?:bad|mistake)\b",
    r"\bscratch that\b",
)
_CONTENT = _any_of(
    r"^(?:ok(?:ay)?|thanks|thank you|thx|ty|lgtm|great|nice|perfect|cool|awesome|sgtm|sounds good|looks good|"
    r"makes sense|fair(?: enough| point)?|got it|i see|understood|agreed|works for me|good point|yep|\+1|👍)"
    r"(?:[\s,.!:)👍]|$)(?!.*\b(?:but|however|still|though|can you|could you|please)\b)"
)
_LONGEST_CONTENT = 120
"""A longer answer that begins with thanks usually goes on with something else."""
_NEGATED = _any_of(
    r"(?:\bnot|n't|\bno(?: need)?|\bnever|\binstead of|\brather than|\bwithout)"
    r"(?: (?:be|been|to|an?|the|do|it|this|that|in|as|for))*\s?$"
)
_NEAR = 40
_INTENT_NEAR = 160
"""Characters before the words in which a negation, or an intent, belongs to them."""
_QUESTION = re.compile(r"\?\s*$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def outcome_told(words: str, *, by_author: bool) -> tuple[ReviewOutcome, str] | None:
    """Return what became of a request by an answer to it, with the sentence that says so; None when it says nothing.

    ``words`` are plain text of the author, or of the person who asked. Of an author counts that a thing is put off,
    declined or done; of the other that it is put off or taken back, or that they are content. Questions say nothing.
    """
    sentences = _SENTENCE_END.split(words.replace("’", "'"))
    meanings: list[tuple[Callable[[str], bool], ReviewOutcome]] = [(_is_put_off, ReviewOutcome.DEFERRED)]
    if by_author:
        meanings += [
            (partial(_said, _DECLINED), ReviewOutcome.REJECTED),
            (partial(_said, _DONE), ReviewOutcome.SETTLED),
        ]
    else:
        meanings += [(partial(_said, _TAKEN_BACK), ReviewOutcome.SETTLED)]
    for says, outcome in meanings:
        found = next(filter(says, sentences), None)
        if found is not None:
            return outcome, found
    content = not by_author and is_content(words)
    return (ReviewOutcome.SETTLED, sentences[0]) if content else None


def is_content(words: str) -> bool:
    """Whether a short answer says that nothing more is asked for."""
    return len(words) <= _LONGEST_CONTENT and _CONTENT.match(words) is not None and not _QUESTION.search(words)


def _is_put_off(sentence: str) -> bool:
    if _said(_DEFERRED, sentence) or _said(_LATER_ALONE, sentence):
        return True
    return any(_INTENT.search(before) for before in _before(_LATER, sentence))


def _said(pattern: re.Pattern[str], sentence: str) -> bool:
    return any(True for _ in _before(pattern, sentence))


def _before(pattern: re.Pattern[str], sentence: str) -> Iterator[str]:
    """What stands before each place where the sentence states it: no question, no negation right before the words."""
    if _QUESTION.search(sentence):
        return
    for found in pattern.finditer(sentence):
        before = sentence[: found.start()]
        if not _NEGATED.search(before[-_NEAR:]):
            yield before[-_INTENT_NEAR:]
