"""The web process: the pages, the HTTP door and their start-up. `python app.py` or `streamlit run app.py`."""

import asyncio
import gc
import importlib.util
import os
import pkgutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from anyio import to_thread
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from streamlit.logger import get_logger

from core.command_line import FAILED
from core.errors import InputError
from db import drift_alerts, log, oidc, settings
from db.access import Limits
from db.api import routes
from db.body import upload_limit
from db.clients import Clients, proxies
from db.errors import StoreError
from db.hosts import allowed_names, encrypted_name
from db.opening import check_address, opening
from db.room import Room
from db.secret import secret
from db.setting_values import host, port
from db.store import shared
from gpu_probe.parsers.trace_worker import read_trace_upload
from gpu_probe.parsers.worker import read_upload
from pages.http import allocator, counts, document, metrics, no_lookup, no_proxy, run_cost, wishes
from pages.http.ask import openapi
from pages.http.ask.accept import Accept
from pages.http.ask.check import Check
from pages.http.ask.routes import Ask, Rate
from pages.http.ask.workers import Workers
from pages.http.binary_frames import BinaryFrames
from pages.http.documentation import documentation
from pages.http.front_end import FrontEnd
from pages.http.gate import Gate
from pages.http.logs import Observed
from pages.http.processes import counting, worker
from pages.http.security_headers import SecurityHeaders
from pages.http.sign_in import guard, way_in
from pages.ui import shared as parts
from pages.ui.shared.chapters import SITE

ROOT = Path(__file__).resolve().parent
PROBE = (ROOT / "wirespeed-probe.pyz", ROOT / "build" / "wirespeed-probe.pyz")
HEAVY = ("numpy", "pandas", "pyarrow", "altair", "streamlit.elements.vega_charts")
CHART = "pages.ui.shared.overlay"
RETRY_S = 2.0
MOVED = {"strategy": "layouts", "money": "cost"}


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Prepare the database, then import what every page needs while the first visitor is on the way."""
    preparing = None
    obstacle = await to_thread.run_sync(_obstacle)
    if obstacle is not None:
        log.once(obstacle)
        preparing = asyncio.create_task(_keep_trying())
    if ALERTS is not None:
        ALERTS.start()
    if TEAM is not None:
        TEAM.listen()
    warming = asyncio.create_task(to_thread.run_sync(_warm))
    yield
    for task in (warming, preparing):
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    WORKERS.close()
    if ALERTS is not None:
        ALERTS.close()
    STORE.close()


def _obstacle() -> str | None:
    """Why the schema cannot be brought up to date now; None where it is."""
    try:
        STORE.prepare()
    except StoreError as error:
        return str(error)
    return None


async def _keep_trying() -> None:
    """A database that starts after us is met as soon as it is there; /readyz says 503 until then."""
    obstacle: str | None = ""
    while obstacle is not None:
        await asyncio.sleep(RETRY_S)
        obstacle = await to_thread.run_sync(_obstacle)
        log.once(obstacle or "")


def _warm() -> None:
    """
    Import the heavy modules and those that all pages share, and build a chart: Altair's first takes a while.

    All of it is set aside, so that no collection walks through it again.
    """
    modules = (module.name for module in pkgutil.walk_packages(parts.__path__, f"{parts.__name__}."))
    for name in (*HEAVY, *modules):
        importlib.import_module(name)
    importlib.import_module(CHART).spec()
    gc.collect()
    gc.freeze()


def _moved(request: Request) -> RedirectResponse:
    """A page's old address leads to its new one, its question kept."""
    page = MOVED[request.url.path.rsplit("/", 1)[-1]]
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{page}{query}", status_code=308)


def _tools() -> list[Route]:
    """The calculators as tools of MCP, where its SDK is installed."""
    if importlib.util.find_spec("mcp") is None:
        return []
    return list(importlib.import_module("pages.mcp.http").routes(WORKERS, RATE, ROOM))


def _address() -> str | None:
    """The address that will be listened on: what was given to Streamlit, or HOST where this file is run."""
    if __name__ == "__main__":
        return host()
    address: str | None = st.config.get_option("server.address")
    return address


WORKERS = Workers()
try:
    settings.check()
    check_address(_address())
    OPENING, SIGN_IN = opening(), oidc.sign_in()
    NAMES = allowed_names()
    PROXIES = proxies()
    COOKIE_SECRET = secret("WIRESPEED_COOKIE_SECRET")
    LOG = settings.log_format()
    PROCESSES = settings.workers()
    STORE = shared()
    ALERTS = drift_alerts.from_environment(STORE)
    RATE, LIMITS = Rate(settings.question_rate()), Limits()
    ROOM = Room.from_environment(upload_limit(os.environ.get("WIRESPEED_MAX_UPLOAD_MB")))
    ROUTES = routes(
        STORE,
        read_upload,
        read_trace_upload,
        probe=PROBE,
        beside=[*Ask(WORKERS, RATE).routes(), *Check(RATE).routes(), *Accept(RATE).routes()],
        described=openapi.document(),
        limits=LIMITS,
        room=ROOM,
    )
except InputError as error:
    log.line(str(error))
    sys.exit(FAILED)

if PROCESSES > 1 and __name__ != "__main__":
    sys.exit("wirespeed: WIRESPEED_WORKERS: several processes are started by `python app.py`")
if COOKIE_SECRET:
    os.environ["STREAMLIT_SERVER_COOKIE_SECRET"] = COOKIE_SECRET  # read again where this file is run
    st.config.set_option("server.cookieSecret", COOKIE_SECRET)
no_lookup.forbid()
no_proxy.forbid()
wishes.limit()
run_cost.lower()
allocator.return_large_blocks()
METRICS = counts.OF_PROCESS
TEAM = counting.team(METRICS, worker.number(), PROCESSES)
app = st.App(
    ROOT / "pages" / "shell.py",
    routes=[
        *ROUTES,
        *metrics.routes(STORE, TEAM or METRICS, LIMITS),
        *_tools(),
        *way_in.routes(SIGN_IN, STORE),
        *document.routes(),
        *documentation(SITE),
        *(Route(f"/{old}", _moved) for old in MOVED),
    ],
    middleware=[
        Middleware(Clients, trusted=PROXIES),
        Middleware(Observed, metrics=METRICS, form=LOG),
        Middleware(worker.Sticky, worker=worker.number()),
        Middleware(SecurityHeaders),
        Middleware(Gate, names=NAMES, encrypted=encrypted_name()),
        Middleware(
            guard.Guard, opening=OPENING, settings=SIGN_IN, admit=way_in.Programs(STORE, LIMITS).admit
        ),
        Middleware(BinaryFrames),
        Middleware(FrontEnd),
    ],
    lifespan=lifespan,
)

if __name__ == "__main__":
    if worker.number() is not None:
        worker.listen_to_front()
    elif PROCESSES > 1:
        worker.become_front()
    # it would warn that the port is not that of the file
    get_logger("streamlit.config").setLevel("ERROR")
    app.run(
        config={
            "server.address": _address(),
            "server.port": port(),
        }
    )
