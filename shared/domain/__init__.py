"""Frozen, validated values and closed vocabularies; standard library and pydantic only."""
