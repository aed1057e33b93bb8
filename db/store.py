"""The store of measured runs: one object, the same on SQLite and PostgreSQL."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from core.collectives.fitted import Fit
from core.measurement import Run
from db import alerts, browsing, files, fits, history, migrate, readiness, runs_deleted, saving, versions
from db.connections import Connections
from db.engine import database_url, parse
from db.errors import StoreError, UnknownRunError
from db.past import Past
from db.records import (
    Columns,
    Facets,
    MachineHistory,
    Page,
    RepeatedSeries,
    RunLabel,
    RunRow,
    Saved,
    StoredRun,
)
from db.saved import Scenarios


class Store:
    """
    Runs, their series and samples, matrices, warnings and tags, the fits made of them, and uploaded files.

    Safe to share between threads; several processes may use one database. Every method
    raises StoreError, one line, when the database cannot be used.

    Args:
        url: ``sqlite:////path/file.db`` or ``postgresql://user:password@host/name``;
            None takes WIRESPEED_DATABASE_URL, else wirespeed.db in WIRESPEED_DATA_DIR.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = parse(url or database_url())
        self._connections = Connections(self.url)
        self.past = Past(self._connections)
        self.scenarios = Scenarios(self._connections)
        self.after_save: Callable[[Sequence[Saved]], None] | None = None

    def prepare(self) -> None:
        """Bring the schema up to date; safe for several processes starting at once."""
        self._connections.prepare()

    def obstacle(self) -> str | None:
        """Why runs cannot be kept now, in one line; None where they can."""
        try:
            with self._connections.writing() as connection:
                if migrate.current(connection) != migrate.head():
                    return "the schema is not the one that this program needs"
                readiness.try_out(connection)
        except StoreError as problem:
            return str(problem)
        return None

    def close(self) -> None:
        """Give all connections back."""
        self._connections.close()

    def save(
        self,
        runs: Sequence[Run],
        *,
        raw_sha256: str | None = None,
        tags: Iterable[str] = (),
        note: str = "",
        uploaded_by: str | None = None,
    ) -> list[Saved]:
        """
        Keep the runs of one upload: all of them or, on an error, none.

        Runs without samples or matrices (a launch that failed) are left out. A run that is
        there already keeps its note and gains the tags; one that was deleted comes back.

        Returns:
            What became of each run that was kept, in the order given.

        Raises:
            InputError: A number that is no measurement, or no measurement at all.
        """
        with self._connections.writing() as connection:
            saved = saving.save(
                connection, runs, raw_sha256=raw_sha256, tags=tags, note=note, uploaded_by=uploaded_by
            )
        if self.after_save is not None:
            self.after_save(saved)
        return saved

    def runs(
        self,
        cursor: str | None = None,
        limit: int = 50,
        gpu: str | None = None,
        operation: str | None = None,
        since: datetime | None = None,
        *,
        tag: str | None = None,
        deleted: bool = False,
    ) -> Page:
        """A page of runs, newest first; see ``browsing.page``."""
        with self._connections.reading() as connection:
            return browsing.page(
                connection,
                cursor=cursor,
                limit=limit,
                gpu=gpu,
                operation=operation,
                since=since,
                tag=tag,
                deleted=deleted,
            )

    def labels(self, *, gpu: str | None = None) -> list[RunLabel]:
        """What all runs are called by, newest first, for a list to choose from; see ``browsing.labels``."""
        with self._connections.reading() as connection:
            return browsing.labels(connection, gpu=gpu)

    def rows(self, run_ids: Sequence[int]) -> list[RunRow]:
        """What is known of those runs, without their measurements; unknown numbers are left out."""
        with self._connections.reading() as connection:
            return browsing.rows(connection, run_ids)

    def run(self, run_id: int) -> StoredRun:
        """One run with everything it measured; UnknownRunError if there is none of that number."""
        with self._connections.reading() as connection:
            return browsing.stored_run(connection, run_id)

    def samples(
        self, run_ids: Iterable[int], *, operation: str | None = None, placement: str | None = None
    ) -> Columns:
        """The samples of many runs as columns; see ``browsing.sample_columns``."""
        with self._connections.reading() as connection:
            return browsing.sample_columns(connection, run_ids, operation=operation, placement=placement)

    def facets(self) -> Facets:
        """The GPUs, operations and tags that there are."""
        with self._connections.reading() as connection:
            return browsing.facets(connection)

    def delete(self, run_id: int) -> None:
        """Hide a run from every list; ``undelete`` brings it back whole within thirty days."""
        now = datetime.now(UTC)
        with self._connections.writing() as connection:
            runs_deleted.purge(connection, now - versions.KEPT)
            runs_deleted.mark(connection, run_id, now)

    def undelete(self, run_id: int) -> None:
        """Bring a deleted run back."""
        self.past.restore_run(run_id)

    def annotate(self, run_id: int, *, note: str | None = None, tags: Iterable[str] | None = None) -> None:
        """Replace a run's note or tags; None leaves them as they are."""
        with self._connections.writing() as connection:
            saving.annotate(connection, run_id, note=note, tags=tags)

    def run_count(self) -> int:
        """How many runs there are, deleted ones left out."""
        with self._connections.reading() as connection:
            return browsing.run_count(connection)

    def machines(self) -> list[MachineHistory]:
        """Every machine that has runs, the most often measured first."""
        with self._connections.reading() as connection:
            return history.machine_histories(connection)

    def drift(
        self,
        identity: str,
        *,
        operation: str | None = None,
        placement: str | None = None,
        ranks: int | None = None,
        size_bytes: int | None = None,
    ) -> Columns:
        """What one machine (``RunRow.identity``) measured over time; see ``history.drift``."""
        with self._connections.reading() as connection:
            return history.drift(
                connection,
                identity,
                operation=operation,
                placement=placement,
                ranks=ranks,
                size_bytes=size_bytes,
            )

    def repeated_series(self) -> list[RepeatedSeries]:
        """The series that a machine measured in more than one run."""
        with self._connections.reading() as connection:
            return history.repeated(connection)

    def series_drift(self, wanted: RepeatedSeries, most_runs: int) -> Columns:
        """What one machine measured of one series in its newest runs; see ``history.series_drift``."""
        with self._connections.reading() as connection:
            return history.series_drift(connection, wanted, most_runs)

    def claim_alert(self, identity: str, operation: str, now: datetime) -> bool:
        """Whether a machine's drift in an operation is to be told now; see ``alerts.claim``."""
        with self._connections.writing() as connection:
            return alerts.claim(connection, identity, operation, now)

    def save_fit(self, fit: Fit, *, replace: bool = False) -> Fit:
        """Keep a fit under its name; InputError if the name is taken and ``replace`` is False."""
        with self._connections.writing() as connection:
            return fits.keep(connection, fit, replace=replace)

    def fits(self) -> list[Fit]:
        """Every fit, by name."""
        with self._connections.reading() as connection:
            return fits.all_fits(connection)

    def fit(self, name: str) -> Fit:
        """The fit of that name; UnknownRunError if there is none."""
        with self._connections.reading() as connection:
            return fits.fit_named(connection, name)

    def delete_fit(self, name: str) -> None:
        """Delete a fit; ``past.bring_back`` or its export brings it back."""
        with self._connections.writing() as connection:
            fits.drop(connection, name)

    def keep_file(self, content: bytes, *, name: str, kind: str) -> files.StoredFile:
        """Keep an uploaded file by its content; see ``files.keep``."""
        with self._connections.writing() as connection:
            return files.keep(connection, content, name=name, kind=kind)

    def file(self, short: str) -> files.StoredFile:
        """The uploaded file of that short id, its use noted; UnknownRunError if there is none."""
        with self._connections.reading() as connection:
            opened = files.opened(connection, short)
        if datetime.now(UTC) - opened.used_at > files.TOUCH:
            with self._connections.writing() as connection:
                files.touch(connection, short)
        return opened


@lru_cache(maxsize=4)
def _store(url: str) -> Store:
    return Store(url)


def shared() -> Store:
    """The store of this process, made once for the address in the environment; pages and HTTP share it."""
    return _store(database_url())


__all__ = ["Store", "StoreError", "UnknownRunError", "shared"]
