"""Examines each merge once: facts and rules in, one immutable analysis out."""
