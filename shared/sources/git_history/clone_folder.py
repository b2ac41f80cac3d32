"""The folder of one kept clone and what stands beside it: its state, its lock, what is being made."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.domain.errors import InvalidInput
from shared.sources.git_history.commands import GitFailure

_STALE = 24 * 3600
"""Seconds after which what a killed process left behind is thrown away."""
_STALE_LOCK = 60
"""Git holds its own locks for moments; an older one belongs to a git that was killed."""


class ClonePlace:
    """Where the clone of one address (without credentials) is kept below ``parent``."""

    def __init__(self, parent: Path, url: str) -> None:
        """Touch nothing yet."""
        name = folder_name(url)
        self.parent = parent
        self.clone = parent / name
        self.state = parent / f".{name}.state"
        self.lock = parent / f".{name}.lock"
        self.suspicion = parent / f".{name}.suspected"
        self._partial = f".partial-{name}-"

    @property
    def made(self) -> bool:
        """Whether there is a clone, as far as one look tells."""
        return (self.clone / "HEAD").is_file() and (self.clone / "objects").is_dir()

    def prepare(self) -> None:
        """Make the folder above; InvalidInput when that cannot be."""
        try:
            self.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"The folder of clones {self.parent} cannot be made: {error.strerror}.", "Choose another."
            ) from error

    @contextmanager
    def beside(self) -> Iterator[Path]:
        """Give a path beside the clone for a new one; whatever is left there is thrown away at the end."""
        try:
            made = tempfile.TemporaryDirectory(prefix=self._partial, dir=self.parent, ignore_cleanup_errors=True)
        except OSError as error:
            raise GitFailure(f"{self.parent} cannot be written: {error.strerror}") from error
        with made as name:
            yield Path(name) / "clone.git"

    def take(self, fresh: Path) -> None:
        """Put ``fresh``, which stands beside, into the place of the clone; what was there goes with the rest."""
        if self.clone.exists():
            self.clone.rename(fresh.with_name("before.git"))
        fresh.rename(self.clone)

    def sweep(self) -> None:
        """Throw away what killed processes left half done; only for whoever holds the lock."""
        _drop(self.parent.glob(f"{self._partial}*"), 0)
        objects = self.clone / "objects"
        _drop((*objects.glob("pack/tmp_*"), *objects.glob("tmp_objdir-*"), *objects.glob("incoming-*")), _STALE)
        _drop((*self.clone.glob("*.lock"), *(self.clone / "refs").rglob("*.lock")), _STALE_LOCK)

    def size(self) -> int:
        """Bytes of all its files."""
        total = 0
        for file in self.clone.rglob("*"):
            try:
                total += file.lstat().st_size
            except FileNotFoundError:
                continue  # git has tidied up meanwhile
        return total


def folder_name(plain: str) -> str:
    """A readable name that two addresses never share."""
    words = re.sub(r"[^A-Za-z0-9.-]+", "-", plain.partition("://")[2] or plain).strip("-.").removesuffix(".git")
    return f"{words[-60:].strip('-.')}-{hashlib.sha256(plain.encode()).hexdigest()[:12]}.git"


def _drop(left: Iterable[Path], older_than: int) -> None:
    for one in left:
        try:
            if time.time() - one.lstat().st_mtime <= older_than:
                continue
            if one.is_dir() and not one.is_symlink():
                shutil.rmtree(one, ignore_errors=True)
            else:
                one.unlink()
        except FileNotFoundError:
            continue  # another process was faster
