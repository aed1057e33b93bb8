"""The HTTP door to the store: uploads, lists, health; JSON in every answer."""

import hashlib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from core.errors import InputError
from core.measurement import Run
from core.measurement.run_json import file_json
from core.version import VERSION
from db import log
from db.access import DOWN, Limits, admit
from db.acting import ActingStore
from db.answers import addressed, page_limit, refusal, url
from db.body import read_body, upload_limit
from db.errors import NotAllowedError, StoreError, UnknownRunError
from db.job_api import JobHandlers, ReadTrace
from db.moments import parse_moment
from db.openapi import document
from db.people import Role
from db.records import Saved, row_json
from db.room import RefusedError, Room, Shares
from db.store import Store
from db.threads import Few

Read = Callable[[str, bytes], Sequence[Run]]
READERS_AT_ONCE = 2
BAD_REQUEST = HTTPStatus.BAD_REQUEST


def routes(
    store: Store,
    read: Read,
    read_trace: ReadTrace,
    *,
    probe: Sequence[Path] = (),
    beside: Sequence[Route] = (),
    described: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    room: Room | None = None,
) -> list[BaseRoute]:
    """
    The routes to put beside the pages.

    Args:
        store: Where runs are kept.
        read: Turns a file's name and bytes into runs; a ValueError, with a ``line`` where
            it knows one, says why it cannot.
        read_trace: Turns a file's name and bytes, a trace or a zip of several, into a job; a ValueError says
            why it cannot.
        probe: Where the agent for GPU nodes may lie once it is built.
        beside: More routes below ``/api``, with the same answers to what is wrong.
        described: The OpenAPI document that is served; that of the store where none is given.
        limits: Of tokens, shared with what else lets programs in; new ones where none are given.
        room: For bodies, shared with what else reads any; that of the settings where none is given.

    Raises:
        InputError: WIRESPEED_MAX_UPLOAD_MB or WIRESPEED_MAX_BODIES_MB is not a number above zero.
    """
    most_bytes = upload_limit(os.environ.get("WIRESPEED_MAX_UPLOAD_MB"))
    handlers = _Handlers(store, read, most_bytes, limits or Limits())
    jobs = JobHandlers(handlers.admit, read_trace, handlers.most_bytes)
    errors: dict[Any, Any] = {
        HTTPException: _http_error,
        RefusedError: _refused,
        InputError: _bad_input,
        UnknownRunError: _unknown,
        NotAllowedError: _not_allowed,
        StoreError: _store_down,
        Exception: _unexpected,
    }
    api = Starlette(
        routes=[
            Route("/v1/runs", handlers.post, methods=["POST"]),
            Route("/v1/runs", handlers.list, methods=["GET"]),
            Route("/v1/runs/{number}", handlers.get, methods=["GET"]),
            *jobs.routes(),
            Route("/v1/openapi.json", partial(_described, described or document()), methods=["GET"]),
            *beside,
        ],
        exception_handlers=errors,
        middleware=[Middleware(Shares, room=room or Room.from_environment(most_bytes))],
    )
    # a redirect would give back whatever Host was sent
    api.router.redirect_slashes = False
    return [
        Route("/healthz", _health),
        Route("/readyz", partial(_ready, store)),
        Route("/probe.pyz", partial(_probe, list(probe))),
        Mount("/api", app=api),
    ]


@dataclass(frozen=True, slots=True)
class _Unreadable:
    reason: str
    line: int | None


def _attempt(read: Read, name: str, data: bytes) -> Sequence[Run] | _Unreadable:
    # answered, not raised: an exception crossing threads would hold on to the body until a collection
    try:
        return read(name, data)
    except ValueError as problem:
        return _Unreadable(str(problem), getattr(problem, "line", None))


