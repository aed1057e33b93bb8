"""The store as somebody sees it: every method asks first what their role allows."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace as changed
from datetime import datetime

from core.collectives.fitted import Fit
from core.measurement import Run
from db import acting_jobs, acting_past, acting_scenarios
from db.actor import Actor
from db.administration import AuditLog, People, Projects, Tokens
from db.attempts import Attempts
from db.audit import Action
from db.errors import StoreError, UnknownRunError
from db.files import StoredFile
from db.people import Person, Role
from db.records import Columns, Facets, MachineHistory, Page, RunLabel, RunRow, Saved, SeriesKey, StoredRun
from db.store import Store

_REFUSALS = Attempts()


class ActingStore:
    """
    A store in the hands of one person.

    Viewers read; uploaders keep, annotate, and delete and restore what is theirs; admins do all of it.
    Every method raises NotAllowedError where the role does not reach, and else what ``Store`` raises.

    Args:
        store: The store itself.
        who: Gives whoever acts now, at every call: a session may end meanwhile. NotAllowedError where it has.
    """

    def __init__(self, store: Store, who: Callable[[], Person]) -> None:
        self._store = store
        self._actor = Actor(who, self._refused)
        self.past = acting_past.ActingPast(store, self._actor)
        self.scenarios = acting_scenarios.ActingScenarios(store, self._actor)
        self.jobs = acting_jobs.ActingJobs(store, self._actor)

    @property
    def person(self) -> Person:
        """Whoever acts now."""
        return self._actor.at_least(Role.VIEWER)

    def require(self, role: Role, what: str) -> None:
        """NotAllowedError where the role does not reach, before work is done for ``what``."""
        self._actor.at_least(role, what)

    @property
    def projects(self) -> Projects:
        """The projects that this person sees; an admin makes and changes them."""
        return self._reading().projects

    @property
    def tokens(self) -> Tokens:
        """This person's tokens; everyone's for an admin."""
        return self._reading().tokens

    @property
    def people(self) -> People:
        """Who has signed in, for an admin."""
        return self._reading().people

    @property
    def audit(self) -> AuditLog:
        """The audit log, for an admin."""
        return self._reading().audit

    def save(
        self,
        runs: Sequence[Run],
        *,
        raw_sha256: str | None = None,
        tags: Iterable[str] = (),
        note: str = "",
        project: str | None = None,
    ) -> list[Saved]:
        """Keep the runs of one upload under this person's name; see ``Store.save``."""
        store = self._changing("upload")
        return store.save(runs, raw_sha256=raw_sha256, tags=tags, note=note, project=project)

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
        """A page of runs, newest first; see ``Store.runs``."""
        store = self._reading()
        return store.runs(cursor, limit, gpu, operation, since, tag=tag, project=project, deleted=deleted)

    def labels(self, *, gpu: str | None = None, project: str | None = None) -> list[RunLabel]:
        """What all runs are called by; see ``Store.labels``."""
        return self._reading().labels(gpu=gpu, project=project)

    def rows(self, run_ids: Sequence[int]) -> list[RunRow]:
        """What is known of those runs; see ``Store.rows``."""
        return self._reading().rows(run_ids)

    def run(self, run_id: int) -> StoredRun:
        """One run with everything it measured; see ``Store.run``."""
        return self._reading().run(run_id)

    def samples(
        self, run_ids: Iterable[int], *, operation: str | None = None, placement: str | None = None
    ) -> Columns:
        """The samples of many runs; see ``Store.samples``."""
        return self._reading().samples(run_ids, operation=operation, placement=placement)

    def facets(self) -> Facets:
        """The GPUs, operations and tags that there are."""
        return self._reading().facets()

    def delete(self, run_id: int) -> None:
        """Hide a run of one's own, or as an admin any; see ``Store.delete``."""
        self._own_run(run_id, "delete").delete(run_id)

    def undelete(self, run_id: int) -> None:
        """Bring a deleted run of one's own back, or as an admin any."""
        self._own_run(run_id, "restore").undelete(run_id)

    def annotate(self, run_id: int, *, note: str | None = None, tags: Iterable[str] | None = None) -> None:
        """Replace a run's note or tags; the former ones can be brought back."""
        self._changing(f"note of run {run_id}").annotate(run_id, note=note, tags=tags)

    def run_count(self) -> int:
        """How many runs there are, deleted ones left out."""
        return self._reading().run_count()

    def machines(self) -> list[MachineHistory]:
        """Every machine that has runs; see ``Store.machines``."""
        return self._reading().machines()

    def repeated_series(self) -> list[SeriesKey]:
        """The series that a machine measured in more than one run."""
        return self._reading().repeated_series()

    def series_drift(self, wanted: SeriesKey, most_runs: int) -> Columns:
        """What one machine measured of one series; see ``Store.series_drift``."""
        return self._reading().series_drift(wanted, most_runs)

    def save_fit(self, fit: Fit, *, replace: bool = False, project: str | None = None) -> Fit:
        """Keep a fit under this person's name; who replaces one needs to own it, or to be an admin."""
        store = self._changing(f"fit {fit.name}")
        for owner in store.fit_keepers(fit.name, project) if replace else ():
            self._actor.own(self.person, owner, f"the fit {fit.name}")
        named = changed(fit, created_by=self.person.name)
        return store.save_fit(named, replace=replace, project=project)

    def fits(self) -> list[Fit]:
        """Every fit, by name."""
        return self._reading().fits()

    def fit(self, name: str) -> Fit:
        """The fit of that name; see ``Store.fit``."""
        return self._reading().fit(name)

    def delete_fit(self, name: str) -> None:
        """Delete a fit of one's own, or as an admin any."""
        self._own_fit(name).delete_fit(name)

    def keep_file(self, content: bytes, *, name: str, kind: str) -> StoredFile:
        """Keep an uploaded file by its content; see ``Store.keep_file``."""
        return self._changing(f"file {name}").keep_file(content, name=name, kind=kind)

    def file(self, short: str) -> StoredFile:
        """The uploaded file of that short id; see ``Store.file``."""
        return self._reading().file(short)

    def _reading(self) -> Store:
        return self._store.seen_by(self._actor.at_least(Role.VIEWER))

    def _changing(self, what: str) -> Store:
        return self._store.seen_by(self._actor.at_least(Role.UPLOADER, what))

    def _own_run(self, run_id: int, act: str) -> Store:
        person = self._actor.at_least(Role.UPLOADER, f"{act} run {run_id}")
        store = self._store.seen_by(person)
        for row in store.rows([run_id]):
            self._actor.own(person, row.uploaded_by, f"run {run_id}")
        return store

    def _own_fit(self, name: str) -> Store:
        person = self._actor.at_least(Role.UPLOADER, f"delete fit {name}")
        store = self._store.seen_by(person)
        with suppress(UnknownRunError):
            self._actor.own(person, store.fit(name).created_by, f"the fit {name}")
        return store

    def _refused(self, person: Person, what: str, why: str) -> None:
        """Log a refused act, a few a minute of one person and kind: nobody fills the log with them."""
        kind = f"{what.removeprefix('the ').split()[0]} {person.name}"
        if _REFUSALS.wait_s(kind) > 0:
            return
        _REFUSALS.note(kind)
        with suppress(StoreError):
            self._store.seen_by(person).audit.note(Action.REFUSED, what, why)
