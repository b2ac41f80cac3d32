"""Writes whole files or nothing: a reader, and a crash at any point, sees the old text or the new one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_text(path: Path, text: str) -> bool:
    """Put ``text`` (UTF-8, newlines as they are) into ``path``; False when it held exactly that already.

    Written beside it, flushed to disk and moved over it; folders are made. OSError as the system gives it.
    """
    content = text.encode()
    if _holds(path, content):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    return True


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except FileNotFoundError:
        return False


def _sync_folder(folder: Path) -> None:
    """Make the move itself durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
