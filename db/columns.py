"""What the tables of the store share: their metadata, and columns that several of them have."""

import sqlalchemy as sa

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
METADATA = sa.MetaData(naming_convention=NAMES)
ROW_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def of(table: str) -> sa.ForeignKey:
    """Belongs to a row of ``table`` and goes when it goes."""
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def in_project() -> sa.Column[int]:
    """The project that a row belongs to; null where it is everyone's."""
    return sa.Column("project_id", ROW_ID, sa.ForeignKey("projects.id"), index=True)


def unique_key(constraint: str, kind: sa.types.TypeEngine[str]) -> tuple[sa.Column[str], sa.UniqueConstraint]:
    """What is unique: the content or name together with the project; see ``db.identity``."""
    return sa.Column("key", kind, nullable=False), sa.UniqueConstraint("key", name=constraint)
