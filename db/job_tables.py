"""The tables of traced jobs: one row a job, one a collective; never the raw trace."""

import sqlalchemy as sa

from db.columns import METADATA, ROW_ID, in_project, of, unique_key
from db.instant import Instant

jobs = sa.Table(
    "jobs",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    *unique_key("uq_jobs_key", sa.String(64)),
    sa.Column("sha256", sa.String(64), nullable=False, index=True),
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
    sa.Column("uploaded_at", Instant, nullable=False, index=True),
    sa.Column("uploaded_by", sa.Text),
    sa.Column("deleted_at", Instant),
    in_project(),
    sqlite_autoincrement=True,
)

job_collectives = sa.Table(
    "job_collectives",
    METADATA,
    sa.Column("job_id", ROW_ID, of("jobs"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
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
