"""Where the code that a merge changed came from, and what else happened to its files; read from a clone."""

from __future__ import annotations

from pydantic import AwareDatetime, Field

from shared.domain.value import Value


class LineOrigin(Value):
    """Lines of one file that the merge removed or changed and that one earlier commit of the branch had brought."""

    path: str
    """The name before the merge."""
    lines: int = Field(default=0, ge=0)
    """Lines removed or changed; blank ones, comments, lone brackets and lines only moved do not count."""
    near: int = Field(default=0, ge=0)
    """Lines right beside a place where the merge only added something: a weaker sign."""
    commit: str
    number: int | None = None
    """The pull request that the commit merged; None for a commit that names none."""
    subject: str = ""
    committed_at: AwareDatetime


class FileHistory(Value):
    """What happened to one file on the branch before the merge, within the bound."""

    path: str
    commits: int = Field(default=0, ge=0)
    fixes: int = Field(default=0, ge=0)
    """Commits among them whose subject says that they fix something."""
    last_changed_at: AwareDatetime | None = None
    created_at: AwareDatetime | None = None
    """Set when the file was added within the bound."""
    created_by: int | None = None
    """The pull request that added it."""
    older: int = Field(default=0, ge=0)
    """Lines that the merge removed or changed and that are older than ``CodeHistory.since``."""


class CodeHistory(Value):
    """The history behind one merge; nothing before ``since`` was looked at for origins, less for ``files``."""

    since: AwareDatetime
    """Lines from before this instant count as older, whoever wrote them."""
    files_since: AwareDatetime
    """The bound of ``files``."""
    origins: tuple[LineOrigin, ...] = ()
    """By path, then the most lines first."""
    files: tuple[FileHistory, ...] = ()
    untraced: dict[str, int] = {}
    """Changed lines whose origin is not known, for each reason."""
