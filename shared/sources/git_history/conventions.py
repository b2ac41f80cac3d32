"""Reads the files in which a repository says whose and what its parts are."""

from __future__ import annotations

from collections.abc import Mapping

from shared.sources.convention_paths import CONVENTION_KINDS, LARGEST_CONVENTION_FILE
from shared.sources.convention_texts import TOO_LARGE, ConventionTexts, Unreadable, first_of_each_kind, text_of
from shared.sources.git_history.commands import run

_PATHS = tuple(path for kind in CONVENTION_KINDS for path in kind)


def convention_files(env: Mapping[str, str], commit: str) -> ConventionTexts:
    """Return the text of each convention file at ``commit`` by its path; what is not there is left out.

    A file that the clone lacks, as a partial one does, is there and unreadable. GitFailure for a folder that cannot be
    listed, a file that is damaged, or whatever else git fails at: then it is not known what is there.
    """
    blobs = _blobs(env, commit)
    return first_of_each_kind(lambda path: _content(env, blobs[path]) if path in blobs else None)


def _blobs(env: Mapping[str, str], commit: str) -> dict[str, str]:
    """The object of each convention file that is there; listing a folder needs none of its files."""
    listed = run(("ls-tree", "-z", "--full-tree", commit, *_PATHS), env).decode("utf-8", "replace")
    blobs = {}
    for entry in listed.split("\0"):
        about, _, path = entry.partition("\t")
        if path and about.split()[1] == "blob":
            blobs[path] = about.split()[2]
    return blobs


def _content(env: Mapping[str, str], blob: str) -> str | Unreadable:
    # `cat-file -s` fails alike for a blob that a partial clone lacks and for whatever else; this tells them apart.
    told = run(("cat-file", "--batch-check=%(objectsize)"), env, f"{blob}\n".encode()).split()
    if told[-1:] == [b"missing"]:
        return Unreadable("the clone does not hold its content")
    return TOO_LARGE if int(told[0]) > LARGEST_CONVENTION_FILE else text_of(run(("cat-file", "blob", blob), env))
