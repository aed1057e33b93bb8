"""Alembic's entry: runs the migrations on the connection and in the transaction it is handed."""
# ruff: noqa: INP001 - Alembic runs this file by its path

from alembic import context

from db.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
