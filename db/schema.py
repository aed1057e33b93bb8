"""The tables of the store; docs/SCHEMA.md says in one sentence what each column holds."""

import sqlalchemy as sa

from db.columns import METADATA, ROW_ID, in_project, of, unique_key
from db.instant import Instant
from db.job_tables import job_collectives, jobs

__all__ = ["METADATA", "job_collectives", "jobs"]

machines = sa.Table(
    "machines",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    sa.Column("fingerprint", sa.String(64), nullable=False, unique=True),
    sa.Column("gpu", sa.Text, nullable=False),
    sa.Column("gpu_count", sa.Integer, nullable=False),
    sa.Column("host_count", sa.Integer, nullable=False),
    sa.Column("driver", sa.Text),
    sa.Column("cuda", sa.Text),
    sa.Column("nccl", sa.Text),
    sqlite_autoincrement=True,
)

runs = sa.Table(
    "runs",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    *unique_key("uq_runs_sha256", sa.String(64)),
    sa.Column("raw_sha256", sa.String(64)),
    sa.Column("machine_id", ROW_ID, sa.ForeignKey("machines.id"), nullable=False, index=True),
    sa.Column("identity", sa.String(64), nullable=False, index=True),
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
    sa.Column("measured_at", Instant, nullable=False),
    sa.Column("hosts", sa.JSON, nullable=False),
    sa.Column("env", sa.JSON, nullable=False),
    sa.Column("uploaded_at", Instant, nullable=False, index=True),
    sa.Column("uploaded_by", sa.Text),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("deleted_at", Instant),
    sa.Column("sha256", sa.String(64), nullable=False, index=True),
    in_project(),
    sqlite_autoincrement=True,
)

run_gpus = sa.Table(
    "run_gpus",
    METADATA,
    sa.Column("run_id", ROW_ID, of("runs"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("memory_bytes", sa.Double),
)

series = sa.Table(
    "series",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    sa.Column("run_id", ROW_ID, of("runs"), nullable=False),
    sa.Column("operation", sa.Text, nullable=False, index=True),
    sa.Column("placement", sa.Text, nullable=False),
    sa.Column("dtype", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.UniqueConstraint("run_id", "operation", "placement", "dtype", "detail"),
    sqlite_autoincrement=True,
)

samples = sa.Table(
    "samples",
    METADATA,
    sa.Column("series_id", ROW_ID, of("series"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("time_s", sa.Double, nullable=False),
    sa.Column("low_s", sa.Double),
    sa.Column("high_s", sa.Double),
    sa.Column("wrong", sa.BigInteger),
    sa.Column("reported_algbw_bytes_per_s", sa.Double),
    sa.Column("reported_busbw_bytes_per_s", sa.Double),
    sqlite_with_rowid=False,
)

SERIES_KEY = ("operation", "placement", "dtype", "detail")
"""Columns that name a series within its run."""
SAMPLE_VALUES = tuple(
    column.name for column in samples.columns if column.name not in {"series_id", "position"}
)
"""Columns of a sample's own values: its size, times, wrong values and reported rates."""

matrices = sa.Table(
    "matrices",
    METADATA,
    sa.Column("run_id", ROW_ID, of("runs"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("direction", sa.Text),
    sa.Column("peer_access", sa.Boolean),
    sa.Column("rows", sa.JSON, nullable=False),
    sa.Column("columns", sa.JSON, nullable=False),
    sa.Column("values", sa.JSON, nullable=False),
)

warnings = sa.Table(
    "warnings",
    METADATA,
    sa.Column("run_id", ROW_ID, of("runs"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("line", sa.BigInteger),
    sa.Column("message", sa.Text, nullable=False),
)

observations = sa.Table(
    "observations",
    METADATA,
    sa.Column("run_id", ROW_ID, of("runs"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("line", sa.BigInteger),
)

tags = sa.Table(
    "tags",
    METADATA,
    sa.Column("run_id", ROW_ID, of("runs"), primary_key=True),
    sa.Column("tag", sa.Text, primary_key=True, index=True),
)

fits = sa.Table(
    "fits",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    *unique_key("uq_fits_name", sa.Text()),
    sa.Column("model_version", sa.Text, nullable=False),
    sa.Column("constants", sa.JSON, nullable=False),
    sa.Column("residuals", sa.JSON, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("created_by", sa.Text),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    in_project(),
    sqlite_autoincrement=True,
)

fit_runs = sa.Table(
    "fit_runs",
    METADATA,
    sa.Column("fit_id", ROW_ID, of("fits"), primary_key=True),
    sa.Column("run_sha256", sa.String(64), primary_key=True),
)

files = sa.Table(
    "files",
    METADATA,
    sa.Column("id", sa.String(12), primary_key=True),
    sa.Column("sha256", sa.String(64), nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("used_at", Instant, nullable=False, index=True),
)

versions = sa.Table(
    "versions",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("reason", sa.String(20), nullable=False),
    sa.Column("ended_at", Instant, nullable=False),
    in_project(),
    sa.Index("ix_versions_kind_name", "kind", "name"),
    sqlite_autoincrement=True,
)

scenarios = sa.Table(
    "scenarios",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    *unique_key("uq_scenarios_name", sa.Text()),
    sa.Column("page", sa.Text, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("figures", sa.JSON, nullable=False),
    sa.Column("model_version", sa.Text, nullable=False),
    sa.Column("saved_at", Instant, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("saved_by", sa.Text),
    in_project(),
    sqlite_autoincrement=True,
)

projects = sa.Table(
    "projects",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("created_by", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

project_members = sa.Table(
    "project_members",
    METADATA,
    sa.Column("project_id", ROW_ID, of("projects"), primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
)

people = sa.Table(
    "people",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("groups", sa.JSON, nullable=False),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("first_seen_at", Instant, nullable=False),
    sa.Column("seen_at", Instant, nullable=False),
)

tokens = sa.Table(
    "tokens",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    sa.Column("sha256", sa.String(64), nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False, index=True),
    sa.Column("scope", sa.String(10), nullable=False),
    sa.Column("project_id", ROW_ID, of("projects")),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("expires_at", Instant, nullable=False),
    sa.Column("used_at", Instant),
    sa.Column("revoked_at", Instant),
    sa.Column("revoked_by", sa.Text),
    sqlite_autoincrement=True,
)

audit = sa.Table(
    "audit",
    METADATA,
    sa.Column("id", ROW_ID, primary_key=True),
    sa.Column("at", Instant, nullable=False, index=True),
    sa.Column("actor", sa.Text, nullable=False, index=True),
    sa.Column("action", sa.String(40), nullable=False, index=True),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

alerts = sa.Table(
    "alerts",
    METADATA,
    sa.Column("identity", sa.String(64), primary_key=True),
    sa.Column("operation", sa.String(200), primary_key=True),
    sa.Column("sent_at", Instant, nullable=False),
)

spent = sa.Table(
    "spent",
    METADATA,
    sa.Column("sha256", sa.String(64), primary_key=True),
    sa.Column("ends_at", Instant, nullable=False, index=True),
)
