"""Digests as words: one renderer a channel, one TOML an output language; every renderer is pure."""
