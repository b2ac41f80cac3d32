"""The settings of one watched repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from shared.domain.taxonomy import Risk
from shared.settings.values import Glob, Language, Section, ZoneName

Label = Annotated[str, Field(min_length=1)]


class RepositorySettings(Section):
    """One watched repository."""

    full_name: str = Field(pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$")
    host: str = "github.com"
    branches: tuple[Glob, ...] = ()
    """Branch patterns (shell style) that the digest follows beside the default branch."""
    areas: dict[str, tuple[Glob, ...]] = {}
    """Area name → path patterns in gitignore style."""
    core_paths: tuple[Glob, ...] = ()
    timezone: ZoneName | None = None
    languages: tuple[Language, ...] | None = None
    records: Path | None = None
    """Detail source: a file of merge records."""
    clone: Path | None = None
    """Detail source: a local clone of the operator's own, never fetched or changed by us."""
    keep_clone: bool | None = None
    """Detail source: a clone that the reconciler makes and fetches; none: as ``clones.keep`` says."""
    clone_url: str | None = None
    """Where the kept clone is fetched from (https, ssh or file); none: https, by ``host`` and ``full_name``."""
    api: bool | None = None
    """Ask the host's API for details; none: when it may be asked and no other detail source is named. With another
    one ``true`` adds what only the host knows (review, checks, issues)."""
    landed_labels: tuple[Label, ...] = ()
    """A pull request closed with one of these labels was merged by a bot that pushes (shown as closed, not merged)."""
    landed_by: tuple[Label, ...] = ()
    """Logins whose closing of a pull request means that they merged it by a push."""
    risks: dict[Risk, bool] = {}
    """Risk marks that are switched off here (``missing-tests = false``)."""
    featured: int | None = Field(default=None, gt=0, le=60)
    """None: as ``digest.featured`` says."""
    key_pull_requests: int | None = Field(default=None, gt=0, le=12)
    """None: as ``digest.key_pull_requests`` says."""
    model: bool = True
    """Whether the language model may be shown its merges, where one is set."""
    own_file: bool | None = None
    """Whether ``.github/mergecast.toml`` of the repository may override these settings; none: as ``github.own_files``
    says."""

    @model_validator(mode="after")
    def _one_detail_source(self) -> RepositorySettings:
        if (self.records is not None) + (self.clone is not None) + bool(self.keep_clone) > 1:
            raise ValueError("give one of records, clone and keep_clone as the detail source")
        return self

    @property
    def switched_off(self) -> frozenset[Risk]:
        """Risk marks that are not wanted here."""
        return frozenset(risk for risk, wanted in self.risks.items() if not wanted)

    @property
    def remote_url(self) -> str:
        """Where a kept clone is fetched from."""
        return self.clone_url or f"https://{self.host}/{self.full_name}.git"
