"""The first tables: machines, runs, series, samples, matrices, warnings, tags, fits."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _machines()
    _runs()
    _measurements()
    _remarks()
    _fits()
    for table, column in (
        ("runs", "machine_id"),
        ("runs", "identity"),
        ("runs", "uploaded_at"),
        ("series", "operation"),
        ("tags", "tag"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table in (
        *("fit_runs", "fits", "tags", "warnings", "matrices"),
        *("samples", "series", "run_gpus", "runs", "machines"),
    ):
        op.drop_table(table)


def _row_id() -> "sa.Column[int]":
    return sa.Column("id", ROW_ID, primary_key=True)


def _part_of(table: str) -> list["sa.Column[int]"]:
    owner = table.removesuffix("s") if table != "series" else table
    parent = sa.Column(
        f"{owner}_id", ROW_ID, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), primary_key=True
    )
    return [parent, sa.Column("position", sa.Integer, primary_key=True, autoincrement=False)]


def _machines() -> None:
    op.create_table(
        "machines",
        _row_id(),
        sa.Column("fingerprint", sa.String(64), nullable=False, unique=True),
        sa.Column("gpu", sa.Text, nullable=False),
        sa.Column("gpu_count", sa.Integer, nullable=False),
        sa.Column("host_count", sa.Integer, nullable=False),
        sa.Column("driver", sa.Text),
        sa.Column("cuda", sa.Text),
        sa.Column("nccl", sa.Text),
        sqlite_autoincrement=True,
    )


def _runs() -> None:
    op.create_table(
        "runs",
        _row_id(),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("raw_sha256", sa.String(64)),
        sa.Column("machine_id", ROW_ID, sa.ForeignKey("machines.id"), nullable=False),
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("collective", sa.Text),
        sa.Column("ranks", sa.Integer),
        sa.Column("collective_guess", sa.Text),
        sa.Column("ranks_guess", sa.Integer),
        sa.Column("dtype", sa.Text),
        sa.Column("origin", sa.Text),
        sa.Column("tool_version", sa.Text),
        sa.Column("started_at", sa.Text),
        sa.Column("measured_at", INSTANT, nullable=False),
        sa.Column("hosts", sa.JSON, nullable=False),
        sa.Column("env", sa.JSON, nullable=False),
        sa.Column("uploaded_at", INSTANT, nullable=False),
        sa.Column("uploaded_by", sa.Text),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("deleted_at", INSTANT),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "run_gpus",
        *_part_of("runs"),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("memory_bytes", sa.Double),
    )


def _measurements() -> None:
    op.create_table(
        "series",
        _row_id(),
        sa.Column("run_id", ROW_ID, sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("placement", sa.Text, nullable=False),
        sa.Column("dtype", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.UniqueConstraint("run_id", "operation", "placement", "dtype", "detail"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "samples",
        *_part_of("series"),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("time_s", sa.Double, nullable=False),
        sa.Column("low_s", sa.Double),
        sa.Column("high_s", sa.Double),
        sa.Column("wrong", sa.BigInteger),
        sa.Column("reported_algbw_bytes_per_s", sa.Double),
        sa.Column("reported_busbw_bytes_per_s", sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "matrices",
        *_part_of("runs"),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("direction", sa.Text),
        sa.Column("peer_access", sa.Boolean),
        sa.Column("rows", sa.JSON, nullable=False),
        sa.Column("columns", sa.JSON, nullable=False),
        sa.Column("values", sa.JSON, nullable=False),
    )


def _remarks() -> None:
    op.create_table(
        "warnings",
        *_part_of("runs"),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("line", sa.BigInteger),
        sa.Column("message", sa.Text, nullable=False),
    )
    op.create_table(
        "tags",
        sa.Column("run_id", ROW_ID, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tag", sa.Text, primary_key=True),
    )


def _fits() -> None:
    op.create_table(
        "fits",
        _row_id(),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("model_version", sa.Text, nullable=False),
        sa.Column("constants", sa.JSON, nullable=False),
        sa.Column("residuals", sa.JSON, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Text),
        sa.Column("note", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "fit_runs",
        sa.Column("fit_id", ROW_ID, sa.ForeignKey("fits.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("run_sha256", sa.String(64), primary_key=True),
    )
