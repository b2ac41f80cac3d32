"""Whether a change reaches users, operators or forks, as far as its title and files show it."""

from __future__ import annotations

import re

from services.digest.merges import Merge
from services.digest.paths import is_of_own_use, is_private, is_prose, is_source, is_test
from shared.domain.analysis import Evidence
from shared.domain.pull_request import ChangedFile
from shared.domain.taxonomy import ChangeType, Risk

_INTERFACE = re.compile(
    r"\.(?:proto|pyi|graphql|gql|thrift|avsc|wsdl|xsd)$|(?:^|/)(?:openapi|swagger)[^/]*\.(?:json|ya?ml)$"
)
_OFFERED = re.compile(
    r"\b(?:support(?:s|ed|ing)?|options?|flags?|settings?|config\w*|commands?|subcommands?|cli|endpoints?|apis?|"
    r"backends?|plugins?|extensions?|protocols?|formats?|platforms?|dialects?|rules?|features?|metrics?|headers?|"
    r"env(?:ironment)?|python|node(?:\.?js)?|ruby|php|java|jdk|golang|rust|msrv|windows|macos|linux|docker|images?)\b"
    r"|(?<![\w-])--[a-z]",
    re.IGNORECASE,
)
"""Words for what a project offers to its users, as against its code."""
_OWN_USE = re.compile(
    r"\b(?:playground|internal(?:ly|s)?|dev(?:elopment|eloper)? (?:builds?|server|setup|environment|tools?|profile)|"
    r"contributors?|benchmarks?|benches|test suite|ci|release (?:script|workflow)|linting|monorepo)\b",
    re.IGNORECASE,
)
"""Words for what only the people of the project use."""
_OWN_KINDS = frozenset((ChangeType.CHORE, ChangeType.CI, ChangeType.TEST, ChangeType.DOCS, ChangeType.STYLE))
_DEPRECATED = re.compile("deprecat|obsolete", re.IGNORECASE)


def told_to_users(merge: Merge) -> bool:
    """Whether the merge changes what users read or build upon: documentation, a change note, an interface file."""
    return any(
        (is_prose(file.filename) or _INTERFACE.search(file.filename))
        and not (is_test(file.filename) or is_private(file.filename) or is_of_own_use(file.filename))
        for file in merge.pull_request.files or ()
    )


def removal_reaches(merge: Merge) -> bool:
    """Whether what is taken away was offered to anybody, and is not code that only the project itself calls.

    A title that names something of users says so, as do a source file that goes, documentation that changes, and a
    breaking change. A fix that takes something away repairs, unless its title names something of users. Where the files
    are not known, the title's word is taken.
    """
    title = merge.pull_request.title
    if merge.has(Risk.BREAKING_CHANGE):
        return True
    if merge.change_type is ChangeType.FIX or merge.change_type in _OWN_KINDS - {ChangeType.CHORE}:
        return _OFFERED.search(title) is not None and _OWN_USE.search(title) is None
    files = merge.pull_request.files
    gone = any(file.status == "removed" and is_source(file.filename) for file in files or ())
    return files is None or gone or told_to_users(merge) or _OFFERED.search(title) is not None


def announced_to_users(merge: Merge) -> bool:
    """Whether what the title announces is meant for users: not a chore, tests or what only the project uses."""
    return merge.change_type not in _OWN_KINDS and _OWN_USE.search(merge.pull_request.title) is None


def deprecation_reaches(merge: Merge, evidence: Evidence) -> bool:
    """Whether something is deprecated now: the title says so, or the file marks more as deprecated than before.

    A mark that was only moved or laid out anew is none; nor is one in a file that is not shown to have any.
    """
    if evidence.path is None:
        return True
    file = next((one for one in merge.pull_request.files or () if one.filename == evidence.path), None)
    return file is None or file.patch is None or _marks(file, "+") > _marks(file, "-")


def _marks(file: ChangedFile, sign: str) -> int:
    lines = (file.patch or "").splitlines()
    return sum(len(_DEPRECATED.findall(line)) for line in lines if line.startswith(sign))
