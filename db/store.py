"""The store of measured runs: one object, the same on SQLite and PostgreSQL."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace as changed
from datetime import UTC, datetime
from functools import lru_cache

from core.collectives.fitted import Fit
from core.measurement import Run
from db import (
    alerts,
    browsing,
    files,
    fits,
    history,
    migrate,
    projects,
    readiness,
    runs_deleted,
    saving,
    upload_log,
    versions,
)
from db.administration import AuditLog, People, Projects, Tokens
from db.audit import Action
from db.audit import runs as named_runs
from db.connections import Connections
from db.engine import database_url, parse
from db.errors import StoreError, UnknownRunError
from db.kept_jobs import Jobs
from db.past import Past
from db.people import Person
from db.records import Columns, Facets, MachineHistory, Page, RunLabel, RunRow, Saved, SeriesKey, StoredRun
from db.run_filter import RunFilter
from db.saved import Scenarios
from db.transactions import Transactions


class Store:
    """
    Runs with all they measured, the fits made of them, traced jobs, and uploaded files.

    Safe to share between threads; several processes may use one database. Every method
    raises StoreError, one line, when the database cannot be used.

    Args:
        url: ``sqlite:////path/file.db`` or ``postgresql://user:password@host/name``;
            None takes WIRESPEED_DATABASE_URL, else wirespeed.db in WIRESPEED_DATA_DIR.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = parse(url or database_url())
        self._connections = Connections(self.url)
        self.after_save: Callable[[Sequence[Saved]], None] | None = None
        self._bind(None)

    def seen_by(self, person: Person) -> "Store":
        """
        The same store as one person sees it, on the same connections; what they do is logged as theirs.

        What they may not see is as if it were not there. The roles of acts are checked in front of it.
        """
        view = copy(self)
        view._bind(person)  # noqa: SLF001 - of the same class
        return view

    def _bind(self, person: Person | None) -> None:
        self._transactions = Transactions(self._connections, person)
        self.past = Past(self._transactions)
        self.scenarios = Scenarios(self._transactions)
        self.jobs = Jobs(self._transactions)
        self.projects = Projects(self._transactions)
        self.tokens = Tokens(self._transactions)
        self.people = People(self._transactions)
        self.audit = AuditLog(self._transactions)

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
        project: str | None = None,
    ) -> list[Saved]:
        """
        Keep the runs of one upload: all of them or, on an error, none.

        Runs without samples or matrices (a launch that failed) are left out. A run that is
        there already keeps its note and gains the tags; from who keeps it also the lines of its log where it
        had none. A deleted one comes back to who may restore it. The same run in another project is another
        run. ``uploaded_by`` is who acts unless it is given; without a ``project`` the runs are everyone's.

        Returns:
            What became of each run that was kept, in the order given.

        Raises:
            InputError: A number that is no measurement, or no measurement at all.
            UnknownRunError: There is no such project that may be seen.
        """
        person = self._transactions.person
        with self._transactions.writing() as act:
            saved = saving.save(
                act.connection,
                runs,
                raw_sha256=raw_sha256,
                tags=tags,
                note=note,
                uploaded_by=uploaded_by or (person.name if person else None),
                project_id=projects.number(act.connection, act.scope, project),
                person=person,
            )
            upload_log.write(act, saved, project)
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
        project: str | None = None,
        deleted: bool = False,
    ) -> Page:
        """A page of runs, newest first; see ``browsing.page``."""
        with self._transactions.reading() as (connection, scope):
            wanted = RunFilter(gpu, operation, since, tag, project, deleted)
            return browsing.page(connection, scope, wanted, cursor=cursor, limit=limit)

    def labels(self, *, gpu: str | None = None, project: str | None = None) -> list[RunLabel]:
        """What all runs are called by, newest first, for a list to choose from; see ``browsing.labels``."""
        with self._transactions.reading() as (connection, scope):
            return browsing.labels(connection, scope, gpu=gpu, project=project)

    def rows(self, run_ids: Sequence[int]) -> list[RunRow]:
        """What is known of those runs, without their measurements; unknown numbers are left out."""
        with self._transactions.reading() as (connection, scope):
            return browsing.rows(connection, scope, run_ids)

    def run(self, run_id: int) -> StoredRun:
        """One run with everything it measured; UnknownRunError if there is none of that number."""
        with self._transactions.reading() as (connection, scope):
            return browsing.stored_run(connection, scope, run_id)

    def samples(
        self, run_ids: Iterable[int], *, operation: str | None = None, placement: str | None = None
    ) -> Columns:
        """The samples of many runs as columns; see ``browsing.sample_columns``."""
        with self._transactions.reading() as (connection, scope):
            return browsing.sample_columns(
                connection, scope, run_ids, operation=operation, placement=placement
            )

    def facets(self) -> Facets:
        """The GPUs, operations and tags that there are."""
        with self._transactions.reading() as (connection, scope):
            return browsing.facets(connection, scope)

    def delete(self, run_id: int) -> None:
        """Hide a run from every list; ``undelete`` brings it back whole within thirty days."""
        now = datetime.now(UTC)
        with self._transactions.writing() as act:
            runs_deleted.purge(act.connection, now - versions.KEPT)
            changed = runs_deleted.mark(act.connection, act.scope, run_id, now)
            act.log_if(changed, Action.DELETE_RUN, named_runs([run_id]))

    def undelete(self, run_id: int) -> None:
        """Bring a deleted run back."""
        self.past.restore_run(run_id)

    def annotate(self, run_id: int, *, note: str | None = None, tags: Iterable[str] | None = None) -> None:
        """Replace a run's note or tags; None leaves them as they are."""
        with self._transactions.writing() as act:
            changed = saving.annotate(act.connection, act.scope, run_id, note=note, tags=tags)
            act.log_if(changed, Action.CHANGE_NOTE, named_runs([run_id]))

    def run_count(self) -> int:
        """How many runs there are, deleted ones left out."""
        with self._transactions.reading() as (connection, scope):
            return browsing.run_count(connection, scope)

    def machines(self) -> list[MachineHistory]:
        """Every machine that has runs, the most often measured first."""
        with self._transactions.reading() as (connection, scope):
            return history.machine_histories(connection, scope)

    def drift(
        self,
        identity: str,
        *,
        operation: str | None = None,
        ranks: int | None = None,
        project: str | None = None,
    ) -> Columns:
        """What one machine (``RunRow.identity``) measured over time; see ``history.drift``."""
        with self._transactions.reading() as (connection, scope):
            return history.drift(connection, scope, identity, operation, ranks, project)

    def repeated_series(self) -> list[SeriesKey]:
        """The series that a machine measured in more than one run."""
        with self._transactions.reading() as (connection, scope):
            return history.repeated(connection, scope)

    def series_drift(self, wanted: SeriesKey, most_runs: int) -> Columns:
        """What one machine measured of one series in its newest runs; see ``history.series_drift``."""
        with self._transactions.reading() as (connection, scope):
            return history.series_drift(connection, scope, wanted, most_runs)

    def claim_alert(self, identity: str, operation: str, now: datetime) -> bool:
        """Whether a machine's drift in an operation is to be told now; see ``alerts.claim``."""
        with self._connections.writing() as connection:
            return alerts.claim(connection, identity, operation, now)

    def save_fit(self, fit: Fit, *, replace: bool = False, project: str | None = None) -> Fit:
        """Keep a fit under its name, in a project or for everyone; see ``fits.keep``."""
        person = self._transactions.person
        signed = changed(fit, created_by=fit.created_by or (person.name if person else None))
        with self._transactions.writing() as act:
            project_id = projects.number(act.connection, act.scope, project)
            stored = fits.keep(act.connection, act.scope, signed, replace=replace, project_id=project_id)
            act.log(Action.KEEP_FIT, f"fit {stored.name}", projects.detail(project))
            return stored

    def fits(self) -> list[Fit]:
        """Every fit, by name."""
        with self._transactions.reading() as (connection, scope):
            return fits.all_fits(connection, scope)

    def fit(self, name: str) -> Fit:
        """The fit of that name; UnknownRunError if there is none."""
        with self._transactions.reading() as (connection, scope):
            return fits.fit_named(connection, scope, name)

    def fit_keepers(self, name: str, project: str | None) -> list[str | None]:
        """Who keeps the fit that one of this name in a project replaces; empty where none."""
        with self._transactions.reading() as (connection, scope):
            return fits.keepers(connection, name, projects.number(connection, scope, project))

    def delete_fit(self, name: str) -> None:
        """Delete a fit; ``past.bring_back`` or its export brings it back."""
        with self._transactions.writing() as act:
            fits.drop(act.connection, act.scope, name)
            act.log(Action.DELETE_FIT, f"fit {name}")

    def keep_file(self, content: bytes, *, name: str, kind: str) -> files.StoredFile:
        """Keep an uploaded file by its content; see ``files.keep``."""
        with self._transactions.writing() as act:
            stored = files.keep(act.connection, content, name=name, kind=kind)
            act.log(Action.KEEP_FILE, f"file {stored.id}", f"{kind} {stored.name}")
            return stored

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
