"""Traced jobs with their collectives, and what the lines of a run's log say of its machine."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
ROW_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    _jobs()
    _collectives()
    _observations()


def downgrade() -> None:
    for table in ("observations", "job_collectives", "jobs"):
        op.drop_table(table)


def _part_of(table: str, column: str) -> list["sa.Column[int]"]:
    owner = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return [
        sa.Column(column, ROW_ID, owner, primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    ]


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", ROW_ID, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("device_name", sa.Text, nullable=False),
        sa.Column("world_size", sa.Integer),
        sa.Column("rank_count", sa.Integer, nullable=False),
        sa.Column("step_count", sa.Integer, nullable=False),
        sa.Column("collective_count", sa.Integer, nullable=False),
        sa.Column("groups", sa.JSON, nullable=False),
        sa.Column("rest", sa.LargeBinary, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("uploaded_at", INSTANT, nullable=False),
        sa.Column("uploaded_by", sa.Text),
        sa.Column("deleted_at", INSTANT),
        sa.Column("project_id", ROW_ID, sa.ForeignKey("projects.id")),
        sqlite_autoincrement=True,
    )
    for column in ("sha256", "uploaded_at", "project_id"):
        op.create_index(f"ix_jobs_{column}", "jobs", [column])


def _collectives() -> None:
    op.create_table(
        "job_collectives",
        *_part_of("jobs", "job_id"),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer),
        sa.Column("group_number", sa.Integer),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("bytes_in", sa.BigInteger),
        sa.Column("bytes_out", sa.BigInteger),
        sa.Column("dtype", sa.Text, nullable=False),
        sa.Column("start_s", sa.Double),
        sa.Column("duration_s", sa.Double),
        sa.Column("exposed_s", sa.Double),
        sa.Column("stream", sa.BigInteger),
        sqlite_with_rowid=False,
    )


def _observations() -> None:
    op.create_table(
        "observations",
        *_part_of("runs", "run_id"),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("line", sa.BigInteger),
    )
