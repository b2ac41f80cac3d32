"""What the stored review of a merge shows without reading opinions: who asked for changes, where it was discussed."""

from __future__ import annotations

from collections import Counter

from shared.domain.pull_request import PullRequest

_DISCUSSED = 3


def review_of(pull_request: PullRequest) -> str:
    """Return one or two English sentences, or an empty text when no review is stored."""
    asked = {review.user.shown for review in pull_request.reviews if review.state == "CHANGES_REQUESTED"}
    places = Counter(
        comment.path
        for comment in pull_request.review_comments
        if comment.path and not comment.user.is_bot and comment.body.strip()
    )
    sentences = []
    if not (pull_request.reviews or pull_request.review_comments):
        return ""
    if not asked:
        sentences.append("The stored review asks for no change.")
    else:
        sentences.append("A reviewer asked for changes." if len(asked) == 1 else "Several reviewers asked for changes.")
    if places:
        place, count = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
        if count >= _DISCUSSED:
            sentences.append(f"Most of the discussion was about {place}.")
    return " ".join(sentences)
