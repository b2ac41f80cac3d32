"""Packs a merge for a language model: the most telling parts within a budget, as data in JSON; pure."""

from __future__ import annotations

from services.analyzer.packing.document import Packed, pack

__all__ = ["Packed", "pack"]
