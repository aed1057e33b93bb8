"""The kept jobs of a store as somebody sees them."""

from contextlib import suppress

from core.traces.records import Job
from db.actor import Actor
from db.errors import UnknownRunError
from db.kept_jobs import Jobs
from db.people import Role
from db.records import JobPage, JobRow, Saved, StoredJob
from db.store import Store


class ActingJobs:
    """
    ``Jobs`` in the hands of one person.

    Args:
        store: The store itself.
        actor: Whoever acts.
    """

    def __init__(self, store: Store, actor: Actor) -> None:
        self._store = store
        self._actor = actor

    def save(self, job: Job, *, file: str, note: str = "", project: str | None = None) -> Saved:
        """Keep a job under this person's name; see ``Jobs.save``."""
        person = self._actor.at_least(Role.UPLOADER, "upload")
        return self._store.seen_by(person).jobs.save(job, file=file, note=note, project=project)

    def page(self, cursor: str | None = None, limit: int = 50, *, project: str | None = None) -> JobPage:
        """A page of jobs, newest first; see ``Jobs.page``."""
        return self._reading().page(cursor, limit, project=project)

    def row(self, job_id: int) -> JobRow:
        """What is known of a job; see ``Jobs.row``."""
        return self._reading().row(job_id)

    def opened(self, job_id: int) -> StoredJob:
        """A job with its collectives; see ``Jobs.opened``."""
        return self._reading().opened(job_id)

    def delete(self, job_id: int) -> None:
        """Hide a job of one's own, or as an admin any; see ``Jobs.delete``."""
        self._own(job_id, "delete").delete(job_id)

    def deleted(self) -> list[JobRow]:
        """Deleted jobs that can be restored, the latest deleted first."""
        return self._reading().deleted()

    def restore(self, job_id: int) -> None:
        """Bring a deleted job of one's own back, or as an admin any."""
        self._own(job_id, "restore").restore(job_id)

    def _reading(self) -> Jobs:
        return self._store.seen_by(self._actor.at_least(Role.VIEWER)).jobs

    def _own(self, job_id: int, act: str) -> Jobs:
        person = self._actor.at_least(Role.UPLOADER, f"{act} job {job_id}")
        jobs = self._store.seen_by(person).jobs
        with suppress(UnknownRunError):
            self._actor.own(person, jobs.row(job_id).uploaded_by, f"job {job_id}")
        return jobs
