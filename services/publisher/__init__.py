"""Brings sealed digests to the channels, each exactly once."""
