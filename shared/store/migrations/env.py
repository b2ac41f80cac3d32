"""What Alembic runs for each command: on the connection that ``shared.store.migrate`` has opened."""

from __future__ import annotations

from alembic import context

from shared.store.tables import LeasedRow

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=LeasedRow.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
