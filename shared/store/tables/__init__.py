"""Every table of the store, by family; importing this fills the metadata that migrations compare with."""

from shared.store.tables.digests import DigestEntryRow, DigestRow, PublicationRow
from shared.store.tables.inbox import DeliveryRow, EventCountRow, LeasedRow, PingRow
from shared.store.tables.merges import AnalysisRow, PullRequestRow, RelationRow, RepositoryRow, TagRow

__all__ = [
    "AnalysisRow",
    "DeliveryRow",
    "DigestEntryRow",
    "DigestRow",
    "EventCountRow",
    "LeasedRow",
    "PingRow",
    "PublicationRow",
    "PullRequestRow",
    "RelationRow",
    "RepositoryRow",
    "TagRow",
]
