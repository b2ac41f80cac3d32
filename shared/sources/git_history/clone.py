"""Finds the parts of a clone and opens them for reading, shut off from the clone's own settings."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shared.domain.errors import InvalidInput
from shared.sources.git_history.commands import GitFailure, environment, run

_FORMAT = re.compile(r"sha1|sha256")


@dataclass(frozen=True)
class Clone:
    """Where a clone keeps its parts."""

    path: Path
    git_dir: Path
    common_dir: Path

    @property
    def env(self) -> dict[str, str]:
        """Environment for asking about refs and settings."""
        return environment(GIT_DIR=str(self.git_dir))

    def ask(self, *arguments: str) -> str | None:
        """Return the first line of what git says about refs and settings, None when it says there is none."""
        return next(iter(self.ask_all(*arguments)), None)

    def ask_all(self, *arguments: str) -> list[str]:
        """Return every line of what git says about refs and settings; none when it fails."""
        try:
            answer = run(arguments, self.env, deadline=60).decode("utf-8", "replace")
        except GitFailure:
            return []
        return [line for line in answer.splitlines() if line]

    def check(self) -> None:
        """InvalidInput with git's reason when git cannot make sense of the clone."""
        try:
            run(("rev-parse", "--git-dir"), self.env, deadline=60)
        except GitFailure as error:
            raise InvalidInput(f"The clone {self.path} cannot be read: {error}.", "Check it with git fsck.") from error

    def shallow(self) -> frozenset[str]:
        """Return the ids of the commits whose parents a shallow clone does not have."""
        try:
            return frozenset((self.common_dir / "shallow").read_text("ascii").split())
        except OSError:
            return frozenset()

    @contextmanager
    def reading(self) -> Iterator[dict[str, str]]:
        """Give the environment in which object ids can be read.

        It is an empty repository that borrows the clone's objects: the clone's config (external programs, promisor
        remotes, rename and diff settings), attributes, grafts and replacements have no say, so every clone of a
        repository gives the same answer, and a partial one is never completed over the network.
        """
        with tempfile.TemporaryDirectory(prefix="mergecast-reading-") as name:
            folder = Path(name)
            (folder / "refs").mkdir()
            (folder / "objects").mkdir()
            (folder / "HEAD").write_text("ref: refs/heads/none\n")
            (folder / "config").write_text(self._config())
            shallow = self.shallow()
            if shallow:
                (folder / "shallow").write_text("".join(f"{commit}\n" for commit in sorted(shallow)))
            yield environment(GIT_DIR=name, GIT_OBJECT_DIRECTORY=str(self.common_dir / "objects"))

    def _config(self) -> str:
        stated = self.ask("config", "--get", "extensions.objectFormat") or "sha1"
        base = "[core]\n\tbare = true\n\tbigFileThreshold = 16m\n\tquotePath = true\n"
        if stated == "sha1" or not _FORMAT.fullmatch(stated):
            return f"{base}\trepositoryformatversion = 0\n"
        return f"{base}\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = {stated}\n"


def open_clone(path: Path) -> Clone:
    """Return the clone at ``path`` (bare, or with a work tree). InvalidInput when there is none.

    The folder itself must be the clone: git's habit of searching the folders above would read a stranger's history.
    """
    if not path.is_dir():
        raise InvalidInput(f"There is no folder {path}.", "Name the folder of a git clone.")
    git_dir = next((found for found in (_linked(path / ".git"), path) if found and _is_git_dir(found)), None)
    if git_dir is None:
        raise InvalidInput(f"The folder {path} is not a git repository.", "Name the folder of a git clone.")
    git_dir = git_dir.resolve()
    common = git_dir
    if (git_dir / "commondir").is_file():
        common = (git_dir / (git_dir / "commondir").read_text("utf-8", "surrogateescape").strip()).resolve()
    return Clone(path=path, git_dir=git_dir, common_dir=common)


def _linked(dot_git: Path) -> Path | None:
    """Follow the ``.git`` of a work tree: a folder, or a file that names one (linked work trees, submodules)."""
    if not dot_git.is_file():
        return dot_git
    text = dot_git.read_text("utf-8", "surrogateescape")[:4096]
    prefix, _, target = text.partition(":")
    return dot_git.parent / target.strip() if prefix == "gitdir" and target.strip() else None


def _is_git_dir(folder: Path) -> bool:
    head = folder / "HEAD"
    return (head.is_file() or head.is_symlink()) and ((folder / "objects").is_dir() or (folder / "commondir").is_file())
