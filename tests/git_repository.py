"""A tiny real git repository for tests: commits at chosen times by chosen people, in every way of merging."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

ADA = ("Ada Stone", "11+ada@users.noreply.github.com")
BO = ("Bo Reed", "bo@example.org")
WEB = ("GitHub", "noreply@github.com")
"""The committer of everything that is merged on GitHub's pages."""

MONDAY = datetime(2026, 5, 4, tzinfo=UTC)
NEXT_MONDAY = MONDAY + timedelta(days=7)

Content = str | bytes | None


class GitRepository:
    """A repository with a work tree in ``path``; its first commit lies four weeks before MONDAY."""

    def __init__(self, path: Path, origin: str | None = "https://github.com/lumen/lumen.git") -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        if origin is not None:
            self.git("remote", "add", "origin", origin)
        self.commit("Begin", {"README.md": "Lumen\n"}, at=MONDAY - timedelta(weeks=4))

    def git(
        self,
        *arguments: str | bytes,
        at: datetime = MONDAY,
        author: tuple[str, str] = ADA,
        committer: tuple[str, str] = WEB,
    ) -> str:
        """Run git here and return what it prints."""
        when = f"@{int(at.timestamp())} +0200"
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        env |= {
            "GIT_AUTHOR_NAME": author[0],
            "GIT_AUTHOR_EMAIL": author[1],
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_NAME": committer[0],
            "GIT_COMMITTER_EMAIL": committer[1],
            "GIT_COMMITTER_DATE": when,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        done = subprocess.run(["git", *arguments], cwd=self.path, env=env, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace").strip()

    def commit(
        self,
        message: str,
        files: Mapping[str | bytes, Content],
        at: datetime = MONDAY,
        author: tuple[str, str] = ADA,
        committer: tuple[str, str] = WEB,
    ) -> str:
        """Write (None: remove) ``files`` and commit them; return the commit's id."""
        for name, content in files.items():
            place = self.path / os.fsdecode(name)
            if content is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git("add", "-A")
        self.git(
            "commit",
            "-q",
            "--allow-empty",
            "--cleanup=verbatim",
            "-m",
            message,
            at=at,
            author=author,
            committer=committer,
        )
        return self.git("rev-parse", "HEAD")

    def merge(self, branch: str, message: str, at: datetime, author: tuple[str, str] = BO) -> str:
        """Merge ``branch`` with a merge commit, as GitHub's button does; return its id."""
        self.git("merge", "-q", "--no-ff", "-m", message, branch, at=at, author=author)
        return self.git("rev-parse", "HEAD")

    def submodule(self, path: str, commit: str) -> None:
        """Point the submodule ``path`` to ``commit``; the next ``commit`` records it."""
        (self.path / path).mkdir(parents=True, exist_ok=True)
        self.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
