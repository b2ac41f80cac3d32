"""Examines one pull request by rules: pure, deterministic, never raises on what a stranger wrote."""

from __future__ import annotations

import hashlib
from collections import Counter

from services.analyzer.combine import areas_of, change_type_of, summary_of
from services.analyzer.importance import importance_of
from services.analyzer.review_insight import review_points
from services.analyzer.rules import RULES, RuleContext
from shared.domain.analysis import Analysis, Coverage, Relation, Tag
from shared.domain.facts import FactsRead
from shared.domain.protocols import SourceTexts
from shared.domain.pull_request import ChangedFile, PullRequest, Unread

RULESET_VERSION = "4"
"""Goes up whenever a rule may answer differently, so that stored analyses are told from new ones."""
_NOT_READ_BY_RULES = {"updated_at", "head_sha", "base_sha", "linked_issues"}


def examine(pull_request: PullRequest, context: RuleContext, sources: SourceTexts | None = None) -> Analysis:
    """Return the analysis of ``pull_request`` under the repository's ``context``.

    ``sources`` are the whole texts of changed files; without them the patches are all that is read.
    """
    about = context.about(pull_request, sources)
    reading = about.read(pull_request)
    findings = [finding for rule in RULES for finding in rule.examine(pull_request, about)]
    tags = tuple(finding for finding in findings if isinstance(finding, Tag) and context.wants(finding))
    change_type = change_type_of(tags)
    areas = areas_of(tags)
    relations = tuple(finding for finding in findings if isinstance(finding, Relation))
    return Analysis(
        number=pull_request.number,
        fingerprint=fingerprint(pull_request, context, whole=sources is not None),
        ruleset_version=RULESET_VERSION,
        summary=summary_of(reading),
        change_type=change_type,
        areas=areas,
        tags=tags,
        relations=relations,
        facts=about.facts.facts,
        review=review_points(pull_request, tags),
        importance=importance_of(reading, change_type, tags),
        coverage=coverage_of(pull_request, about.facts, sources),
    )


def fingerprint(pull_request: PullRequest, context: RuleContext, *, whole: bool = False) -> str:
    """Return the hash of what an analysis depends on: what rules read, the rules, the configuration.

    ``whole`` tells an analysis of whole sources from one of patches; the commits of the merge decide what those are.
    """
    facts = pull_request.model_dump_json(exclude=_NOT_READ_BY_RULES)
    text = f"{RULESET_VERSION}\n{context.key}\n{whole}\n{facts}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def coverage_of(pull_request: PullRequest, facts: FactsRead, sources: SourceTexts | None = None) -> Coverage:
    """Return how much of the change was at hand; a pure rename has nothing to read and counts as read."""
    files = pull_request.files or ()
    unread = Counter(reason for file in files if (reason := _unread(file)))
    return Coverage(
        source=pull_request.detail_source,
        files_changed=max(pull_request.changed_files, len(files)),
        files_seen=len(files),
        files_read=sum(_unread(file) is None for file in files),
        patch_bytes=sum(len(file.patch.encode("utf-8", "replace")) for file in files if file.patch),
        unread={str(reason): count for reason, count in sorted(unread.items())},
        files_whole=len(sources or ()),
        facts_unread=facts.unread,
    )


def _unread(file: ChangedFile) -> Unread | None:
    if file.patch or file.submodule is not None:
        return None
    if file.unread is not None:
        return file.unread
    nothing_to_read = file.additions + file.deletions == 0 and file.status in {"renamed", "copied", "unchanged"}
    return None if nothing_to_read else Unread.NOT_GIVEN
