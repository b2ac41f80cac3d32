"""Receives GitHub's webhook deliveries: verify, record, commit, answer; the doorbell is rung aside."""
