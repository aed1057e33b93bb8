"""The documentation site at /docs/, where it has been built."""

from pathlib import Path

from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles


def documentation(site: Path | None) -> list[BaseRoute]:
    """The routes of the built site in a folder; none without one."""
    if site is None:
        return []
    return [
        Route("/docs", lambda _request: RedirectResponse("docs/", status_code=308)),
        Mount("/docs", StaticFiles(directory=site, html=True)),
    ]
