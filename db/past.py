"""What was deleted or replaced in the last thirty days, and its way back."""

from db import fits, runs_deleted, saving, scenarios, versions
from db.connections import Connections
from db.records import RunRow
from db.versions import Version


class Past:
    """
    The trash and the former versions of a store.

    Args:
        connections: Of the store.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def runs(self) -> list[RunRow]:
        """Deleted runs that can be restored, the latest deleted first."""
        with self._connections.reading() as connection:
            return runs_deleted.listed(connection)

    def restore_run(self, run_id: int) -> None:
        """Bring a deleted run back whole; UnknownRunError if there is none of that number."""
        with self._connections.writing() as connection:
            runs_deleted.mark(connection, run_id, None)

    def versions(self, kind: str, name: str | None = None) -> list[Version]:
        """Former notes, fits or scenarios, the latest first; see ``versions.listed``."""
        with self._connections.reading() as connection:
            return versions.listed(connection, kind, name)

    def version(self, number: int) -> Version:
        """The former version of that number; UnknownRunError if there is none."""
        with self._connections.reading() as connection:
            return versions.version(connection, number)

    def bring_back(self, number: int) -> None:
        """
        Make a former version the present one; the present one becomes a former one.

        Raises:
            UnknownRunError: There is no such version, or its run is gone.
        """
        with self._connections.writing() as connection:
            former = versions.version(connection, number)
            if former.kind == versions.FIT:
                fits.put_back(connection, number)
            elif former.kind == versions.SCENARIO:
                scenarios.keep(connection, scenarios.of_version(former.content), replace=True)
            else:
                content = former.content
                saving.annotate(connection, int(former.name), note=content["note"], tags=content["tags"])
