"""Streamlit's own script, changed in four places: what a run leaves as it was is not drawn anew."""

import re
from hashlib import sha256
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(st.__file__).parent / "static"
ADDRESS = re.compile(r'src="\./(static/js/index\.[\w-]+\.js)"')
ASKED_AGAIN = "no-cache"
"""The script keeps Streamlit's name, which does not change with our changes: a browser asks whether its copy is today's."""
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
        self._tag = f'"{sha256(body.encode()).hexdigest()}"'
        headers = {"Cache-Control": ASKED_AGAIN, "ETag": self._tag}
        self._script = Response(body, media_type="text/javascript", headers=headers)
        self._head = Response(media_type="text/javascript", headers=dict(self._script.headers))
        self._same = NotModifiedResponse(self._script.headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the script, or pass the request on."""
        asked = scope["type"] == "http" and scope["path"] == self._path
        answer = self._answer(scope) if asked and scope["method"] in {"GET", "HEAD"} else self._app
        await answer(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        """The script, its head alone, or that the browser's copy is the same."""
        known = Headers(scope=scope).get("if-none-match", "")
        if {tag.strip().removeprefix("W/") for tag in known.split(",")} & {self._tag, "*"}:
            return self._same
        return self._script if scope["method"] == "GET" else self._head
