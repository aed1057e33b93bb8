"""The store as somebody sees it: every method asks first what their role allows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace as changed
from datetime import datetime

from core.collectives.fitted import Fit
from core.measurement import Run
from db import acting_past, acting_scenarios
from db.actor import Actor
from db.errors import UnknownRunError
from db.files import StoredFile
from db.people import Person, Role
from db.records import Columns, Facets, MachineHistory, Page, RunLabel, RunRow, Saved, StoredRun
from db.store import Store


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
        self._actor = Actor(who)
        self.past = acting_past.ActingPast(store, self._actor)
        self.scenarios = acting_scenarios.ActingScenarios(store.scenarios, self._actor)

    @property
    def person(self) -> Person:
        """Whoever acts now."""
        return self._actor.at_least(Role.VIEWER)

    def save(
        self,
        runs: Sequence[Run],
        *,
        raw_sha256: str | None = None,
        tags: Iterable[str] = (),
        note: str = "",
    ) -> list[Saved]:
        """Keep the runs of one upload under this person's name; see ``Store.save``."""
        person = self._actor.at_least(Role.UPLOADER)
        return self._store.save(runs, raw_sha256=raw_sha256, tags=tags, note=note, uploaded_by=person.name)

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
        """A page of runs, newest first; see ``Store.runs``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.runs(cursor, limit, gpu, operation, since, tag=tag, deleted=deleted)

    def labels(self, *, gpu: str | None = None) -> list[RunLabel]:
        """What all runs are called by; see ``Store.labels``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.labels(gpu=gpu)

    def rows(self, run_ids: Sequence[int]) -> list[RunRow]:
        """What is known of those runs; see ``Store.rows``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.rows(run_ids)

    def run(self, run_id: int) -> StoredRun:
        """One run with everything it measured; see ``Store.run``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.run(run_id)

    def samples(
        self, run_ids: Iterable[int], *, operation: str | None = None, placement: str | None = None
    ) -> Columns:
        """The samples of many runs; see ``Store.samples``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.samples(run_ids, operation=operation, placement=placement)

    def facets(self) -> Facets:
        """The GPUs, operations and tags that there are."""
        self._actor.at_least(Role.VIEWER)
        return self._store.facets()

    def delete(self, run_id: int) -> None:
        """Hide a run of one's own, or as an admin any; see ``Store.delete``."""
        self._own_run(run_id)
        self._store.delete(run_id)

    def undelete(self, run_id: int) -> None:
        """Bring a deleted run of one's own back, or as an admin any."""
        self._own_run(run_id)
        self._store.undelete(run_id)

    def annotate(self, run_id: int, *, note: str | None = None, tags: Iterable[str] | None = None) -> None:
        """Replace a run's note or tags; the former ones can be brought back."""
        self._actor.at_least(Role.UPLOADER)
        self._store.annotate(run_id, note=note, tags=tags)

    def run_count(self) -> int:
        """How many runs there are, deleted ones left out."""
        self._actor.at_least(Role.VIEWER)
        return self._store.run_count()

    def machines(self) -> list[MachineHistory]:
        """Every machine that has runs; see ``Store.machines``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.machines()

    def drift(self, identity: str, *, operation: str | None = None) -> Columns:
        """What one machine measured over time; see ``Store.drift``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.drift(identity, operation=operation)

    def save_fit(self, fit: Fit, *, replace: bool = False) -> Fit:
        """Keep a fit under this person's name; who replaces one needs to own it, or to be an admin."""
        person = self._actor.at_least(Role.UPLOADER)
        if replace:
            self._own_fit(fit.name)
        return self._store.save_fit(changed(fit, created_by=person.name), replace=replace)

    def fits(self) -> list[Fit]:
        """Every fit, by name."""
        self._actor.at_least(Role.VIEWER)
        return self._store.fits()

    def fit(self, name: str) -> Fit:
        """The fit of that name; see ``Store.fit``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.fit(name)

    def delete_fit(self, name: str) -> None:
        """Delete a fit of one's own, or as an admin any."""
        self._own_fit(name)
        self._store.delete_fit(name)

    def keep_file(self, content: bytes, *, name: str, kind: str) -> StoredFile:
        """Keep an uploaded file by its content; see ``Store.keep_file``."""
        self._actor.at_least(Role.UPLOADER)
        return self._store.keep_file(content, name=name, kind=kind)

    def file(self, short: str) -> StoredFile:
        """The uploaded file of that short id; see ``Store.file``."""
        self._actor.at_least(Role.VIEWER)
        return self._store.file(short)

    def _own_run(self, run_id: int) -> None:
        person = self._actor.at_least(Role.UPLOADER)
        for row in self._store.rows([run_id]):
            self._actor.own(person, row.uploaded_by, f"run {run_id}")

    def _own_fit(self, name: str) -> None:
        person = self._actor.at_least(Role.UPLOADER)
        try:
            owner = self._store.fit(name).created_by
        except UnknownRunError:
            return
        self._actor.own(person, owner, f"the fit {name}")
