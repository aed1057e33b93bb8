"""Sessions that were signed out of and sign-ins that were used, so that all processes refuse them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spent",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_spent_ends_at", "spent", ["ends_at"])


def downgrade() -> None:
    op.drop_table("spent")
