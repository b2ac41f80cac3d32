"""Every table of the store, by family; importing this fills the metadata that migrations compare with."""

from shared.store.tables.digests import DigestEntryRow, DigestRow, PublicationRow
from shared.store.tables.host import (
    BackfillRow,
    CachedAnswerRow,
    ConventionFileRow,
    InstallationRow,
    KnownMergeRow,
    ReconciliationRow,
    RequestBudgetRow,
)
from shared.store.tables.inbox import DeliveryRow, EventCountRow, LeasedRow, PingRow
from shared.store.tables.language_models import ModelBatchRow, ModelCallRow, ModelStateRow, ReadingRow
from shared.store.tables.merges import AnalysisRow, PullRequestRow, RelationRow, RepositoryRow, TagRow

__all__ = [
    "AnalysisRow",
    "BackfillRow",
    "CachedAnswerRow",
    "ConventionFileRow",
    "DeliveryRow",
    "DigestEntryRow",
    "DigestRow",
    "EventCountRow",
    "InstallationRow",
    "KnownMergeRow",
    "LeasedRow",
    "ModelBatchRow",
    "ModelCallRow",
    "ModelStateRow",
    "PingRow",
    "PublicationRow",
    "PullRequestRow",
    "ReadingRow",
    "ReconciliationRow",
    "RelationRow",
    "RepositoryRow",
    "RequestBudgetRow",
    "TagRow",
]
