"""What one digest is about: repository, branch, week and limits."""

from __future__ import annotations

from fnmatch import fnmatchcase

from pydantic import AwareDatetime, Field

from shared.domain.completeness import Completeness, CompletenessGap
from shared.domain.period import Period
from shared.domain.provenance import Unread, Usage
from shared.domain.pull_request import RepositoryRef
from shared.domain.taxonomy import Risk
from shared.domain.value import Value


class Frame(Value):
    """Everything that ``aggregate`` must know beside the merges."""

    repository: RepositoryRef
    branch: str
    """The default branch."""
    branches: tuple[str, ...] = ()
    """Shell-style patterns of further branches that the digest follows."""
    period: Period
    generated_at: AwareDatetime
    so_far: bool = False
    """True when the week is not over yet."""
    featured: int = Field(default=24, ge=0)
    key_pull_requests: int = Field(default=8, ge=0)
    switched_off: frozenset[Risk] = frozenset()
    """Risk marks that the repository does not want."""
    ruleset_version: str | None = None
    """Named in the provenance of a week without any analysis; else the analyses name it."""
    completeness: Completeness | None = None
    completeness_gap: CompletenessGap | None = None
    """Why ``completeness`` could not be established."""
    degraded: tuple[str, ...] = ()
    unread: dict[int, Unread] = {}
    """Why a model has not read a merge that it was to read."""
    away_since: AwareDatetime | None = None
    """Since when the model does not serve."""
    usage: Usage | None = None
    """What was asked for the merges of the week, also in vain; None where only the readings tell."""

    def follows(self, branch: str) -> bool:
        """Whether merges into ``branch`` belong to the digest (C-15)."""
        return branch == self.branch or any(fnmatchcase(branch, pattern) for pattern in self.branches)
