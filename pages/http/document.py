"""Routes of the pages: Streamlit's document with our script before its own, the same for every page."""

import hashlib
import json
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pages.ui.shared import names
from pages.ui.shared.navigation import HOME, SECTIONS

ASSETS = Path(__file__).resolve().parents[1] / "ui" / "assets"
SCRIPTS = (
    "address.js",
    "announce.js",
    "choices.js",
    "frames.js",
    "menu.js",
    "numbers.js",
    "panels.js",
    "unchanged.js",
    "units.js",
)
NAMES = "const NAMES = {};"
SCRIPT = "wirespeed.js"
DOCUMENT = Path(st.__file__).parent / "static" / "index.html"
STREAMLITS_OWN = '<script type="module"'
FOREVER = "public, max-age=31536000, immutable"


def script() -> str:
    """Our scripts as one file, the names of the catalog among them."""
    text = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS)
    by_id = names.nicknames() | names.catalog() | names.presets() | names.precisions()
    return text.replace(NAMES, f"const NAMES = {json.dumps(by_id)};")


def document(version: str) -> str:
    """
    Streamlit's document with our script before its own, so that ours hears of every address first.

    Args:
        version: Of the script; the browser keeps one version for good.

    Raises:
        RuntimeError: Streamlit's document no longer has the place for it.
    """
    text = DOCUMENT.read_text(encoding="utf-8")
    before, found, after = text.partition(STREAMLITS_OWN)
    if not found:
        message = f"{DOCUMENT} has no {STREAMLITS_OWN}"
        raise RuntimeError(message)
    return f'{before}<script src="./{SCRIPT}?v={version}"></script>\n    {found}{after}'


def routes() -> list[Route]:
    """The script, and the document at the address of each page."""
    body = script()
    page = document(hashlib.sha256(body.encode()).hexdigest()[:12])

    async def send_script(_request: Request) -> Response:
        return Response(body, media_type="text/javascript", headers={"Cache-Control": FOREVER})

    async def send_document(_request: Request) -> Response:
        return HTMLResponse(page, headers={"Cache-Control": "no-cache"})

    names = [item.name for items in SECTIONS.values() for item in items if item is not HOME]
    return [
        Route(f"/{SCRIPT}", send_script),
        Route("/", send_document),
        *(Route(f"/{name}", send_document) for name in names),
    ]
