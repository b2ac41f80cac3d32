"""Every task by name, and the queue that it waits in: the whole vocabulary of the broker."""

from __future__ import annotations

from enum import StrEnum


class Queue(StrEnum):
    """The queues, one for each kind of worker."""

    ANALYSIS = "analysis"
    READING = "reading"
    """Apart from analyses: an answer of a model may take a minute."""
    DIGEST = "digest"
    PUBLISHING = "publishing"
    UPKEEP = "upkeep"


class TaskName(StrEnum):
    """The tasks as ``service.verb_object``; an argument is an id, a date or a week, never a payload."""

    ANALYZE_DELIVERY = "analyzer.analyze_delivery"
    """Argument: the id of a delivery row."""
    SWEEP_DELIVERIES = "analyzer.sweep_deliveries"
    PRUNE_PAYLOADS = "analyzer.prune_payloads"
    READ_MERGE = "analyzer.read_merge"
    """Argument: the id of a reading row."""
    SWEEP_READINGS = "analyzer.sweep_readings"
    WORK_BATCH = "analyzer.work_batch"
    """Argument: the id of a batch row."""
    BUILD_DUE = "digest.build_due"
    BUILD_DIGEST = "digest.build_digest"
    """Arguments: the id of a repository row and a week such as ``2026-W19``, joined by a colon."""
    PUBLISH = "publisher.publish"
    """Argument: the id of a publication row."""
    SWEEP_PUBLICATIONS = "publisher.sweep_publications"
    KEEP_CLONES = "reconciler.keep_clones"
    SWEEP_RECONCILIATIONS = "reconciler.sweep_reconciliations"
    RECONCILE = "reconciler.reconcile"
    """Argument: the id of a repository row."""

    @property
    def queue(self) -> Queue:
        """The queue that this task waits in."""
        return _QUEUE_OF_TASK.get(self) or _QUEUE_OF_SERVICE[self.partition(".")[0]]


_QUEUE_OF_SERVICE = {
    "analyzer": Queue.ANALYSIS,
    "digest": Queue.DIGEST,
    "publisher": Queue.PUBLISHING,
    "reconciler": Queue.UPKEEP,
}
_QUEUE_OF_TASK = {TaskName.READ_MERGE: Queue.READING, TaskName.WORK_BATCH: Queue.READING}
