"""Measures how well a model reads merges: labelled cases, answers that are kept, scores that code alone computes."""
