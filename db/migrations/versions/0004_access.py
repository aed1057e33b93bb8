"""Tokens, the audit log, people seen, and projects with what belongs to them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
ROW_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
UNIQUE = {"runs": "sha256", "fits": "name", "scenarios": "name"}
IN_A_PROJECT = (*UNIQUE, "versions")


def upgrade() -> None:
    _projects()
    _people()
    _tokens()
    _audit()
    number = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    for table in IN_A_PROJECT:
        # as text: SQLite adds a reference only together with its column
        constraint = f"fk_{table}_project_id_projects"
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN project_id {number} CONSTRAINT {constraint} "
            "REFERENCES projects (id)"
        )
        op.create_index(f"ix_{table}_project_id", table, ["project_id"])
    for table, column in UNIQUE.items():
        _keyed(table, column)
    op.create_index("ix_runs_sha256", "runs", ["sha256"])
    op.add_column("scenarios", sa.Column("saved_by", sa.Text))


def downgrade() -> None:
    """What belongs to projects goes: without them everyone would see it."""
    op.drop_column("scenarios", "saved_by")
    op.drop_index("ix_runs_sha256", "runs")
    for table, column in UNIQUE.items():
        op.execute(f"DELETE FROM {table} WHERE project_id IS NOT NULL")  # noqa: S608
        op.execute(f"UPDATE {table} SET key = {column}")  # noqa: S608
        op.drop_column(table, column)
        op.execute(f"ALTER TABLE {table} RENAME COLUMN key TO {column}")
    for table in IN_A_PROJECT:
        op.drop_index(f"ix_{table}_project_id", table)
        op.drop_column(table, "project_id")
    for table in ("audit", "tokens", "people", "project_members", "projects"):
        op.drop_table(table)


def _keyed(table: str, column: str) -> None:
    """What was unique alone becomes the key, unique within a project; the constraint keeps its name."""
    kind: sa.types.TypeEngine[str] = sa.String(64) if table == "runs" else sa.Text()
    op.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO key")
    op.add_column(table, sa.Column(column, kind, nullable=False, server_default=""))
    op.execute(f"UPDATE {table} SET {column} = key")  # noqa: S608
    if table != "runs":
        op.execute(f"UPDATE {table} SET key = ':' || key")  # noqa: S608


def _row_id() -> "sa.Column[int]":
    return sa.Column("id", ROW_ID, primary_key=True)


def _of_project(*, key: bool = False) -> "sa.Column[int]":
    project = sa.ForeignKey("projects.id", ondelete="CASCADE")
    return sa.Column("project_id", ROW_ID, project, primary_key=key)


def _projects() -> None:
    op.create_table(
        "projects",
        _row_id(),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "project_members",
        _of_project(key=True),
        sa.Column("member", sa.Text, primary_key=True),
    )


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("groups", sa.JSON, nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("first_seen_at", INSTANT, nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
    )


def _tokens() -> None:
    op.create_table(
        "tokens",
        _row_id(),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("scope", sa.String(10), nullable=False),
        _of_project(),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
        sa.Column("revoked_at", INSTANT),
        sa.Column("revoked_by", sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tokens_owner", "tokens", ["owner"])


def _audit() -> None:
    op.create_table(
        "audit",
        _row_id(),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    for column in ("at", "actor", "action"):
        op.create_index(f"ix_audit_{column}", "audit", [column])
