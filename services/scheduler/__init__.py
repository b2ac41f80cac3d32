"""Tells the workers when to look for work; what there is to do is decided by the database."""
