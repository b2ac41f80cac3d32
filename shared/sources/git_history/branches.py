"""Finds the branch whose history is read, in bare clones and in those with remote-tracking branches."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.domain.errors import InvalidInput
from shared.sources.git_history.clone import Clone

_HEADS = "refs/heads/"
_REMOTE = "refs/remotes/origin/"
_USUAL = ("main", "master")
# What git refuses in a ref name (git help check-ref-format), and what it could take for an option or a range.
_REFUSED = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^-|^/|/$|\.$|\.lock$")


@dataclass(frozen=True)
class Branch:
    """A branch: its name on the host and the commit at its end."""

    name: str
    tip: str


def find_branch(clone: Clone, wanted: str | None) -> Branch:
    """Return the branch ``wanted``, else the default one (origin/HEAD, HEAD, main, master).

    What the remote had when it was last fetched goes before a local branch of the same name: merges happen there.
    InvalidInput when there is no such branch or no commit at all.
    """
    candidates = _named(wanted) if wanted is not None else _default(clone)
    for ref in candidates:
        tip = clone.ask("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        if tip is not None:
            return Branch(name=_short(ref), tip=tip)
    clone.check()
    known = _known(clone)
    if not known:
        raise InvalidInput(f"The clone {clone.path} has no commits.", "Fetch it, or name another one.")
    if wanted is None:
        raise InvalidInput(f"The default branch of {clone.path} cannot be told.", f"Choose with --branch: {known}.")
    raise InvalidInput(f"The clone {clone.path} has no branch '{wanted}'.", f"It has {known}.")


def _named(wanted: str) -> list[str]:
    if not wanted or _REFUSED.search(wanted):
        raise InvalidInput(f"'{wanted}' is not a branch name.", "Write it as git shows it, such as main.")
    if wanted.startswith("refs/"):
        return [wanted]
    short = wanted.removeprefix("origin/")
    return [f"{_REMOTE}{short}", f"{_HEADS}{wanted}", f"{_HEADS}{short}"]


def _default(clone: Clone) -> list[str]:
    head = clone.ask("symbolic-ref", "--quiet", "HEAD")
    remote = clone.ask("symbolic-ref", "--quiet", f"{_REMOTE}HEAD")
    usual = [f"{_REMOTE}{name}" for name in _USUAL]
    # The HEAD of a bare clone is the host's; that of a work tree is whatever the person works on.
    ordered = [remote, head, *usual] if _is_bare(clone) else [remote, *usual, head]
    return [ref for ref in ordered if ref is not None] + [*(f"{_HEADS}{name}" for name in _USUAL), "HEAD"]


def _is_bare(clone: Clone) -> bool:
    return clone.git_dir == clone.path.resolve()


def _known(clone: Clone) -> str:
    """Name some branches of the clone, for an error line."""
    listed = clone.ask_all("for-each-ref", "--count=200", "--format=%(refname)", _HEADS, _REMOTE)
    names = sorted({_short(ref) for ref in listed} - {"HEAD"}, key=lambda name: (name not in _USUAL, name))
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _short(ref: str) -> str:
    return ref.removeprefix(_HEADS).removeprefix(_REMOTE)
