"""A bundled sample: two weeks of the invented repository ``lumen-labs/lumen``, and its webhook deliveries."""

from pathlib import Path

RECORDS = Path(__file__).parent / "records.jsonl"
REPOSITORY = "lumen-labs/lumen"
WEEK = "2026-W19"
WEEK_BEFORE = "2026-W18"
