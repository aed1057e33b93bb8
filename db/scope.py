"""Which rows someone may see: all, or everyone's and those of some projects."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa


@dataclass(frozen=True, slots=True)
class Scope:
    """
    What one reader may see; each question to the tables of runs, fits and scenarios needs one.

    Attributes:
        projects: Numbers of the projects; None for every project.
        everyones: Whether what belongs to no project is seen too.
        project: Where what this reader keeps belongs unless a project is named; None for everyone.
    """

    projects: frozenset[int] | None
    everyones: bool = True
    project: int | None = None

    def of(self, project_id: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
        """The condition on a row's project under which it is seen."""
        if self.projects is None:
            return sa.true()
        condition: sa.ColumnElement[bool] = project_id.in_(sorted(self.projects))
        return sa.or_(condition, project_id.is_(None)) if self.everyones else condition


EVERYTHING = Scope(None)
"""What admins see, and the server itself."""
