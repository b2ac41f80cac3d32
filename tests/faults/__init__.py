"""Breaks servers and processes on purpose while deliveries arrive, and compares the ledgers afterwards.

``Fleet`` runs the product's real processes under a supervisor, ``Sender`` is GitHub with an operator who sends again
what was not answered with 2xx, ``Servers`` are PostgreSQL and Valkey that can be halted, frozen and wiped, ``Schedule``
says from a seed when which fault strikes, and ``Ledgers`` counts from outside.
"""
