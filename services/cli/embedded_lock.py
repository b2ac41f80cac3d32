"""One ``serve`` a data folder: two would share a database file, and neither hears the other's doorbell."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

from shared.domain.errors import InvalidInput

FILE = "serve.lock"


class FolderLock:
    """Held until ``release`` or the end of the process, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file: TextIO | None = None

    def acquire(self) -> None:
        """Take the lock; InvalidInput when another process has it."""
        try:
            file = self._path.open("a+", encoding="utf-8")
        except OSError as error:
            raise InvalidInput(
                f"The data folder {self._path.parent} cannot be used: {error.strerror}.", "Set data_folder elsewhere."
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip()
            file.close()
            raise InvalidInput(
                f"Another `mergecast serve`{f' (process {holder})' if holder else ''} uses {self._path.parent}.",
                "Stop it, or give this one its own data_folder.",
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        self._file = file

    def release(self) -> None:
        """Let go; the file stays, since removing it would let two processes hold two locks."""
        if self._file is not None:
            self._file.close()
            self._file = None
