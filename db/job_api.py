"""Traced jobs over HTTP: one trace file or an archive of them in, kept jobs listed and given back."""

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.traces.job_json import job_to_json
from core.traces.records import Job
from db.acting import ActingStore
from db.answers import addressed, page_limit, refusal, url
from db.body import read_body
from db.people import Role
from db.records import StoredJob, row_json
from db.threads import Few

ReadTrace = Callable[[str, bytes], Job]
READERS_AT_ONCE = 1
PACKED = (
    *("application/gzip", "application/x-gzip", "application/zip", "application/x-zip-compressed"),
    *("application/x-tar", "application/octet-stream"),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
KINDS = ("application/json", "text/plain", *PACKED)
"""What a body may be, in the order in which it is named."""
TAKEN = f"{', '.join(KINDS[:-1])} or {KINDS[-1]} (a trace, a workbook, or an archive of one a rank)"


class JobHandlers:
    """
    The handlers of ``/api/v1/jobs``.

    Args:
        admit: Gives the store as whoever sends a request sees it, or refuses.
        read: Turns a file's name and bytes into a job; a ValueError says why it cannot.
        most_bytes: Of a body, unpacked where it is sent with a Content-Encoding.
    """

    def __init__(
        self, admit: Callable[[Request], Awaitable[ActingStore]], read: ReadTrace, most_bytes: int
    ) -> None:
        self._admit = admit
        self._read = read
        self._most_bytes = most_bytes
        self._readers = Few(READERS_AT_ONCE)

    def routes(self) -> list[Route]:
        """Keep, list, give back."""
        return [
            Route("/v1/jobs", self.post, methods=["POST"]),
            Route("/v1/jobs", self.list, methods=["GET"]),
            Route("/v1/jobs/{number}", self.get, methods=["GET"]),
        ]

    async def post(self, request: Request) -> Response:
        """Keep the job that a body's traces tell: 201 when it is new, 200 when it was there."""
        store = await self._admit(request)
        await to_thread.run_sync(store.require, Role.UPLOADER, "upload")
        data = await read_body(request, self._most_bytes, TAKEN, packed=PACKED)
        query = request.query_params
        if not data or data.isspace():
            return refusal(HTTPStatus.BAD_REQUEST, "the body is empty: send a trace, or an archive")
        name = query.get("file", "upload")
        job = await self._readers.run(_attempt, self._read, name, data)
        if isinstance(job, str):
            return refusal(HTTPStatus.BAD_REQUEST, job)
        keep = partial(
            store.jobs.save, job, file=name, note=query.get("note", ""), project=query.get("project")
        )
        saved = await to_thread.run_sync(keep)
        told = {"id": saved.id, "url": _url(request, saved.id), "new": saved.new}
        status = HTTPStatus.CREATED if saved.new else HTTPStatus.OK
        return JSONResponse(told | ({"deleted": True} if saved.deleted else {}), status)

    async def list(self, request: Request) -> Response:
        """Jobs, newest first, a page at a time."""
        store = await self._admit(request)
        query = request.query_params
        wanted = partial(
            store.jobs.page,
            query.get("cursor") or None,
            page_limit(query.get("limit") or "50"),
            project=query.get("project"),
        )
        page = await to_thread.run_sync(wanted)
        jobs = [row_json(row) | {"url": _url(request, row.id)} for row in page.jobs]
        return JSONResponse({"jobs": jobs, "next": page.next})

    async def get(self, request: Request) -> Response:
        """One job as a job file, as it can be uploaded elsewhere."""
        store = await self._admit(request)
        stored = await to_thread.run_sync(store.jobs.opened, addressed(request))
        if stored.row.deleted_at is not None:
            return refusal(HTTPStatus.NOT_FOUND, f"job {stored.row.id} was deleted")
        return await to_thread.run_sync(_job_file, stored)


def _job_file(stored: StoredJob) -> Response:
    return JSONResponse(job_to_json(stored.job))


def _attempt(read: ReadTrace, name: str, data: bytes) -> Job | str:
    # answered, not raised: an exception crossing threads would hold on to the body until a collection
    try:
        return read(name, data)
    except ValueError as problem:
        return str(problem)


def _url(request: Request, job_id: int) -> str:
    """Where a job is looked at."""
    return url(request, f"/job?job={job_id}")
