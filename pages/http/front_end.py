"""Streamlit's own script, changed in four places: what a run leaves as it was is not drawn anew."""

import re
from pathlib import Path

import streamlit as st
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(st.__file__).parent / "static"
ADDRESS = re.compile(r'src="\./(static/js/index\.[\w-]+\.js)"')
HELD = "public, immutable, max-age=31536000"
_MEMO = re.compile(r"\(0,(\w+)\.memo\)")
_DRAWN = (
    (1, re.compile(r"\b(\w+)\((\w+),(\{\.\.\.\w+,isStale:\w+\})\)")),
    (1, re.compile(r"\b(\w+)\((\w+),(\{endpoints:\w+,widgetsDisabled:\w+\})\)")),
    (2, re.compile(r"(?<==)(\w+)\((\w+),(\{\.\.\.\w+\},\w+)\)(?=;return this\.reactElements)")),
)
"""Where, and how often, the script draws an element, the navigation, any child: by function, component and properties."""
_TOLD = re.compile(
    r"(?<=fragmentIdsThisRun:\w\}=)(\(0,\w+\.useContext\)\(\w+\))(?=,\w+=\(0,\w+\.useContext\)\(\w+\),\w+;\w+\.has\((\w+)\.deltaBlock)"
)
"""Where a container asks for the state of the run, and the name of its node."""


def changed(text: str) -> str:
    """
    Streamlit's script with components that ``unchanged.js`` keeps; as it is where it is not the one we know.

    Streamlit tells every element and container of each beginning and end of a run: without this a browser draws the whole
    page anew for both.

    Args:
        text: The script.
    """
    memo = _MEMO.search(text)
    if memo is None or any(len(place.findall(text)) != times for times, place in (*_DRAWN, (1, _TOLD))):
        return text
    for _, place in _DRAWN:
        kept = rf"\1(window.wirespeedUnchanged?.(\2,(0,{memo[1]}.memo))??\2,\3)"
        text = place.sub(kept, text)
    return _TOLD.sub(r"(window.wirespeedTold?.(\2.deltaBlock)??!0?\1:{})", text)


def address() -> str:
    """
    The script's address below the server's.

    Raises:
        RuntimeError: Streamlit's document names none.
    """
    found = ADDRESS.search((STATIC / "index.html").read_text(encoding="utf-8"))
    if found is None:
        message = f"{STATIC / 'index.html'} has no script at {ADDRESS.pattern}"
        raise RuntimeError(message)
    return found[1]


class FrontEnd:
    """Answers with the changed script where a browser asks for Streamlit's."""

    def __init__(self, app: ASGIApp) -> None:
        place = address()
        self._app = app
        self._path = f"/{place}"
        body = changed((STATIC / place).read_text(encoding="utf-8"))
        self._script = Response(body, media_type="text/javascript", headers={"Cache-Control": HELD})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the script, or pass the request on."""
        asked = scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == self._path
        await (self._script if asked else self._app)(scope, receive, send)
