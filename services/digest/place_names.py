"""Names for folders that mean something to readers: without source roots, collections and the project's own name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from shared.domain.text import fold

_GENERIC_WORDS = """
    src source sources lib libs app apps main internal private include crates packages package pkg pkgs modules projects
    workspaces java kotlin scala groovy clojure python rust golang js ts
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
"""Folders that hold source or packages and say nothing of what is in them, in any language."""
_JVM = frozenset(("java", "kotlin", "scala", "groovy", "clojure"))
_DOMAIN = re.compile(r"(?:com|org|net|io|dev|edu|gov|app|[a-z]{2})")
_VERSION = re.compile(r"v?\d+(?:[._]\d+)*(?:\.x)?")
_WEAK_WORDS = "types type utils util helpers helper common shared misc impl base generated commands cmd"
_WEAK = frozenset(_WEAK_WORDS.split())
"""Folders that every part of a project may have: a name does not begin with one where there is a folder above."""
_SHORTEST = 2
_COMMON_WORDS = """
core cli server client api app web site website docs backend frontend sdk tools infra platform engine common monorepo
"""
_COMMON = frozenset(_COMMON_WORDS.split()) | _GENERIC
"""Names of repositories that name nothing: ``core`` of one is no mark of its own packages."""


def telling_name(full_name: str) -> str:
    """Return the folded name of a repository without its owner; empty when it is a word that any project uses."""
    name = fold(full_name.rpartition("/")[2])
    return "" if name in _COMMON else name


@lru_cache(maxsize=16_384)
def meaningful(folder: str, repository: str) -> tuple[str, ...]:
    """Return the pieces of a folder's path that say what it is about; none for a source root alone.

    ``crates/parser/src/types`` gives ``parser``, ``types``; ``src/main/java/org/acme/shop/cart`` of the repository
    ``shop`` gives ``cart``.
    """
    pieces = _without_domain([piece for piece in folder.split("/") if piece])
    own = joined_key(repository)
    kept: list[str] = []
    for piece in pieces:
        said = fold(piece) not in _GENERIC and not _VERSION.fullmatch(piece) and (not own or joined_key(piece) != own)
        if said and (not kept or kept[-1] != piece):
            kept.append(piece)
    return tuple(kept)


def short_names(places: Iterable[str]) -> dict[str, str]:
    """Return for each place, its pieces joined by slashes, the shortest end that no other place has.

    It is two pieces long at least, and begins with a piece that says something where there is one.
    """
    known = sorted(places)
    names: dict[str, str] = {}
    for place in known:
        pieces = place.split("/")
        length = min(_SHORTEST, len(pieces))
        while length < len(pieces) and (
            fold(pieces[-length]) in _WEAK
            or any(other != place and f"/{other}".endswith("/" + "/".join(pieces[-length:])) for other in known)
        ):
            length += 1
        names[place] = "/".join(pieces[-length:])
    return names


def best_names(counted: Mapping[str, int], repository: str) -> dict[str, str]:
    """Return for each comparable name the most used spelling of it."""
    groups: dict[str, list[str]] = {}
    for name in counted:
        groups.setdefault(comparable(name, repository), []).append(name)
    return {key: min(names, key=lambda one: (-counted[one], len(one), one)) for key, names in groups.items()}


def joined_key(name: str) -> str:
    """Return ``name`` folded, without separators."""
    return re.sub(r"[\W_]+", "", fold(name))


def comparable(name: str, repository: str) -> str:
    """Return what all names of one area have in common: ``server``, ``Servers`` and ``acme-server`` of ``acme``.

    Folded, separators alike, each piece without the repository's name at an end and without a plural s.
    """
    own = re.sub(r"[\W_]+", "-", fold(repository)).strip("-")
    pieces = [re.sub(r"[\W_]+", "-", piece).strip("-") for piece in fold(name).split("/")]
    bare = [_without(piece, own).removesuffix("s") or piece for piece in pieces]
    return "/".join(bare)


def _without(piece: str, own: str) -> str:
    return piece.removeprefix(f"{own}-").removesuffix(f"-{own}") if own else piece


def _without_domain(pieces: Sequence[str]) -> list[str]:
    """Without the reversed domain name below a JVM source root (``java/org/acme``)."""
    kept = list(pieces)
    root = next((place for place, piece in enumerate(kept) if fold(piece) in _JVM), None)
    if root is not None and len(kept) > root + 2 and _DOMAIN.fullmatch(kept[root + 1]):
        del kept[root + 1 : root + 3]
    return kept
