"""Publishes into a folder: Markdown, HTML and JSON of each week, and an index page over all of them.

The folder is the operator's own, so digests of private repositories go there too; serving it to the world is a choice
that the operator makes outside of Mergecast.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog
from pydantic import ValidationError

from services.publisher.channel import Issue, Receipt, Rendered
from services.publisher.channels.atomic import write_text
from shared.domain.digest import Digest
from shared.domain.errors import Permanent, Transient
from shared.rendering import html, index, markdown
from shared.settings import Settings

DOCUMENT = "digest.json"
_PART = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}")
_WEEK = re.compile(r"\d{4}-W\d{2}", re.ASCII)

_log = structlog.get_logger(__name__)


class FilesChannel:
    """``<folder>/<owner>/<name>/<week>/digest.<language>.md`` and ``.html``, ``digest.json``, and ``index.html``.

    Delivering again overwrites by name, so twice leaves the same as once; a file that would not change is not touched.
    """

    name = "files"
    repeatable = True

    def render(self, digest: Digest, language: str) -> Rendered:
        """Return the Markdown and HTML documents of ``digest`` in ``language`` by file name."""
        return Rendered(
            language,
            {
                f"digest.{language}.md": markdown.render(digest, language),
                f"digest.{language}.html": html.render(digest, language),
            },
        )

    def deliver(self, issue: Issue, target: str, settings: Settings) -> Receipt:
        """Write the files, ``digest.json`` last of the week, then the index; Transient when the disk refuses."""
        root = settings.published_folder
        week = root / week_folder(issue.digest)
        try:
            for rendered in issue.rendered:
                for name, text in rendered.documents.items():
                    write_text(week / name, text)
            write_text(week / DOCUMENT, issue.document)
            write_index(root)
        except OSError as error:
            raise Transient(
                f"The folder of published files (target '{target}') cannot be written: {error.strerror or error}.",
                "Check that it exists, is writable and has room.",
            ) from error
        return Receipt(external_id=week_folder(issue.digest).as_posix(), url=week.resolve().as_uri())


def week_folder(digest: Digest) -> Path:
    """Return ``owner/name/week`` of the digest; Permanent for names that are no folder of their own."""
    parts = digest.repository.split("/")
    if len(parts) < 2 or not all(_PART.fullmatch(part) for part in parts) or not _WEEK.fullmatch(digest.period.week):
        raise Permanent(f"'{digest.repository}' and '{digest.period.week}' make no safe folder name.")
    return Path(*parts, digest.period.week)


def write_index(root: Path) -> None:
    """Write ``index.html`` over the documents that are in the folder now; one writer at a time."""
    with _alone(root):
        write_text(root / "index.html", index.render(list(_entries(root))))


def _entries(root: Path) -> Iterator[index.IndexEntry]:
    for path in sorted(root.glob(f"*/*/**/{DOCUMENT}")):
        try:
            digest = Digest.model_validate_json(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            # A folder of the operator's may hold anything; one strange file must not end the index.
            _log.warning("index.skipped", path=str(path), error=type(error).__name__)
            continue
        yield index.IndexEntry(digest=digest, folder=path.parent.relative_to(root).as_posix())


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Of two writers the one that read the folder first could leave out what the other has just added."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".index.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