class _Handlers:
    def __init__(self, store: Store, read: Read, most_bytes: int, limits: Limits) -> None:
        self.store = store
        self.read = read
        self.most_bytes = most_bytes
        self._readers = Few(READERS_AT_ONCE)
        self._limits = limits

    async def post(self, request: Request) -> Response:
        """Keep the runs of a body: 201 when one of them is new, 200 when all were there."""
        store = await self.admit(request)
        await to_thread.run_sync(store.require, Role.UPLOADER, "upload")
        data = await read_body(request, self.most_bytes)
        query = request.query_params
        if not data or data.isspace():
            return refusal(BAD_REQUEST, "the body is empty: send a run file or what a tool printed")
        name = query.get("file", "upload")
        runs = await self._readers.run(_attempt, self.read, name, data)
        if isinstance(runs, _Unreadable):
            return refusal(BAD_REQUEST, runs.reason, runs.line)
        keep = partial(
            store.save,
            runs,
            raw_sha256=hashlib.sha256(data).hexdigest(),
            tags=query.get("tags", "").split(","),
            note=query.get("note", ""),
            project=query.get("project"),
        )
        saved = await to_thread.run_sync(keep)
        return _kept(request, saved)

    async def list(self, request: Request) -> Response:
        """Runs, newest first, a page at a time."""
        store = await self.admit(request)
        query = request.query_params
        page = await to_thread.run_sync(
            partial(
                store.runs,
                query.get("cursor") or None,
                page_limit(query.get("limit") or "50"),
                query.get("gpu"),
                query.get("operation"),
                _since(query.get("since")),
                tag=query.get("tag"),
                project=query.get("project"),
            )
        )
        runs = [row_json(row) | {"url": _url(request, row.id)} for row in page.runs]
        return JSONResponse({"runs": runs, "next": page.next})

    async def get(self, request: Request) -> Response:
        """One run as a run file, as it can be uploaded elsewhere."""
        store = await self.admit(request)
        stored = await to_thread.run_sync(store.run, addressed(request))
        if stored.row.deleted_at is not None:
            return refusal(HTTPStatus.NOT_FOUND, f"run {stored.row.id} was deleted")
        return JSONResponse(file_json([stored.run]))

    async def admit(self, request: Request) -> ActingStore:
        """The store as whoever sends the request sees it; RefusedError where they are not let in."""
        address = request.client.host if request.client else None
        version = request.scope.get("http_version", "1.1")
        bearer = self.store.tokens.bearer
        ask = partial(admit, request.headers, address, version, limits=self._limits, bearer=bearer)
        admission = await to_thread.run_sync(ask)
        person = admission.person
        if person is None:
            raise RefusedError(admission.status, admission.reason, math.ceil(admission.wait_s))
        return ActingStore(self.store, lambda: person)


def _kept(request: Request, saved: list[Saved]) -> Response:
    runs: list[dict[str, Any]] = [
        {"id": run.id, "url": _url(request, run.id), "new": run.new}
        | ({"deleted": True} if run.deleted else {})
        for run in saved
    ]
    status = HTTPStatus.CREATED if any(run.new for run in saved) else HTTPStatus.OK
    return JSONResponse({"id": runs[0]["id"], "url": runs[0]["url"], "runs": runs}, status)


def _url(request: Request, run_id: int) -> str:
    """Where a run is looked at."""
    return url(request, f"/measurements?runs={run_id}")


def _since(text: str | None) -> datetime | None:
    if not text:
        return None
    # a + that nobody escaped arrives as a space
    moment = parse_moment(text.replace(" ", "+") if "T" in text else text)
    if moment is None:
        message = f"since: a date such as 2026-11-01 or 2026-11-01T12:00:00Z, not {text[:40]!r}"
        raise InputError(message)
    return moment


async def _described(described: Mapping[str, Any], _request: Request) -> Response:
    return JSONResponse(described)


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": VERSION})


async def _ready(store: Store, _request: Request) -> Response:
    obstacle = await to_thread.run_sync(store.obstacle)
    log.once(obstacle or "")
    if obstacle is None:
        return JSONResponse({"status": "ready"})
    reason = "the database takes no runs now, or its schema is another: the server's log says which"
    return JSONResponse({"status": "not ready", "reason": reason}, HTTPStatus.SERVICE_UNAVAILABLE)


async def _probe(paths: list[Path], _request: Request) -> Response:
    for path in paths:
        if path.is_file():
            return FileResponse(path, media_type="application/octet-stream", filename="wirespeed-probe.pyz")
    return refusal(HTTPStatus.NOT_FOUND, "the probe has not been built on this server: make probe")


async def _http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.NOT_FOUND:
        return refusal(HTTPStatus.NOT_FOUND, f"there is nothing at {request.url.path}")
    response = refusal(error.status_code, error.detail)
    response.headers.update(error.headers or {})
    return response


async def _refused(_request: Request, error: RefusedError) -> Response:
    answer = refusal(error.status, error.reason)
    if error.wait_s:
        answer.headers["Retry-After"] = str(error.wait_s)
    return answer


async def _bad_input(_request: Request, error: InputError) -> Response:
    return refusal(BAD_REQUEST, str(error))


async def _unknown(_request: Request, error: UnknownRunError) -> Response:
    return refusal(HTTPStatus.NOT_FOUND, str(error))


async def _not_allowed(_request: Request, error: NotAllowedError) -> Response:
    return refusal(HTTPStatus.FORBIDDEN, str(error))


async def _store_down(_request: Request, outage: StoreError) -> Response:
    log.once(str(outage))
    return refusal(HTTPStatus.SERVICE_UNAVAILABLE, DOWN)


async def _unexpected(_request: Request, _bug: Exception) -> Response:
    return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "the server failed at this request; its log says how")
