"""Checks what a sentence says against the facts of a merge: identifiers, quotes, figures, qualifiers; pure."""
