"""How the schema came to be; run by ``shared.store.migrate``, additive changes first."""
