"""Nouns (domain values, rows) and doors (one package for each outside vendor) that several services use."""
