"""Whether a changed dependency concerns anybody who runs, builds upon or packages the project."""

from __future__ import annotations

import re

from services.digest.changed_value import ChangedValue
from services.digest.merges import Merge
from services.digest.paths import is_of_own_use, is_source, is_test
from services.digest.place_names import joined_key, telling_name
from shared.domain.analysis import Evidence
from shared.domain.text import fold

_PACKAGE = re.compile(r"submodule pointer|[\w@][\w@./:+\[\],-]*")
_ANY = frozenset(("", "any version", "used", "*"))
_INSIDE = re.compile(r"(?:workspace|catalog|link|file|portal|path):|\.{1,2}/|(?![vV]?\d)[\w.-]+/[\w./-]+$")
"""A value that leads to a folder or another line of the same repository."""
_CODE_HOSTS = frozenset(("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitee.com"))
_STRUCTURED = re.compile(
    r"(?:^|/)(?:cargo\.toml|package\.json|pnpm-workspace\.ya?ml|go\.mod|pom\.xml|[^/]*\.gradle(?:\.kts)?|"
    r"[^/]*\.versions\.toml|composer\.json|pubspec\.ya?ml|gemfile|mix\.exs|[^/]*\.csproj)$"
)
"""Manifests in which a dependency has a version: a name without one is a feature, a plugin or a list entry."""
_FOR_DEVELOPERS = re.compile(
    r"(?:^|/)\.(?!npmrc)[^/]+$|(?:^|/)[^/]*(?:requirements|constraints)?[-_.]?(?:dev|test|tests|lint|docs?|ci|"
    r"typing|mypy|bench\w*)(?:[-_]?(?:requirements|constraints))?\.(?:txt|in|pip)$|(?:^|/)(?:requirements|constraints)/"
    r"(?:dev|test|lint|docs?|ci)[^/]*$"
)
_TOOL = re.compile(
    r"@types/.+|@?(?:babel|eslint|typescript-eslint|jest|vitest|testing-library|storybook)(?:[/-].+)?|eslint.*|prettier.*|"
    r"jest.*|vitest.*|mocha|chai|sinon|cypress|playwright.*|husky|lint-staged|@?commitlint(?:/.+)?|semantic-release.*|cspell|typescript|ts-node|tsx|nodemon|"
    r"cross-env|rimraf|concurrently|turbo|nx|lerna|rollup.*|esbuild|webpack-dev-server|"
    r"pytest.*|mypy.*|ruff|black|flake8.*|isort|pylint|pre-commit.*|tox|nox|coverage|hypothesis|sphinx.*|mkdocs.*|"
    r"criterion.*|insta|proptest|quickcheck|tryfn|trybuild|cargo-.+|"
    r"junit.*|mockito.*|assertj.*|hamcrest.*|testng|jmh.*|spotbugs.*|checkstyle|spotless.*|jacoco.*|errorprone|"
    r"(?:github\.com/)?stretchr/testify.*|golangci-lint.*|rspec.*|rubocop.*|phpunit.*|phpstan.*|googletest|gtest|catch2"
)
"""Packages that test, check and lay out code, by their names in the registries."""
_SECTION = re.compile(
    r"""^[ +-]?\s*(?:"(?P<json>\w*[dD]ependencies(?:Meta)?|scripts|catalogs?)"\s*:\s*\{|"""
    r"""\[(?P<toml>[\w.'"()= -]+)\]|(?P<list>[\w-]+)\s*=\s*\[\s*$)"""
)
_DEVELOPERS_SECTION = re.compile(r"(?:^|[.\s])(?:dev|test|tests|lint|docs|typing|bench)(?:[-_.]|$)|devdependencies")
_MOST_CONTEXT = 400


def is_dependency(change: ChangedValue, evidence: Evidence, merge: Merge) -> bool:
    """Whether this names a package, an image or a pin of somebody else that the project needs when it is used."""
    path = fold(evidence.path or "")
    if _PACKAGE.fullmatch(change.subject) is None or is_source(change.subject) or _inside(change, merge):
        return False
    if not (_is_version(change) or _may_go_without(change, path)):
        return False
    return not (
        is_test(path) or is_of_own_use(path) or _FOR_DEVELOPERS.search(path) or _of_developers(change, evidence, merge)
    )


def _is_version(change: ChangedValue) -> bool:
    old, new = _versions(change)
    return old != new and any(any(sign.isdigit() for sign in one) for one in (old, new))


def _may_go_without(change: ChangedValue, path: str) -> bool:
    """A name without any version: in a plain list of packages it is one; a word in capitals is a variable."""
    old, new = _versions(change)
    appeared_or_went = (change.old is None) != (change.new is None)
    return (old != new or appeared_or_went) and not change.subject.isupper() and not _STRUCTURED.search(path)


def _versions(change: ChangedValue) -> tuple[str, str]:
    """Old and new as versions: empty where there was none, or any would do."""
    new = (change.new or "").removeprefix(change.subject).removeprefix("=")
    old = "" if change.old == change.subject else change.old or ""
    return "" if old in _ANY else old, "" if new in _ANY else new


def _inside(change: ChangedValue, merge: Merge) -> bool:
    """Whether it is a part of this repository: by a value that stays inside, or by the repository's own name."""
    versions = [version for version in _versions(change) if version]
    if versions and all(_INSIDE.match(fold(version)) for version in versions):
        return True
    full_name = fold(merge.pull_request.repository.full_name)
    subject = fold(change.subject)
    return f"{full_name}/" in f"{subject}/" or _named_like(subject, telling_name(full_name))


def _named_like(package: str, repository: str) -> bool:
    """Whether ``package`` is named like a package of ``repository``: by its scope, its beginning or its own domain."""
    first, _, rest = package.partition("/")
    if not repository:
        return False
    if first in (f"@{repository}", repository) or re.match(rf"@?{re.escape(repository)}[-_.]", first):
        return True
    own_domain = "." in first and first not in _CODE_HOSTS and rest.partition("/")[0] == repository
    return own_domain or joined_key(package) == joined_key(repository)


def _of_developers(change: ChangedValue, evidence: Evidence, merge: Merge) -> bool:
    if _TOOL.fullmatch(fold(change.subject).partition("[")[0]):
        return True
    section = _section_of(evidence, merge)
    return section is not None and _DEVELOPERS_SECTION.search(fold(section)) is not None


def _section_of(evidence: Evidence, merge: Merge) -> str | None:
    """The heading above the changed line, as far as the patch shows it."""
    file = next((one for one in merge.pull_request.files or () if one.filename == evidence.path), None)
    if file is None or not file.patch or not evidence.quote:
        return None
    lines = file.patch.splitlines()
    wanted = evidence.quote.strip().rstrip("…")
    place = next((n for n, line in enumerate(lines) if line[:1] in "+-" and line[1:].strip().startswith(wanted)), None)
    for line in reversed(lines[max(0, (place or 0) - _MOST_CONTEXT) : place] if place is not None else []):
        if line.startswith("@@"):
            found = _SECTION.match(line.rpartition("@@")[2].strip())
            return _name(found) if found else None
        if (found := _SECTION.match(line)) is not None:
            return _name(found)
    return None


def _name(found: re.Match[str]) -> str:
    return found["json"] or found["toml"] or found["list"]
