"""What the store says when it cannot do its work: one line for people."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc
from sqlalchemy.engine import Engine


class StoreError(RuntimeError):
    """The database cannot be reached, is not prepared, or is newer than this program."""


class NotAllowedError(StoreError):
    """The role of whoever acts does not reach so far, or their session has ended."""


class UnknownRunError(LookupError):
    """There is no run (or job, fit, file) of that number, name or id."""

    def __str__(self) -> str:
        """The sentence alone: LookupError's kind would quote it."""
        return str(self.args[0]) if self.args else ""


def unknown_run(run_id: int) -> UnknownRunError:
    """The error for a run that is not in the store."""
    return UnknownRunError(f"there is no run {run_id}")


def unknown_job(job_id: int) -> UnknownRunError:
    """The error for a job that is not in the store."""
    return UnknownRunError(f"there is no job {job_id}")


@contextmanager
def one_line(engine: Engine) -> Iterator[None]:
    """Turn an outage of the database into a StoreError that names it without its password."""
    try:
        yield
    except (exc.IntegrityError, exc.DataError):
        raise  # a mistake of ours, not an outage
    except (exc.DatabaseError, exc.InterfaceError, exc.TimeoutError, OSError) as error:
        cause = getattr(error, "orig", None) or error
        reason = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
        where = engine.url.render_as_string(hide_password=True)
        message = f"the database {where} cannot be used: {reason}"
        raise StoreError(message) from error
