"""Traced jobs of a store, as the pages and the HTTP interface use them."""

from datetime import UTC, datetime

from core.traces.records import Job
from db import job_rows, jobs, projects, versions
from db.audit import Action
from db.records import JobPage, JobRow, Saved, StoredJob
from db.transactions import Transactions


class Jobs:
    """
    The kept jobs of a store.

    Args:
        transactions: Of whoever reads or acts.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def save(self, job: Job, *, file: str, note: str = "", project: str | None = None) -> Saved:
        """
        Keep a job under a file's name, in a project or for everyone; once however often it is sent.

        Raises:
            InputError: It holds no collectives, or more than are kept.
            UnknownRunError: There is no such project that may be seen.
        """
        content = job_rows.content(job)
        person = self._transactions.person
        with self._transactions.writing() as act:
            saved = jobs.save(
                act.connection,
                content,
                file=file,
                note=note,
                uploaded_by=act.by if person else None,
                project_id=projects.number(act.connection, act.scope, project),
                person=person,
            )
            there = "" if saved.new else "there already"
            detail = "; ".join(filter(None, (projects.detail(project), there)))
            act.log(Action.RESTORE_JOB if saved.restored else Action.KEEP_JOB, f"job {saved.id}", detail)
            return saved

    def page(self, cursor: str | None = None, limit: int = 50, *, project: str | None = None) -> JobPage:
        """A page of jobs, newest first; see ``jobs.page``."""
        with self._transactions.reading() as (connection, scope):
            return jobs.page(connection, scope, cursor=cursor, limit=limit, project=project)

    def row(self, job_id: int) -> JobRow:
        """What is known of a job, deleted or not; UnknownRunError if there is none of that number."""
        with self._transactions.reading() as (connection, scope):
            return jobs.row(connection, scope, job_id)

    def opened(self, job_id: int) -> StoredJob:
        """A job with its collectives; UnknownRunError if there is none of that number."""
        with self._transactions.reading() as (connection, scope):
            return jobs.stored_job(connection, scope, job_id)

    def delete(self, job_id: int) -> None:
        """Hide a job from every list; ``restore`` brings it back whole within thirty days."""
        now = datetime.now(UTC)
        with self._transactions.writing() as act:
            jobs.purge(act.connection, now - versions.KEPT)
            changed = jobs.mark(act.connection, act.scope, job_id, now)
            act.log_if(changed, Action.DELETE_JOB, f"job {job_id}")

    def deleted(self) -> list[JobRow]:
        """Deleted jobs that can be restored, the latest deleted first."""
        with self._transactions.reading() as (connection, scope):
            return jobs.deleted(connection, scope)

    def restore(self, job_id: int) -> None:
        """Bring a deleted job back whole; UnknownRunError if there is none of that number."""
        with self._transactions.writing() as act:
            changed = jobs.mark(act.connection, act.scope, job_id, None)
            act.log_if(changed, Action.RESTORE_JOB, f"job {job_id}")
