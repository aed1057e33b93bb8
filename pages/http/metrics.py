"""What Prometheus reads at /metrics: requests, latency, open pages, stored runs, behind the server's token."""

import threading
from collections import Counter, defaultdict
from functools import partial

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.version import VERSION
from db.access import Limits, admit
from db.errors import StoreError
from db.people import Role
from db.store import Store

BOUNDS_S = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 60.0)
OF_ALL = "these figures are of all projects: a personal token needs the scope admin"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
KINDS = (
    ("/api/", "api"),
    ("/_stcore/stream", "websocket"),
    ("/_stcore/", "session"),
    ("/static/", "static"),
    ("/docs", "docs"),
    ("/healthz", "health"),
    ("/readyz", "health"),
    ("/metrics", "metrics"),
)


def kind_of(path: str) -> str:
    """To which kind of request a path belongs: few, whatever visitors ask for."""
    return next((kind for start, kind in KINDS if path.startswith(start)), "page")


class Metrics:
    """Counts of one process since its start; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS_S) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._open = 0

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        kind = kind_of(path)
        slot = next((index for index, bound in enumerate(BOUNDS_S) if seconds <= bound), len(BOUNDS_S))
        with self._lock:
            self._requests[kind, f"{status // 100}xx"] += 1
            self._buckets[kind][slot] += 1
            self._seconds[kind] += seconds

    def websocket(self, change: int) -> None:
        """A page's websocket opened (1) or closed (-1)."""
        with self._lock:
            self._open += change

    def lines(self) -> list[str]:
        """The counts in Prometheus' text format."""
        with self._lock:
            requests = sorted(self._requests.items())
            buckets = {kind: list(counts) for kind, counts in sorted(self._buckets.items())}
            seconds, is_open = dict(self._seconds), self._open
        name = "wirespeed_http_request_duration_seconds"
        lines = [
            *_head(
                "wirespeed_http_requests_total", "counter", "Requests answered, by kind of path and status."
            ),
            *(
                f'wirespeed_http_requests_total{{kind="{kind}",status="{status}"}} {number}'
                for (kind, status), number in requests
            ),
            *_head(name, "histogram", "Time until the last byte of an answer, by kind of path."),
        ]
        for kind, counts in buckets.items():
            total = 0
            for bound, number in zip([*map(str, BOUNDS_S), "+Inf"], counts, strict=True):
                total += number
                lines.append(f'{name}_bucket{{kind="{kind}",le="{bound}"}} {total}')
            lines += [
                f'{name}_sum{{kind="{kind}"}} {seconds[kind]:.6f}',
                f'{name}_count{{kind="{kind}"}} {total}',
            ]
        return [*lines, *_gauge("wirespeed_open_pages", "Pages whose websocket is open.", is_open)]


def routes(store: Store, metrics: Metrics, limits: Limits) -> list[Route]:
    """``GET /metrics``; the limits of tokens are those of the whole process."""

    async def send(request: Request) -> Response:
        """The counts, for whom the HTTP interface is open."""
        address = request.client.host if request.client else None
        version = request.scope.get("http_version", "1.1")
        ask = partial(admit, request.headers, address, version, limits=limits, bearer=store.tokens.bearer)
        admission = await to_thread.run_sync(ask)
        person = admission.person
        if person is None:
            return JSONResponse({"error": admission.reason, "line": None}, admission.status)
        if person.token and (person.project is not None or not person.may(Role.ADMIN)):
            return JSONResponse({"error": OF_ALL, "line": None}, 403)
        lines = [*metrics.lines(), *await to_thread.run_sync(_of_store, store)]
        return PlainTextResponse("\n".join([*lines, ""]), media_type=CONTENT_TYPE)

    return [Route("/metrics", send)]


def _of_store(store: Store) -> list[str]:
    lines = [
        *_head("wirespeed_build_info", "gauge", "The version that runs."),
        f'wirespeed_build_info{{version="{VERSION}"}} 1',
        *_gauge("wirespeed_ready", "Whether runs can be kept now.", int(store.obstacle() is None)),
    ]
    try:
        runs = store.run_count()
    except StoreError:
        return lines
    return [*lines, *_gauge("wirespeed_runs", "Stored runs that are not deleted.", runs)]


def _gauge(name: str, text: str, value: float) -> list[str]:
    return [*_head(name, "gauge", text), f"{name} {value}"]


def _head(name: str, kind: str, text: str) -> list[str]:
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
