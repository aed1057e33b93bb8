"""What Prometheus reads at /metrics: requests, latency, open pages, stored runs, behind the server's token."""

from functools import partial
from typing import Protocol

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.version import VERSION
from db.access import Limits, admit
from db.errors import StoreError
from db.people import Role
from db.store import Store
from pages.http.counts import gauge, head

OF_ALL = "these figures are of all projects: a personal token needs the scope admin"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Counted(Protocol):
    """Who knows the counts: one process, or all of them."""

    def lines(self) -> list[str]:
        """The counts in Prometheus' text format; may wait for other processes."""


def routes(store: Store, metrics: Counted, limits: Limits) -> list[Route]:
    """``GET /metrics``; the limits of tokens are those of the whole process."""

    async def send(request: Request) -> Response:
        """The counts, for whom the HTTP interface is open."""
        address = request.client.host if request.client else None
        version = request.scope.get("http_version", "1.1")
        ask = partial(admit, request.headers, address, version, limits=limits, bearer=store.tokens.bearer)
        admission = await to_thread.run_sync(ask)
        person = admission.person
        if person is None:
            return JSONResponse(
                {"error": admission.reason, "line": None}, admission.status, admission.headers
            )
        if person.token and (person.project is not None or not person.may(Role.ADMIN)):
            return JSONResponse({"error": OF_ALL, "line": None}, 403)
        lines = [*await to_thread.run_sync(metrics.lines), *await to_thread.run_sync(_of_store, store)]
        return PlainTextResponse("\n".join([*lines, ""]), media_type=CONTENT_TYPE)

    return [Route("/metrics", send)]


def _of_store(store: Store) -> list[str]:
    lines = [
        *head("wirespeed_build_info", "gauge", "The version that runs."),
        f'wirespeed_build_info{{version="{VERSION}"}} 1',
        *gauge("wirespeed_ready", "Whether runs can be kept now.", int(store.obstacle() is None)),
    ]
    try:
        runs = store.run_count()
    except StoreError:
        return lines
    return [*lines, *gauge("wirespeed_runs", "Stored runs that are not deleted.", runs)]
