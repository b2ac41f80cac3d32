"""Writes result files so that a reader never sees half of one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shared.domain.errors import InvalidInput


def write_files(folder: Path, contents: Mapping[str, str]) -> list[Path]:
    """Write ``contents`` (text by file name) into ``folder`` and return the paths.

    A file that would not change is not touched. InvalidInput when the folder cannot be written.
    """
    from services.publisher.channels.atomic import write_text

    paths = [folder / name for name in contents]
    try:
        for path, text in zip(paths, contents.values(), strict=True):
            write_text(path, text)
    except OSError as error:
        raise InvalidInput(
            f"The output folder {folder} cannot be written: {error.strerror}.", "Choose another with --output."
        ) from error
    return paths


def write_file(path: Path, text: str) -> Path:
    """Write one file; InvalidInput when that cannot be."""
    return write_files(path.parent, {path.name: text})[0]
