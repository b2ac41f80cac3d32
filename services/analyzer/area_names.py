"""Names of areas: from brackets, scopes and labels, and from the folders that a path leads through."""

from __future__ import annotations

import re

from services.analyzer.vocabulary import NO_SUBJECT, TYPE_WORDS, close_word
from shared.domain.taxonomy import ChangeType
from shared.domain.text import fold

TOP_LEVEL = "top-level"
"""The area of source files that lie in no folder below the source root."""
LONGEST_NAME = 40
ROOTS = frozenset({"src", "source", "sources", "lib", "app", "internal", "main", "private"})
"""Folders that hold the project's own source and name no part of it."""
COLLECTIONS = frozenset(
    {
        "packages",
        "package",
        "pkg",
        "pkgs",
        "crates",
        "apps",
        "modules",
        "projects",
        "libs",
        "components",
        "services",
        "workspaces",
    }
)
"""Folders of packages: the area is the package below."""
_WIDE_PACKAGES = frozenset(
    {"cmd", "plugins", "extensions", "tools", "core", "common", "shared", "internal", "util", "utils"}
)
"""Packages too wide to say anything alone: the area is the package and the folder below."""
_INNER = frozenset({"src", "lib", "include", "source", "sources"})
_JVM = frozenset({"java", "kotlin", "scala", "groovy", "clojure"})
_VERSION = re.compile(r"v?\d+(?:[._]\d+)*(?:\.x)?")
_AREA_LABEL = re.compile(
    (
        r"(?:area|component|comp|module|mod|pkg|package|scope|sig|topic)\s?(?:[/:]\s?|-(?=[a-z]))(?P<name>.+)|"
        r"a-(?P<letter>.+)"
    ),
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:[a-z][a-z0-9]{1,9}-\d+|#?\d+(?:\s*/\s*\S+)?|[a-z]+/\d+|v?\d[\d.x]*|\d+/n|main|master|trunk|"
    r"(?:branch|release|backport|stable|rel)[-/ ].*|.*\d+\s*/\s*[\dn]+)",
    re.IGNORECASE,
)
_SUPPORT = {ChangeType.DOCS: "docs", ChangeType.TEST: "tests", ChangeType.CI: "ci", ChangeType.BUILD: "build"}


def subject_of(mark: str) -> str | None:
    """Return the area that a bracket or scope names, or None for change types, numbers, versions and branches.

    ``KV Connector`` gives ``kv-connector``, ``MoE Refactor`` gives ``moe``, ``CI/Build`` gives None.
    """
    mark = fold(mark).strip()
    if close_word(mark) is not None:
        return None
    if not mark or len(mark) > LONGEST_NAME or _NO_NAME.fullmatch(mark):
        return None
    kept = []
    for piece in re.split(r"\+(?=\w)", mark)[0].split("/"):
        words = [w for w in re.split(r"[\s_-]+", piece) if w and w not in NO_SUBJECT and not _VERSION.fullmatch(w)]
        if words:
            kept.append(plain_name(" ".join(words)))
    name = "/".join(piece for piece in kept if piece)
    return name if len(name) > 1 else None


def same_area(one: str, other: str) -> bool:
    """Whether two names mean one area: alike but for an ``s``, or a part of the other's path."""
    one, other = one.removesuffix("s"), other.removesuffix("s")
    return one == other or one in [part.removesuffix("s") for part in other.split("/")]


def label_area(label: str) -> str | None:
    """Return the area that a label with an area prefix names (``area/kubelet``, ``A-parser``), else None."""
    found = _AREA_LABEL.fullmatch(label.strip())
    if found is None or (found["letter"] and not label.strip().startswith("A-")):
        return None
    return fold(found["name"] or found["letter"]).strip()[:LONGEST_NAME] or None


def convention_area(label: str) -> str | None:
    """Return the area that a label of the repository's labeler stands for; change types and sizes are none."""
    prefixed = label_area(label)
    if prefixed:
        return prefixed
    folded = fold(label).strip()
    if folded in TYPE_WORDS:
        return _SUPPORT.get(TYPE_WORDS[folded])
    if folded in NO_SUBJECT or folded.startswith(("size", "kind", "type", "priority", "status", "needs")):
        return None
    return label.strip()[:LONGEST_NAME] or None


def plain_name(text: str) -> str:
    """Return ``text`` folded, with a hyphen for every run of other signs; dots, plus signs and slashes stay."""
    return re.sub(r"[^\w./+#]+|_+", "-", fold(text)).strip("-.")[:LONGEST_NAME]


def tree_area(path: str, repository: str) -> str:
    """Return the area of a source file from its folders, one or two levels deep.

    ``path`` is folded; ``repository`` is the folded name without its owner: a top folder like it is the source root.
    """
    folders = [part for part in path.split("/")[:-1] if part and not _VERSION.fullmatch(part)]
    folders, packaged = _below_root(folders, repository)
    if not folders:
        return TOP_LEVEL
    inner = next((place for place, part in enumerate(folders) if place and part in _INNER), None)
    if packaged:
        named = folders[: 2 if folders[0] in _WIDE_PACKAGES else 1]
    elif inner is not None:
        named = [folders[0], folders[inner - 1]] if inner > 1 else folders[:1]
    else:
        named = folders[:2]
    return "/".join(dict.fromkeys(plain_name(part).lstrip("_") for part in named)).strip("/") or TOP_LEVEL


def _below_root(folders: list[str], repository: str) -> tuple[list[str], bool]:
    """Return the folders below the source root, and whether the first of them is a package of a collection."""
    while folders:
        first, rest = folders[0], folders[1:]
        if first in COLLECTIONS and rest:
            return (rest, True)
        if first in ROOTS or (_named_like(first, repository) and (rest or len(folders) == 1)):
            folders = rest
        elif first in _JVM:
            folders = rest[2:] if len(rest) > 2 else rest[-1:]
            while len(folders) > 1 and _named_like(folders[0], repository):
                folders = folders[1:]
            break
        else:
            break
    return folders, False


def _named_like(folder: str, repository: str) -> bool:
    """Whether ``folder`` is the package of the repository: ``torch`` of pytorch, ``sklearn`` of scikit-learn."""
    short, whole = re.sub(r"[\W_]", "", folder), re.sub(r"[\W_]", "", repository)
    if not short or not whole:
        return False
    last_word = re.split(r"[\W_]+", repository)[-1]
    abbreviated = len(last_word) > 3 and short.endswith(last_word) and short[0] == whole[0]
    return short == whole or abbreviated or (len(short) > 3 and (whole.endswith(short) or whole.startswith(short)))
