"""Where merges come from: webhook payloads, merge records, a git clone."""
