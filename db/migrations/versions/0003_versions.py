"""Former states of what can be changed or deleted, and scenarios saved under a name."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def row_id() -> sa.Column[int]:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("id", number, primary_key=True)


def upgrade() -> None:
    op.create_table(
        "versions",
        row_id(),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("ended_at", INSTANT, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_versions_kind_name", "versions", ["kind", "name"])
    op.create_table(
        "scenarios",
        row_id(),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("figures", sa.JSON, nullable=False),
        sa.Column("model_version", sa.Text, nullable=False),
        sa.Column("saved_at", INSTANT, nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("scenarios")
    op.drop_index("ix_versions_kind_name", "versions")
    op.drop_table("versions")
