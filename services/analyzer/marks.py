"""Marks in the file list that an interface or a format changed: tests rewritten, data of the product in a new form."""

from __future__ import annotations

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading

REWRITTEN_TEST_LINES = 10
REFORMED_DATA_LINES = 20


def rewritten_tests(reading: Reading) -> list[FileReading]:
    """Return existing test files of which at least ten lines were taken away, the most changed first."""
    found = [
        file
        for file in reading.files
        if file.kind is FileKind.TEST
        and file.file.status in {"modified", "renamed", "changed"}
        and file.file.deletions >= REWRITTEN_TEST_LINES
    ]
    return sorted(found, key=lambda file: -file.file.deletions)


def reformed_data(reading: Reading) -> list[FileReading]:
    """Return data files of the product in which much was both added and taken away: their form changed."""
    return [
        file
        for file in reading.files
        if file.kind is FileKind.DATA
        and not file.path.test
        and min(file.file.additions, file.file.deletions) >= REFORMED_DATA_LINES
    ]
