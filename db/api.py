"""The HTTP door to the store: uploads, lists, health; JSON in every answer."""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from core.errors import InputError
from core.measurement import Run
from core.version import VERSION
from db.access import caller
from db.body import RefusedError, most_bytes, take
from db.errors import StoreError, UnknownRunError
from db.records import Saved
from db.serialise import row_json, run_file
from db.store import Store

Read = Callable[[str, bytes], Sequence[Run]]
READERS_AT_ONCE = 2
DAMAGED = HTTPStatus.BAD_REQUEST


def routes(store: Store, read: Read, *, probe: Sequence[Path] = ()) -> list[BaseRoute]:
    """
    The routes to put beside the pages.

    Args:
        store: Where runs are kept.
        read: Turns a file's name and bytes into runs; a ValueError, with a ``line`` where
            it knows one, says why it cannot.
        probe: Where the agent for GPU nodes may lie once it is built.

    Raises:
        InputError: WIRESPEED_MAX_UPLOAD_MB is not a number above zero.
    """
    door = _Door(store, read, most_bytes(os.environ.get("WIRESPEED_MAX_UPLOAD_MB")))
    errors: dict[Any, Any] = {
        HTTPException: _http_error,
        RefusedError: _refused,
        InputError: _bad_input,
        UnknownRunError: _unknown,
        StoreError: _no_store,
        Exception: _surprise,
    }
    api = Starlette(
        routes=[
            Route("/v1/runs", door.post, methods=["POST"]),
            Route("/v1/runs", door.list, methods=["GET"]),
            Route("/v1/runs/{number:int}", door.get, methods=["GET"]),
        ],
        exception_handlers=errors,
    )
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


class _Door:
    def __init__(self, store: Store, read: Read, most: int) -> None:
        self.store = store
        self.read = read
        self.most = most
        self._readers: CapacityLimiter | None = None

    async def post(self, request: Request) -> Response:
        """Keep the runs of a body: 201 when one of them is new, 200 when all were there."""
        uploader = _admit(request)
        data = await take(request, self.most)
        asked = request.query_params
        if not data or data.isspace():
            return _error(DAMAGED, "the body is empty: send a run file or what a tool printed")
        # made here: a limiter belongs to the running event loop
        self._readers = self._readers or CapacityLimiter(READERS_AT_ONCE)
        name = asked.get("file", "upload")
        found = await to_thread.run_sync(_attempt, self.read, name, data, limiter=self._readers)
        if isinstance(found, _Unreadable):
            return _error(DAMAGED, found.reason, found.line)
        keep = partial(
            self.store.save,
            found,
            raw_sha256=hashlib.sha256(data).hexdigest(),
            tags=asked.get("tags", "").split(","),
            note=asked.get("note", ""),
            uploaded_by=uploader,
        )
        saved = await to_thread.run_sync(keep)
        return _kept(request, saved)

    async def list(self, request: Request) -> Response:
        """Runs, newest first, a page at a time."""
        _admit(request)
        asked = request.query_params
        page = await to_thread.run_sync(
            partial(
                self.store.runs,
                asked.get("cursor") or None,
                _limit(asked.get("limit") or "50"),
                asked.get("gpu"),
                asked.get("operation"),
                _moment(asked.get("since")),
                tag=asked.get("tag"),
            )
        )
        found = [row_json(row) | {"url": _url(request, row.id)} for row in page.runs]
        return JSONResponse({"runs": found, "next": page.next})

    async def get(self, request: Request) -> Response:
        """One run as a run file, as it can be uploaded elsewhere."""
        _admit(request)
        found = await to_thread.run_sync(self.store.run, request.path_params["number"])
        if found.row.deleted_at is not None:
            return _error(HTTPStatus.NOT_FOUND, f"run {found.row.id} was deleted")
        return JSONResponse(run_file([found.run]))


def _admit(request: Request) -> str | None:
    found = caller(request.headers, request.client.host if request.client else None)
    if found.status != HTTPStatus.OK:
        raise RefusedError(found.status, found.reason)
    return found.name


def _kept(request: Request, saved: list[Saved]) -> Response:
    runs = [{"id": one.id, "url": _url(request, one.id), "new": one.new} for one in saved]
    status = HTTPStatus.CREATED if any(one.new for one in saved) else HTTPStatus.OK
    return JSONResponse({"id": runs[0]["id"], "url": runs[0]["url"], "runs": runs}, status)


def _url(request: Request, number: int) -> str:
    return f"{request.url.scheme}://{request.url.netloc}/measurements?runs={number}"


def _limit(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"limit: a whole number, not {text[:40]!r}"
        raise InputError(message) from None


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        # a + that nobody escaped arrives as a space
        moment = datetime.fromisoformat(text.replace(" ", "+") if "T" in text else text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"since: a date such as 2026-11-01 or 2026-11-01T12:00:00Z, not {text[:40]!r}"
        raise InputError(message) from None


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": VERSION})


async def _ready(store: Store, _request: Request) -> Response:
    if await to_thread.run_sync(store.ready):
        return JSONResponse({"status": "ready"})
    reason = "the database does not answer or its schema is not the one this program needs"
    return JSONResponse({"status": "not ready", "reason": reason}, HTTPStatus.SERVICE_UNAVAILABLE)


async def _probe(places: list[Path], _request: Request) -> Response:
    for place in places:
        if place.is_file():
            return FileResponse(place, media_type="application/octet-stream", filename="wirespeed-probe.pyz")
    return _error(HTTPStatus.NOT_FOUND, "the probe has not been built on this server: make probe")


def _error(status: int, reason: str, line: int | None = None) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse({"error": reason, "line": line}, status, headers)


async def _http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.NOT_FOUND:
        return _error(HTTPStatus.NOT_FOUND, f"there is nothing at {request.url.path}")
    answer = _error(error.status_code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


async def _refused(_request: Request, error: RefusedError) -> Response:
    return _error(error.status, error.reason)


async def _bad_input(_request: Request, error: InputError) -> Response:
    return _error(DAMAGED, str(error))


async def _unknown(_request: Request, error: UnknownRunError) -> Response:
    return _error(HTTPStatus.NOT_FOUND, str(error))


async def _no_store(_request: Request, _outage: StoreError) -> Response:
    return _error(HTTPStatus.SERVICE_UNAVAILABLE, "the store is not ready: try again later")


async def _surprise(_request: Request, _bug: Exception) -> Response:
    return _error(HTTPStatus.INTERNAL_SERVER_ERROR, "the server failed at this request; its log says how")
