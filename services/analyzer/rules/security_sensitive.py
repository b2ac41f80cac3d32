"""Changes that somebody who knows about security should look at, and security fixes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag, trait_tag
from services.analyzer.vocabulary import words_of
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk, Trait

name = "security-sensitive"
SENSITIVE_WORDS = words_of(
    """
    auth authn authz authentication authorization oauth oauth2 oidc saml ldap kerberos login signin password
    passwords credential credentials secret secrets crypto cryptography cipher tls ssl x509 cert certs certificate
    certificates jwt permission permissions acl acls rbac iam sandbox sandboxing seccomp selinux apparmor csrf cors xss
    sanitize sanitization pickle keyring keychain vault encryption encrypt decrypt hmac privilege privileges sudo
    firewall security
    """
)
_ID = re.compile(
    r"\b(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|RUSTSEC-\d{4}-\d{4}|GO-\d{4}-\d{4})\b", re.IGNORECASE
)
_TITLE = re.compile(
    (
        r"\b(?:security(?![- ](?:protocols?|groups?|managers?|related|helpers?|config\w*|settings?|tests?|plugins?|"
        r"modules?|docs?|providers?|context))|vulnerabilit\w+|xss|csrf|ssrf|rce|sql injection|(?:command|code|header|"
        r"prompt|"
        r"template) injection|path traversal|directory traversal|"
        r"privilege escalation|sandbox escape|auth\w* bypass|remote code execution|untrusted|"
        r"use[- ]after[- ]free|credential leak\w*|secret leak\w*|open redirect|redos)\b"
    ),
    re.IGNORECASE,
)
_HARDENS = re.compile(
    (
        r"\b(?:fix\w*|prevent\w*|patch\w*|mitigat\w*|harden\w*|sanitiz\w*|escap\w+|block\w*|address\w*|"
        r"avoid\w*|close\w*|reject\w*)\b"
    ),
    re.IGNORECASE,
)
_TRUSTS_NETWORK = re.compile(r"\b(?:network|certificate)\b")
_PRIVILEGED_WORKFLOW = re.compile(
    r"^\s{0,20}(?:-\s)?(?:(?:pull_request_target|workflow_run)\s*:?\s*(?:#.*)?$|(?:pull_request_target|workflow_run):|"
    r"permissions:\s*write-all\b|on:\s*[\[\w, ]{0,80}\b(?:pull_request_target|workflow_run)\b)"
)
_LABEL = re.compile(r"(?:\S{1,20}[:/-]\s?)?(?:security|security[- ]fix|vulnerability|cve)")
_PATH_KINDS = frozenset({FileKind.SOURCE, FileKind.CONFIGURATION})
FEWEST_LINES = 3
"""Changed lines from which on a file counts for its path alone."""
_TOOLING_FOLDERS = words_of("scripts script tools tool hack build release releases ci .ci .github dev bench xtask")
_TOOLING_KINDS = frozenset({FileKind.CI, FileKind.BUILD})


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:security-sensitive`` by words, lines and paths, and ``trait:security-fix`` when it says so."""
    reading = context.read(pull_request)
    said = list(_said(reading))
    evidence = [*said, *_lines(reading, context), *_workflows(reading), *_paths(reading)]
    if evidence:
        yield risk_tag(name, Risk.SECURITY_SENSITIVE, evidence)
    if said and _mends(reading) and not reading.only(FileKind.DOCS, FileKind.TEST, FileKind.CI):
        yield trait_tag(name, Trait.SECURITY_FIX, said)


def _mends(reading: Reading) -> bool:
    """Whether the title speaks of mending; release notes that a bot quotes tell of old holes elsewhere."""
    title = reading.title
    if reading.pull_request.user.is_bot:
        return "[security]" in title.raw.casefold() or _ID.search(title.raw) is not None
    return bool(_HARDENS.search(title.raw) or _ID.search(title.raw) or title.prefix in {"fix", "security"})


def _said(reading: Reading) -> Iterator[Evidence]:
    for text, where in ((reading.title.raw, "title"), (reading.prose.text, "description")):
        for found in list(_ID.finditer(text))[:3]:
            yield Evidence(why=f"names {found[0].upper()} in the {where}", quote=quoted(found[0]))
    if said := _TITLE.search(reading.title.raw):
        yield Evidence(why="words of the title", quote=quoted(said[0]))
    for folded, label in reading.labels:
        if _LABEL.fullmatch(folded):
            yield Evidence(why=f"label '{label}'", quote=label)


def _lines(reading: Reading, context: RuleContext) -> Iterator[Evidence]:
    """Added lines of product code with a dangerous sign, as far as there are more of them than before.

    Scripts that build and release the project start programs all day: of those only what trusts the network counts.
    """
    for file in reading.files:
        signs = context.signs.dangerous.get(file.language.name) if file.language else None
        if signs is None or file.path.test or file.kind not in {FileKind.SOURCE, *_TOOLING_KINDS}:
            continue
        folders = file.path.folded.split("/")[:-1]
        tooling = file.kind in _TOOLING_KINDS or not _TOOLING_FOLDERS.isdisjoint(folders)
        found = list(signs.find(file.patch.added))
        if not found:
            continue
        before = Counter(why for _, _, why in signs.find(file.patch.removed))
        moved = {line.strip() for line in file.patch.removed}
        comments = file.language.comments if file.language else ()
        for line, _, why in found:
            if line in moved or line.startswith(comments) or (tooling and not _TRUSTS_NETWORK.search(why)):
                continue
            before[why] -= 1
            if before[why] < 0:
                yield Evidence(why=f"an added line {why}", path=file.name, quote=quoted(line))


def _workflows(reading: Reading) -> Iterator[Evidence]:
    for file in reading.files:
        if file.kind is FileKind.CI and file.path.folded.endswith((".yml", ".yaml")):
            gone = {line.strip() for line in file.patch.removed}
            for line in file.patch.added:
                if _PRIVILEGED_WORKFLOW.search(line) and line.strip() not in gone:
                    yield Evidence(
                        why="a workflow that runs with rights on code from outside", path=file.name, quote=quoted(line)
                    )


def _paths(reading: Reading) -> Iterator[Evidence]:
    for file in reading.files:
        counts = file.lines >= FEWEST_LINES and file.kind in _PATH_KINDS and not file.path.test
        word = _sensitive_word(file) if counts else None
        if word:
            yield Evidence(why=f"'{word}' in the path", path=file.name)
        elif file.path.folded.rsplit("/", 1)[-1] in {"security.md", "security.rst", "security.txt", "codeql.yml"}:
            yield Evidence(why="the project's words on security", path=file.name)


def _sensitive_word(file: FileReading) -> str | None:
    *folders, base = file.path.folded.split("/")
    stem = base.split(".", 1)[0]
    words = [*folders, *(word for part in (*folders, stem) for word in re.split(r"[_\-\s]", part))]
    return next((word for word in words if word in SENSITIVE_WORDS), None)
