"""What a model says is checked against the merge: kept with its evidence, or dropped and counted (R-63, R-70)."""

from services.analyzer.checking.merge_answer import checked

__all__ = ["checked"]
