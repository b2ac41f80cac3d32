"""Secrets in the text of a merge are blackened where it enters, so that nothing behind can show them (R-71); pure."""

from __future__ import annotations

from shared.redaction.blackening import Redacted, redact
from shared.redaction.source import RedactedSource
from shared.redaction.values import redact_document, redact_pull_request, redact_texts, redact_value

__all__ = [
    "Redacted",
    "RedactedSource",
    "redact",
    "redact_document",
    "redact_pull_request",
    "redact_texts",
    "redact_value",
]
