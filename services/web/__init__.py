"""The internal API: analyses, weeks and digests for programs and people inside."""
